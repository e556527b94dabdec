"""Write src/trigraph/text/related_words.tsv: for each common English word, the words that mean nearly the same.

    python benchmarks/write_related_words.py PACK PACK

PACK is the folder of a model pack. The words are the whole words in the vocabulary of the first, which must be a
WordPiece tokenizer's: what is common in general English text, and nothing of what trigraph is measured on. Two words
are as alike as the models think on average, each cosine measured from the mean of that model's. One model alone takes
words for alike that are only spelt so (`hike` and `pike`); two seldom agree on those.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from trigraph.embedders.pack import PackEmbedder
from trigraph.text.terms import analyse

TARGET = Path(__file__).parents[1] / "src/trigraph/text/related_words.tsv"
PHRASE = "the meaning of the word {}"
LEAST = 0.45
"""What is less alike than this is not held to be related."""
MOST = 12
BLOCK = 1000


def main(folders: list[Path]) -> None:
    """Read the words, compare them all, write what is near."""
    vocabulary = json.loads((folders[0] / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    words = sorted(word for word in vocabulary if re.fullmatch("[a-z]{3,}", word) and len(analyse(word)) == 1)
    terms = [analyse(word)[0] for word in words]
    models = [_vectors(folder, words) for folder in folders]
    related: dict[str, dict[str, float]] = {}
    for start in range(0, len(words), BLOCK):
        alike = np.mean(
            [_from_mean(vectors[start : start + BLOCK] @ vectors.T, usual) for vectors, usual in models], axis=0
        )
        for row, column in np.argwhere(alike >= LEAST):
            term, other = terms[start + row], terms[column]
            if term != other:
                near = related.setdefault(term, {})
                near[other] = max(near.get(other, 0.0), float(alike[row, column]))
    lines = [f"{term}\t{_told(near)}\n" for term, near in sorted(related.items())]
    TARGET.write_text("".join(lines), encoding="utf-8")
    print(f"{len(words):,} words, {len(lines):,} terms with related ones, {TARGET.stat().st_size:,} bytes")


def _vectors(folder: Path, words: list[str]) -> tuple[NDArray[np.float32], float]:
    vectors = PackEmbedder(folder, threads=0).embed_documents([PHRASE.format(word) for word in words])
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    mean = vectors.mean(axis=0)
    return vectors, float(mean @ mean)


def _from_mean(cosines: NDArray[np.float32], usual: float) -> NDArray[np.float32]:
    return (cosines - usual) / (1 - usual)


def _told(near: dict[str, float]) -> str:
    best = sorted(near.items(), key=lambda one: (-one[1], one[0]))[:MOST]
    return " ".join(f"{term}:{round(100 * alike)}" for term, alike in best)


if __name__ == "__main__":
    main([Path(folder) for folder in sys.argv[1:]])
