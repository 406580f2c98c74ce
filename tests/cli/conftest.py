"""The command, run in this process, and a folder of the files that it reads."""

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import calverify as cv
from calverify.cli import main
from calverify.scoring import proof
from tests.sheets import sheet_of

EXAMPLE = ["--graph", "U->X, U->Y, X->M->Y, P->Y", "--task", "backdoor", "--targets", "X,Y"]


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


@pytest.fixture
def folder(tmp_path, monkeypatch, problem) -> Path:
    """problem.json, pool.json ({M}, {U}, {M}), trace.txt ({U}), wrong.txt ({M}), proof.json ({U}), to work in."""
    right, wrong = (sheet_of(problem, frozenset({name})).text() for name in "UM")
    candidates = [{"index": index, "text": text} for index, text in enumerate([wrong, right, wrong])]
    pool = {"problem": "w1", "seed": 0, "candidates": candidates}
    (tmp_path / "problem.json").write_text(json.dumps(problem.to_json()), encoding="utf-8")
    (tmp_path / "pool.json").write_text(json.dumps(pool), encoding="utf-8")
    (tmp_path / "proof.json").write_text(json.dumps(proof(problem, ["U"])), encoding="utf-8")
    (tmp_path / "trace.txt").write_text(right, encoding="utf-8")
    (tmp_path / "wrong.txt").write_text(wrong, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path
