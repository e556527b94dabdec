"""Queries with the predicates of visibility spliced in. Imports nothing that takes time: hooks read by them, too."""

from __future__ import annotations

from collections.abc import Mapping

from trigraph.stores.sql_files import load_queries, read_sql

MEMORY_COLUMNS = """m.id, m.project, m.kind, m.text, m.topic, m.content_hash, m.source, m.author, m.session, m.turn,
  m.uri, m.trust, m.details, t.id, m.seq, m.speaker, m.role, m.occurred_at, m.created_at, v.retracted_at,
  v.valid_from, v.valid_until, v.last_verified_at, v.status, v.visibility, v.tags, v.domains, v.confidence, v.pinned,
  v.group_name, {root}, v.superseded_by IS NOT NULL, {successor}, e.id, e.type, {entity_name}, v.referenced_at,
  v.stability_days, v.difficulty, (SELECT count(*) FROM restatement AS again WHERE again.memory_key = m.key
    AND again.at <= :known_at AND (:agent = again.author
      OR (v.visibility = 'shared' AND (:policy = 'shared'
        OR (:policy = 'group' AND again.author IN (SELECT value FROM json_each(:fellows)))))
      OR (v.visibility = 'group' AND :policy <> 'isolated'
        AND v.group_name IN (SELECT value FROM json_each(:groups)))))"""

MEMORY_JOINS = """LEFT JOIN thread AS t ON t.key = m.thread_key
  LEFT JOIN mention AS about ON about.memory_key = m.key AND about.subject = 1 AND about.known_until IS NULL
  LEFT JOIN entity AS e ON e.key = about.entity_key AND {entity_access}"""


def _predicates() -> dict[str, str]:
    """The fragments, each spliced into those that build on it; the rule itself stands once, for any row."""
    text = read_sql("trigraph.stores.sqlite", "queries", "visibility.sql")
    raw = load_queries(text)

    def of_row(author: str, visibility: str, group: str) -> str:
        return raw["access"].format(author=author, row_visibility=visibility, row_group=group)

    parts = {"known": raw["known"]}
    parts["readable"] = f"m.project = :project AND {of_row('m.author', 'v.visibility', 'v.group_name')}"
    parts["entity_access"] = of_row("e.author", "e.visibility", "e.group_name")
    parts["other_access"] = of_row("o.author", "o.visibility", "o.group_name")
    parts["source_access"] = of_row("src.author", "src.visibility", "src.group_name")
    parts["target_access"] = of_row("tgt.author", "tgt.visibility", "tgt.group_name")
    parts["own_access"] = of_row("own.author", "stands.visibility", "stands.group_name")
    parts["successor_access"] = of_row("later.author", "held.visibility", "held.group_name")
    parts["member_access"] = of_row("n.author", "n.visibility", "n.group_name")
    parts["composition_access"] = of_row("c.author", "'shared'", "NULL")
    parts["outcome_access"] = of_row("u.author", "'shared'", "NULL")
    for name, fragment in raw.items():
        if name != "access":
            parts[name] = fragment.format_map(parts)
    for end, alias in (("source", "src"), ("target", "tgt")):
        parts[f"{end}_name"] = parts["entity_name"].replace("e.key", f"{alias}.key")
    parts["memory_columns"] = MEMORY_COLUMNS.format_map(parts)
    parts["memory_joins"] = MEMORY_JOINS.format_map(parts)
    return parts


_PREDICATES = _predicates()


def queries(file: str, fragments: Mapping[str, str] | None = None) -> dict[str, str]:
    """The named queries of a file, with the predicates (and further fragments) spliced in."""
    text = read_sql("trigraph.stores.sqlite", "queries", f"{file}.sql")
    return load_queries(text, {**_PREDICATES, **(fragments or {})})
