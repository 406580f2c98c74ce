"""What a model, a file or a name holds cannot drive the terminal, fake a line, or stop the command."""

import json
from unicodedata import category

import pytest

import calverify as cv
from tests.cli.conftest import EXAMPLE
from tests.sheets import sheet_of

ESCAPES = {
    "colour": "\x1b[31mU",
    "clear the screen": "\x1b[2J\x1b[H",
    "set the title": "\x1b]0;owned\x07",
    "8-bit escape": "\x9b31m",
    "bell and backspace": "U\x07\x08\x08",
    "carriage return": "wrong\rright",
    "line break": "U\nscore  6 of 6",
    "line separator": "U\u2028score  6 of 6",
    "right to left": "\u202eU",
    "zero width": "U\u200b",
    "delete": "U\x7f",
    "tag": "U\U000e0041",
}
COMMANDS = (["verify"], ["explain"], ["select"], ["verify", "--json"], ["explain", "--json"], ["select", "--json"])


def fit_to_print(text: str) -> bool:
    """Is every character printable, or one of the line breaks that are ours?"""
    return all(char.isprintable() or category(char) == "Zs" or char == "\n" for char in text)


@pytest.fixture(autouse=True)
def _on_a_terminal(monkeypatch):
    """Look at what a terminal gets, which is more than a file does, and leave out the colours that are ours."""
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda *_: False)
    monkeypatch.setattr("calverify.cli._output.click.style", lambda text, **_: text)


def texts(name: str) -> list[str]:
    """Traces that carry a hostile name in every place where a model can write one."""
    problem = cv.Problem("w1", cv.Query("backdoor", ("X", "Y")), cv.Graph.parse("U->X, U->Y, X->M->Y, P->Y"))
    sheet = sheet_of(problem)
    one_line = name.replace("\n", " ")
    return [
        sheet.but(result={"result": [name]}, answer={"answer": [name]}, line=[name]).text(),
        sheet.but(line=f"{{{one_line}}}").text(),
        sheet.but(line=name).text(),
        sheet.but(graph={"nodes": [name], "edges": []}).text(),
        sheet.but(graph={**sheet.graph, name: []}).text(),
        sheet.but(query={"task": name, "targets": [name]}).text(),
        sheet.but(strategy={"method": name, "set": [name]}).text(),
        sheet.but(derivation=[{"rule": name, "to": [name]}]).text(),
        sheet.text().replace('"}', f'"}} {one_line}'),
        sheet.text().replace("[strategy]", f"[{one_line}]"),
        name,
    ]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("name", ESCAPES.values(), ids=ESCAPES)
def test_traces_cannot_drive_the_terminal(run, tmp_path, command, name):
    """No escape sequence, control character or invisible mark of a trace reaches standard output."""
    files = []
    for place, text in enumerate(texts(name)):
        file = tmp_path / f"{place}.txt"
        file.write_bytes(text.encode())
        files.append(str(file))
    runs = [files] if command[0] == "select" else [[file] for file in files]
    for one in runs:
        done = run(*command, *EXAMPLE, *one)
        assert fit_to_print(done.out)
        assert done.err == ""
        if "--json" in command:
            assert done.json


def test_json_keeps_the_name(run):
    """What JSON escapes, a reader of JSON gets back."""
    name = "\x1b[31mU\x9b\U000e0041\u202e"
    done = run("check", *EXAMPLE, "--answer", json.dumps([name]), "--json")
    assert done.json["answer"] == [name]


@pytest.mark.parametrize("name", ESCAPES.values(), ids=ESCAPES)
def test_arguments_and_graphs_cannot_drive_the_terminal(run, name):
    """Names come from files too, and errors quote them."""
    for done in (
        run("check", *EXAMPLE, "--answer", name),
        run("check", *EXAMPLE, "--answer", json.dumps([name])),
        run("check", "--graph", f'"{name}" -> X', "--task", "backdoor", "--targets", "X,Q", "--answer", "U"),
        run("check", "--graph-file", name, "--task", "cycle", "--answer", "U"),
        run("solve", "--graph", "X->Y", "--task", name, "--targets", "X,Y"),
        run("solve", "--task", "knights", "--says", f"Ann: knave({name})"),
        run("check", *EXAMPLE, f"--{name}"),
        run(name),
        run("completion", name),
    ):
        assert fit_to_print(done.out + done.err)
        assert done.code in (1, 2)


def test_lone_surrogates_are_no_name(run):
    """Half a character, in the JSON of a trace, is a fault that can be printed."""
    text = b'STEP 6 [answer]: {"answer":["\\ud800"]}\nANSWER: ["\\ud800"]'
    for command in ("verify", "explain", "select"):
        done = run(command, *EXAMPLE, stdin=text)
        assert fit_to_print(done.out)
        assert "the name '\\ud800' holds a lone surrogate, which is no character" in done.out
    assert run("verify", *EXAMPLE, "--json", stdin=text).json["answer"] is None


def test_lone_surrogates_in_arguments(run):
    """An argument that is not UTF-8 reaches Python as surrogates."""
    done = run("check", *EXAMPLE, "--answer", "\udcff")
    assert (done.code, done.err) == (1, "")
    assert fit_to_print(done.out)


def test_names_of_any_script_stay_readable(run):
    """Only what cannot be seen is escaped."""
    graph = ["--graph", "温度 -> X, 温度 -> Ψ, X -> Ψ", "--task", "backdoor", "--targets", "X,Ψ"]
    assert run("solve", *graph).out == "{温度}\n"
    assert "温度" in run("check", *graph, "--answer", "温度", "--json").out
