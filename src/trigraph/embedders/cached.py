"""A memory of what was embedded: equal text, by its hash, is not embedded twice."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from trigraph.contracts import Embedder
from trigraph.errors import ModelUnavailable
from trigraph.model.status import EmbeddingModel

Vectors = NDArray[np.float32]


class CachedEmbedder:
    """Wraps an embedder, keeps its latest vectors, and vouches for them: unit length, no NaN, right size."""

    def __init__(self, inner: Embedder, *, entries: int) -> None:
        self._inner = inner
        self._entries = entries
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, bytes], Vectors] = OrderedDict()

    @property
    def model(self) -> EmbeddingModel:
        return self._inner.model

    def embed_documents(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        keys = [_key("document", text) for text in texts]
        known = self._look_up(keys)
        fresh = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if progress:
            progress(len(texts) - len(fresh))
        if fresh:
            made = self._sound(self._inner.embed_documents(list(fresh.values()), progress), len(fresh))
            known |= dict(zip(fresh, made, strict=True))
            self._keep({key: known[key] for key in fresh})
        return np.stack([known[key] for key in keys]) if keys else np.empty((0, self.model.dimension), np.float32)

    def embed_query(self, text: str) -> Vectors:
        key = _key("query", text)
        known = self._look_up([key])
        if key not in known:
            known[key] = self._sound(self._inner.embed_query(text)[None, :], 1)[0]
            self._keep(known)
        return known[key]

    def _sound(self, vectors: Vectors, count: int) -> Vectors:
        dimension = self.model.dimension
        lengths = np.linalg.norm(vectors, axis=1) if vectors.shape == (count, dimension) else np.zeros(1)
        if not np.all(np.isfinite(lengths)) or np.any(lengths < 1e-6):
            raise ModelUnavailable(
                f"The model {self.model.model_id} gave {vectors.shape} for {count} texts of {dimension}"
                " dimensions, or vectors that are zero or not numbers.",
                fix="Check the embedder's settings; nothing of it was stored.",
            )
        return np.asarray(vectors / lengths[:, None], dtype=np.float32)

    def _look_up(self, keys: Sequence[tuple[str, bytes]]) -> dict[tuple[str, bytes], Vectors]:
        with self._lock:
            found = {key: self._kept[key] for key in keys if key in self._kept}
            for key in found:
                self._kept.move_to_end(key)
        return found

    def _keep(self, vectors: dict[tuple[str, bytes], Vectors]) -> None:
        with self._lock:
            self._kept.update(vectors)
            while len(self._kept) > self._entries:
                self._kept.popitem(last=False)


def _key(role: str, text: str) -> tuple[str, bytes]:
    return role, hashlib.sha256(text.encode()).digest()
