"""A model pack on this machine: `model.onnx`, `tokenizer.json` and `manifest.json` in one folder.

Needs onnxruntime and kitoken, no network. Texts are batched by length, so that little is padded.
"""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trigraph.errors import ModelUnavailable
from trigraph.model.status import EmbeddingModel

BATCH_TEXTS = 32
BATCH_TOKENS = 512

_MEND = "Run `make model` in a checkout of trigraph, or set embedder.pack to the folder of a model pack."

_MANIFEST_KEYS = ("model_id", "dimension", "max_tokens", "start_id", "end_id", "pad_id")

Vectors = NDArray[np.float32]


def packaged_folder(package: str) -> Path:
    """The folder of a model pack that is installed as a Python package."""
    try:
        return Path(str(importlib.import_module(package).PACK))
    except ImportError as error:
        raise ModelUnavailable(f"The embedding model package {package} is not installed.", fix=_MEND) from error
    except AttributeError as error:
        raise ModelUnavailable(f"The package {package} carries no model pack.", fix=_MEND) from error


def model_of(folder: Path) -> EmbeddingModel:
    """Which model is in a folder, without loading it."""
    manifest = _read_manifest(folder)
    return EmbeddingModel(manifest["model_id"], manifest["dimension"])


class PackEmbedder:
    """See `contracts.Embedder`. Thread-safe."""

    def __init__(self, folder: Path, *, threads: int) -> None:
        self._manifest = _read_manifest(folder)
        self._tokenizer = Tokenizer(folder)
        self._session = _load_session(folder, self._manifest, threads)

    @property
    def model(self) -> EmbeddingModel:
        return EmbeddingModel(self._manifest["model_id"], self._manifest["dimension"])

    def embed_documents(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        return self._embed(texts, self._manifest.get("passage_prefix", ""), progress)

    def embed_query(self, text: str) -> Vectors:
        vectors = self._embed([text], self._manifest.get("query_prefix", ""), None)
        return np.asarray(vectors[0], dtype=np.float32)

    def _embed(self, texts: Sequence[str], prefix: str, progress: Callable[[int], None] | None) -> Vectors:
        encoded = self._encode([prefix + text for text in texts])
        vectors = np.empty((len(texts), self.model.dimension), dtype=np.float32)
        for places in _batches([len(ids) for ids in encoded]):
            vectors[places] = self._run([encoded[place] for place in places])
            if progress:
                progress(len(places))
        return vectors

    def _encode(self, texts: Sequence[str]) -> list[list[int]]:
        manifest = self._manifest
        room = manifest["max_tokens"] - 2
        pieces = self._tokenizer.encode(texts)
        return [[manifest["start_id"], *ids[:room], manifest["end_id"]] for ids in pieces]

    def _run(self, batch: Sequence[Sequence[int]]) -> Vectors:
        lengths = np.array([len(ids) for ids in batch])
        mask = np.arange(lengths.max()) < lengths[:, None]
        ids = np.full(mask.shape, self._manifest["pad_id"], dtype=np.int64)
        ids[mask] = np.concatenate([np.asarray(one, dtype=np.int64) for one in batch])
        inputs = {"input_ids": ids, "attention_mask": mask.astype(np.int64)}
        (vectors,) = self._session.run(["embedding"], inputs)
        return np.asarray(vectors, dtype=np.float32)


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of texts, shortest first, so many at a time as fit `BATCH_TEXTS` and `BATCH_TOKENS`."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) == BATCH_TEXTS or lengths[place] * (len(batch) + 1) > BATCH_TOKENS):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _read_manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        tokenizer = hashlib.sha256((folder / "tokenizer.json").read_bytes()).hexdigest()
        damaged = tokenizer != manifest["files"]["tokenizer.json"]
        missing = [key for key in _MANIFEST_KEYS if key not in manifest]
        if missing:
            raise KeyError(f"its manifest lacks {', '.join(missing)}")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelUnavailable(f"{folder} is not a model pack ({error}).", fix=_MEND) from error
    if damaged:
        raise ModelUnavailable(f"The tokenizer in {folder} is not the one its manifest names.", fix=_MEND)
    return manifest


_TOKENIZING = ThreadPoolExecutor(1, "trigraph-tokens")


class Tokenizer:
    """The tokenizer of a pack, used on the one thread that all of them share and that lives as long as the process:
    kitoken keeps something with the thread that used it first, and when that has ended, as threads of servers do, the
    next one to use it crashes the process."""

    def __init__(self, folder: Path) -> None:
        self._inner = _TOKENIZING.submit(_load_tokenizer, folder).result()

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of each text's pieces."""
        pieces: list[list[int]] = _TOKENIZING.submit(self._inner.encode_all, list(texts), False).result()
        return pieces


def _load_tokenizer(folder: Path) -> Any:
    from kitoken import Kitoken

    return Kitoken.from_tokenizers((folder / "tokenizer.json").read_bytes())


def _load_session(folder: Path, manifest: dict[str, Any], threads: int) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    for name, value in manifest.get("session_options", {}).items():
        options.add_session_config_entry(name, value)
    try:
        return onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime raises classes of its own that share no base
        raise ModelUnavailable(f"The model in {folder} cannot be loaded ({error}).", fix=_MEND) from error
