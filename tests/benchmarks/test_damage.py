"""Every adapter on damaged data: each damage to a file that it reads is refused with that file's name."""

import gzip
import pickle
from pathlib import Path
from random import Random

import pytest

from calverify.benchmarks import BENCHMARKS, DataFolder, findings_of
from calverify.errors import CalverifyError
from tests.conftest import NO_FOLDER

QUICK = ("clear", "memkk")
FROM_DATA = [name for name, entry in BENCHMARKS.items() if entry.reader is not None]
EACH = [name if name in QUICK else pytest.param(name, marks=pytest.mark.property) for name in FROM_DATA]


class Watched(DataFolder):
    """A folder that remembers which files were read."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.read: dict[str, None] = {}

    def raw(self, name: str) -> bytes:
        self.read[name] = None
        return super().raw(name)


def packed(name: str, data: bytes) -> bytes:
    return gzip.compress(data) if name.endswith(".gz") else data


def plain(name: str, data: bytes) -> bytes:
    return gzip.decompress(data) if name.endswith(".gz") else data


DAMAGES = {
    "cut short": lambda name, data: data[: len(data) // 2 - 1],
    "UTF-16": lambda name, data: packed(name, plain(name, data).decode().encode("utf-16")),
    "a foreign byte": lambda name, data: packed(name, plain(name, data)[:50] + b"\xff" + plain(name, data)[50:]),
    "a web page": lambda name, data: packed(name, b"<!DOCTYPE html><html>404</html>\n"),
    "another object": lambda name, data: packed(name, b'{"other": 1}\n'),
    "another array": lambda name, data: packed(name, b'[{"other": 1}]\n'),
    "a pickle": lambda name, data: packed(name, pickle.dumps({"a": 1})),
    "nulls": lambda name, data: bytes(len(data)),
}


def link_all(source: Path, target: Path, names: list[str]) -> None:
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).symlink_to(source / name)


@pytest.fixture(scope="module")
def files(data_dir):
    """files(name) -> what the adapter of that name reads, and what its audit does."""
    known: dict[str, list[str]] = {}

    def of(name: str) -> list[str]:
        if name not in known:
            data = Watched(data_dir)
            BENCHMARKS[name].build(Random(0), data)
            known[name] = list(data.read)
        return known[name]

    return of


def present(data_dir: Path, name: str) -> bool:
    """Is there data of this benchmark?  A benchmark whose data nobody has been given is no failure."""
    return (data_dir / BENCHMARKS[name].origin.folder).is_dir()


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", EACH)
def test_damage_is_told_with_its_file(data_dir, files, tmp_path, name, damage):
    if not present(data_dir, name):
        pytest.skip(f"{NO_FOLDER} {name}")
    names = files(name)
    for place, spoilt in enumerate(dict.fromkeys((names[0], names[-1]))):
        folder = tmp_path / str(place)
        link_all(data_dir, folder, names)
        (folder / spoilt).unlink()
        (folder / spoilt).write_bytes(DAMAGES[damage](spoilt, (data_dir / spoilt).read_bytes()))
        with pytest.raises(CalverifyError) as refused:
            BENCHMARKS[name].build(Random(0), DataFolder(folder))
        assert spoilt.removesuffix(".gz") in str(refused.value), refused.value


@pytest.mark.parametrize("name", EACH)
def test_too_large_is_told_with_its_file(data_dir, files, name):
    if not present(data_dir, name):
        pytest.skip(f"{NO_FOLDER} {name}")
    with pytest.raises(CalverifyError) as refused:
        BENCHMARKS[name].build(Random(0), DataFolder(data_dir, most=100))
    assert files(name)[0] in str(refused.value)
    assert "expected at most 100" in str(refused.value)


@pytest.mark.parametrize("name", FROM_DATA)
def test_no_data_at_all_is_told(tmp_path, name):
    with pytest.raises(CalverifyError) as refused:
        BENCHMARKS[name].build(Random(0), DataFolder(tmp_path))
    assert BENCHMARKS[name].origin.folder in str(refused.value)


@pytest.mark.parametrize("name", FROM_DATA)
def test_the_audit_without_data_is_told_or_finds_nothing(tmp_path, name):
    """Nothing is ever audited in silence on a folder that does not hold the data."""
    with pytest.raises(CalverifyError):
        list(findings_of(BENCHMARKS[name], Random(0), DataFolder(tmp_path)))
