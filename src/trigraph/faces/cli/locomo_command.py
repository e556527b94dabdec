"""bench locomo: LoCoMo by every question that is asked of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from trigraph.errors import InvalidInput
from trigraph.faces.cli.session import session_of

Run = Callable[..., dict[str, Any]]
Table = Callable[[dict[str, Any]], str]


def locomo(
    context: typer.Context,
    conversations: Annotated[int, typer.Option(help="How many of the ten conversations.")] = 10,
    recency: Annotated[
        list[float] | None, typer.Option(help="Measure this weight of recency instead; repeat for several.")
    ] = None,
    pipelines: Annotated[
        bool, typer.Option("--pipelines", help="With the pipelines off and on, and how much of what was noted is kept.")
    ] = False,
    order: Annotated[
        bool, typer.Option("--order", help="The learnt order beside plain fusion, each conversation left out in turn.")
    ] = False,
    ablate: Annotated[
        bool, typer.Option("--ablate", help="Every ingredient off or on, one at a time, with its gain.")
    ] = False,
    abstain: Annotated[
        bool, typer.Option("--abstain", help="Whether recall knows that it has nothing: questions of others.")
    ] = False,
    talk: Annotated[
        bool, typer.Option("--talk", help="Every question in the thread of its answer, in another, and in none.")
    ] = False,
    domains: Annotated[
        bool, typer.Option("--domains", help="Two agents of different domains over one mixed store.")
    ] = False,
    rerank: Annotated[
        bool, typer.Option("--rerank", help="The default with and without the re-ranker that is configured.")
    ] = False,
    fit: Annotated[
        Path | None, typer.Option(help="With --order or --abstain: write what was learnt from all to this file.")
    ] = None,
) -> None:
    """LoCoMo: trigraph beside random, BM25, vector and RRF, in one run."""
    from trigraph.bench.data import data_folder

    current = session_of(context)
    asked = {"pipelines": pipelines, "order": order, "ablate": ablate, "abstain": abstain}
    asked |= {"talk": talk, "domains": domains, "rerank": rerank}
    wanted = [name for name, is_asked in asked.items() if is_asked]
    if len(wanted) > 1:
        raise InvalidInput(
            f"--{wanted[0]} and --{wanted[1]} are measurements of their own.", field=wanted[1], fix="Ask for one."
        )
    run, table = _measurement(wanted[0] if wanted else "", recency, fit, current.loaded.settings)
    found = run(data_folder("locomo"), current.loaded.settings, conversations=conversations, note=current.say)
    current.show(found, lambda: table(found))


def _measurement(name: str, recency: list[float] | None, fit: Path | None, settings: Any) -> tuple[Run, Table]:
    """What to run and how to show it; only that is imported."""
    from trigraph.bench import locomo as plain
    from trigraph.bench import report

    match name:
        case "order":
            from trigraph.bench import ordering

            return partial(ordering.run, weights=fit), ordering.order_table
        case "abstain":
            from trigraph.bench import abstaining

            return partial(abstaining.run, weights=fit), abstaining.abstention_table
        case "ablate":
            from trigraph.bench import ablation

            return ablation.run, ablation.ablation_table
        case "talk" | "domains":
            from trigraph.bench import scoping

            return scoping.talk if name == "talk" else scoping.domains, scoping.scoping_table
        case "rerank":
            from trigraph.bench import reranking

            reranking.check_configured(settings)
            return reranking.run, reranking.reranking_table
        case "pipelines":
            from trigraph.bench import derived

            return derived.run, report.pipelines_table
    if recency:
        return partial(plain.recency, weights=recency), report.recency_table
    return plain.run, report.locomo_table
