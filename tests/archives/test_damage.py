"""Damage is located: the file, the line, and what was expected there.  Nothing is dropped, mended or put in order."""

import json
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calverify as cv
from calverify.archives import archive_of, bytes_of, read_archive
from tests.archives.frozen import MANIFEST, POOLS, PROBLEMS, frozen

FILES = bytes_of(PROBLEMS, POOLS, MANIFEST)
Edit = Callable[[bytes], bytes]


def on_line(number: int, edit: Edit) -> Edit:
    """The edit of one line, counted from 1."""

    def edited(data: bytes) -> bytes:
        lines = data.split(b"\n")
        lines[number - 1] = edit(lines[number - 1])
        return b"\n".join(lines)

    return edited


def lines(*order: int) -> Edit:
    """These lines, in this order."""
    return lambda data: b"".join(data.split(b"\n")[number - 1] + b"\n" for number in order)


def swap(old: str, new: str) -> Edit:
    def swapped(data: bytes) -> bytes:
        assert old.encode() in data, old
        return data.replace(old.encode(), new.encode(), 1)

    return swapped


def with_record(change: Callable[[dict], object]) -> Edit:
    def changed(data: bytes) -> bytes:
        record = json.loads(data)
        change(record)
        return json.dumps(record).encode()

    return changed


def in_pools(**said: object) -> Edit:
    """What the manifest says of the pools, changed."""
    return with_record(lambda manifest: manifest["files"]["pools.jsonl"].update(said))


TORN = "the file ends in the middle of this record"
ROWS = [
    ("a torn last line", "pools.jsonl", lambda data: data[:-9], f"pools.jsonl, line 5: {TORN}"),
    ("a last line torn early", "problems.jsonl", lambda data: data[:-60], f"problems.jsonl, line 3: {TORN}"),
    ("a torn middle line", "pools.jsonl", on_line(2, lambda line: line[:40]), "pools.jsonl, line 2: expected a JSON"),
    (
        "the end of a line lost",
        "pools.jsonl",
        swap('"seed":1}\n', '"seed":1}'),
        "pools.jsonl, line 1: expected a JSON record",
    ),
    ("an empty line", "pools.jsonl", on_line(3, lambda line: b""), "pools.jsonl, line 3: the line is empty"),
    ("no UTF-8", "pools.jsonl", on_line(2, lambda line: line[:20] + b"\xff"), "line 2: .*not UTF-8 at byte 20"),
    ("not an object", "pools.jsonl", on_line(4, lambda line: b"[]"), "line 4: a pool record must be an object"),
    ("a key twice", "pools.jsonl", swap('"seed":1', '"seed":1,"seed":1'), "line 1: .*'seed' stands twice"),
    ("NaN", "pools.jsonl", swap('"judge":7', '"judge":NaN'), "line 1: .*NaN is no JSON number"),
    (
        "too large a number",
        "pools.jsonl",
        swap('"judge":7', '"judge":1e999'),
        "candidate 0: 'judge' must be a finite number",
    ),
    ("deep nesting", "pools.jsonl", on_line(5, lambda line: b"[" * 100_000), "pools.jsonl, line 5: "),
    (
        "candidates reordered",
        "pools.jsonl",
        on_line(1, with_record(lambda pool: pool["candidates"].reverse())),
        "pools.jsonl, line 1: pool of 'w': candidate 3 stands at place 0",
    ),
    (
        "a candidate missing",
        "pools.jsonl",
        on_line(1, with_record(lambda pool: pool["candidates"].pop(1))),
        "pools.jsonl, line 1: pool of 'w': candidate 2 stands at place 1",
    ),
    (
        "the last candidate missing",
        "pools.jsonl",
        on_line(1, with_record(lambda pool: pool["candidates"].pop())),
        "pools.jsonl has changed since it was frozen: its sha256 is",
    ),
    (
        "a unit twice",
        "pools.jsonl",
        lines(1, 2, 3, 4, 5, 2),
        "pools.jsonl, line 6: the pool of problem 'w', seed 0, stood already at pools.jsonl, line 2",
    ),
    (
        "an unknown problem",
        "pools.jsonl",
        on_line(3, swap('"own"', '"wno"')),
        "pools.jsonl, line 3: a pool of problem 'wno', which is not among the problems",
    ),
    (
        "a problem twice",
        "problems.jsonl",
        lines(1, 2, 3, 1),
        "problems.jsonl, line 4: problem 'w' stood already at problems.jsonl, line 1",
    ),
    ("a pool lost", "pools.jsonl", lines(1, 2, 3, 5), r"pools.jsonl holds 4 records; manifest.json says 5"),
    ("a problem lost", "problems.jsonl", lines(1, 2), "pools.jsonl, line 4: a pool of problem 'numeric', which is not"),
    ("pools reordered", "pools.jsonl", lines(2, 1, 3, 4, 5), "pools.jsonl has changed since it was frozen"),
    ("a letter changed", "pools.jsonl", swap("naï", "naî"), "pools.jsonl has changed since it was frozen"),
    ("a field too many", "pools.jsonl", swap('"seed":1', '"gold":1'), "line 1: pool record carries 'gold'"),
    (
        "a field too few",
        "pools.jsonl",
        swap('"index":0,', ""),
        "line 1: a candidate record needs a field 'index'",
    ),
    ("a manifest of nothing", "manifest.json", lambda data: b"", "manifest.json: not JSON"),
    ("a torn manifest", "manifest.json", lambda data: data[:99], "manifest.json: not JSON"),
    ("a manifest in no UTF-8", "manifest.json", lambda data: b"\xff", "manifest.json: not UTF-8 at byte 0"),
    ("a wrong hash", "manifest.json", in_pools(sha256="0" * 64), "pools.jsonl has changed"),
    ("a wrong count", "manifest.json", in_pools(records=9), "5 records; manifest.json says 9"),
    (
        "no files",
        "manifest.json",
        with_record(lambda m: m.pop("files")),
        "one file of problems and one of pools, not none",
    ),
    ("a field too many there", "manifest.json", with_record(lambda m: m.update(gold=[])), "record carries 'gold'"),
]


@pytest.mark.parametrize("file, edit, why", [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_damage_is_located(tmp_path, file, edit, why):
    folder = frozen(tmp_path / "a")
    path = folder / file
    path.write_bytes(edit(path.read_bytes()))
    with pytest.raises(cv.RecordError) as refused:
        read_archive(folder)
    assert re.search(why, str(refused.value)), refused.value
    assert str(refused.value).startswith(f"{folder}/")


@pytest.mark.parametrize("name", ["problems.jsonl", "pools.jsonl"])
def test_a_missing_file(tmp_path, name):
    folder = frozen(tmp_path / "a")
    (folder / name).unlink()
    with pytest.raises(cv.RecordError, match=f"{name} is missing; manifest.json says that it was frozen"):
        read_archive(folder)


def test_a_missing_manifest(tmp_path):
    folder = frozen(tmp_path / "a")
    (folder / "manifest.json").unlink()
    with pytest.raises(
        cv.RecordError, match=r"was never frozen to the end: there is no manifest\.json in it; calverify freeze"
    ):
        read_archive(folder)
    with pytest.raises(cv.RecordError, match="is no folder"):
        read_archive(tmp_path / "elsewhere")


@pytest.mark.parametrize("cut", [1, 9, 30])
def test_a_torn_gzip_file(tmp_path, cut):
    folder = frozen(tmp_path / "a", packed=True)
    path = folder / "pools.jsonl.gz"
    path.write_bytes(path.read_bytes()[:-cut])
    with pytest.raises(cv.RecordError, match=r"pools\.jsonl\.gz: not a whole gzip file"):
        read_archive(folder)


def test_no_gzip_file(tmp_path):
    folder = frozen(tmp_path / "a", packed=True)
    (folder / "pools.jsonl.gz").write_bytes(FILES["pools.jsonl"])
    with pytest.raises(cv.RecordError, match=r"pools\.jsonl\.gz: not a whole gzip file"):
        read_archive(folder)


@settings(max_examples=200)
@given(st.sampled_from(["problems.jsonl", "pools.jsonl"]), st.integers(0, 10**6), st.integers(1, 255))
def test_any_changed_byte_is_found(name, place, flip):
    """And told with the name of the file, whatever the byte breaks first."""
    data = bytearray(FILES[name])
    data[place % len(data)] ^= flip
    with pytest.raises(cv.CalverifyError) as refused:
        archive_of({**FILES, name: bytes(data)})
    assert re.match(r"(problems|pools)\.jsonl", str(refused.value)), refused.value


@settings(max_examples=100)
@given(st.sampled_from(["problems.jsonl", "pools.jsonl"]), st.integers(0, 10**6))
def test_any_cut_is_found(name, place):
    data = FILES[name][: place % len(FILES[name])]
    assert sha256(data).hexdigest() != sha256(FILES[name]).hexdigest()
    with pytest.raises(cv.CalverifyError):
        archive_of({**FILES, name: data})


def test_a_file_that_cannot_be_read(tmp_path):
    folder = frozen(tmp_path / "a")
    from calverify.archives import read_bytes

    with pytest.raises(cv.CalverifyError, match=r"cannot read .*nowhere: No such file"):
        read_bytes(Path(folder) / "nowhere")
