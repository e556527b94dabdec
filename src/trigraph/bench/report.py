"""Figures as tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trigraph.model.query import Leg


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A GitHub table: reads well in a terminal and pastes into the docs."""
    cells = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in cells
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def locomo_table(found: dict[str, Any]) -> str:
    """Turn and session level for all arms, then the categories of the default."""
    arms = found["arms"]
    turn_columns = ("R@1", "R@5", "R@10", "R@25", "R@50", "any@10", "all@10", "MRR")
    session_columns = ("any@1", "any@5", "any@10", "all@5", "all@10", "R@10", "MRR")
    turn = [[name, *(arm["turn"]["all"][column] for column in turn_columns)] for name, arm in arms.items()]
    session = [[name, *(arm["session"]["all"][column] for column in session_columns)] for name, arm in arms.items()]
    categories = [
        [group, figures["n"], *(arms[arm]["turn"][group]["R@10"] for arm in arms)]
        for group, figures in arms["trigraph"]["turn"].items()
    ]
    times = [[name, *arm["latency"].values()] for name, arm in arms.items() if "latency" in arm]
    legs = [
        [name, one["n"], one["without"], f"{one['gain']:+}", f"{one['low']:+} to {one['high']:+}"]
        for name, one in found["legs"].items()
    ]
    return "\n\n".join(
        (
            f"LoCoMo, {found['questions']} questions, model {found['model']}, {found['unit']}",
            "The order of the arm trigraph was learnt from these conversations; held out: bench locomo --order",
            "Turn level\n" + table(("arm", *turn_columns), turn),
            "Session level\n" + table(("arm", *session_columns), session),
            "R@10 at turn level by category (1 multi-hop, 2 temporal, 3 open-domain, 4 single-hop, 5 adversarial)\n"
            + table(("category", "n", *arms), categories),
            "What the graph and the temporal leg add at turn level (R@10; 95 % interval over conversations)\n"
            + table(("questions", "n", "likeness alone", "gain", "interval"), legs),
            "Recall latency, embedding of the query included\n" + table(("arm", "p50 ms", "p95 ms"), times),
            f"Ingest: {found['ingest']['turns_per_second']} turns a second",
        )
    )


def documents_table(found: dict[str, Any]) -> str:
    """Every task and arm."""
    columns = ("n", "R@1", "R@5", "R@10", "MRR")
    rows = [
        [task, arm, *(figures[column] for column in columns)]
        for task, arms in found["tasks"].items()
        for arm, figures in arms.items()
    ]
    return f"Documents, model {found['model']}, {found['unit']}\n" + table(("task", "arm", *columns), rows)


def speed_table(found: dict[str, Any]) -> str:
    """Throughput and latency beside their floors."""
    recall = found["recall"]
    rows = [
        ["recall, query embedding left out", *recall["without_query_embedding"].values()],
        ["floor: bare FTS5 query + bare scan", *recall["floor"].values()],
        ["ratio", recall["ratio_p50"], recall["ratio_p95"]],
        ["median of the ratios of each question", recall["median_of_ratios"], ""],
    ]
    legs = {leg.value for leg in Leg}
    stages = [
        [f"{name} leg" if name in legs else name, times["p50_ms"], times["p95_ms"], f"{100 * times['share']:.1f}"]
        for name, times in recall["stages"].items()
    ]
    return "\n".join(
        (
            f"{found['memories']:,} memories, {found['passages']:,} passages, {found['store_bytes']:,} bytes",
            *_remembered(found.get("remember")),
            table(("recall", "p50 ms", "p95 ms"), rows),
            "",
            table(("stage of recall", "p50 ms", "p95 ms", "% of its time"), stages),
        )
    )


def _remembered(remember: dict[str, float] | None) -> tuple[str, ...]:
    if remember is None:
        return ()
    alone, given = remember["embedder_alone_per_second"], remember["store_alone_per_second"]
    pace = f"remember: {remember['per_second']} a second"
    return (f"{pace}; the embedder alone: {alone}; the store, vectors given: {given}",)


def life_table(found: dict[str, Any]) -> str:
    """Verbs beside their floors, then export and import."""
    floors, moved = found["floors"], found["transfer"]
    reads = ("history", "entity", "get", "list")
    rows = []
    for verb, times in found["verbs"].items():
        floor = floors["read" if verb in reads else "write"]["p50_ms"]
        rows.append([verb, times["p50_ms"], times["p95_ms"], round(times["p50_ms"] / max(floor, 1e-6), 1)])
    rows += [[f"floor: bare {name}", *times.values(), 1] for name, times in floors.items()]
    return "\n".join(
        (
            f"{found['memories']:,} memories, {found['entities']:,} entities, {found['rounds']} rounds, no model",
            table(("verb", "p50 ms", "p95 ms", "× floor"), rows),
            f"export: {moved['export_per_second']:,} records a second; import: {moved['import_per_second']:,};"
            f" copying the lines: {moved['copy_per_second']:,} ({moved['records']:,} records,"
            f" {moved['file_bytes']:,} bytes)",
            f"peak memory: {moved['peak_mb_before']} MB before, {moved['peak_mb_after_export']} after the export,"
            f" {moved['peak_mb_after_import']} after the import; same digest: {moved['same_digest']}",
        )
    )


def links_table(found: dict[str, Any]) -> str:
    """How many links there are, and how many of the sample are worth it."""
    rows = [
        [name, one["memories"], one["links"], f"{one['percent_of_bytes']} %"] for name, one in found["stores"].items()
    ]
    told = [table(("store", "memories", "automatic links", "share of the bytes"), rows)]
    if found["judged"] is not None:
        judged = found["judged"]
        told.append(
            f"Of {judged['labelled']} labelled links of {found['sampled']} sampled (seed {found['seed']}),"
            f" {judged['relevant']} are relevant: {judged['percent']} %"
        )
    return "\n\n".join(told)


def graphs_table(found: dict[str, Any]) -> str:
    """Relations and states of others' documents, and the hub."""
    fips, adrs, hub = found["fips"], found["adrs"], found["hub"]
    rows = [
        ["FIPs: relations declared in front matter, found / declared / wrong",
         f"{fips['found']} / {fips['declared']} / {fips['wrong']}"],
        ["FIPs: relations from sections and status, apart", fips["from_sections"]],
        ["FIPs: as-of questions right, from states that arrived late",
         f"{fips['as_of_right']} of {fips['as_of_questions']} ({fips['late_states']} states)"],
        ["ADRs: files of collections, added / updated / errors",
         f"{adrs['files']} of {adrs['collections']}, {adrs['added']} / {adrs['updated']} / {adrs['errors']}"],
        ["ADRs: duplicates when added again", adrs["again_duplicate"]],
        ["ADRs: with relations; audit", f"{adrs['with_relations']}; {'ok' if adrs['audit_ok'] else 'broken'}"],
    ]  # fmt: skip
    rows += [
        [f"hub of {hub['degree']:,}: {name}, p50 / p95 ms", f"{times['p50_ms']} / {times['p95_ms']}"]
        for name, times in hub["milliseconds"].items()
    ]
    rows.append(["hub: a walk that ended at its budget says so", "yes" if hub["truncated_said"] else "no"])
    return "Graphs, without a model\n" + table(("", "figure"), rows)


def recency_table(found: dict[str, Any]) -> str:
    """R@10 by the weight of recency."""
    rows = [
        [weight, round(one["without"] + one["gain"], 2), f"{one['gain']:+}", f"{one['low']:+} to {one['high']:+}"]
        for weight, one in found["R@10"].items()
    ]
    head = f"LoCoMo, {found['questions']} questions, asked a day after the end; gain against the first row"
    return head + "\n" + table(("recency", "R@10", "gain", "interval"), rows)


def pipelines_table(found: dict[str, Any]) -> str:
    """LoCoMo with the pipelines off and on, and what of the observations is kept."""
    columns = ("R@1", "R@5", "R@10", "R@25", "R@50", "MRR")
    rows = [[name, *(arm["turn"]["all"][column] for column in columns)] for name, arm in found["arms"].items()]
    gain, kept = found["gain"]["all"], found["observations"]
    share = round(100 * kept["said"] / max(kept["observations"], 1), 1)
    near = round(100 * kept["from_the_turn"] / max(kept["observations"], 1), 1)
    return "\n\n".join(
        (
            f"LoCoMo, {found['questions']} questions, turn level; a derived hit counts as its source turns",
            table(("pipelines", *columns), rows),
            f"R@10, on against off: {gain['gain']:+} (95 % over conversations {gain['low']:+} to {gain['high']:+})",
            f"{kept['derived']:,} memories derived from {kept['turns']:,} turns. Of {kept['observations']:,} noted"
            f" observations {share} % are said by one of the same turn ({round(100 * found['says'])} % of their words"
            " of weight),"
            f" {near} % have one from their turn at all",
        )
    )


def ingest_table(found: dict[str, Any]) -> str:
    """What the caller waits for, and what the queue gets done."""
    rows = [
        ["handed over, alone", *found["handed_over_ms"].values()],
        ["handed over, beside a worker", *found["handed_over_beside_a_worker_ms"].values()],
        ["a derived memory is recalled after", *found["recallable_after_ms"].values()],
    ]
    return "\n".join(
        (
            f"{found['turns']:,} turns of two messages",
            table(("", "p50 ms", "p95 ms"), rows),
            f"worked off: {found['turns_per_second']} turns a second (three memories each); the embedder alone:"
            f" {found['embedder_messages_per_second']} messages a second; dead jobs: {found['dead_jobs']}",
        )
    )


def sessions_table(found: dict[str, Any]) -> str:
    """Labels and yield."""
    labels = found["labels"]
    judged = ", ".join(f"{count} {name}" for name, count in labels["judged"].items())
    shares = ", ".join(f"{share} % {name}" for name, share in labels["percent"].items())
    rows = [
        [name, one["items"], one["kept"], f"{round(100 * one['kept'] / one['items'])} %", one["stated"],
         one["stated_kept"], one["judged"]]
        for name, one in found["yield"].items()
    ]  # fmt: skip
    return "\n".join(
        (
            f"{found['derived']} memories derived ({found['by_source']}): {judged}" + (f"; {shares}" if shares else ""),
            table(("session", "worth keeping", "kept", "share", "said in words", "of these kept", "judged"), rows),
        )
    )


def reflection_table(found: dict[str, Any]) -> str:
    """Planted patterns and decoys, by set and arm."""
    rows = [
        [name, arm.replace("_", " "), f"{one['patterns_found']} of {one['patterns']}",
         f"{one['decoys_found']} of {one['decoys']}", one["further"]]
        for name, arms in found["sets"].items()
        for arm, one in arms.items()
    ]  # fmt: skip
    return table(("set", "arm", "patterns found", "decoys found", "further insights"), rows)
