"""The command, run in this process, and a folder of the files that it reads."""

import io
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import calverify as cv
from calverify.archives import Manifest, freeze, select_blind
from calverify.cli import main
from calverify.evaluation import reveal, seal
from calverify.keys import Key, write_keys
from calverify.scoring import proof
from tests.sheets import sheet_of
from tests.views import pool_of

EXAMPLE = ["--graph", "U->X, U->Y, X->M->Y, P->Y", "--task", "backdoor", "--targets", "X,Y"]

STUDY = """
k = 2
seeds = [0, 1]
reports = ["policies"]
draws = 20

[problems]
file = "problem.json"
keys = "keys.jsonl"

[[policies]]
kind = "endpoint"
model = "tiny"
"""


class Run(NamedTuple):
    """What a command leaves behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON value on standard output; anything beside it fails."""
        return json.loads(self.out)


@pytest.fixture
def run(capsys, monkeypatch) -> Callable[..., Run]:
    """run("check", "--task", ..., stdin=b"...") -> Run."""
    for name in [*os.environ]:
        if name.startswith(("CALVERIFY_", "_CALVERIFY_")) or name == "NO_COLOR":
            monkeypatch.delenv(name)

    def command(*arguments: str, stdin: bytes = b"") -> Run:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        with pytest.raises(SystemExit) as leaving:
            main(list(arguments))
        code = leaving.value.code
        assert isinstance(code, int)
        return Run(code, *capsys.readouterr())

    return command


@pytest.fixture
def problem() -> cv.Problem:
    """The paper's worked example."""
    return cv.Problem("w1", cv.Query("backdoor", ("X", "Y")), cv.Graph.parse("U->X, U->Y, X->M->Y, P->Y"))


@pytest.fixture(scope="session")
def archives(tmp_path_factory) -> Path:
    """keys.jsonl, and the same pool frozen, then also sealed and chosen from, then also revealed; not to be changed."""
    folder = tmp_path_factory.mktemp("archives")
    problem = cv.Problem("w1", cv.Query("backdoor", ("X", "Y")), cv.Graph.parse("U->X, U->Y, X->M->Y, P->Y"))
    pool = pool_of(problem, [sheet_of(problem, frozenset({name})).text() for name in "MUM"])
    write_keys(folder / "keys.jsonl", [Key("w1")])
    for name in ("frozen", "chosen", "revealed"):
        freeze(folder / name, [problem], [pool], Manifest("demo"))
    for name in ("chosen", "revealed"):
        seal(folder / name, folder / "keys.jsonl")
        select_blind(folder / name, ["first", "plurality", "calver"])
    reveal(folder / "revealed", folder / "keys.jsonl")
    return folder


@pytest.fixture
def folder(tmp_path, monkeypatch, problem, archives) -> Path:
    """problem.json, pool.json ({M}, {U}, {M}), trace.txt ({U}), wrong.txt ({M}), proof.json ({U}), to work in.

    samples.jsonl is a log of lm-eval: {U}, marked right.

    And keys.jsonl, with the archives frozen/, chosen/ and revealed/; and study.toml, which asks OPENAI_BASE_URL.
    """
    shutil.copytree(archives, tmp_path, dirs_exist_ok=True)
    right, wrong = (sheet_of(problem, frozenset({name})).text() for name in "UM")
    candidates = [{"index": index, "text": text} for index, text in enumerate([wrong, right, wrong])]
    pool = {"problem": "w1", "seed": 0, "candidates": candidates}
    (tmp_path / "problem.json").write_text(json.dumps(problem.to_json()), encoding="utf-8")
    (tmp_path / "pool.json").write_text(json.dumps(pool), encoding="utf-8")
    (tmp_path / "proof.json").write_text(json.dumps(proof(problem, ["U"])), encoding="utf-8")
    sample = {"doc_id": 0, "doc": {"id": "w1"}, "resps": [["ANSWER: {U}"]], "filtered_resps": ["ANSWER: {U}"]}
    graded = {"target": "{U}", "filter": "none", "metrics": ["exact_match"], "exact_match": 1.0}
    (tmp_path / "samples.jsonl").write_text(json.dumps({**sample, **graded}), encoding="utf-8")
    (tmp_path / "trace.txt").write_text(right, encoding="utf-8")
    (tmp_path / "wrong.txt").write_text(wrong, encoding="utf-8")
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path
