"""A home with some of everything in it, every way to read it, and exports as files that tests take apart."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trigraph.assembly import open_engine
from trigraph.contracts import Embedder, Written
from trigraph.engine.keep import transfer
from trigraph.errors import TrigraphError
from trigraph.faces.library import Trigraph
from trigraph.model.access import ReadPolicy
from trigraph.model.relation import RelationType
from trigraph.model.scope import DEFAULT_NAME, LOCAL_SCOPE, Scope
from trigraph.settings import EmbedderSettings, Settings

if TYPE_CHECKING:
    from clocks import SettableClock

START = datetime(2026, 9, 1, 12, tzinfo=UTC)
AGENTS = ("default", "ana", "ben", "cid", "eve")
"""default and ana read what is shared, ben what his group wrote, cid her own; eve nobody registered."""
ODD_TEXTS = (
    "Zu\u0308rich \u2028 line, e\u0301, \ufeffmark, \ufffe\uffff \U0010ffff",
    "𞤀𞤣𞤤𞤢𞤥 東京都庁 नमस्ते שלום 👩‍👩‍👧 \x01\x7f\x1b[31m",
    '"quoted" \\back\\slash\\ {"json": [1, null]} \\u0000 \\ud800',
    "  two spaces\r\nand\ta tail \n",
    "' OR 1=1; -- %s ${HOME} `rm`",
)
Record = dict[str, Any]


@contextmanager
def opened(
    home: Path | None, clock: Callable[[], datetime] | None = None, embedder: Embedder | None = None
) -> Iterator[Trigraph]:
    """The default agent's memory on a home, without a model unless one is given."""
    none = EmbedderSettings(kind="none")
    engine = open_engine(
        Settings(home=str(home or ""), embedder=none), in_memory=home is None, clock=clock, embedder=embedder
    )
    with Trigraph(engine, LOCAL_SCOPE) as memory:
        yield memory


def agent(memory: Trigraph, name: str) -> Trigraph:
    """The same store as another agent sees it."""
    return Trigraph(memory.engine, Scope(DEFAULT_NAME, DEFAULT_NAME, name))


# A home with everything in it


@dataclass
class Town:
    """What fill() made, as far as tests name it."""

    ids: dict[str, str] = field(default_factory=dict)
    times: list[datetime] = field(default_factory=list)
    recall_ids: dict[str, str] = field(default_factory=dict)


def fill(memory: Trigraph, clock: SettableClock) -> Town:
    """Some of everything, by several agents, each step a minute or a day after the one before."""
    town = Town()

    def tick(**span: float) -> None:
        clock.advance(**(span or {"minutes": 1}))

    def keep(name: str, made: Any) -> str:
        town.ids[name] = made.id
        tick()
        return str(made.id)

    register(memory)
    ana, ben, cid, eve = (agent(memory, name) for name in AGENTS[1:])
    talk(memory, ana)
    recalled_once(memory, ana, clock)
    town.times.append(clock())
    tick(days=1)
    _life(memory, ana, keep, tick)
    town.times.append(clock())
    tick(days=1)
    _entities(memory, ana, keep, tick)
    town.times.append(clock())
    tick(days=1)
    _audiences(memory, ana, ben, cid, eve, keep)
    _uses(memory, ana, cid, town, tick)
    _texts(memory, keep)
    town.times.append(clock())
    tick(days=1)
    _documents(memory, ana, keep, tick)
    _drawn(memory, ana, keep)
    town.times.append(clock())
    tick(days=1)
    return town


def register(memory: Trigraph) -> None:
    """Agents of every policy, a group with members and one without."""
    here = (DEFAULT_NAME, DEFAULT_NAME)
    memory.admin.set_agent(*here, "ana", ReadPolicy.SHARED, ["garden", "ü"])
    memory.admin.set_agent(*here, "ben", ReadPolicy.GROUP)
    memory.admin.set_agent(*here, "cid", ReadPolicy.ISOLATED)
    for group in ("crew", "ghosts"):
        memory.admin.add_group(*here, group)
    for name in ("default", "ana", "ben"):
        memory.admin.join(*here, "crew", name)


def talk(memory: Trigraph, ana: Trigraph) -> None:
    """Threads, one with a hole where something was erased."""
    said = [
        {"text": "Mara knows where SPEC-054 is", "speaker": "Ines", "role": "user", "occurred_at": "2026-08-30"},
        {"text": "In the cellar, said Ines", "speaker": "Mara"},
        {"text": "This was said in error"},
    ]
    report = memory.remember_thread(said, name="cellar", session="s1", title="The cellar")
    memory.erase(report.items[2].id or "")
    ana.remember_thread([{"text": "Nobody else is here"}], visibility="private")
    ana.remember_thread([{"text": "The crew meets at nine", "seq": 7}], name="cellar", group="crew")


def recalled_once(memory: Trigraph, ana: Trigraph, clock: SettableClock) -> None:
    """Recalls of which only the counts of their day are left."""
    for who in (memory, ana, ana):
        who.recall("where is the cellar?")
        clock.advance(minutes=1)
    assert memory.engine._parts.store.retention.roll_up(memory.scope, clock(), 10) == 3


def _life(memory: Trigraph, ana: Trigraph, keep: Callable[..., str], tick: Callable[..., None]) -> None:
    first = keep("decision", memory.decide("Sessions live in Redis", topic="session store", reasoning="It is fast"))
    second = keep(
        "later decision", memory.decide("Sessions live in PostgreSQL", topic="session store", supersedes=first)
    )
    memory.checkpoint("The table is there", implements=[second], session="s1")
    tick()
    memory.evolve(first, "FAILED", "It lost sessions")
    memory.evolve(second, "PARTIAL")
    tick()
    port = keep("port", memory.remember("The port is 80", topic="port", tags=["a", "ü"], confidence=1 / 3))
    port = keep("corrected port", memory.correct(port, "The port is 8080", reason="a typo"))
    keep("superseded port", memory.supersede(port, "The port is 9090", reason="moved"))
    memory.remember("A rope lies on the quay", session="s-said")
    memory.remember("A rope lies on the quay", session="s-said-again")
    gone = keep("forgotten", memory.remember("The kettle is red"))
    memory.forget(gone, reason="it is not")
    back = keep("restored", memory.remember("The boat is blue"))
    tick()
    memory.forget(back)
    tick()
    memory.restore(back)
    away = keep("archived", memory.remember("The old pier was wood", pinned=True, domains=["harbour"]))
    memory.archive(away, reason="rebuilt")
    tick()
    checked = keep("verified", ana.remember("The lock opens at six", valid_until="2027-01-01"))
    ana.reverify(checked)
    tick()
    secret = keep("erased", memory.remember("The safe's code is 4711"))
    memory.erase(secret)
    link = memory.link(checked, back, "relates_to", confidence=0.7, reason="both by the water")
    tick()
    ana.vote(link.id, -1, "not really")
    memory.vote(checked, 1)
    tick()
    memory.vote(checked, -1, "changed my mind")
    dropped = memory.link(back, second, "derived_from")
    tick()
    memory.unlink(dropped.id)
    memory.wrap("s1")
    tick()


def _entities(memory: Trigraph, ana: Trigraph, keep: Callable[..., str], tick: Callable[..., None]) -> None:
    keep("subject", memory.remember("It keeps the sessions", subject="Redis", type="system"))
    keep("mention", ana.remember("Redis was slow, see SPEC-54 and parse_config"))
    memory.alias("Redis", "session box")
    tick()
    ana.rename("Redis", "Valkey", text="Redis goes by Valkey now")
    tick()
    keep("by the new name", ana.remember("Valkey is quick"))
    memory.archive("SPEC-054")
    tick()
    memory.restore("SPEC-054")
    tick()
    keep("persona", memory.persona_create("Nova", "Nova is patient", props={"tone": "dry", "at": "2026-01-01"}))
    memory.persona_update("Nova", props={"tone": "warm"})
    tick()
    memory.persona_update("Nova", "Nova is brisk")
    tick()
    # Late: it had been decided before what is already known.
    keep("late", memory.decide("Sessions live in files", topic="session store", valid_from="2026-08-01"))
    keep("skill", memory.remember("Rebase with autosquash", kind="skill", subject="git rebase"))


def _audiences(
    memory: Trigraph, ana: Trigraph, ben: Trigraph, cid: Trigraph, eve: Trigraph, keep: Callable[..., str]
) -> None:
    keep("ana private", ana.remember("Ana hides SPEC-777 from all", visibility="private"))
    keep("crew", ana.remember("The crew sails on Monday in SPEC-778", group="crew"))
    keep("ben", ben.remember("Ben likes tea", subject="Ben", type="person"))
    keep("cid", cid.remember("Cid counts gulls"))
    keep("cid private", cid.remember("Cid likes nobody", visibility="private"))
    keep("eve", eve.remember("Eve is nobody here"))
    ana.share(keep("boat", ana.remember("Blue Heron is a boat", subject="Blue Heron", visibility="private")), "shared")
    ana.share(keep("anchor", ana.remember("The anchor drags", visibility="private")), group="crew")


def _uses(memory: Trigraph, ana: Trigraph, cid: Trigraph, town: Town, tick: Callable[..., None]) -> None:
    for name, who in (("default", memory), ("ana", ana), ("cid", cid)):
        answer = who.recall("which boat sails, and how do I rebase with autosquash?", session="s2")
        town.recall_ids[name] = answer.id
        tick()
        who.cite(answer.id, answer.hits[0].memory.id, "cited", "it helped")
        tick()
        made = who.compose([answer.hits[0].memory.id], query="Which boat?", output="The one that was checked.")
        tick()
        who.label(made.id, "helpful", notes="it sailed")
        tick()
    memory.cite(None, town.ids["verified"], "flagged_stale")
    tick()


def _texts(memory: Trigraph, keep: Callable[..., str]) -> None:
    for number, text in enumerate(ODD_TEXTS):
        keep(f"odd {number}", memory.remember(text, topic=f"ünïcode 東京 {number}", uri="file:///ü"))
    words = " ".join(f"word{number} of the harbour's long log" for number in range(7_000))
    keep("document", memory.remember(f"# The log\n\n{words}"[:200_000], kind="document", source="document"))


def _documents(memory: Trigraph, ana: Trigraph, keep: Callable[..., str], tick: Callable[..., None]) -> None:
    """Two collections with the same numbers, a stub, an update that drops a reference, relations that were closed."""
    north = {"collection": "north", "path": "specs/spec-301.md"}
    first = keep("north 301", memory.docs.put(SPEC_301.format(uses="- Depends on SPEC-302\n- See SPEC-399"), **north))
    keep("north 302", ana.docs.put(SPEC_302, collection="north", path="specs/spec-302.md"))
    keep("south 301", memory.docs.put(SPEC_301.format(uses="- Extends ADR-311"), collection="south"))
    keep(
        "south 311",
        ana.docs.put("# ADR-311: Stone\n\nStatus: accepted\n\n## Supersedes\n\n- ADR-310\n", collection="south"),
    )
    keep(
        "hidden 301",
        ana.docs.put(SPEC_301.format(uses="- Depends on SPEC-398"), collection="north", visibility="private"),
    )
    keep(
        "crew 303", ana.docs.put("# SPEC-303: Ropes\n\n## Implements\n\n- SPEC-302\n", collection="north", group="crew")
    )
    said = memory.docs.get("SPEC-301", collection="south").relations[0]
    _close(memory, Written(said.source_memory_id, said.source.id, RelationType.USES, said.target.id, "Once"), tick)
    tick(days=1)
    keep("north 301 updated", memory.docs.put(SPEC_301.format(uses="- Depends on SPEC-302"), **north))
    memory.docs.status("SPEC-302", "final", collection="north")
    tick()
    assert memory.get(first).superseded


SPEC_301 = "# SPEC-301: The quay\n\nStatus: draft\n\n## Relationships\n\n{uses}\n"
SPEC_302 = "# SPEC-302: Bollards\n\nStatus: accepted\n\n## Supersedes\n\n- SPEC-300\n\n## References\n\n- SPEC-301\n"


def _close(memory: Trigraph, written: Written, tick: Callable[..., None]) -> None:
    """A relation that was found once and is found no more, as after a change of how texts are read."""
    store, scope, clock = memory.engine._parts.store, memory.scope, memory.engine._parts.clock
    with store.transaction(scope, clock()) as at:
        store.relations.add(scope, written, 7, at)
    tick()
    with store.transaction(scope, clock()) as at:
        store.relations.close(scope, written, at)
    tick()


def _drawn(memory: Trigraph, ana: Trigraph, keep: Callable[..., str]) -> None:
    """Links of every sort that the system draws, one of them voted on."""
    for number, text in enumerate(("The ferry leaves at seven", "The ferry leaves at eight")):
        keep(f"ferry {number}", memory.remember(text, topic="ferry", subject="Ferry", session="s9"))
    for number, text in enumerate(("Tea is served at four", "The lamps want oil")):
        keep(f"round {number}", memory.remember(text, session="s10"))
    for number, text in enumerate(("The ferry is green", "The ferry is blue")):
        keep(f"paint {number}", memory.decide(text, topic="paint"))
    drawn = [link for link in memory.links(memory.list(limit=1).memories[0].id) if link.created_by == "system"]
    ana.vote(drawn[0].id, 1, "indeed")


# Reading all of it


def asked(memory: Trigraph) -> dict[str, object]:
    """What recall answers to several agents: ids, scores, excerpts, reasons."""
    queries = ("boat", "session store", "which port is it?", "Redis", "harbour log", "東京")
    answers: dict[str, object] = {}
    for name in AGENTS:
        for query in queries:
            for options in ({}, {"superseded": True}, {"known_at": START + timedelta(days=1)}, {"types": ["system"]}):
                answer = agent(memory, name).recall(query, **options)
                assert not answer.degraded
                answers[f"{name} {query} {options}"] = [
                    (hit.memory, hit.score, hit.excerpt, hit.why, hit.outcomes, hit.staleness, dict(hit.legs))
                    for hit in answer.hits
                ]
    return answers


def read(memory: Trigraph, town: Town) -> dict[str, object]:
    """Every other read, for several agents and times."""
    found: dict[str, object] = {}
    for name in AGENTS:
        who = agent(memory, name)
        for as_of in (None, *town.times):
            for known_at in (None, *town.times):
                for status in ("active", "archived", "forgotten"):
                    page = who.list(limit=500, as_of=as_of, known_at=known_at, status=status)
                    found[f"{name} list {as_of} {known_at} {status}"] = page
                at = {"as_of": as_of, "known_at": known_at}
                found[f"{name} entities {as_of} {known_at}"] = who.entities(limit=500, **at)
                page = who.docs.list(limit=500, **at)
                found[f"{name} documents {as_of} {known_at}"] = page
                for one in page.documents:
                    found[f"{name} document {one.entity_id} {at}"] = _answer(who.docs.get, one.entity_id, **at)
        ids = {one.id for page in found.values() for one in getattr(page, "memories", ())}
        entities = [one.id for one in who.entities(limit=500).entities]
        for id in sorted(ids | set(town.ids.values())):
            for verb in ("get", "history", "links", "mentions"):
                found[f"{name} {verb} {id}"] = _answer(getattr(who, verb), id)
        for id in entities:
            found[f"{name} entity {id}"] = _answer(who.entity, id)
            found[f"{name} entity history {id}"] = [_answer(who.history, id, known_at=at) for at in (None, *town.times)]
            found[f"{name} uses {id}"] = _answer(who.skill_uses, id)
            found[f"{name} relations {id}"] = _answer(who.relations, id)
        for id in town.recall_ids.values():
            found[f"{name} event {id}"] = _answer(who.recall_event, id)
        found[f"{name} compositions"] = [who.compositions(known_at=at) for at in (None, *town.times)]
        found[f"{name} stats"] = {**asdict(who.stats()), "store_bytes": None}
    return found


def _answer(ask: Callable[..., object], *args: object, **options: object) -> object:
    try:
        return ask(*args, **options)
    except TrigraphError as error:
        return repr(error)


def differences(before: Mapping[str, object], after: Mapping[str, object]) -> dict[str, tuple[object, object]]:
    names = before.keys() | after.keys()
    return {name: (before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)}


def pages(who: Trigraph) -> list[Any]:
    return [who.list(limit=500, status=status) for status in ("active", "archived", "forgotten")]


def minutes() -> Callable[[], datetime]:
    """A clock that is a minute later whenever it is asked."""
    times = iter(range(10**6))
    return lambda: START + timedelta(minutes=next(times))


# Exports as files


def lines_of(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines(keepends=True) if file.stat().st_size else []


def records(file: Path) -> list[Record]:
    """All records but the first and the last."""
    with file.open(encoding="utf-8", newline="\n") as lines:
        return [json.loads(line) for line in lines][1:-1]


def records_end(file: Path) -> Record:
    with file.open(encoding="utf-8", newline="\n") as lines:
        return [json.loads(line) for line in lines][-1]


def differing(one: Path, other: Path) -> list[tuple[Record | None, Record | None]]:
    """Records, without vectors, that are in one file and not in the other."""
    left, right = ({_name(record): _plain(record) for record in records(file)} for file in (one, other))
    names = [name for name in left.keys() | right.keys() if left.get(name) != right.get(name)]
    return [(left.get(name), right.get(name)) for name in sorted(names)][:5]


def _name(record: Record) -> str:
    keys = (
        "record",
        "id",
        "name",
        "recall_id",
        "known_from",
        "entity_id",
        "source_id",
        "type",
        "target_id",
        "memory_id",
        "target",
        "agent",
        "at",
        "kind",
    )
    return " ".join(str(record.get(key)) for key in keys)


def _plain(record: Record) -> Record:
    return {name: value for name, value in record.items() if name != "vectors"}


def sealed(file: Path, held: Sequence[Record], header: Record | None = None) -> Path:
    """A file of these records with the digest that fits them, as a bug or a person would make it."""
    first = header or {"record": "trigraph", "format": transfer.FORMAT, "project": "default", "model": None}
    seen = hashlib.sha256()
    for record in held:
        seen.update(transfer._digested(record))
    counts = Counter(record["record"] for record in held)
    end = {"record": "end", "counts": dict(counts), "digest": seen.hexdigest()}
    whole = "".join(json.dumps(one) + "\n" for one in (first, *held))
    end["file_digest"] = hashlib.sha256(whole.encode()).hexdigest()
    file.write_text(whole + json.dumps(end) + "\n", encoding="utf-8")
    return file
