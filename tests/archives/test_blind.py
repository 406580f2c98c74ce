"""Blind selection: what the other process answers, and that it cannot open the keys, whichever way it tries."""

import sys
from time import perf_counter

import pytest

import calverify as cv
from calverify.archives import (
    Choice,
    Manifest,
    bytes_of,
    choices_of,
    freeze,
    read_archive,
    read_choices,
    read_log,
    select_blind,
)
from calverify.records import write_lines
from tests.archives.frozen import POOLS, frozen, keys_file, lines_of
from tests.drawn_pools import KINDS, PROBLEM
from tests.views import pool_of

PLUGIN = "tests.archives.peeking"
NAMES = ("first", "calver", "plurality", "medoid", "reward")


def tempting(tmp_path):
    """An archive whose one problem tells where the keys are."""
    keys = keys_file(tmp_path)
    problem = cv.Problem("w", PROBLEM.query, PROBLEM.graph, str(keys))
    freeze(tmp_path / "a", [problem], [pool_of(problem, [KINDS["whole U"].text] * 2)], Manifest("base"))
    return tmp_path / "a"


def files_of(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_the_choices_are_those_of_the_shelf(tmp_path):
    """The same as in this process, one line a pool and selector, in order, each with the numbers it was picked by."""
    folder = frozen(tmp_path / "a")
    archive = read_archive(folder)
    made: list[int] = []
    choices = select_blind(folder, NAMES, progress=made.append)
    expected = []
    for pool in archive.pools:
        view = cv.view_of(archive.problems[pool.problem], pool)
        for name in NAMES:
            numbers = tuple(cv.SELECTORS[name](view))
            expected.append(Choice(name, pool.problem, pool.seed, cv.choose(view, name).index, numbers))
    assert list(choices) == expected
    assert read_choices(folder, archive) == choices
    assert made == list(range(1, len(POOLS) * len(NAMES) + 1))
    assert lines_of(folder / "choices.jsonl")[2] == {
        "index": 0, "problem": "w", "scores": [2, 1, None, 2], "seed": 1, "selector": "plurality",
    }  # fmt: skip


def test_the_whole_shelf_by_default_and_the_step_in_the_log(tmp_path):
    folder = frozen(tmp_path / "a", packed=True)
    select_blind(folder, admission="all")
    (step,) = read_log(folder)
    assert (step.step, step.selectors, step.admission) == ("select", tuple(cv.SELECTORS), "all")
    assert sorted(step.files) == ["choices.jsonl", "manifest.json", "pools.jsonl.gz", "problems.jsonl.gz"]


def test_it_repeats(tmp_path):
    first, second = frozen(tmp_path / "a"), frozen(tmp_path / "b")
    for folder in (first, second):
        select_blind(folder)
    assert files_of(first) == files_of(second)


def test_a_selector_cannot_open_the_keys(tmp_path):
    """Refused with the name of the file, and nothing is written."""
    folder = tempting(tmp_path)
    before = files_of(folder)
    with pytest.raises(cv.CalverifyError, match=r"nothing was chosen: a blind selector may not open .*keys\.jsonl$"):
        select_blind(folder, ["calver", "one_cheat"], plugins=[PLUGIN])
    assert files_of(folder) == before


WAYS = {
    "open": r"open .*keys\.jsonl", "os.open": r"open .*keys\.jsonl", "pathlib": r"open .*keys\.jsonl",
    "a name in bytes": r"open .*keys\.jsonl", "a name that lies": "open the descriptor that is given as an object",
    "a link": "do this: os.symlink", "native code": "import ctypes", "a process": "import subprocess",
    "a shell": "do this: os.system", "a fork": "do this: os.fork", "another program": "do this: os.exec",
    "the room of keys": r"import calverify\.keys", "the room of grading": r"import calverify\.evaluation",
    "a socket": "import socket", "a list of files": "list the folder", "a scan of files": "do this: os.scandir",
    "a file of its own": r"write to .*keys\.jsonl\.copy", "a module of its own": r"write to .*planted\.py",
    "another's choices": r"open .*choices\.jsonl", "other pools": r"write to .*pools\.jsonl",
    "another name": "do this: os.rename", "a descriptor": "open the descriptor 0",
    "a hook of its own": "do this: sys.addaudithook", "another interpreter": "import _(xxsub)?interpreters",
    "a thread": r"open .*keys\.jsonl", "a patched guard": r"open .*keys\.jsonl",
    "patched paths": r"open .*keys\.jsonl", "patched builtins": r"open .*keys\.jsonl",
    "the frames": r"open .*keys\.jsonl", "a traceback": r"open .*keys\.jsonl", "every object": "do this: gc.get_ob",
    "a loader": r"open .*keys\.jsonl", "a line cache": r"open .*keys\.jsonl", "a database": "do this: sqlite3.connect",
    "a history": "import readline", "another's variables": "open /proc/",
}  # fmt: skip


ALWAYS = ("open", "native code", "the room of keys", "a socket", "a hook of its own", "another interpreter",
          "a patched guard", "patched paths", "patched builtins", "the frames", "a thread")  # fmt: skip


@pytest.mark.parametrize("way, why", [
    pytest.param(way, why, marks=() if way in ALWAYS else pytest.mark.property, id=way) for way, why in WAYS.items()
])  # fmt: skip
def test_no_way_around(tmp_path, way, why):
    """Each is refused, though the selector swallows what comes of it; and nothing is written."""
    folder = tempting(tmp_path)
    before = files_of(folder)
    with pytest.raises(cv.CalverifyError, match=f"nothing was chosen: a blind selector may not {why}"):
        select_blind(folder, [way], plugins=[PLUGIN])
    assert files_of(folder) == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a", "keys.jsonl"]


def test_keys_inside_the_folder_are_no_file_of_the_archive(tmp_path):
    """Only the names of an archive's own files are open, wherever the keys lie."""
    folder = tempting(tmp_path)
    inside = folder / "keys.jsonl"
    keys_file(folder)
    problem = cv.Problem("w", PROBLEM.query, PROBLEM.graph, str(inside))
    for name, data in bytes_of([problem], [pool_of(problem, [KINDS["whole U"].text])], Manifest("base")).items():
        (folder / name).write_bytes(data)
    with pytest.raises(cv.CalverifyError, match=r"open .*keys\.jsonl"):
        select_blind(folder, ["one_cheat"], plugins=[PLUGIN])


def test_a_selector_of_ones_own(tmp_path, monkeypatch):
    """Plugins see the standard library, and no variable of the environment that may hold a secret."""
    monkeypatch.setenv("A_SECRET", "token")
    folder = frozen(tmp_path / "a")
    choices = select_blind(folder, ["last", "allowed"], plugins=[PLUGIN])
    assert [choice.index for choice in choices if choice.selector == "last"] == [
        len(pool) - 1 if len(pool) else None for pool in POOLS
    ]
    assert PLUGIN.rpartition(".")[2] not in cv.SELECTORS


def test_a_plugin_cannot_spoil_what_others_choose(tmp_path):
    """Ours choose in a process of their own, and all come back in the order in which they were named."""
    honest = select_blind(frozen(tmp_path / "a"), ["calver", "first"])
    made: list[int] = []
    names = ["calver", "spoiler", "first", "allowed"]
    choices = select_blind(frozen(tmp_path / "b"), names, plugins=[PLUGIN], progress=made.append)
    assert [choice.selector for choice in choices] == names * len(POOLS)
    assert [choice for choice in choices if choice.selector in ("calver", "first")] == list(honest)
    assert made == list(range(1, len(POOLS) * len(names) + 1))


def test_a_plugin_of_which_nothing_is_named(tmp_path):
    with pytest.raises(
        cv.CalverifyError, match=r"calver, first come from no plugin; name a selector that .*peeking puts up"
    ):
        select_blind(frozen(tmp_path / "a"), ["calver", "first"], plugins=[PLUGIN])


BROKEN = [
    (["broken"], "(?s)the blind process failed:.*ZeroDivisionError: a bug of its own"),
    (["leaving"], "the blind process failed"),
    (["luck"], "no selector 'luck' is on the shelf"),
    (["first", "first"], "the selector 'first' is named twice"),
    pytest.param(["floating"], "score 0 is the float 0.5", marks=pytest.mark.property),
    pytest.param(["short"], "gives 5 numbers for 4 candidates", marks=pytest.mark.property),
]


@pytest.mark.parametrize("names, why", BROKEN)
def test_a_selector_that_fails(tmp_path, names, why):
    folder = frozen(tmp_path / "a")
    before = files_of(folder)
    with pytest.raises(cv.CalverifyError, match=why):
        select_blind(folder, names, plugins=[PLUGIN])
    assert files_of(folder) == before


def test_a_plugin_that_is_none(tmp_path):
    with pytest.raises(cv.CalverifyError, match="nothing was chosen: No module named 'nowhere_to_be_found'"):
        select_blind(frozen(tmp_path / "a"), plugins=["nowhere_to_be_found"])


def test_an_admission_that_nobody_named(tmp_path):
    with pytest.raises(cv.CalverifyError, match="admissible, all"):
        select_blind(frozen(tmp_path / "a"), admission="some")


# ---------------------------------------------------------------- choices on the disk

CHOICE = {"selector": "first", "problem": "w", "seed": 1, "index": 0, "scores": [6, "1/3", None]}


@pytest.mark.parametrize(
    "change, why",
    [
        ({"scores": [1, 6, None]}, "the index is 0, and the earliest of the highest scores is 1"),
        ({"index": None}, "the index is None, and the earliest of the highest scores is 0"),
        ({"scores": [None, None]}, "the earliest of the highest scores is None"),
        ({"scores": [0.5]}, "not 0.5"),
        ({"scores": [True]}, "not True"),
        ({"scores": ["2/6"]}, "in lowest terms"),
        ({"scores": ["1"]}, "in lowest terms"),
        ({"scores": ["1e999999999"]}, "in lowest terms"),
        ({"scores": [" 1/3"]}, "in lowest terms"),
        ({"scores": ["1/0"]}, "in lowest terms"),
        ({"scores": ["nan"]}, "in lowest terms"),
        ({"correct": True}, "carries 'correct'"),
        ({"index": "0"}, "'index' must be of type"),
    ],
)
def test_a_choice_that_is_none(change, why):
    assert Choice.from_json(CHOICE).to_json() == CHOICE
    with pytest.raises(cv.RecordError, match=why):
        Choice.from_json({**CHOICE, **change})


@pytest.mark.parametrize(
    "edit, why",
    [
        (lambda lines: lines[:-1], r"choices\.jsonl ends before line 10: expected calver on problem 'numeric', seed 7"),
        (lambda lines: lines[1:2] + lines[:1] + lines[2:], r"line 3: expected the choice of calver .*, not of first"),
        (lambda lines: [*lines, lines[0]], "line 11: first chose from this pool already at choices.jsonl, line 1"),
        (lambda lines: lines[2:], "line 1: expected the choice of first on problem 'w', seed 1"),
        (
            lambda lines: [{**lines[0], "problem": "v"}, *lines[1:]],
            "line 1: a choice from problem 'v', seed 1, which has no",
        ),
        (lambda lines: [{**lines[0], "scores": [1]}, *lines[1:]], "line 1: 1 scores for 4 candidates"),
    ],
)
def test_choices_that_are_not_whole(tmp_path, edit, why):
    archive = read_archive(frozen(tmp_path / "a"))
    lines = []
    for pool in archive.pools:
        view = cv.view_of(archive.problems[pool.problem], pool)
        for name in ("first", "calver"):
            numbers = tuple(cv.SELECTORS[name](view))
            lines.append(Choice(name, pool.problem, pool.seed, cv.earliest_max(numbers), numbers).to_json())
    assert len(choices_of(write_lines(lines, "choices.jsonl"), archive)) == 10
    with pytest.raises(cv.RecordError, match=why):
        choices_of(write_lines(edit(lines), "choices.jsonl"), archive)


def test_nothing_was_chosen_yet(tmp_path):
    folder = frozen(tmp_path / "a")
    with pytest.raises(cv.RecordError, match="nothing was chosen yet; calverify select --archive"):
        read_choices(folder, read_archive(folder))


@pytest.mark.property
def test_a_thousand_pools_in_seconds(tmp_path):
    """1,111 pools of 8, chosen from by nine selectors, on one CPU."""
    texts = [kind.text for kind in KINDS.values()]
    pools = [
        pool_of(PROBLEM, [texts[(seed * 7 + i) % len(texts)] for i in range(8)], seed=seed) for seed in range(1_111)
    ]
    freeze(tmp_path / "a", [PROBLEM], pools, Manifest("base"))
    start = perf_counter()
    choices = select_blind(tmp_path / "a")
    taken = perf_counter() - start
    sys.stderr.write(f"{len(choices):,} choices in {taken:.2f} s\n")
    assert len(choices) == 1_111 * len(cv.SELECTORS)
    assert taken < 30
