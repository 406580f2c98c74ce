"""Seal, select, reveal: the order, what is written, and that any byte that changes in between is found and named."""

import json
import re
import shutil
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calverify as cv
from calverify.archives import Step, add_step, read_archive, read_log, select_blind
from calverify.evaluation import check_seal, is_revealed, reveal, seal
from calverify.keys import write_keys
from tests.archives.frozen import KEYS, frozen, keys_file, lines_of

FILES = ["manifest.json", "problems.jsonl", "pools.jsonl", "choices.jsonl", "log.jsonl", "keys.jsonl"]
PACKED = ["manifest.json", "problems.jsonl.gz", "pools.jsonl.gz", "choices.jsonl", "log.jsonl", "keys.jsonl"]


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "packed"])
def chosen(request, tmp_path_factory) -> Path:
    """A folder with keys.jsonl and the archive `a`, sealed and chosen from; not to be changed."""
    folder = tmp_path_factory.mktemp("chosen")
    keys = keys_file(folder)
    seal(frozen(folder / "a", packed=request.param), keys)
    select_blind(folder / "a", ["first", "calver", "medoid"])
    return folder


@pytest.fixture
def copy(chosen, tmp_path) -> Path:
    """The same, to be changed."""
    shutil.copytree(chosen, tmp_path / "copy")
    return tmp_path / "copy"


def revealed(folder: Path) -> Step:
    return reveal(folder / "a", folder / "keys.jsonl")


def path_of(folder: Path, name: str) -> Path:
    return folder / name if name == "keys.jsonl" else folder / "a" / name


def names_of(folder: Path) -> list[str]:
    return PACKED if (folder / "a" / "pools.jsonl.gz").exists() else FILES


# ---------------------------------------------------------------- the proper order


def test_a_sealed_choice_is_revealed(copy):
    step = revealed(copy)
    assert [each.step for each in read_log(copy / "a")] == ["seal", "select", "reveal"]
    assert step == read_log(copy / "a")[-1]
    assert is_revealed(copy / "a")
    assert check_seal(copy / "a", copy / "keys.jsonl") == read_log(copy / "a")


def test_asking_again_checks_again_and_writes_nothing(copy):
    revealed(copy)
    before = (copy / "a" / "log.jsonl").read_bytes()
    assert revealed(copy).step == "reveal"
    assert (copy / "a" / "log.jsonl").read_bytes() == before
    (copy / "keys.jsonl").write_bytes((copy / "keys.jsonl").read_bytes() + b"\n")
    with pytest.raises(cv.RecordError, match=r"keys\.jsonl are not the keys that were sealed"):
        revealed(copy)


def test_the_log_is_a_chain_of_hashes(copy):
    """Each line holds the hash of the line before it; the keys are there by their hash, and not by their name."""
    revealed(copy)
    rows = lines_of(copy / "a" / "log.jsonl")
    assert [row["before"] for row in rows] == [None, rows[0]["sha256"], rows[1]["sha256"]]
    for row in rows:
        rest = {name: value for name, value in row.items() if name != "sha256"}
        spelled = json.dumps(rest, sort_keys=True, separators=(",", ":")) + "\n"
        assert row["sha256"] == sha256(spelled.encode()).hexdigest()
    assert rows[0]["keys"] == sha256((copy / "keys.jsonl").read_bytes()).hexdigest()
    for name, said in rows[1]["files"].items():
        assert said == sha256((copy / "a" / name).read_bytes()).hexdigest()
    text = (copy / "a" / "log.jsonl").read_text()
    assert "keys.jsonl" not in text
    assert str(copy) not in text


def test_choosing_again_before_the_keys_are_open(copy):
    """It is as blind as the first time; the log keeps both, and the last one counts."""
    select_blind(copy / "a", ["plurality"])
    revealed(copy)
    assert [step.selectors for step in read_log(copy / "a")] == [(), ("first", "calver", "medoid"), ("plurality",), ()]


def test_choosing_after_the_keys_are_open(copy):
    revealed(copy)
    with pytest.raises(cv.CalverifyError, match="were revealed; a choice that is made now would not be blind"):
        select_blind(copy / "a", ["plurality"])


def test_out_of_order(tmp_path):
    keys, folder = keys_file(tmp_path), frozen(tmp_path / "a")
    with pytest.raises(cv.CalverifyError, match="was never sealed; calverify seal"):
        reveal(folder, keys)
    seal(folder, keys)
    with pytest.raises(cv.CalverifyError, match="is sealed already"):
        seal(folder, keys)
    with pytest.raises(cv.CalverifyError, match=r"nothing was chosen yet .*; calverify select --archive"):
        reveal(folder, keys)
    assert not is_revealed(folder)
    assert check_seal(frozen(tmp_path / "b"), keys) == ()


def test_choices_that_came_before_the_seal(tmp_path):
    keys, folder = keys_file(tmp_path), frozen(tmp_path / "a")
    select_blind(folder, ["first"])
    with pytest.raises(cv.CalverifyError, match="choices that were made before the keys were sealed; freeze the pools"):
        seal(folder, keys)
    with pytest.raises(cv.CalverifyError, match="was never sealed"):
        reveal(folder, keys)
    (folder / "log.jsonl").unlink()
    with pytest.raises(cv.CalverifyError, match="choices that were made before the keys were sealed"):
        seal(folder, keys)


def test_a_key_for_every_problem(tmp_path):
    folder = frozen(tmp_path / "a")
    write_keys(tmp_path / "keys.jsonl", KEYS[1:])
    with pytest.raises(cv.RecordError, match=r"keys\.jsonl has no key of problem 'w'"):
        seal(folder, tmp_path / "keys.jsonl")
    with pytest.raises(cv.CalverifyError, match=r"cannot read the keys .*nowhere"):
        seal(folder, tmp_path / "nowhere")
    assert not (folder / "log.jsonl").exists()


# ---------------------------------------------------------------- a log that was written anew


def test_a_chain_written_anew_is_found_by_what_was_noted(copy):
    """Look at the keys, then seal and choose again: the log is whole, and its seal is even the same; its choices are
    not those that were noted down."""
    folder, keys = copy / "a", copy / "keys.jsonl"
    sealed, chosen = (step.sha256 for step in read_log(folder))
    revealed(copy)
    for name in ("log.jsonl", "choices.jsonl"):
        (folder / name).unlink()
    seal(folder, keys)
    select_blind(folder, ["plurality"])
    assert read_log(folder)[0].sha256 == sealed
    with pytest.raises(cv.RecordError, match=f"is not the log that was noted down: no step .* commitment {chosen}"):
        reveal(folder, keys, [sealed, chosen])
    assert not is_revealed(folder)
    reveal(folder, keys, [sealed])  # the seal alone shows only that pools and keys are the same


def test_what_was_noted_is_in_the_log(copy):
    steps = [step.sha256 for step in read_log(copy / "a")]
    assert reveal(copy / "a", copy / "keys.jsonl", [*steps, steps[0].upper(), f" {steps[1]}\n"]).step == "reveal"


# ---------------------------------------------------------------- whatever changes is found


@settings(max_examples=100)
@given(st.integers(0, 5), st.integers(0, 10**6), st.integers(1, 255))
def test_any_byte_that_changes_is_found(chosen, which, place, flip):
    """In keys, problems, pools, manifest, choices or log, wherever it stands: the reveal is refused, by file."""
    name = names_of(chosen)[which]
    path = path_of(chosen, name)
    data = path.read_bytes()
    changed = bytearray(data)
    changed[place % len(data)] ^= flip
    try:
        path.write_bytes(changed)
        with pytest.raises(cv.CalverifyError) as refused:
            revealed(chosen)
    finally:
        path.write_bytes(data)
    assert name in str(refused.value)
    assert not is_revealed(chosen / "a")


@pytest.mark.property
@pytest.mark.parametrize("name", ["log.jsonl", "choices.jsonl", "manifest.json"])
def test_every_byte_of_a_file(chosen, name):
    """Each place in turn, with the lowest bit and with the case of a letter turned."""
    path = path_of(chosen, name)
    data = path.read_bytes()
    for place in range(len(data)):
        for flip in (1, 32):
            changed = bytearray(data)
            changed[place] ^= flip
            path.write_bytes(changed)
            try:
                with pytest.raises(cv.CalverifyError, match=re.escape(name)):
                    revealed(chosen)
            finally:
                path.write_bytes(data)


@pytest.mark.parametrize("name", ["manifest.json", "problems", "pools", "choices.jsonl", "keys.jsonl"])
def test_a_file_that_is_gone(copy, name):
    (there,) = [each for each in names_of(copy) if each.startswith(name)]
    path_of(copy, there).unlink()
    with pytest.raises(cv.CalverifyError, match=re.escape(there)):
        revealed(copy)


@pytest.mark.parametrize("edit", ["drop the seal", "drop the choice", "swap", "double", "cut", "blank", "unseal"])
def test_a_log_that_was_edited(copy, edit):
    log = copy / "a" / "log.jsonl"
    seal_line, select_line = log.read_bytes().splitlines(keepends=True)
    log.write_bytes({
        "drop the seal": select_line,
        "drop the choice": seal_line,
        "swap": select_line + seal_line,
        "double": seal_line + select_line + select_line,
        "cut": (seal_line + select_line)[:-1],
        "blank": seal_line.replace(b":", b": ") + select_line,
        "unseal": b"",
    }[edit])  # fmt: skip
    with pytest.raises(cv.CalverifyError):
        revealed(copy)
    assert [line for line in log.read_bytes().splitlines() if b'"reveal"' in line] == []


def test_a_log_that_was_written_anew(copy):
    """Who writes the whole chain anew with other choices must change the commitment, which others have noted down."""
    before = read_log(copy / "a")[0].sha256
    (copy / "keys.jsonl").write_bytes((copy / "keys.jsonl").read_bytes().replace(b"confounded", b"converged?"))
    for name in ("log.jsonl", "choices.jsonl"):
        (copy / "a" / name).unlink()
    seal(copy / "a", copy / "keys.jsonl")
    select_blind(copy / "a", ["first"])
    revealed(copy)
    assert read_log(copy / "a")[0].sha256 != before


def test_another_selection_than_the_log_says(copy):
    """A log line that agrees with the files, and not with what is in them."""
    log = copy / "a" / "log.jsonl"
    sealed, selected = read_log(copy / "a")
    log.write_bytes(log.read_bytes().splitlines(keepends=True)[0])
    add_step(copy / "a", Step("select", selected.files, selectors=("first", "calver"), admission="all"))
    with pytest.raises(cv.RecordError, match=r"choices\.jsonl holds choices of first, calver, medoid, and log"):
        revealed(copy)
    assert sealed.step == "seal"


def test_steps_out_of_order(copy):
    archive = read_archive(copy / "a")
    add_step(copy / "a", Step("seal", {name: f.sha256 for name, f in archive.manifest.files.items()}))
    with pytest.raises(cv.RecordError, match="the steps seal, select, seal are out of order"):
        revealed(copy)


BROKEN = [
    ({"step": "peek"}, "a step is one of seal, select, reveal, not 'peek'"),
    ({"files": {"keys.jsonl": "0"}}, "carries 'keys.jsonl'"),
    ({"answer": "U"}, "carries 'answer'"),
    ({"sha256": "0"}, "the line has changed since it was written"),
    ({"admission": "all"}, "the line has changed since it was written"),
]


@pytest.mark.parametrize("change, why", BROKEN)
def test_a_step_that_is_none(change, why):
    record = Step("select", {"manifest.json": "0"}, selectors=("first",), admission="admissible").to_json()
    assert Step.from_json(record).to_json() == record
    with pytest.raises(cv.RecordError, match=why):
        Step.from_json({**record, **change})
