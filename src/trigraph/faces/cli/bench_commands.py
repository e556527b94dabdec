"""bench: measuring quality, speed and scale."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trigraph.errors import BrokenFile
from trigraph.faces.cli.locomo_command import locomo
from trigraph.faces.cli.session import session_of

bench = typer.Typer(no_args_is_help=True, help="Measure quality, speed and scale on this machine.")
bench.command("locomo")(locomo)

_Seed = Annotated[int, typer.Option(help="The same seed gives the same texts.")]


@bench.command("citations")
def citations(
    context: typer.Context,
    conversations: Annotated[int, typer.Option(min=2, max=10, help="How many of the ten conversations.")] = 10,
    seed: _Seed = 1,
) -> None:
    """LoCoMo: what the scorer learns from simulated citations, after none, some and all of them."""
    from trigraph.bench import citations as benchmark
    from trigraph.bench.data import data_folder

    current = session_of(context)
    found = benchmark.run(
        data_folder("locomo"), current.loaded.settings, conversations=conversations, seed=seed, note=current.say
    )
    current.show(found, lambda: benchmark.citations_table(found))


@bench.command("documents")
def documents(context: typer.Context) -> None:
    """Text that is not dialogue: documents by their titles, sentences by their paraphrases."""
    from trigraph.bench import documents as benchmark
    from trigraph.bench.data import data_folder
    from trigraph.bench.report import documents_table

    current = session_of(context)
    found = benchmark.run(data_folder("."), current.loaded.settings, current.say)
    current.show(found, lambda: documents_table(found))


@bench.command("insight")
def insight(
    context: typer.Context,
    events: Annotated[int, typer.Option(min=1, help="How many recalls to make.")] = 50_000,
    memories: Annotated[int, typer.Option(min=100, help="How many memories to make.")] = 100_000,
    seed: _Seed = 1,
    page: Annotated[bool, typer.Option("--page", help="Also the pages that show them, beside a bare echo.")] = False,
) -> None:
    """What each panel of insight costs over many memories and recalls, beside a bare count."""
    from trigraph.bench import insight as benchmark

    current = session_of(context)
    found = benchmark.run(events=events, memories=memories, seed=seed, page=page, note=current.say)
    current.show(found, lambda: benchmark.insight_table(found))


@bench.command("questions")
def questions(
    context: typer.Context,
    tune: Annotated[bool, typer.Option("--tune", help="The questions that may be looked at, not the report.")] = False,
    sets: Annotated[Path | None, typer.Option(help="Folder of the labelled sets.")] = None,
) -> None:
    """Questions over the demo project, decision records and proposals; the default and plain arms."""
    from trigraph.bench import questions as benchmark
    from trigraph.bench.data import data_folder, sets_folder

    current = session_of(context)
    part = "tune" if tune else "report"
    found = benchmark.run(sets_folder(sets), data_folder("."), current.loaded.settings, part, current.say)
    current.show(found, lambda: benchmark.questions_table(found))


@bench.command("reference")
def reference(
    context: typer.Context,
    sets: Annotated[Path | None, typer.Option(help="Folder of the labelled sets.")] = None,
    show: Annotated[bool, typer.Option("--show", help="Print each answer's reasoning.")] = False,
) -> None:
    """Deep references: whether the recommended memory answers, and the time beside that of recall."""
    from trigraph.bench import reference as benchmark
    from trigraph.bench.data import data_folder, sets_folder

    current = session_of(context)
    found = benchmark.run(sets_folder(sets), data_folder("."), current.loaded.settings, current.say, show=show)
    current.show(found, lambda: benchmark.reference_table(found))


@bench.command("speed")
def speed(
    context: typer.Context,
    memories: Annotated[int, typer.Option(help="How large a store to make.")] = 10_000,
    queries: Annotated[int, typer.Option(help="How many recalls to time.")] = 200,
    seed: _Seed = 1,
    here: Annotated[
        bool, typer.Option("--here", help="Ask the store that is there (see bench make); recall alone.")
    ] = False,
) -> None:
    """remember and recall beside floors measured in the same run."""
    from trigraph.bench import speed as benchmark
    from trigraph.bench.report import speed_table

    current = session_of(context)
    settings = current.loaded.settings
    if here:
        found = benchmark.run_here(settings, queries=queries, seed=seed)
    else:
        found = benchmark.run(settings, memories=memories, queries=queries, seed=seed, note=current.say)
    current.show(found, lambda: speed_table(found))


@bench.command("frontier")
def frontier(
    context: typer.Context,
    memories: Annotated[int, typer.Option(min=0, help="Time a store of so many instead; 0: judge, do not time.")] = 0,
    events: Annotated[int, typer.Option(min=0, help="Compositions of the store that is timed.")] = 10_000,
    asked: Annotated[int, typer.Option(min=1, help="How often each question is timed.")] = 20,
    planted: Annotated[int, typer.Option(min=0, help="Among how many memories pairs are hidden; 0: none are.")] = 5_000,
    history: Annotated[int, typer.Option(min=100, help="Memories of the simulated history.")] = 800,
    compositions: Annotated[int, typer.Option(min=50, help="Compositions of the simulated history.")] = 500,
    seed: Annotated[list[int] | None, typer.Option(help="May be given again; some below 150 chose weights.")] = None,
    hashed: Annotated[bool, typer.Option("--hashed", help="Vectors from words alone, without the model.")] = False,
) -> None:
    """What never met: hidden pairs, compositions to come beside simple scores, and how long it takes."""
    from trigraph.bench import frontier as benchmark
    from trigraph.bench import frontier_speed
    from trigraph.bench.hashed import HashedEmbedder

    current = session_of(context)
    settings = current.loaded.settings
    if memories:
        speed = frontier_speed.run(
            settings, memories=memories, events=events, asked=asked, seed=(seed or [2])[0], note=current.say
        )
        found = {"benchmark": "frontier", "speed": speed}
    else:
        found = benchmark.run(
            settings,
            planted_among=planted,
            history_of=history,
            history_events=compositions,
            seeds=seed or [2],
            embedder=HashedEmbedder() if hashed else None,
            note=current.say,
        )
    current.show(found, lambda: benchmark.frontier_table(found))


@bench.command("load")
def load(
    context: typer.Context,
    memories: Annotated[int, typer.Option(min=1, help="How large a store to make.")] = 10_000,
    seconds: Annotated[float, typer.Option(min=0.5, max=600, help="How long each door is asked.")] = 20.0,
    clients: Annotated[int, typer.Option(min=2, max=256, help="How many ask at once.")] = 16,
    seed: _Seed = 1,
    here: Annotated[
        bool, typer.Option("--here", help="Serve a copy of the store that is there (see bench make).")
    ] = False,
) -> None:
    """A served store under load, over HTTP and MCP, beside a bare echo in the same run; and under overload."""
    from trigraph.bench import load as benchmark

    current = session_of(context)
    settings = current.loaded.settings
    if here:
        found = benchmark.run_here(settings, seconds=seconds, clients=clients, seed=seed, note=current.say)
    else:
        found = benchmark.run(
            settings, memories=memories, seconds=seconds, clients=clients, seed=seed, note=current.say
        )
    current.show(found, lambda: benchmark.load_table(found))


@bench.command("hook")
def hook(
    context: typer.Context,
    starts: Annotated[int, typer.Option(min=1, help="How many cold starts of each kind.")] = 40,
    memories: Annotated[int, typer.Option(min=1, help="How large a store to make.")] = 1_000,
    seed: _Seed = 1,
) -> None:
    """Cold starts of trigraph-hook beside those of a bare interpreter."""
    from trigraph.bench import hooks as benchmark

    current = session_of(context)
    found = benchmark.run(current.loaded.settings, starts=starts, memories=memories, seed=seed, note=current.say)
    current.show(found, lambda: benchmark.hooks_table(found))


@bench.command("life")
def life(
    context: typer.Context,
    memories: Annotated[int, typer.Option(help="How large a store to make.")] = 10_000,
    rounds: Annotated[int, typer.Option(help="How often each verb is done.")] = 200,
    seed: _Seed = 1,
) -> None:
    """The verbs of a memory's life, export and import, beside floors measured in the same run; without a model."""
    from trigraph.bench import life as benchmark
    from trigraph.bench.report import life_table

    current = session_of(context)
    found = benchmark.run(current.loaded.settings, memories=memories, rounds=rounds, seed=seed, note=current.say)
    current.show(found, lambda: life_table(found))


@bench.command("graphs")
def graphs(context: typer.Context) -> None:
    """Relations and states of documents that others wrote, and traversals past a hub; without a model."""
    from trigraph.bench import graphs as benchmark
    from trigraph.bench.data import data_folder
    from trigraph.bench.report import graphs_table

    current = session_of(context)
    found = benchmark.run(data_folder("."), current.loaded.settings, current.say)
    current.show(found, lambda: graphs_table(found))


@bench.command("links")
def links(
    context: typer.Context,
    labels: Annotated[Path | None, typer.Option(help="Labels to hold the sample against, as JSON Lines.")] = None,
    sample_to: Annotated[Path | None, typer.Option(help="Where to write the sample, for labelling.")] = None,
    count: Annotated[int, typer.Option(help="How many links to sample.")] = 100,
    seed: _Seed = 3,
) -> None:
    """Automatic links among documents, facts about people and the demo project: a sample for people to judge."""
    from trigraph.bench import links as benchmark
    from trigraph.bench.data import data_folder
    from trigraph.bench.report import links_table

    current = session_of(context)
    found = benchmark.run(
        data_folder("."),
        current.loaded.settings,
        seed=seed,
        count=count,
        labels=labels,
        sample_to=sample_to,
        note=current.say,
    )
    current.show(found, lambda: links_table(found))


_Sets = Annotated[Path | None, typer.Option("--sets", help="Folder of labelled sets; by default the repository's.")]


@bench.command("ingest")
def ingest(
    context: typer.Context,
    turns: Annotated[int, typer.Option(help="How many turns to hand over.")] = 300,
    seed: _Seed = 1,
) -> None:
    """Turns handed over, worked off and recalled, beside the embedder alone in the same run."""
    from trigraph.bench import ingest as benchmark
    from trigraph.bench.report import ingest_table

    current = session_of(context)
    found = benchmark.run(current.loaded.settings, turns=turns, seed=seed, note=current.say)
    current.show(found, lambda: ingest_table(found))


@bench.command("sessions")
def sessions(
    context: typer.Context,
    sets: _Sets = None,
    sample_to: Annotated[Path | None, typer.Option(help="Where to write what was derived, for labelling.")] = None,
) -> None:
    """What the pipelines keep of real coding sessions: noise, and yield against lists made by hand."""
    from trigraph.bench import sessions as benchmark
    from trigraph.bench.data import data_folder, sets_folder
    from trigraph.bench.report import sessions_table

    current = session_of(context)
    found = benchmark.run(
        data_folder("transcripts/claude_code"),
        sets_folder(sets),
        current.loaded.settings,
        sample_to=sample_to,
        note=current.say,
    )
    current.show(found, lambda: sessions_table(found))


@bench.command("pairs")
def pairs(context: typer.Context, sets: _Sets = None) -> None:
    """Duplicates and contradictions: pairs of memories, SICK and MRPC, beside a tuned cosine."""
    from trigraph.bench import pairs as benchmark
    from trigraph.bench.data import data_folder, sets_folder

    current = session_of(context)
    found = benchmark.run(data_folder("."), sets_folder(sets) / "pairs", current.loaded.settings, note=current.say)
    current.show(found.as_dict(), lambda: benchmark.pairs_table(found))


@bench.command("matching")
def matching(context: typer.Context, sets: _Sets = None) -> None:
    """Names and records that are one, and relations that sentences state, beside a tuned cosine."""
    from trigraph.bench import matching as benchmark
    from trigraph.bench.data import data_folder, sets_folder

    current = session_of(context)
    found = benchmark.run(data_folder("."), sets_folder(sets), current.loaded.settings, note=current.say)
    current.show(found.as_dict(), found.table)


@bench.command("guard")
def guard(
    context: typer.Context,
    sets: _Sets = None,
    fit: Annotated[Path | None, typer.Option(help="Fit the guard anew, and write its weights to this file.")] = None,
) -> None:
    """Poisoned and benign texts, secrets and look-alikes, noise and facts: what is caught, and what should not be."""
    from trigraph.bench import guarding as benchmark
    from trigraph.bench.data import data_folder, sets_folder

    current = session_of(context)
    folder = sets_folder(sets)
    if fit is not None:
        fitted = benchmark.fit(folder / "guard", data_folder("."), fit)
        current.show(fitted, lambda: benchmark.fitted_table(fitted))
        return
    try:
        data = data_folder(".")
    except BrokenFile as error:
        current.say(f"{error} Real texts are left out.")
        data = None
    found = benchmark.run(folder, data)
    current.show(found, lambda: benchmark.guarding_table(found))


@bench.command("reflection")
def reflection(context: typer.Context, sets: _Sets = None) -> None:
    """Sessions with planted patterns and decoys: what a reflection finds, and what it should not."""
    from trigraph.bench import reflection as benchmark
    from trigraph.bench.data import sets_folder
    from trigraph.bench.report import reflection_table

    current = session_of(context)
    found = benchmark.run(sets_folder(sets) / "reflection")
    current.show(found, lambda: reflection_table(found))


@bench.command("make")
def make(
    context: typer.Context,
    memories: Annotated[int, typer.Option(help="How many memories to write.")] = 10_000,
    seed: _Seed = 1,
) -> None:
    """Write a large realistic store into --home, by the ordinary verbs."""
    from trigraph.bench.make import make as write

    current = session_of(context)
    with current.memory() as memory, current.progress("making", memories) as done:
        added = write(memory.engine, memory.scope, memories, seed, done, revised=True)
    current.show({"added": added, "seed": seed}, lambda: f"{added:,} memories added")
