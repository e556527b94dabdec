"""An ONNX graph of a BERT-shaped sentence encoder, written node by node.

Both packs (granite and MiniLM) are the same network with other weights and another pooling. Writing the graph
by hand needs only the `onnx` package (no framework, no tracing), gives the same bytes for the same weights,
and lets pooling and normalisation live inside the graph: callers only pad token ids.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

OPSET = 21  # the first with blockwise DequantizeLinear
IR_VERSION = 10  # the one that belongs to that opset; pinned so that a newer `onnx` writes the same file

INPUTS = ("input_ids", "attention_mask")

Array = NDArray[Any]


@dataclass(frozen=True)
class Blocks:
    """A matrix [rows, columns] in int8, with one float scale for every `group` values of a row."""

    values: Array
    scales: Array
    group: int


@dataclass(frozen=True)
class Shape:
    """The sizes of the network that its tensors do not tell."""

    layers: int
    heads: int
    hidden: int
    epsilon: float
    pooling: Literal["cls", "mean"]
    roberta_positions: bool  # counted over real tokens, from 2 on; else from 0 on, over all


class Graph:
    """Collects nodes and constants; every method returns the name of its result."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def op(self, kind: str, *inputs: str, **attributes: Any) -> str:
        return self.split(kind, *inputs, outputs=1, **attributes)[0]

    def split(self, kind: str, *inputs: str, outputs: int, **attributes: Any) -> list[str]:
        """A node with several results."""
        names = [f"n{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, **attributes))
        return names

    def constant(self, name: str, value: Array) -> str:
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def ints(self, *values: int) -> str:
        return self.constant("i_" + "_".join(map(str, values)), np.array(values, np.int64))

    def scalar(self, value: float) -> str:
        return self.constant(f"f_{value!r}", np.array(value, np.float32))

    def rows(self, name: str, table: Array | Blocks, ids: str) -> str:
        """Look rows up. Of an int8 table only the rows found become floats: it stays small in memory."""
        if not isinstance(table, Blocks):
            return self.op("Gather", self.constant(name, table), ids)
        values = self.op("Gather", self.constant(name, table.values), ids)
        scales = self.op("Gather", self.constant(name + ".scale", table.scales), ids)
        return self.op("DequantizeLinear", values, scales, axis=2, block_size=table.group)

    def linear(self, x: str, name: str, weights: Mapping[str, Array | Blocks]) -> str:
        """x · Wᵀ + b. An int8 W stays int8 in the file; the runtime unfolds it once, at load."""
        weight, bias = weights[name + ".w"], plain(weights[name + ".b"])
        if isinstance(weight, Blocks):
            values = self.constant(name + ".w", weight.values.T)
            scales = self.constant(name + ".w.scale", weight.scales.T)
            matrix = self.op("DequantizeLinear", values, scales, axis=0, block_size=weight.group)
        else:
            matrix = self.constant(name + ".w", weight.T)
        return self.op("Add", self.op("MatMul", x, matrix), self.constant(name + ".b", bias))


def build(weights: Mapping[str, Array | Blocks], shape: Shape, graph: Graph | None = None) -> bytes:
    """The serialised graph: input_ids, attention_mask (int64 [batch, sequence]) to embedding (length 1)."""
    g = graph or Graph()

    def norm(x: str, name: str) -> str:
        scale, shift = (g.constant(name + end, plain(weights[name + end])) for end in (".w", ".b"))
        return g.op("LayerNormalization", x, scale, shift, axis=-1, epsilon=shape.epsilon)

    def heads(x: str, *order: int) -> str:
        split = g.op("Reshape", x, g.ints(0, 0, shape.heads, shape.hidden // shape.heads))
        return g.op("Transpose", split, perm=order)

    def first(x: str) -> str:
        return g.op("Slice", x, g.ints(0), g.ints(1), g.ints(1))

    mask = g.op("Cast", "attention_mask", to=TensorProto.FLOAT)
    hidden_tokens = g.op("Mul", g.op("Sub", mask, g.scalar(1.0)), g.scalar(1e9))
    bias = g.op("Unsqueeze", hidden_tokens, g.ints(1, 2))  # 0 for a token, -1e9 for padding

    # Every token has type 0, so that row is added to the positions once, here, instead of at every run.
    table = plain(weights["pos_emb"]) + plain(weights["type_emb"])[0]
    if shape.roberta_positions:
        counted = g.op("CumSum", "attention_mask", g.constant("axis", np.array(1, np.int64)))
        places = g.op("Add", g.op("Mul", counted, "attention_mask"), g.ints(1))
        positions = g.rows("pos_emb", table, places)
    else:
        length = g.op("Shape", "input_ids", start=1, end=2)
        positions = g.op("Slice", g.constant("pos_emb", table), g.ints(0), length)
    x = norm(g.op("Add", g.rows("word_emb", weights["word_emb"], "input_ids"), positions), "emb_ln")

    for layer in range(shape.layers):
        name = f"l{layer}."
        q, k, v = g.split("Split", g.linear(x, name + "qkv", weights), outputs=3, axis=-1, num_outputs=3)
        if shape.pooling == "cls" and layer == shape.layers - 1:
            q, x = first(q), first(x)  # no other token is read: an eighth of all work saved, same result
        q = g.op("Mul", q, g.scalar((shape.hidden // shape.heads) ** -0.5))
        scores = g.op("Add", g.op("MatMul", heads(q, 0, 2, 1, 3), heads(k, 0, 2, 3, 1)), bias)
        mixed = g.op("MatMul", g.op("Softmax", scores, axis=-1), heads(v, 0, 2, 1, 3))
        joined = g.op("Reshape", g.op("Transpose", mixed, perm=(0, 2, 1, 3)), g.ints(0, 0, shape.hidden))
        x = norm(g.op("Add", g.linear(joined, name + "ao", weights), x), name + "aln")
        inner = g.op("Gelu", g.linear(x, name + "f1", weights))
        x = norm(g.op("Add", g.linear(inner, name + "f2", weights), x), name + "fln")

    if shape.pooling == "cls":
        pooled = g.op("Squeeze", x, g.ints(1))
    else:  # the mean over real tokens; the division by their number is left out, the norm removes it
        pooled = g.op("ReduceSum", g.op("Mul", x, g.op("Unsqueeze", mask, g.ints(2))), g.ints(1), keepdims=0)
    g.op("LpNormalization", pooled, axis=-1, p=2)
    g.nodes[-1].output[0] = "embedding"

    ids = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "sequence"]) for n in INPUTS]
    out = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", shape.hidden])
    body = helper.make_graph(g.nodes, "encoder", ids, [out], list(g.constants.values()))
    opsets = [helper.make_opsetid("", OPSET)]
    model = helper.make_model(body, opset_imports=opsets, ir_version=IR_VERSION, producer_name="trigraph")
    onnx.checker.check_model(model, full_check=True)
    return bytes(model.SerializeToString(deterministic=True))


def plain(tensor: Array | Blocks) -> Array:
    """A tensor that must not be quantised."""
    if isinstance(tensor, Blocks):
        raise TypeError("expected a float tensor")
    return tensor
