"""The firewall: a field in which a reference answer could live is refused at every level of every record."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calverify as cv
from calverify.archives import (
    FORBIDDEN,
    Choice,
    Manifest,
    archive_of,
    bytes_of,
    plant,
    read_archive,
    sample_archive,
)
from calverify.pools import Candidate, Pool
from tests.archives.frozen import MANIFEST, NUMERIC, POOLS, PROBLEMS, frozen

PAPER = {"correct", "gold", "answer_key", "target"}  # what the paper's own test inserts
PLACES = {
    "problem", "problem.query", "problem.graph", "problem.scm", "problem.scm.variables", "problem.scm.variables.X",
    "problem.scm.variables.Y", "pool", "pool.candidates.0", "pool.candidates.0.scores", "manifest", "manifest.files",
    "manifest.files.pools.jsonl", "manifest.files.problems.jsonl", "manifest.sampling", "manifest.scores",
    "manifest.scores.judge", "manifest.scores.judge.settings", "choice", "log", "log.files",
}  # fmt: skip
RECORDS = [
    ("problem", cv.Problem, NUMERIC.to_json()),
    ("query", cv.Query, NUMERIC.query.to_json()),
    ("pool", Pool, POOLS[0].to_json()),
    ("candidate", Candidate, POOLS[0].candidates[0].to_json()),
    ("manifest", Manifest, MANIFEST.to_json()),
    ("choice", Choice, Choice("first", "w", 0, 0, (1,)).to_json()),
]


def test_the_sample_has_every_level():
    assert {planting.place for planting in plant(sample_archive())} == PLACES
    assert PAPER | {"gold_v2", "is_correct", "label", "reference", "canonical_adjustment_set"} <= set(FORBIDDEN)


@pytest.mark.parametrize("name", FORBIDDEN)
def test_each_is_refused_everywhere(name):
    found = list(plant(sample_archive(), [name]))
    assert len(found) == len(PLACES)
    for planting in found:
        assert planting.refused_by in ("LeakError", "RecordError"), planting
        assert name in planting.why


@pytest.mark.parametrize("noun, kind, record", RECORDS, ids=[row[0] for row in RECORDS])
@pytest.mark.parametrize("name", FORBIDDEN)
def test_each_record_refuses_it_as_a_leak(noun, kind, record, name):
    kind.from_json(json.loads(json.dumps(record)))
    with pytest.raises(cv.LeakError, match=f"^{noun} record carries '{name}'; allowed: "):
        kind.from_json({**record, name: "U"})


@given(st.text(min_size=1, max_size=30).filter(lambda name: name.strip()))
def test_any_other_name_is_refused_too(name):
    """An allow-list: whatever a field is called tomorrow, if it is not one of ours it does not get in."""
    for _, kind, record in RECORDS:
        if name not in kind.__dataclass_fields__:
            with pytest.raises(cv.LeakError):
                kind.from_json({**record, name: "U"})


@pytest.mark.parametrize("value", ["U", ["U"], {"set": ["U"]}, None, 0, True, [], {}])
def test_whatever_it_holds(value):
    """An empty one as well: the field has no business there."""
    for _, kind, record in RECORDS:
        with pytest.raises(cv.LeakError):
            kind.from_json({**record, "gold": value})


def test_the_first_records_of_an_archive(tmp_path):
    """It is the archive's own first records that are planted in; the archive is not touched."""
    folder = frozen(tmp_path / "a", packed=True)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    found = list(plant(read_archive(folder)))
    absent = ("scm", "manifest.scores")
    assert {planting.place for planting in found} == {place for place in PLACES if not any(a in place for a in absent)}
    assert all(planting.refused_by for planting in found)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_what_gets_in_is_told(monkeypatch):
    """A reader that is not strict is found out."""
    from calverify import pools

    read_fields = pools.read_fields

    def lenient(noun, record, kinds, needed=()):
        kept = {name: value for name, value in record.items() if name in kinds or noun != "candidate"}
        return read_fields(noun, kept, kinds, needed)

    monkeypatch.setattr(pools, "read_fields", lenient)
    through = [planting for planting in plant(sample_archive(), ["gold"]) if planting.refused_by is None]
    assert [(planting.field, planting.place) for planting in through] == [("gold", "pool.candidates.0")]


def test_a_leak_in_a_file_is_located():
    files = bytes_of(PROBLEMS, POOLS, MANIFEST)
    leaking = files["pools.jsonl"].replace(b'{"index":1,', b'{"correct":true,"index":1,', 1)
    with pytest.raises(
        cv.LeakError, match=r"^pools\.jsonl, line 1: candidate record carries 'correct'; allowed: index"
    ):
        archive_of({**files, "pools.jsonl": leaking})
