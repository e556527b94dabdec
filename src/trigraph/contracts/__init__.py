"""What the engine asks of a store and of an embedder.

A `Scope` is the first argument of every verb of a store; there is no default. The store binds the
visibility predicate into every read by itself: a caller cannot leave it out, and what the scope may
not see is answered like what does not exist. Every write happens inside `transaction`; a verb that
writes outside one is a programming error and raises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trigraph.contracts.audit import Audit
from trigraph.contracts.documents import (
    Alike,
    Bound,
    Documents,
    Edge,
    Graph,
    KnownDocument,
    Linked,
    Naming,
    Relations,
    Written,
)
from trigraph.contracts.embedder import Elsewhere, Embedder
from trigraph.contracts.extractor import Extractor
from trigraph.contracts.graph import Entities, KnownName, Links, NewEntity, NewMention, NewState
from trigraph.contracts.ledger import Answers, Events, NewJob, Queue, Scorers, Uses
from trigraph.contracts.memories import Held, Memories, NewMemory, NewPassage, Threads
from trigraph.contracts.moves import Moves
from trigraph.contracts.observer import LOGGED, Observer
from trigraph.contracts.registry import Registry
from trigraph.contracts.reranker import RERANK_MOST, Reranker
from trigraph.contracts.search import (
    PASSAGES_PER_MEMORY,
    EmbeddingSpace,
    PassageText,
    Scan,
    ScoredPassage,
    Search,
    TermStatistics,
    Unembedded,
)
from trigraph.contracts.store import Clock, Progress, Store
from trigraph.contracts.transfer import Put, Record, Transfer

if TYPE_CHECKING:
    from trigraph.contracts.search import Vectors as Vectors

__all__ = [
    "LOGGED",
    "PASSAGES_PER_MEMORY",
    "RERANK_MOST",
    "Alike",
    "Answers",
    "Audit",
    "Bound",
    "Clock",
    "Documents",
    "Edge",
    "Elsewhere",
    "Embedder",
    "EmbeddingSpace",
    "Entities",
    "Events",
    "Extractor",
    "Graph",
    "Held",
    "KnownDocument",
    "KnownName",
    "Linked",
    "Links",
    "Memories",
    "Moves",
    "Naming",
    "NewEntity",
    "NewJob",
    "NewMemory",
    "NewMention",
    "NewPassage",
    "NewState",
    "Observer",
    "PassageText",
    "Progress",
    "Put",
    "Queue",
    "Record",
    "Registry",
    "Relations",
    "Reranker",
    "Scan",
    "ScoredPassage",
    "Scorers",
    "Search",
    "Store",
    "TermStatistics",
    "Threads",
    "Transfer",
    "Unembedded",
    "Uses",
    "Written",
]
