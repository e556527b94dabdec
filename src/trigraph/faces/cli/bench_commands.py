"""bench: measuring quality, speed and scale."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trigraph.faces.cli.session import session_of

bench = typer.Typer(no_args_is_help=True, help="Measure quality, speed and scale on this machine.")

_Seed = Annotated[int, typer.Option(help="The same seed gives the same texts.")]


@bench.command("locomo")
def locomo(
    context: typer.Context,
    conversations: Annotated[int, typer.Option(help="How many of the ten conversations.")] = 10,
    recency: Annotated[
        list[float] | None, typer.Option(help="Measure this weight of recency instead; repeat for several.")
    ] = None,
) -> None:
    """LoCoMo: trigraph beside random, BM25, vector and RRF, in one run."""
    from trigraph.bench import locomo as benchmark
    from trigraph.bench.data import data_folder
    from trigraph.bench.report import locomo_table, recency_table

    current = session_of(context)
    if recency:
        told = benchmark.recency(
            data_folder("locomo"),
            current.loaded.settings,
            recency,
            conversations=conversations,
            note=current.say,
        )
        current.show(told, lambda: recency_table(told))
        return
    found = benchmark.run(data_folder("locomo"), current.loaded.settings, conversations=conversations, note=current.say)
    current.show(found, lambda: locomo_table(found))


@bench.command("documents")
def documents(context: typer.Context) -> None:
    """Text that is not dialogue: documents by their titles, sentences by their paraphrases."""
    from trigraph.bench import documents as benchmark
    from trigraph.bench.data import data_folder
    from trigraph.bench.report import documents_table

    current = session_of(context)
    found = benchmark.run(data_folder("."), current.loaded.settings, current.say)
    current.show(found, lambda: documents_table(found))


@bench.command("speed")
def speed(
    context: typer.Context,
    memories: Annotated[int, typer.Option(help="How large a store to make.")] = 10_000,
    queries: Annotated[int, typer.Option(help="How many recalls to time.")] = 200,
    seed: _Seed = 1,
) -> None:
    """remember and recall beside floors measured in the same run."""
    from trigraph.bench import speed as benchmark
    from trigraph.bench.report import speed_table

    current = session_of(context)
    found = benchmark.run(current.loaded.settings, memories=memories, queries=queries, seed=seed, note=current.say)
    current.show(found, lambda: speed_table(found))


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
