"""The shelf: one file an entry, one name an entry, and everything that every entry owes."""

from importlib import import_module
from pathlib import Path
from random import Random

import pytest

import calverify as cv
from calverify.tasks import TASKS, accept_name
from tests.problems import ADMITS, DECISIONS, ELSEWHERE, NO_RIGHT_ANSWER, NO_WITNESS, NUMERIC, SETS, SHOWN_NO, known
from tests.sheets import sheet_of

HERE = Path(__file__).parent
SHELF = Path(cv.__file__).parent / "tasks"
ENTRIES = sorted(path.stem for path in SHELF.glob("[!_]*.py"))
EACH = pytest.mark.parametrize("name", ENTRIES)
EACH_THAT_IS_DRAWN = pytest.mark.parametrize("name", ADMITS)
EACH_ABOUT_A_GRAPH = pytest.mark.parametrize("name", [name for name in ADMITS if name != "knights"])


def test_every_file_is_an_entry_and_every_entry_a_file():
    assert sorted(TASKS) == ENTRIES
    assert set(ADMITS) | set(ELSEWHERE) == set(ENTRIES)
    assert not set(ADMITS) & set(ELSEWHERE)
    assert all(name == entry.name for name, entry in TASKS.items())


@EACH
def test_an_entry_has_a_test_file_and_a_docstring(name):
    assert (HERE / f"test_{name}.py").is_file()
    module = import_module(f"calverify.tasks.{name}")
    assert module.__doc__
    predicate = TASKS[name].predicate
    assert predicate.__module__ == module.__name__
    assert predicate.__doc__
    assert predicate.__name__ in module.__all__


@EACH
def test_an_entry_is_found_under_its_name_and_its_aliases(name):
    entry = TASKS[name]
    assert cv.find_task(name) is entry
    for alias in entry.aliases:
        assert cv.find_task(alias) is entry
        assert cv.find_task(alias.upper().replace("_", "-")) is entry
        assert cv.find_task(f"  {alias.replace('_', '  ')} ") is entry


def test_no_alias_names_two_tasks():
    spellings = [alias for entry in TASKS.values() for alias in entry.aliases]
    assert len(spellings) == len(set(spellings))
    assert all(accept_name(alias) == alias for alias in spellings)


@pytest.mark.parametrize("name", ["", "sorcery", "back", "cycles of cycles", "backdoor\u200b"])
def test_a_task_that_nobody_registered(name):
    with pytest.raises(cv.CalverifyError) as refused:
        cv.find_task(name)
    assert repr(name) in str(refused.value)
    assert all(known_name in str(refused.value) for known_name in TASKS)


@EACH
def test_an_entry_owes_its_parts(name):
    entry = TASKS[name]
    assert entry.family in ("object", "decision", "numeric")
    witnessed = name in DECISIONS or name in SHOWN_NO
    assert (entry.family == "numeric") == (name in NUMERIC)
    assert (entry.family == "decision") == (witnessed or name in NO_WITNESS)
    assert (entry.witness is not None) == (witnessed or name in NUMERIC)
    assert entry.shown_word == ("no" if name in SHOWN_NO else "yes")
    if entry.family == "decision":
        assert entry.witness_needed == witnessed
        assert (entry.witness_fault is not None) == (entry.witness_for is not None) == witnessed
    assert accept_name(entry.rule) in entry.rules
    assert accept_name(name) in entry.rules
    assert bool(entry.states) == (name not in NO_WITNESS)
    assert len(set(entry.states)) == len(entry.states)


@pytest.mark.parametrize("name", SETS)
def test_set_tasks_take_each_others_rules(name):
    assert {"node_insertion", "block_path", "backdoor_criterion", "d_separation", "adjustment"} <= TASKS[name].rules


@EACH_THAT_IS_DRAWN
def test_a_prompt_says_what_is_asked_and_in_which_shape(name):
    drawn = known(Random(name), name, ADMITS[name][0])
    prompt = cv.prompt(drawn.problem)
    assert TASKS[name].question(drawn.problem.query) in prompt
    assert all(f"STEP {i} [" in prompt for i in range(1, 7))
    assert f'"task":"{name}"' in prompt
    assert all(f'"{state}":' in prompt for state in TASKS[name].states[:1])
    assert "ANSWER:" in prompt
    for target in drawn.problem.query.targets:
        assert target in prompt


@EACH_ABOUT_A_GRAPH
def test_a_prompt_states_every_edge_of_a_supplied_graph(name):
    drawn = known(Random(name), name, ADMITS[name][-1])
    prompt, graph = cv.prompt(drawn.problem), drawn.problem.graph
    assert f"Graph nodes: {', '.join(graph.nodes)}" in prompt
    assert all(f"{tail}->{head}" in prompt for tail, head in graph.directed)
    assert all(f"{one}<->{other}" in prompt for one, other in graph.bidirected)
    assert ('"bidirected"' in prompt) == (graph.kind == "admg")


@EACH_ABOUT_A_GRAPH
def test_a_prompt_for_a_graph_of_the_traces_own_shows_none(name):
    drawn = known(Random(name), name, ADMITS[name][0])
    graph = drawn.problem.graph
    problem = cv.Problem("p", drawn.problem.query, text="A tale.", legend=graph.nodes, graph_class=graph.kind)
    prompt = cv.prompt(problem)
    assert "A tale." in prompt
    assert "Directed edges" not in prompt
    assert not any(f"{tail}->{head}," in prompt for tail, head in graph.directed)
    assert f"Variables: {', '.join(graph.nodes)}" in prompt


@EACH_THAT_IS_DRAWN
def test_the_answer_is_not_in_the_prompt_schema(name):
    """Two problems that differ in their answer only through the graph get one schema."""
    first, second = (known(Random(seed), name, ADMITS[name][0]).problem for seed in (1, 2))
    schemas = [
        [line for line in cv.prompt(problem).split("\n") if line.startswith("STEP")] for problem in (first, second)
    ]
    assert schemas[0] == schemas[1]


@EACH_THAT_IS_DRAWN
def test_spellings_of_task_and_rule_in_a_trace(name):
    row = (name, ADMITS[name][-1])
    problem = known(Random(name), *row).problem
    full = 3 if row in NO_RIGHT_ANSWER else 6
    sheet, entry = sheet_of(problem) or sheet_of(problem, "yes"), TASKS[name]
    for alias in entry.aliases:
        for spelled in (alias, alias.upper(), alias.replace("_", "-"), alias.replace("_", " ").title()):
            assert cv.verify(problem, sheet.but(query={**sheet.query, "task": spelled}).text()).score == full, spelled
    for rule in sorted(entry.rules):
        for spelled in (rule, rule.upper(), rule.replace("_", " ").title()):
            steps = [{**step, "rule": spelled} for step in sheet.derivation]
            assert cv.verify(problem, sheet.but(derivation=steps).text()).score == full, spelled


@EACH_THAT_IS_DRAWN
def test_every_strategy_key_may_hold_the_object(name):
    problem = known(Random(name), name, ADMITS[name][-1]).problem
    sheet, entry = sheet_of(problem) or sheet_of(problem, "yes"), TASKS[name]
    stated = sheet.strategy.get(next(iter(entry.states), None))
    if stated is None:  # a no, or a task without a witness
        return
    for state in entry.states:
        assert cv.verify(problem, sheet.but(strategy={"method": "any", state: stated}).text()).score == 6, state
