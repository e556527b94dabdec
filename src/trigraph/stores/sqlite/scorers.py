"""What the citations of a project teach: the citations themselves, and what was learnt from them."""

from __future__ import annotations

import json
from dataclasses import asdict

from trigraph.model.change import CitationKind
from trigraph.model.scope import Scope
from trigraph.model.scorer import Evidence, HeldOut, Judgement, Scorer, ScorerState
from trigraph.model.times import from_micros, to_micros
from trigraph.stores.sqlite.files import HomeFolder
from trigraph.stores.sqlite.visibility import Params, queries

_SQL = queries("scorers")


class SqliteScorers:
    """See `contracts.Scorers`."""

    def __init__(self, home: HomeFolder) -> None:
        self._home = home

    def get(self, scope: Scope) -> Scorer | None:
        with self._home.reading(scope) as connection:
            row = connection.execute(_SQL["get"], {"project": scope.project}).fetchone()
        if row is None:
            return None
        state, why, weights, learnt_from, evidence, judged, trained_at = row
        return Scorer(
            state=ScorerState(state),
            why=why,
            weights=json.loads(weights),
            learnt_from=learnt_from,
            evidence=Evidence(**json.loads(evidence)),
            held_out=HeldOut(**json.loads(judged)) if judged else None,
            trained_at=from_micros(trained_at) if trained_at is not None else None,
        )

    def put(self, scope: Scope, scorer: Scorer) -> None:
        params: Params = {
            "project": scope.project,
            "state": scorer.state,
            "why": scorer.why,
            "weights": json.dumps(dict(scorer.weights)),
            "learnt_from": scorer.learnt_from,
            "evidence": json.dumps(asdict(scorer.evidence)),
            "judged": json.dumps(asdict(scorer.held_out)) if scorer.held_out else None,
            "trained_at": to_micros(scorer.trained_at) if scorer.trained_at else None,
        }
        with self._home.writing(scope) as connection:
            connection.execute(_SQL["put"], params)

    def judgements(self, scope: Scope, limit: int) -> list[Judgement]:
        with self._home.reading(scope) as connection:
            rows = connection.execute(_SQL["judgements"], {"project": scope.project, "limit": limit})
            return [Judgement(recall_id, agent, id_, CitationKind(kind)) for recall_id, agent, id_, kind in rows]
