"""CLEAR: twenty tasks about causal graphs, in six question types (Chen et al. 2024).

Rule 1: every wording that was published stands in `_clear_wordings` with what it asks; any other is refused, with its
file and line.
Rule 2: the published answer of a "one valid" row lists every valid set, and of a "one path" row every path.  The audit
recomputes the whole list.  Other rows publish one object of possibly many, and the predicate judges that one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from calverify.benchmarks._clear_wordings import CLASSES, DESCRIPTIONS, FORMS, GRAPH, TASKS, WORDINGS, WORDS
from calverify.benchmarks._data import DataFolder, field
from calverify.benchmarks._item import Corpus, Finding, Item, Origin, Remote, Subset, adapter, audits
from calverify.benchmarks._sums import CLEAR
from calverify.benchmarks._wording import filled
from calverify.errors import RecordError
from calverify.graphs import Graph
from calverify.keys import Key
from calverify.names import brief
from calverify.problem import Problem, Query
from calverify.records import located, read_strict_json
from calverify.scoring import case_of, judged

__all__ = ["corpus", "findings", "problem_of"]

FOLDER = "clear/json_single"
COMMIT = "686f16d3f147e79a90acdba838356a8aac3df713"
RAW = f"https://raw.githubusercontent.com/OpenCausaLab/CLEAR/{COMMIT}/data/json_single"
ORIGIN = Origin(
    folder="clear",
    size="2,808 questions on 1,002 graphs, 1.1 MB",
    licence="Apache-2.0",
    home="https://github.com/OpenCausaLab/CLEAR",
    files=tuple(Remote(f"{RAW}/{name}", f"{FOLDER}/{name}", sha256) for name, sha256 in CLEAR.items()),
)
SUBSETS = {
    "core": Subset("126 questions with many answers: one valid set, or one cycle", {"core": "yes"}),
    "find-one": Subset("588 questions that ask for one object", {"question": "FO"}),
}
CORE = {"backdoor", "d_separation", "blocked_path", "cycle"}
FIELDS = frozenset({"description", "graph_type", "uid", "sid", "question", "question_type", "task_type"})
EDGES = {"directed": "->", "bidirected": "<->", "undirected": "-"}


class Row(NamedTuple):
    """One record: where it stands, and what it publishes."""

    place: str
    file: str
    uid: str
    sid: int
    kind: str
    type: str
    problem: Problem
    published: Any

    @property
    def id(self) -> str:
        return self.problem.id

    @property
    def graph(self) -> Graph:
        assert self.problem.graph is not None
        return self.problem.graph

    @property
    def query(self) -> Query:
        return self.problem.query


@adapter("clear", "causal graphs in twenty tasks and six question types", ORIGIN, SUBSETS)
def corpus(data: DataFolder, rng: Random) -> Corpus:
    """Every record of every file, in their order."""
    return Corpus(tuple(_item(row) for row in rows(data)))


def _item(row: Row) -> Item:
    core = row.query.task in CORE and row.query.form == "find_one"
    strata = {"slice": row.file, "graph": row.kind, "question": row.type, "form": row.query.form}
    key = Key(
        row.id, published=row.published, cluster=f"clear-{row.uid}", strata=strata | {"core": "yes"} if core else strata
    )
    return Item(row.problem, key)


def rows(data: DataFolder) -> Iterator[Row]:
    """Every record, read; two of one file with the same number are refused."""
    for name in data.names(FOLDER, ".json"):
        file = name.removeprefix(f"{FOLDER}/").removesuffix(".json")
        if file not in WORDINGS:
            raise RecordError(f"{name}: this is no file of CLEAR; expected {', '.join(WORDINGS)}")
        seen: set[tuple[str, int]] = set()
        for place, record in data.lines(name):
            with located(place):
                row = _row(place, file, record)
            if (row.uid, row.sid) in seen:
                raise RecordError(f"{place}: question {row.sid} of graph {row.uid} stands here a second time")
            seen.add((row.uid, row.sid))
            yield row


def _row(place: str, file: str, record: Mapping[str, Any]) -> Row:
    def text(name: str) -> str:
        return str(field(record, name, str, "this record"))

    kind, type_ = text("graph_type"), text("question_type")
    if kind not in CLASSES or type_ not in FORMS or text("task_type") != file:
        raise RecordError(
            f"{brief(kind)}, {brief(type_)}, {brief(record['task_type'])}; expected a graph_type of "
            f"{', '.join(CLASSES)}, a question_type of {', '.join(FORMS)} and the task_type {file!r}"
        )
    uid, sid = text("uid"), int(field(record, "sid", int, "this record"))
    if not (len(uid) == 8 and uid.isascii() and uid.isdigit()):
        raise RecordError(f"the uid {brief(uid)} is not of eight digits")
    answer = record.get("answer")
    if not isinstance(answer, str | list) or not all(isinstance(part, str) for part in answer):
        raise RecordError(f"the answer must be a text or a list of texts, not {brief(answer)}")
    graph = _described(text("description"), CLASSES[kind])
    problem = Problem(f"clear-{file}-{uid}-{sid}", _asked(file, type_, text("question")), graph)
    return Row(place, file, uid, sid, kind, type_, problem, answer)


def problem_of(record: Mapping[str, Any]) -> Problem | None:
    """The problem of one published record, as a log of another tool carries it; None where it is no record of CLEAR."""
    if not record.keys() >= FIELDS or record["task_type"] not in list(WORDINGS):
        return None
    uid = record["uid"]
    whole = {"answer": "", **record, "uid": f"{uid:08}" if type(uid) is int else uid}  # a table reads it as a number
    return _row("a record of CLEAR", str(record["task_type"]), whole).problem


# ---------------------------------------------------------------- texts


def _described(text: str, kind: str) -> Graph:
    """The graph of a description that must be of this class."""
    found = filled(dict(DESCRIPTIONS)[kind], text)
    if found is None:
        raise RecordError(f"the description {brief(text)} is not of the shape {dict(DESCRIPTIONS)[kind]!r}")
    return _graph(found, None if kind == "directed" else kind)  # a directed graph may have no cycle


def _graph(found: Mapping[str, str], kind: str | None) -> Graph:
    edges = {name: _pairs(found[name], arrow) if name in found else [] for name, arrow in EDGES.items()}
    return Graph(found["nodes"].split(", "), edges["directed"], edges["bidirected"], kind, edges["undirected"])


def _pairs(text: str, arrow: str) -> list[list[str]]:
    """ "A->B, B->C" as pairs."""
    pairs = [edge.split(arrow) for edge in text.split(", ")]
    for pair in pairs:
        if len(pair) != 2 or not all(name.isalnum() for name in pair):
            raise RecordError(f"{brief(arrow.join(pair))} is not an edge of the shape A{arrow}B")
    return pairs


def _asked(file: str, type_: str, question: str) -> Query:
    """The query of a question, by its wording."""
    head, *offered = question.split("\n")
    head = head.replace(" .", ".")  # as published in d-separation
    for wanted, form, shape in WORDINGS[file]:
        found = filled(shape, head) if wanted == type_ else None
        if found is not None and found.get("relation", "parent") in WORDS:
            query = _query(file, form, found, offered)
            return replace(query, task="is_c_component") if (file, type_) == ("c-component", "YN") else query
    raise RecordError(f"no {type_} question of {file} is worded {brief(question)}")


def _query(file: str, form: str, found: Mapping[str, str], offered: list[str]) -> Query:
    task = WORDS[found["relation"]] if "relation" in found else TASKS.get(file, file)
    claim = found.get("claim")
    if claim is not None and file == "markov_equivalent":
        told = filled(GRAPH, f"{claim}.")
        if told is None:
            raise RecordError(f"{brief(claim)} is not of the shape {GRAPH!r}")
        claim = str(_graph(told, "dag"))
    targets = tuple(found[name] for name in ("x", "y") if name in found)
    return Query(task, targets, found.get("path"), form=form, claim=claim, options=_options(offered, form))


def _options(offered: list[str], form: str) -> tuple[str, ...]:
    """The texts behind "A. ", "B. ", ..."""
    if bool(offered) is not form.startswith("choice"):
        raise RecordError(f"{len(offered)} options under a question of the form {form}")
    for letter, option in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", offered, strict=False):
        if not option.startswith(f"{letter}. "):
            raise RecordError(f"the option {brief(option)} does not begin with '{letter}. '")
    return tuple(option[3:] for option in offered)


# ---------------------------------------------------------------- the audit


@audits("clear")
def findings(data: DataFolder, rng: Random) -> Iterator[Finding]:
    """Every published answer, recomputed."""
    for row in rows(data):
        with located(row.place):
            yield _finding(row)


def _finding(row: Row) -> Finding:
    if row.query.form == "find_one" and row.type == "FO":
        if row.query.task in ("backdoor", "blocked_path", "d_separation", "frontdoor"):
            return _whole_class(row)
        if row.query.task == "path":
            return _judged(row, replace(row.query, form="find_all"), row.published)
        if row.query.task == "markov_equivalent":
            told = filled(GRAPH, str(row.published))
            if told is None:
                raise RecordError(f"the answer {brief(row.published)} is not of the shape {GRAPH!r}")
            return _judged(row, row.query, str(_graph(told, "dag")))
    return _judged(row, row.query, row.published)


def _judged(row: Row, query: Query, published: Any) -> Finding:
    """The published object, as the predicate sees it."""
    case = case_of(row.graph, query)
    said = judged(case, published)
    if said.valid:
        return Finding(row.id, row.file, row.published, said.answer, True)
    found = None if said.valid is None else case.task.cheapest(case)
    ours = None if found is None else case.task.answer.show(found)
    return Finding(row.id, row.file, row.published, ours, said.valid, said.why, said.witness)


def _whole_class(row: Row) -> Finding:
    """The published list of valid sets beside every set without the endpoints that is valid."""
    case, listed = case_of(row.graph, row.query), _listed(row.published)
    free = sorted(row.graph.node_set - set(row.query.targets))
    every = (frozenset(names) for size in range(len(free) + 1) for names in combinations(free, size))
    ours = [names for names in every if case.holds(names)]
    shown = [sorted(names) for names in ours]
    differ = sorted(set(listed) ^ set(ours), key=sorted)
    if not differ:
        return Finding(row.id, row.file, row.published, shown, True)
    said = judged(case, differ[0])
    return Finding(row.id, row.file, row.published, shown, False, said.why, said.witness)


def _listed(published: Any) -> list[frozenset[str]]:
    """The sets of "[set(), {'T'}, {'P', 'T'}]"."""
    text = str(published).replace("set()", "[]").replace("{", "[").replace("}", "]").replace("'", '"')
    sets = read_strict_json(text)
    if not isinstance(sets, list) or not all(isinstance(names, list) for names in sets):
        raise RecordError(f"the answer {brief(published)} is no list of sets")
    return [frozenset(map(str, names)) for names in sets]
