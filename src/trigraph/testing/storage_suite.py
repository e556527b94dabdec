"""What every store must do, as tests: a backend inherits `StorageSuite` and runs them all.

    class TestMyStore(StorageSuite):
        @pytest.fixture
        def store(self) -> Iterator[Store]:
            opened = MyStore(...)
            yield opened
            opened.close()

`store` must give an empty store that knows tenant and project `default`. One that lets no other
thread write while one reads or writes says `writers_wait_for_readers = True` in the class; one that
lets others read while one writes inherits `ReadsBesideWritesSuite` too. Each suite can be inherited
alone, while a store is being written. Failures show values: `trigraph.testing` sees to it.
"""

from __future__ import annotations

from trigraph.testing.suites.audit import AuditSuite
from trigraph.testing.suites.bridges import BridgesSuite
from trigraph.testing.suites.compositions import CompositionsSuite
from trigraph.testing.suites.constraints import ConstraintsSuite
from trigraph.testing.suites.documents import DocumentsSuite
from trigraph.testing.suites.entities import EntitiesSuite
from trigraph.testing.suites.erasing import ErasingSuite
from trigraph.testing.suites.events import EventsSuite
from trigraph.testing.suites.figures import FiguresSuite
from trigraph.testing.suites.graph import GraphSuite
from trigraph.testing.suites.lifecycle import LifecycleSuite
from trigraph.testing.suites.links import LinksSuite
from trigraph.testing.suites.memories import MemoriesSuite
from trigraph.testing.suites.moves import MovesSuite
from trigraph.testing.suites.names import NamesSuite
from trigraph.testing.suites.queue import QueueSuite
from trigraph.testing.suites.registry import RegistrySuite
from trigraph.testing.suites.relations import RelationsSuite
from trigraph.testing.suites.retention import RetentionSuite
from trigraph.testing.suites.scorers import ScorersSuite
from trigraph.testing.suites.script import RandomScriptSuite
from trigraph.testing.suites.search import LexicalSuite, NearestSuite, SurroundingsSuite
from trigraph.testing.suites.space import EmbeddingSpaceSuite
from trigraph.testing.suites.states import StatesSuite
from trigraph.testing.suites.threads import ThreadsSuite
from trigraph.testing.suites.transactions import TransactionsSuite
from trigraph.testing.suites.transfer import TransferSuite
from trigraph.testing.suites.uses import UsesSuite
from trigraph.testing.suites.versions import VersionsSuite
from trigraph.testing.suites.visibility import VisibilitySuite


class StorageSuite(
    RegistrySuite,
    MemoriesSuite,
    VersionsSuite,
    ErasingSuite,
    VisibilitySuite,
    ThreadsSuite,
    LexicalSuite,
    NearestSuite,
    SurroundingsSuite,
    EmbeddingSpaceSuite,
    EntitiesSuite,
    NamesSuite,
    StatesSuite,
    LinksSuite,
    DocumentsSuite,
    RelationsSuite,
    GraphSuite,
    ConstraintsSuite,
    BridgesSuite,
    MovesSuite,
    AuditSuite,
    UsesSuite,
    LifecycleSuite,
    EventsSuite,
    ScorersSuite,
    CompositionsSuite,
    FiguresSuite,
    RetentionSuite,
    QueueSuite,
    TransferSuite,
    TransactionsSuite,
    RandomScriptSuite,
):
    """Everything a store must do."""
