"""The dashboard for Grafana shows figures that a server has, and all of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from trigraph.faces.http.metrics import Metrics

BOARD = Path(__file__).parents[2] / "docs" / "how-to" / "grafana.json"
SERIES = re.compile(r"trigraph_[a-z_]+")
LABEL = re.compile(r"([a-z]+)\s*[!=]=?~?\s*\"|by \(([^)]*)\)|{{([a-z]+)}}")


def board() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(BOARD.read_text(encoding="utf-8"))
    return read


def targets() -> list[dict[str, Any]]:
    return [target for panel in board()["panels"] for target in panel["targets"]]


def test_the_dashboard_shows_every_figure_and_no_other() -> None:
    exposed = Metrics("1").text(1).decode()
    families = {name for name in re.findall(r"# TYPE (\w+)", exposed) if not name.endswith("_created")}
    histograms = set(re.findall(r"# TYPE (trigraph_\w+) histogram", exposed))
    series = (families - histograms) | {f"{one}_{part}" for one in histograms for part in ("bucket", "count", "sum")}
    named = {name for target in targets() for name in SERIES.findall(target["expr"])}

    assert named - series == set()
    assert {re.sub("_(bucket|count|sum)$", "", name) for name in named} == families


def test_it_asks_whichever_prometheus_is_chosen() -> None:
    (variable,) = board()["templating"]["list"]
    assert (variable["type"], variable["query"]) == ("datasource", "prometheus")
    chosen = {"type": "prometheus", "uid": f"${{{variable['name']}}}"}
    assert all(one["datasource"] == chosen for one in (*board()["panels"], *targets()))


def test_it_groups_by_labels_that_the_figures_have() -> None:
    known = {label for one in Metrics("1").registry._collector_to_names for label in one._labelnames}
    found = {
        word.strip()
        for target in targets()
        for text in target.values()
        if isinstance(text, str)
        for groups in LABEL.findall(text)
        for group in groups
        for word in group.split(",")
        if word.strip()
    }
    assert found - {"le", "instance"} == known
