"""The rechecker itself: what it is made of, one proof of every kind, and what it refuses.

Numeric effects and their certificates are in `test_effects`.
"""

import ast
import copy
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import calverify as cv
from calverify import recheck as module
from calverify.logic import read
from calverify.recheck import recheck
from calverify.scoring import proof
from calverify.tasks import FORMS as FORM_NAMES
from tests.recheck.draws import ELSEWHERE, takes

FOLDER = Path(module.__file__).parent
FILES = sorted(FOLDER.glob("*.py"))
W1 = "U -> X, U -> Y, X -> M -> Y, P -> Y"
FRONT = "X -> M -> Y, X <-> Y"
IV = "Z -> X -> Y, X <-> Y"
RING = "A -> B -> C -> A, D"


def dag(text):
    """A graph as an answer."""
    graph = cv.Graph.parse(text)
    return {"nodes": list(graph.nodes), "edges": [list(edge) for edge in graph.directed]}


# (task, graph, query fields, answer, valid, kind of the witness)
KINDS = [
    ("backdoor", W1, {"targets": "XY"}, ["U"], True, "separated"),
    ("backdoor", W1, {"targets": "XY"}, ["U", "Q"], False, "unknown"),
    ("backdoor", W1, {"targets": "XY"}, ["X"], False, "endpoint"),
    ("backdoor", W1, {"targets": "XY"}, ["M"], False, "descendant"),
    ("backdoor", W1, {"targets": "XY"}, [], False, "active_path"),
    ("backdoor", "X <-> Y", {"targets": "XY"}, [], False, "active_path"),
    ("d_separation", "X -> C <- Y, C -> D", {"targets": "XY"}, ["D"], False, "active_path"),
    ("d_separation", "X -> C <- Y, C -> D", {"targets": "XY"}, [], True, "separated"),
    ("d_separation", "X -> C <- Y, C -> D", {"targets": "XY"}, ["Y"], False, "endpoint"),
    ("adjustment", "X -> M -> Y, X -> D", {"targets": "XY"}, ["D"], True, "separated"),
    ("adjustment", "X -> M -> Y, M -> D", {"targets": "XY"}, ["D"], False, "descendant"),
    ("blocked_path", "X -> C <- Y, C -> D", {"path": "X -> C <- Y"}, ["D"], False, "active_path"),
    ("blocked_path", "X -> C <- Y, C -> D", {"path": "X -> C <- Y"}, [], True, "blocked_path"),
    ("blocked_path", "X -> C -> Y", {"path": "X -> C -> Y"}, ["C"], True, "blocked_path"),
    ("frontdoor", FRONT, {"targets": "XY"}, ["M"], True, "front_door"),
    ("frontdoor", FRONT, {"targets": "XY"}, [], False, "directed_walk"),
    ("frontdoor", FRONT + ", M <-> Y", {"targets": "XY"}, ["M"], False, "active_path"),
    ("instrument", IV, {"targets": "XY"}, "Z", True, "instrument"),
    ("instrument", IV + ", W", {"targets": "XY"}, "W", False, "separated"),
    ("instrument", IV + ", Z -> Y", {"targets": "XY"}, "Z", False, "active_path"),
    ("instrument", IV, {"targets": "XY"}, "X", False, "endpoint"),
    ("mediator", W1, {"targets": "XMY"}, "yes", True, "directed_walk"),
    ("mediator", W1, {"targets": "XUY"}, "yes", False, "unreachable"),
    ("direct_mediator", W1, {"targets": "UMY"}, "no", True, "no_edge"),
    ("intervention", W1, {"targets": "XUM"}, "no", True, "unreachable"),
    ("intervention", W1, {"targets": "XY"}, "yes", True, "directed_walk"),
    ("cycle", RING, {}, ["A", "B", "C", "A"], True, "cycle"),
    ("cycle", RING, {}, ["A", "C", "B", "A"], False, "no_edge"),
    ("cycle", RING, {}, ["A", "B", "A", "B", "A"], False, "repeated"),
    ("cycle", W1, {}, ["U", "X", "U"], False, "topological_order"),
    ("topological_order", FRONT, {}, ["X", "M", "Y"], True, "topological_order"),
    ("topological_order", FRONT, {}, ["M", "X", "Y"], False, "late_parent"),
    ("topological_order", FRONT, {}, ["X", "Y"], False, "names"),
    ("path", FRONT, {"targets": "XY"}, "X <-> Y", True, "path"),
    ("path", FRONT, {"targets": "XY"}, "X -> Y", False, "no_edge"),
    ("path", FRONT, {"targets": "XY"}, "X -> M", False, "ends"),
    ("path", FRONT, {"targets": "XY"}, "X -> M <- X <-> Y", False, "repeated"),
    ("directed_path", FRONT, {"targets": "XY"}, "X <-> Y", False, "not_directed"),
    ("backdoor_path", FRONT, {"targets": "XY"}, "X -> M -> Y", False, "no_edge"),
    ("parent", W1, {"targets": "Y"}, "P", True, "member"),
    ("descendant", W1, {"targets": "Y"}, "P", False, "member"),
    ("edge", FRONT, {}, "X <-> Y", True, "member"),
    ("edge", FRONT, {}, "M -> X", False, "member"),
    ("chain", W1, {}, ["M", "U", "X"], True, "member"),
    ("fork", W1, {}, ["U", "X", "Y"], True, "member"),
    ("fork", RING + ", A -> D", {}, ["A", "B", "D"], True, "member"),
    ("v_structure", W1, {}, ["U", "X", "Y"], False, "member"),
    ("v_structure", W1, {}, ["M", "P", "Y"], True, "member"),
    ("c_component", FRONT, {}, ["X", "Y"], True, "member"),
    ("markov_blanket", FRONT, {"targets": "M"}, ["X"], False, "set"),
    ("markov_blanket", FRONT, {"targets": "M"}, ["X", "Y"], True, "set"),
    ("maximal_root_set", W1, {}, ["Y"], True, "set"),
    ("optimal_adjustment", W1, {"targets": "XY"}, ["P", "U"], True, "set"),
    ("node", "A -- B", {}, "B", True, "member"),
    ("edge", "A -- B", {}, "A -- B", True, "member"),
    ("is_c_component", FRONT, {}, "yes", False, "districts"),
    ("is_c_component", "A <-> B", {}, "yes", True, "holds"),
    ("c_forest", "A <-> B <-> C, A -> B, A -> C", {}, "no", True, "children"),
    ("c_tree", "A <-> B", {}, "no", True, "roots"),
    ("c_tree", "A <-> B, A -> B", {}, "no", False, "holds"),
    ("markov_equivalent", "A -> B -> C", {}, dag("A <- B -> C"), True, "equivalent"),
    ("markov_equivalent", "A -> B -> C", {}, dag("A -> B -> C"), False, "same"),
    ("markov_equivalent", "A -> B -> C", {}, dag("A -> B <- C"), False, "v_structure"),
    ("markov_equivalent", "A -> B -> C", {}, dag("A -> B, C"), False, "skeleton"),
    ("markov_equivalent", "A -> B -> C", {}, dag("A -> B -> C -> D"), False, "graph"),
]  # fmt: skip
PATHS = "A -> B -> C, A -> C, A <-> C"
# (task, graph, query fields, form, answer, valid, kind of the witness)
FORMS = [
    ("parent", W1, {"targets": "Y"}, "find_all", ["U", "M", "P"], True, "all"),
    ("parent", W1, {"targets": "Y"}, "find_all", ["U", "M", "P", "X"], False, "extra"),
    ("path", PATHS, {"targets": "AC"}, "find_all", ["A -> C", "A <-> C"], False, "left_out"),
    ("path", PATHS, {"targets": "AC"}, "how_many", 3, True, "count"),
    ("markov_blanket", W1, {"targets": "X"}, "how_many", 1, False, "count"),
    ("backdoor", W1, {"targets": "XY", "claim": "{U, P}"}, "yes_no", "yes", True, "separated"),
    ("path", PATHS, {"targets": "AC", "claim": "A->B->C"}, "yes_no", "no", False, "path"),
    ("backdoor", W1, {"targets": "XY", "options": ("{}", "{U}")}, "choice", "A", False, "active_path"),
    ("backdoor", W1, {"targets": "XY", "options": ("{}", "{U}")}, "choice_not", "A", True, "active_path"),
    ("backdoor", W1, {"targets": "XY", "options": ("{}", "{U}")}, "choice", "C", False, "unreadable"),
    ("backdoor", W1, {"targets": "XY"}, "existence", "yes", True, "example"),
    ("cycle", W1, {}, "existence", "yes", False, "none"),
    ("backdoor", W1, {"targets": "XY"}, "minimal", ["U"], True, "separated"),
    ("backdoor", W1, {"targets": "XY"}, "minimum", ["P", "U"], False, "better"),
    ("backdoor", W1, {"targets": "XY"}, "maximal", ["M"], False, "descendant"),
    ("path", PATHS, {"targets": "AC"}, "shortest", "A <-> C", True, "path"),
    ("path", PATHS, {"targets": "AC"}, "longest", "A <-> C", False, "better"),
]  # fmt: skip


def record_of(task, graph, fields, answer, form="find_one"):
    """The proof as a file would give it back."""
    parts = {**fields, "targets": tuple(fields.get("targets", ""))}
    query = cv.Query(task, form=form, **parts)
    return json.loads(json.dumps(proof(cv.Problem("p", query, cv.Graph.parse(graph)), answer), sort_keys=True))


def worked():
    return record_of("backdoor", W1, {"targets": "XY"}, ["M"])


# ---------------------------------------------------------------- what it is made of


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_it_imports_the_standard_library_and_nothing_of_ours(file):
    """But for its own other files, by their names in the same folder."""
    tree = ast.parse(file.read_text("utf-8"))
    imported = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            here = [node.module] if node.module else [alias.name for alias in node.names]
            assert node.level < 2
            assert not node.level or all((FOLDER / f"{name}.py").exists() for name in here)
            imported += [] if node.level else [node.module]
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_each_file_is_shorter_than_400_lines(file):
    """Short enough for one sitting."""
    assert 0 < len(file.read_text("utf-8").splitlines()) < 400


def lines_of(names):
    return sum(len((FOLDER / f"{name}.py").read_text("utf-8").splitlines()) for name in names)


def test_the_core_is_shorter_than_400_lines():
    """What a separation, an open path, a directed path, a cycle and an order are."""
    assert lines_of(["records", "graphs"]) < 400


def test_the_manual_says_how_much_there_is_to_read():
    """In a table whose rows build on the one before: "the core" is added to, and "those" are what all proofs need."""
    text = (FOLDER.parents[2] / "docs/concepts/proofs.md").read_text("utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| (\d+) \|$", text, re.MULTILINE)
    core = everyones = frozenset()
    for name, files, stated in rows:
        listed = frozenset(re.findall(r"`(\w+)`", files))
        listed |= core if "the core" in files else everyones if "those" in files else frozenset()
        core, everyones = (listed if name == "the core" else core), (listed if "every proof" in name else everyones)
        listed = {file.stem for file in FILES} if files == "all" else listed
        assert listed, name
        assert abs(lines_of(listed) - int(stated)) <= 40, (name, lines_of(listed))
    assert len(rows) == 11


def test_it_can_be_copied_out_and_used_by_itself(tmp_path):
    """In a Python that cannot see calverify."""
    shutil.copytree(FOLDER, tmp_path / "recheck")
    script = (
        "import json, sys; from recheck import recheck; print(recheck(json.load(sys.stdin)))\n"
        "assert not any(name.startswith('calverify') for name in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {script}"],
        input=json.dumps(worked()), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "None\n"


# ---------------------------------------------------------------- what it accepts


@pytest.mark.parametrize(("task", "graph", "fields", "answer", "valid", "kind"), KINDS)
def test_every_kind_of_witness_is_rechecked(task, graph, fields, answer, valid, kind):
    """The witness proves the verdict, and nothing proves the opposite one."""
    record = record_of(task, graph, fields, answer)
    assert (record["valid"], record["witness"]["kind"]) == (valid, kind)
    assert recheck(record) is None
    assert recheck({**record, "valid": not valid})


@pytest.mark.parametrize(("task", "graph", "fields", "form", "answer", "valid", "kind"), FORMS)
def test_every_form_is_rechecked(task, graph, fields, form, answer, valid, kind):
    record = record_of(task, graph, fields, answer, form)
    assert (record["valid"], record["witness"]["kind"]) == (valid, kind)
    assert recheck(record) is None
    assert recheck({**record, "valid": not valid})


def test_every_kind_and_every_form_has_a_row():
    others = [module.TASKS[task] for task in ("ate", *ELSEWHERE) if task in module.TASKS]  # tests of their own
    elsewhere = {"assignment", "people", *(kind for family in others for kind in family.kinds)}
    assert {row[-1] for row in [*KINDS, *FORMS]} | elsewhere == set(module.KINDS)
    assert {row[3] for row in FORMS} == set(FORM_NAMES)


def test_every_task_is_rechecked():
    assert set(cv.TASKS) == set(module.TASKS)


def test_every_form_that_a_task_takes_is_rechecked():
    for task, family in module.TASKS.items():
        if task in ELSEWHERE:
            continue
        assert {form for form in FORM_NAMES if takes(task, form)} == set(family.forms.split()), task


def test_the_record_of_the_specification():
    """The shape that people write against."""
    assert worked()["witness"] == {"kind": "descendant", "path": ["X", "M"]}
    assert set(worked()) == {"problem", "answer", "valid", "why", "witness"}


def test_aliases_and_legends_do_not_travel():
    """A record names the task as it is registered; a legend means nothing beside a graph."""
    problem = cv.Problem("p", cv.Query("back door", ("X", "Y")), cv.Graph.parse(W1), legend=("U", "X", "M", "Y", "P"))
    assert recheck(json.loads(json.dumps(proof(problem, {"U"})))) is None


@pytest.mark.parametrize(
    "names", [("Mary Ann", "C-3PO"), ('O"Hara', "Zoë"), ("and", "Ann (2)"), ("if", "A is a knight")]
)
def test_awkward_names_are_rechecked(names):
    """Quoted names in formulas, paths and sets."""
    one, other = names
    first, second = ('"' + name.replace('"', '""') + '"' for name in names)
    said = (
        (one, f"{second} is a knave and not ({first} is a knave or {second} is a knight)"),
        (other, f"{first} is a knave"),
    )
    puzzle = cv.Problem("k", cv.Query("knights", names, formula=said))
    for answer in ({one: "knight", other: "knave"}, {one: "knave", other: "knave"}, {one: "knave"}):
        assert recheck(json.loads(json.dumps(proof(puzzle, answer)))) is None
    graph = cv.Graph((one, "X", other), [(one, "X"), ("X", other)])
    path = str(cv.Path((one, "X", other), ("->", "->")))
    assert recheck(proof(cv.Problem("p", cv.Query("path", names), graph), path)) is None
    assert recheck(proof(cv.Problem("p", cv.Query("d_separation", names), graph), ["X"])) is None


# ---------------------------------------------------------------- what it refuses

FORMULA = "if Ann is a knight then (Bob is not a knave and (Ann is a knave or Bob is a knight))"


def puzzle_record():
    said = (("Ann", FORMULA), ("Bob", "Ann is a knight if and only if Bob is a knave"))
    problem = cv.Problem("k", cv.Query("knights", ("Ann", "Bob"), formula=said))
    return json.loads(json.dumps(proof(problem, {"Ann": "knight", "Bob": "knight"})))


def test_a_formula_must_be_the_problems():
    """Another formula with the same value proves nothing, and neither does another tree under the same words."""
    assert recheck(puzzle_record()) is None
    row = puzzle_record()["witness"]["said"][0]
    assert row[2] == str(read(FORMULA, ("Ann", "Bob")))
    for place, other in ((2, "Ann is a knight"), (4, ["knight", "Ann"]), (4, ["and", *row[4][1:]]), (3, not row[3])):
        record = puzzle_record()
        record["witness"]["said"][0][place] = other
        assert recheck(record)


@pytest.mark.parametrize("field", ["problem", "answer", "valid", "why", "witness"])
def test_a_record_without_a_field_is_refused(field):
    record = worked()
    del record[field]
    assert recheck(record)


@pytest.mark.parametrize("junk", [None, 0, "", [], {}, [[]], "proof", {"valid": True}, float("nan")])
@pytest.mark.parametrize("field", ["problem", "answer", "witness", "whole"])
def test_junk_is_refused(field, junk):
    """Whatever stands there, the answer is a sentence, never a traceback and never a pass."""
    refusal = recheck(junk) if field == "whole" else recheck({**worked(), field: junk})
    assert refusal
    assert isinstance(refusal, str)


def test_depth_is_refused():
    """A tree too deep to walk is damage like any other."""
    deep: list = ["knight", "Ann"]
    for _ in range(100_000):
        deep = ["not", deep]
    record = puzzle_record()
    record["witness"]["said"][0][4] = deep
    assert recheck(record)


def test_one_or_zero_is_no_verdict():
    record = worked()
    assert recheck({**record, "valid": 0})
    assert recheck({**puzzle_record(), "valid": 1})


def test_a_task_that_nobody_knows_is_refused():
    """In so many words, because silence would be read as a pass."""
    record = worked()
    record["problem"]["query"]["task"] = "horoscope"
    assert "can be rechecked yet" in str(recheck(record))
    record["problem"]["query"]["task"] = ["backdoor"]
    assert recheck(record)


@pytest.mark.parametrize("form", ["find_all", "how_many", "shortest", "some", None, ["yes_no"]])
def test_a_form_that_the_task_does_not_take_is_refused(form):
    record = worked()
    record["problem"]["query"]["form"] = form
    assert recheck(record)


def test_a_claim_that_cannot_be_read_has_no_proof():
    """That a text names no object is the reader's word, which a witness cannot show."""
    record = record_of("backdoor", W1, {"targets": "XY", "claim": "{U, U}"}, "no", "yes_no")
    assert (record["valid"], record["witness"]) == (True, {"kind": "unreadable"})
    assert recheck(record)


def test_an_arrow_that_points_back_names_no_cycle():
    """The one sort of text that shows by itself that it names nothing."""
    record = record_of("cycle", RING, {"claim": "A->B<-C->A"}, "no", "yes_no")
    assert (record["valid"], record["witness"]) == (True, {"kind": "unreadable"})
    assert recheck(record) is None
    assert recheck({**record, "valid": False})


CLAIMS = [
    ("backdoor", '["U", "U"]', "listed twice"),
    ("backdoor", "{U}", "damaged"),
    ("parent", "U.", "no plain name"),
    ("parent", '["U"]', "no plain name"),
    ("path", "X->Y", "no name or no arrow"),
    ("path", "X -> Y.", "no path"),
    ("path", "X -> ->", "no name or no arrow"),
    ("path", 'X "->" Y', "no name or no arrow"),
    ("path", 'X -> "', "no name or no arrow"),
    ("knights", '{"Ann": "knight", "Ann": "knave"}', "a key stands twice"),
]


@pytest.mark.parametrize(("task", "claim", "why"), CLAIMS)
def test_a_claim_in_other_words_is_refused(task, claim, why):
    """What could be read in two ways is not read at all."""
    targets = {"parent": ["Y"]}.get(task, ["X", "Y"])
    query = {"task": task, "targets": targets, "form": "yes_no", "claim": claim}
    problem = {"id": "p", "text": "", "query": query, "graph": cv.Graph.parse(W1).to_json()}
    if task == "knights":
        query |= {"targets": ["Ann"], "formula": [["Ann", "Ann is a knight"]]}
        problem |= {"graph": None}
    for witness in ({"kind": "ends", "path": claim}, {"kind": "member", "object": "U", "all": ["U", "M", "P"]}):
        refusal = recheck({"problem": problem, "answer": "no", "valid": True, "why": "", "witness": witness})
        assert why in str(refusal)


def test_walks_that_lead_nowhere_are_not_tried():
    """Two nodes on a cycle, and a crowd above them that no directed walk enters: counted at once."""
    crowd = [f"N{n}" for n in range(14)]
    edges = [f"{a} -> {b}" for place, a in enumerate(crowd) for b in [*crowd[place + 1 :], "A"]]
    record = record_of("cycle", ", ".join(["A -> B -> A", *edges]), {}, 1, "how_many")
    assert record["valid"]
    assert recheck(record) is None


def test_what_is_too_large_to_try_is_refused():
    """Sixteen names that may or may not stand in the largest set: 65,536 sets."""
    graph = ", ".join(["X -> Y", *(f"N{n}" for n in range(16))])
    record = record_of("backdoor", graph, {"targets": "XY"}, [f"N{n}" for n in range(16)], "maximal")
    assert record["valid"]
    assert "too large to recheck" in str(recheck(record))


def test_an_answer_that_cannot_be_read_is_refused():
    """What a text says is the reader's business; here it has no witness."""
    assert recheck(proof(cv.Problem("p", cv.Query("backdoor", ("X", "Y")), cv.Graph.parse(W1)), "][")) is not None


def test_a_superset_of_the_walk_states_still_proves():
    """Closed, with the start and without the target, is all that is asked of it."""
    record = record_of("backdoor", W1 + ", K -> L", {"targets": "XY"}, ["U"])
    assert recheck(record) is None
    more = copy.deepcopy(record)
    more["witness"]["states"] += [["L", "head"]]
    assert recheck(more) is None
    more["witness"]["states"] += [["K", "tail"]]
    assert recheck(more) is None
    more["witness"]["states"].remove(["L", "head"])  # which K leads to
    assert recheck(more)


def test_irrelevant_witnesses_are_refused():
    """True of the graph, and about something else."""
    separated = record_of("backdoor", W1, {"targets": "XY"}, ["U"])
    other = record_of("d_separation", W1, {"targets": "PU"}, [])
    assert recheck({**separated, "witness": other["witness"]})
    assert recheck({**worked(), "witness": {"kind": "descendant", "path": ["U", "X"]}})
    assert recheck({**worked(), "witness": {"kind": "descendant", "path": ["X", "M", "Y"]}})
