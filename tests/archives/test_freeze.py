"""Freezing: what is written, that it repeats, that it comes back, and that nothing is written over."""

import gzip
import json
from hashlib import sha256
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calverify as cv
from calverify.archives import MANIFEST as MANIFEST_FILE
from calverify.archives import Archive, Manifest, archive_of, bytes_of, freeze, read_archive
from calverify.pools import SCORE_NAMES, Candidate, Pool
from tests.archives.frozen import MANIFEST, POOLS, PROBLEMS, frozen, lines_of
from tests.drawn_pools import PROBLEM

PACKED = pytest.mark.parametrize("packed", [False, True], ids=["plain", "packed"])


@PACKED
def test_what_is_frozen_comes_back_in_its_order(tmp_path, packed):
    archive = read_archive(frozen(tmp_path / "a", packed=packed))
    assert archive.pools == POOLS
    assert list(archive.problems.items()) == [(problem.id, problem) for problem in PROBLEMS]


@PACKED
def test_every_byte_repeats(tmp_path, packed):
    """Two runs on two days: no clock, no order of a set, no path in any file."""
    one, two = frozen(tmp_path / "a", packed=packed), frozen(tmp_path / "elsewhere" / "b", packed=packed)
    names = sorted(file.name for file in one.iterdir())
    suffix = ".jsonl.gz" if packed else ".jsonl"
    assert names == ["manifest.json", f"pools{suffix}", f"problems{suffix}"]
    assert [(one / name).read_bytes() for name in names] == [(two / name).read_bytes() for name in names]
    assert not any(str(tmp_path).encode() in (one / name).read_bytes() for name in names)


def test_the_manifest_holds_the_hashes_of_the_files(tmp_path):
    folder = frozen(tmp_path / "a")
    (record,) = lines_of(folder / MANIFEST_FILE)
    for name, said in record["files"].items():
        data = (folder / name).read_bytes()
        assert said == {"sha256": sha256(data).hexdigest(), "records": data.count(b"\n")}
    assert record["seeds"] == [0, 1, 7]
    assert record["corpus"] == record["files"]["problems.jsonl"]["sha256"]
    assert (record["policy"], record["model"], record["command"]) == ("base", "a-model", "by hand")
    assert record["sampling"] == {"temperature": 0.8, "n": 8, "stop": ["\n\n"]}
    assert record["scorer_version"] == cv.SCORER_VERSION
    assert "adapter" not in record  # what is not known is left out, and no empty text


def test_a_packed_archive_is_the_same_corpus(tmp_path):
    plain, packed = (read_archive(frozen(tmp_path / str(flag), packed=flag)) for flag in (False, True))
    assert plain.manifest.corpus == packed.manifest.corpus
    assert plain.pools == packed.pools
    unpacked = gzip.decompress((tmp_path / "True" / "pools.jsonl.gz").read_bytes())
    assert unpacked == (tmp_path / "False" / "pools.jsonl").read_bytes()


def test_lines_are_sorted_utf_8(tmp_path):
    """Keys in order, letters as they are, one line feed a line, whatever a text holds."""
    data = (frozen(tmp_path / "a") / "pools.jsonl").read_bytes()
    assert data.endswith(b"\n")
    assert data.count(b"\n") == len(POOLS)
    assert "naïve \u2028".encode() in data
    assert b"\\ud800" in data  # a lone surrogate is in no UTF-8, so JSON's escape says it
    for line in data.decode().split("\n")[:-1]:
        record = json.loads(line)
        assert list(record) == sorted(record)
        assert line == json.dumps(record, sort_keys=True, ensure_ascii=False, separators=(",", ":")).replace(
            "\ud800", "\\ud800"
        )


def test_nothing_is_written_over(tmp_path):
    folder = frozen(tmp_path / "a")
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    with pytest.raises(cv.CalverifyError, match="is not empty; what is frozen is never written over"):
        freeze(folder, PROBLEMS, POOLS[:1], MANIFEST)
    (tmp_path / "file").write_text("x")
    with pytest.raises(cv.CalverifyError, match="never written over"):
        freeze(tmp_path / "file", PROBLEMS, POOLS, MANIFEST)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_what_could_not_be_read_back_is_not_frozen(tmp_path):
    """A pool of an unknown problem, a unit twice, a problem twice: refused before a file is made."""
    for problems, pools in ((PROBLEMS[1:], POOLS), (PROBLEMS, (*POOLS, POOLS[0])), ((*PROBLEMS, PROBLEM), POOLS)):
        with pytest.raises(cv.RecordError):
            freeze(tmp_path / "a", problems, pools, MANIFEST)
        assert not (tmp_path / "a").exists()


def test_a_problem_that_json_would_change(tmp_path):
    with pytest.raises(cv.RecordError, match="problem 'w' holds two surrogates in a row"):
        freeze(tmp_path / "a", [cv.Problem("w", PROBLEM.query, PROBLEM.graph, "\ud800\udc00")], [], MANIFEST)


def test_an_interrupted_freeze_leaves_no_manifest(tmp_path, monkeypatch):
    """The manifest is written last, and every file whole or not at all."""
    import os

    written = []

    def fail_at_the_second(source, target):
        if written:
            raise OSError(28, "No space left on device")
        written.append(target)
        source.rename(target)

    monkeypatch.setattr(os, "replace", fail_at_the_second)
    with pytest.raises(cv.CalverifyError, match=r"cannot write .*No space left"):
        frozen(tmp_path / "a")
    assert [file.name for file in (tmp_path / "a").iterdir()] == ["problems.jsonl"]
    with pytest.raises(cv.RecordError, match=r"was never frozen to the end: there is no manifest\.json"):
        read_archive(tmp_path / "a")


# ---------------------------------------------------------------- parts of an archive


def test_a_prefix(tmp_path):
    archive = read_archive(frozen(tmp_path / "a")).subset({"w"})
    assert [len(pool) for pool in archive.pools] == [4, 2]
    assert archive.prefix(2).pools == (POOLS[0].prefix(2), POOLS[1])
    assert archive.prefix(0).pools[0].candidates == ()
    with pytest.raises(cv.RecordError, match="the pool of 'w', seed 0, has 2 candidates, not 3"):
        archive.prefix(3)
    with pytest.raises(cv.RecordError, match="not -1"):
        archive.prefix(-1)


def test_a_subset_keeps_the_order(tmp_path):
    archive = read_archive(frozen(tmp_path / "a"))
    assert archive.subset(["numeric", "w"]).pools == (POOLS[0], POOLS[1], POOLS[3], POOLS[4])
    assert list(archive.subset(["numeric", "w"]).problems) == ["w", "numeric"]
    assert archive.subset([]) == Archive({}, (), archive.manifest)
    with pytest.raises(cv.RecordError, match="holds no problem 'elsewhere'"):
        archive.subset(["elsewhere"])


def test_a_digest_is_of_the_content():
    assert POOLS[0].digest == Pool.from_json(json.loads(json.dumps(POOLS[0].to_json()))).digest
    others = [POOLS[0].prefix(3), Pool("w", 2, POOLS[0].candidates), Pool("v", 1, POOLS[0].candidates), POOLS[1]]
    assert len({pool.digest for pool in (POOLS[0], *others)}) == 5


# ---------------------------------------------------------------- manifests and candidates

RATED = {"model": "m", "pools": "0", "rated": 3, "failed": 1}


@pytest.mark.parametrize(
    "record, why",
    [
        ({}, "needs a field 'policy'"),
        ({"policy": ""}, "needs the name of its policy"),
        ({"policy": 7}, "must be of type str"),
        ({"policy": "p", "seeds": ["0"]}, "'seeds' must be integers"),
        ({"policy": "p", "seeds": [True]}, "'seeds' must be integers"),
        ({"policy": "p", "sampling": {"luck": 1}}, "carries 'luck'"),
        ({"policy": "p", "sampling": {"temperature": None}}, "'temperature' must be of type"),
        ({"policy": "p", "sampling": {"stop": [["U"]]}}, "'stop' must be a number, a text or a list of texts"),
        ({"policy": "p", "scores": {"correct": {}}}, "carries 'correct'"),
        ({"policy": "p", "scores": {"judge": {"model": "m"}}}, "needs a field 'pools'"),
        ({"policy": "p", "scores": {"judge": {**RATED, "failed": -1}}}, "'failed' must be a count"),
        ({"policy": "p", "scores": {"judge": {**RATED, "model": " "}}}, "need the name of the model"),
        ({"policy": "p", "scores": {"judge": {**RATED, "settings": {"luck": 1}}}}, "carries 'luck'"),
        ({"policy": "p", "files": {"keys.jsonl": {}}}, "carries 'keys.jsonl'"),
        ({"policy": "p", "files": {"pools.jsonl": {"sha256": "0"}}}, "needs a field 'records'"),
    ],
)
def test_a_manifest_that_is_none(record, why):
    with pytest.raises(cv.RecordError, match=why):
        Manifest.from_json(record)


def test_a_manifest_is_plain_json_and_back(tmp_path):
    manifest = read_archive(frozen(tmp_path / "a")).manifest
    assert Manifest.from_json(json.loads(json.dumps(manifest.to_json()))) == manifest
    assert Manifest.from_json({"policy": "p"}) == Manifest("p")
    made = {**manifest.to_json(), "scores": {"judge": {**RATED, "settings": {"temperature": 0}}}}
    assert Manifest.from_json(made).to_json() == made


@pytest.mark.parametrize("score", [float("nan"), float("inf"), -float("inf"), True, "0.5", [1], 10**400])
def test_a_stored_score_is_a_finite_number(score):
    with pytest.raises(cv.RecordError):
        Candidate(0, "text", {"reward": score})


def test_a_stored_score_has_a_name_from_the_list():
    with pytest.raises(cv.LeakError, match="'correct'"):
        Candidate(0, "text", {"correct": 1})


# ---------------------------------------------------------------- properties

TEXTS = st.text(max_size=20) | st.text(st.characters(categories=["Cs", "Zl", "Cc"]), max_size=5)
SCORES = st.dictionaries(
    st.sampled_from(sorted(SCORE_NAMES)),
    st.none() | st.integers(-9, 9) | st.floats(allow_nan=False, allow_infinity=False),
)


def in_utf_16(text: str) -> str:
    """The text with two surrogates that make a pair as the one character they are."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


@given(
    st.lists(st.lists(st.tuples(TEXTS, SCORES), max_size=4), max_size=4),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_any_pools_come_back(drawn, packed, rng: Random):
    """Whatever the texts hold; frozen again, they are the same bytes."""
    seeds = rng.sample(range(-20, 20), len(drawn))
    pools = tuple(
        Pool("w", seed, tuple(Candidate(place, text, scores) for place, (text, scores) in enumerate(rows)))
        for seed, rows in zip(seeds, drawn, strict=True)
    )
    if any(in_utf_16(text) != text for pool in pools for text in pool.texts):
        with pytest.raises(cv.RecordError, match="holds two surrogates in a row"):
            bytes_of([PROBLEM], pools, MANIFEST, packed=packed)
        return
    files = bytes_of([PROBLEM], pools, MANIFEST, packed=packed)
    back = archive_of(files)
    assert back.pools == pools
    assert bytes_of(back.problems.values(), back.pools, MANIFEST, packed=packed) == files
