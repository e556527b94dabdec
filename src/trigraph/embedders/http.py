"""An embedder behind HTTP that speaks the OpenAI dialect: `POST {url}/embeddings`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from trigraph.errors import ConfigError, ModelUnavailable
from trigraph.model.status import EmbeddingModel

if TYPE_CHECKING:
    import httpx

BATCH_TEXTS = 64
TRIES = 3

Vectors = NDArray[np.float32]


class HttpEmbedder:
    """See `contracts.Embedder`. For documents, what may pass (429, 5xx, no connection) is tried again; a query
    is tried once, since a recall goes on without it."""

    def __init__(
        self,
        url: str,
        model_id: str,
        dimension: int,
        *,
        key: str | None,
        timeout_seconds: float,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._model = EmbeddingModel(model_id, dimension)
        self._url = url.rstrip("/") + "/embeddings"
        self._pause = pause
        self._client = _client(key, timeout_seconds)

    @property
    def model(self) -> EmbeddingModel:
        return self._model

    def embed_documents(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        parts = []
        for start in range(0, len(texts), BATCH_TEXTS):
            batch = list(texts[start : start + BATCH_TEXTS])
            parts.append(self._embed(batch))
            if progress:
                progress(len(batch))
        return np.concatenate(parts) if parts else np.empty((0, self._model.dimension), np.float32)

    def embed_query(self, text: str) -> Vectors:
        return np.asarray(self._embed([text], tries=1)[0], dtype=np.float32)

    def _embed(self, batch: list[str], tries: int = TRIES) -> Vectors:
        body = {"model": self._model.model_id, "input": batch, "encoding_format": "float"}
        answer = self._ask(body, tries)
        try:
            rows = sorted(answer["data"], key=lambda row: row["index"])
            vectors = np.array([row["embedding"] for row in rows], dtype=np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise self._unavailable(f"its answer is not of the expected form ({error})") from error
        if vectors.shape != (len(batch), self._model.dimension):
            raise self._unavailable(
                f"it answered {vectors.shape} for {len(batch)} texts of {self._model.dimension} dimensions"
            )
        return vectors

    def _ask(self, body: dict[str, Any], tries: int) -> Any:
        import httpx

        problem = "no try was made"
        for attempt in range(tries):
            if attempt:
                self._pause(0.5 * 2**attempt)
            try:
                response = self._client.post(self._url, json=body)
            except httpx.TransportError as error:
                problem = f"no answer ({str(error) or type(error).__name__})"
                continue
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise self._unavailable(f"{type(error).__name__}: {error}") from error
            if response.status_code == 429 or response.status_code >= 500:
                problem = f"HTTP {response.status_code}"
                continue
            if response.status_code != 200:
                raise self._unavailable(f"HTTP {response.status_code}: {response.text[:200]}")
            try:
                return response.json()
            except ValueError as error:
                raise self._unavailable("its answer is not JSON") from error
        raise self._unavailable(problem)

    def _unavailable(self, problem: str) -> ModelUnavailable:
        return ModelUnavailable(
            f"The embedder at {self._url} failed: {problem}.",
            fix="Check embedder.url, embedder.model and embedder.dimension, then run `trigraph reembed`.",
        )


def _client(key: str | None, timeout_seconds: float) -> httpx.Client:
    try:
        import httpx
    except ImportError as error:
        raise ConfigError(
            "The HTTP embedder needs httpx.", fix="Run `pip install 'trigraph[http-embedder]'`."
        ) from error
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return httpx.Client(headers=headers, timeout=timeout_seconds)
