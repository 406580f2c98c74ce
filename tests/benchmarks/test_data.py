"""A folder of data: what is damaged, of another kind or too large is refused with its file and record."""

import gzip
import json
import pickle

import pytest

from calverify.benchmarks import DataFolder, field
from calverify.errors import CalverifyError, RecordError

GOOD = b'{"a": 1}\n{"a": 2}\n'


class Armed:
    """A pickle that would leave a file behind when it is read."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return (open, (str(self.mark), "w"))


@pytest.fixture
def folder(tmp_path):
    """put(name, data) -> the folder that holds it."""

    def put(name: str, data: bytes, **parts: int) -> DataFolder:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
        return DataFolder(tmp_path, **parts)

    return put


def test_lines_and_records_come_with_their_places(folder):
    assert list(folder("x/a.jsonl", GOOD).lines("x/a.jsonl")) == [
        ("x/a.jsonl, line 1", {"a": 1}),
        ("x/a.jsonl, line 2", {"a": 2}),
    ]
    packed = folder("x/a.jsonl.gz", gzip.compress(GOOD))
    assert [record for _, record in packed.lines("x/a.jsonl.gz")] == [{"a": 1}, {"a": 2}]
    array = folder("b.json", b'[{"a": 1}, {"a": 2}]')
    assert list(array.records("b.json")) == [("b.json, record 1", {"a": 1}), ("b.json, record 2", {"a": 2})]
    assert array.names("x", ".jsonl") == ["x/a.jsonl"]


LINES = [
    ("cut short", GOOD[:-4], "a.jsonl, line 2: the file ends in the middle of this record"),
    (
        "another encoding",
        GOOD.decode().encode("utf-16"),
        "a.jsonl, line 1: expected a JSON record, and this is not UTF-8",
    ),
    ("latin-1", b'{"a": "\xe9"}\n', "a.jsonl, line 1: expected a JSON record, and this is not UTF-8 at byte 7"),
    ("no object", b"[1]\n", "a.jsonl, line 1: expected an object, not [1]"),
    ("an empty line", b'{"a": 1}\n\n', "a.jsonl, line 2: the line is empty"),
    ("a key twice", b'{"a": 1, "a": 2}\n', "a.jsonl, line 1: expected a JSON record"),
    ("something else", b"<html>not found</html>\n", "a.jsonl, line 1: expected a JSON record"),
    ("too large", b"x" * 1_001, "a.jsonl: 1,001 bytes; expected at most 1,000"),
    ("a pickle", pickle.dumps([1]), "a.jsonl: this is a pickle"),
]


@pytest.mark.parametrize("data, why", [row[1:] for row in LINES], ids=[row[0] for row in LINES])
def test_damaged_lines_are_refused(folder, data, why):
    with pytest.raises(RecordError) as refused:
        list(folder("a.jsonl", data, most=1_000).lines("a.jsonl"))
    assert why in str(refused.value)


ARRAYS = [
    ("cut short", b'[{"a": 1}, {"a"', "a.json: not JSON"),
    ("an object", b'{"a": 1}', "a.json: expected a JSON array, not {'a': 1}"),
    ("no object in it", b'[{"a": 1}, 2]', "a.json, record 2: expected an object, not 2"),
    ("deep", b"[" * 100_000, "a.json: not JSON"),
    ("another encoding", '[{"a": 1}]'.encode("utf-32"), "a.json: not UTF-8 at byte 0"),
]


@pytest.mark.parametrize("data, why", [row[1:] for row in ARRAYS], ids=[row[0] for row in ARRAYS])
def test_damaged_arrays_are_refused(folder, data, why):
    with pytest.raises(RecordError) as refused:
        list(folder("a.json", data).records("a.json"))
    assert why in str(refused.value)


PACKED = [
    ("cut short", gzip.compress(GOOD)[:-6], "a.gz: not a whole gzip file"),
    ("no gzip", GOOD, "a.gz: not a whole gzip file"),
    ("something behind it", gzip.compress(GOOD) + b"more", "a.gz: not a whole gzip file"),
    ("a bomb", gzip.compress(bytes(1_000_000)), "a.gz: over 2,000 bytes when unpacked"),
    ("a pickle in it", gzip.compress(pickle.dumps([1])), "a.gz: this is a pickle"),
]


@pytest.mark.parametrize("data, why", [row[1:] for row in PACKED], ids=[row[0] for row in PACKED])
def test_damaged_packed_files_are_refused(folder, data, why):
    with pytest.raises(RecordError) as refused:
        folder("a.gz", data, most=2_000).text("a.gz")
    assert why in str(refused.value)


@pytest.mark.parametrize("protocol", range(2, 6))
@pytest.mark.parametrize("name", ["a.json", "a.pickle", "a.pkl.gz"])
def test_nothing_is_unpickled(folder, tmp_path, name, protocol):
    armed = pickle.dumps(Armed(tmp_path / "sprung"), protocol)
    data = folder(name, gzip.compress(armed) if name.endswith(".gz") else armed)
    for read in (data.text, lambda name: list(data.lines(name)), lambda name: list(data.records(name))):
        with pytest.raises(RecordError, match="a pickle, which can hold a program"):
            read(name)
    assert not (tmp_path / "sprung").exists()


def test_what_is_absent_is_told(folder, tmp_path):
    with pytest.raises(CalverifyError, match="is not a folder"):
        DataFolder(tmp_path / "nowhere")
    data = folder("x/a.json", b"[]")
    assert not data.has("x/b.json")
    with pytest.raises(CalverifyError, match=r"cannot read .*b\.json: No such file"):
        data.text("x/b.json")
    with pytest.raises(CalverifyError, match=r"holds no clear/\*\.json; calverify bench ls"):
        data.names("clear", ".json")


FIELDS = [
    ("absent", {"b": 1}, "p: there is no field 'a'; this record has 'b'"),
    ("another kind", {"a": "1"}, "p: 'a' must be of type int, not '1'"),
    ("no number", {"a": True}, "p: 'a' must be of type int, not True"),
]


@pytest.mark.parametrize("record, why", [row[1:] for row in FIELDS], ids=[row[0] for row in FIELDS])
def test_a_field_is_there_and_of_its_kind(record, why):
    assert field({"a": 1, "more": json}, "a", int, "p") == 1
    with pytest.raises(RecordError) as refused:
        field(record, "a", int, "p")
    assert str(refused.value) == why
