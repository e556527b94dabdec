"""The verbs that a server offers: the library's own, with its signatures, to be waited for or awaited."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from types import MethodType
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar, cast, overload

from trigraph.faces.documents import Docs
from trigraph.faces.library import Trigraph
from trigraph.faces.remote.asking import Flow
from trigraph.faces.remote.calls import Calls

P = ParamSpec("P")
R = TypeVar("R")
_Answer = TypeVar("_Answer")
_LIBRARY = cast(Trigraph, Trigraph)
_DOCS = cast(Docs, Docs)
"""Their functions, with the types that they have as methods: without `self`."""


class Waiting:
    """What carries out flows and waits for their ends."""

    _calls: Calls

    def _run(self, flow: Flow[_Answer]) -> _Answer:
        raise NotImplementedError


class Awaiting:
    """What carries out flows and lets others run meanwhile."""

    _calls: Calls

    async def _run(self, flow: Flow[_Answer]) -> _Answer:
        raise NotImplementedError


class Verb(Generic[P, R]):
    """A verb of the library as a method: with its arguments, its answer and its description. Of what awaits, the method
    gives the answer when it is awaited."""

    def __init__(self, function: Callable[P, R]) -> None:
        self._function = function

    def __set_name__(self, owner: type[DocumentVerbs] | type[Verbs], name: str) -> None:
        verb = owner._prefix + name

        @wraps(self._function)
        def method(holder: Any, *args: Any, **kwargs: Any) -> Any:
            return holder._run(holder._calls.call(verb, args, kwargs))

        self._method = method

    @overload
    def __get__(self, holder: None, owner: Any) -> Callable[..., Any]: ...
    @overload
    def __get__(self, holder: Waiting, owner: Any) -> Callable[P, R]: ...
    @overload
    def __get__(self, holder: Awaiting, owner: Any) -> Callable[P, Coroutine[Any, Any, R]]: ...
    def __get__(self, holder: Any, owner: Any) -> Any:
        return self._method if holder is None else MethodType(self._method, holder)


class DocumentVerbs:
    """Documents: `memory.docs`."""

    _prefix: ClassVar = "docs."

    put = Verb(_DOCS.put)
    list = Verb(_DOCS.list)
    get = Verb(_DOCS.get)
    status = Verb(_DOCS.status)


class Verbs:
    """All verbs that a server offers."""

    _prefix: ClassVar = ""

    remember = Verb(_LIBRARY.remember)
    remember_batch = Verb(_LIBRARY.remember_batch)
    remember_thread = Verb(_LIBRARY.remember_thread)
    turn = Verb(_LIBRARY.turn)

    correct = Verb(_LIBRARY.correct)
    supersede = Verb(_LIBRARY.supersede)
    forget = Verb(_LIBRARY.forget)
    restore = Verb(_LIBRARY.restore)
    archive = Verb(_LIBRARY.archive)
    reverify = Verb(_LIBRARY.reverify)
    share = Verb(_LIBRARY.share)
    erase = Verb(_LIBRARY.erase)
    purge = Verb(_LIBRARY.purge)

    decide = Verb(_LIBRARY.decide)
    checkpoint = Verb(_LIBRARY.checkpoint)
    evolve = Verb(_LIBRARY.evolve)
    wrap = Verb(_LIBRARY.wrap)
    distil = Verb(_LIBRARY.distil)
    reflect = Verb(_LIBRARY.reflect)

    entity = Verb(_LIBRARY.entity)
    entities = Verb(_LIBRARY.entities)
    mentions = Verb(_LIBRARY.mentions)
    skill_uses = Verb(_LIBRARY.skill_uses)
    relations = Verb(_LIBRARY.relations)
    persona_create = Verb(_LIBRARY.persona_create)
    persona_update = Verb(_LIBRARY.persona_update)
    rename = Verb(_LIBRARY.rename)
    alias = Verb(_LIBRARY.alias)

    resolve = Verb(_LIBRARY.resolve)
    merge = Verb(_LIBRARY.merge)
    split = Verb(_LIBRARY.split)
    undo = Verb(_LIBRARY.undo)
    moves = Verb(_LIBRARY.moves)
    find_pairs = Verb(_LIBRARY.find_pairs)
    pairs = Verb(_LIBRARY.pairs)
    decide_pair = Verb(_LIBRARY.decide_pair)

    link = Verb(_LIBRARY.link)
    unlink = Verb(_LIBRARY.unlink)
    links = Verb(_LIBRARY.links)
    vote = Verb(_LIBRARY.vote)
    cite = Verb(_LIBRARY.cite)

    recall = Verb(_LIBRARY.recall)
    recall_event = Verb(_LIBRARY.recall_event)
    recalls = Verb(_LIBRARY.recalls)
    project_recalls = Verb(_LIBRARY.project_recalls)
    past_recall = Verb(_LIBRARY.past_recall)
    drop_recalls = Verb(_LIBRARY.drop_recalls)
    get = Verb(_LIBRARY.get)
    list = Verb(_LIBRARY.list)
    history = Verb(_LIBRARY.history)
    access = Verb(_LIBRARY.access)
    trace_evolution = Verb(_LIBRARY.trace_evolution)
    trace_impact = Verb(_LIBRARY.trace_impact)
    trace_context = Verb(_LIBRARY.trace_context)

    held_back = Verb(_LIBRARY.held_back)
    review = Verb(_LIBRARY.review)
    audit = Verb(_LIBRARY.audit)
    fixup_memory_graph = Verb(_LIBRARY.fixup_memory_graph)
    prune = Verb(_LIBRARY.prune)
    jobs = Verb(_LIBRARY.jobs)
    job = Verb(_LIBRARY.job)
    retry = Verb(_LIBRARY.retry)
    insight = Verb(_LIBRARY.insight)
    project_insight = Verb(_LIBRARY.project_insight)
    scorer_report = Verb(_LIBRARY.scorer_report)
    scorer_train = Verb(_LIBRARY.scorer_train)
    scorer_off = Verb(_LIBRARY.scorer_off)
    scorer_on = Verb(_LIBRARY.scorer_on)
    stats = Verb(_LIBRARY.stats)
    health = Verb(_LIBRARY.health)
