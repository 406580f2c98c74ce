"""CLEAR's rows as queries: the published text of a row to a graph, a query and the published answer.

Straight from the published wording and without the library's own readers; a wording that is not known fails.
"""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from calverify import Graph, Query

TASKS = {
    "backdoor_adjustment_set": "backdoor",
    "c-component": "c_component",
    "c-forest": "c_forest",
    "c-tree": "c_tree",
    "d-separation": "d_separation",
    "frontdoor_adjustment_set": "frontdoor",
    "identification": "identifiable",
    "topological": "topological_order",
}
FORMS = {
    "FA": "find_all",
    "HM": "how_many",
    "YN": "yes_no",
    "MC": "choice",
    "EX": "existence",
    "FO": "find_one",
}
DECISIONS = ("c_forest", "c_tree", "identifiable", "is_c_component")
ONE_SET = ("markov_blanket", "maximal_root_set")  # "find all" and "find one" ask for the same set

RELATION = re.compile(r"(parent|ancestor|descendant|child)(?:ren|s)?\b")
TRIPLE = re.compile(r"(chain|fork|v-structure)s?\b")
NAMED_PATH = re.compile(r"path ((?:\w|<->|->|<-)+)")
ONE_NODE = re.compile(r"node (\w)\b")
TWO_NODES = (
    re.compile(r"node (\w) and node (\w)\b"),
    re.compile(r"treatment (\w) (?:and|on) outcome (\w)\b"),
    re.compile(r"from (?:node )?(\w) to (?:node )?(\w)\b"),
)
PAIRED = {"d_separation", "backdoor", "frontdoor", "identifiable", "path", "directed_path", "backdoor_path"}
CLAIMS = (
    re.compile(r"(\{[^}]*\}|set\(\))"),  # a set, wherever it stands
    re.compile(r"Is ((?:\w, )+\w) a valid"),  # an ordering
    re.compile(r"Is node (\w) one of"),
    re.compile(r"Is ((?:\w|<->|->|<-|-)+) (?:a|an) "),  # a node, an edge or a chain of them
)


@dataclass(frozen=True)
class Row:
    """One published question; `published` is its answer as it stands in the file."""

    uid: str
    sid: int
    kind: str
    graph: Graph
    query: Query
    published: Any
    question: str


def read_graph(text: str) -> Graph:
    """The graph of a description, or of a sentence that holds one."""
    nodes = re.search(r"nodes ([\w, ]+?),? (?:and )?(?:directed|undirected|bi-directed) edges", text)
    assert nodes, text
    lines = re.findall(r"(\w)-(\w)\b", text.split("edges")[1]) if "undirected" in text else []
    arrows, arcs = (re.findall(rf"(\w){arrow}(\w)", text) for arrow in ("->", "<->"))
    return Graph(nodes[1].split(", "), arrows, arcs, None, lines)


@cache
def rows_of(folder: Path) -> tuple[Row, ...]:
    return tuple(_rows(folder / "clear" / "json_single"))


def _rows(folder: Path) -> Iterator[Row]:
    for file in sorted(folder.glob("*.json")):
        for line in file.read_text("utf-8").splitlines():
            record = json.loads(line)
            place = (record["uid"], record["sid"], record["task_type"], read_graph(record["description"]))
            yield Row(*place, query_of(record), record["answer"], record["question"])


def query_of(record: dict[str, Any]) -> Query:
    """The task, its form, what it is asked about, and the claim or the options of the question."""
    head, *offered = record["question"].split("\n")
    form = FORMS[record["question_type"]]
    task = task_of(record["task_type"], head)
    if task == "c_component" and form == "yes_no":
        task = "is_c_component"
    if task in DECISIONS or (task in ONE_SET and form == "find_all"):
        form = "find_one"
    if form == "find_one":
        form = rule_of(task, head)
    if form == "choice" and " NOT " in head:
        form = "choice_not"
    parts: dict[str, Any] = {"form": form}
    if form == "yes_no":
        parts["claim"] = claim_of(head)
    if form.startswith("choice"):
        parts["options"] = tuple(option.split(". ", 1)[1] for option in offered)
    if task == "blocked_path":
        parts["path"] = NAMED_PATH.search(head)[1]
    return Query(task, targets_of(task, head), **parts)


def task_of(kind: str, head: str) -> str:
    if kind == "2_node_relation":
        return RELATION.search(head)[1]
    if kind == "3_node_relation":
        return TRIPLE.search(head)[1].replace("-", "_")
    return TASKS.get(kind, kind)


def rule_of(task: str, head: str) -> str:
    """Which one is to be found: "minimal" is least in size where the key says so, and by inclusion elsewhere."""
    for word in ("shortest", "longest", "maximal valid", "one maximal"):
        if word in head:
            return word.removesuffix(" valid").removeprefix("one ")
    if "minimal" in head:
        return "minimum" if task in ("d_separation", "blocked_path") else "minimal"
    return "find_one"


def targets_of(task: str, head: str) -> tuple[str, ...]:
    if task in PAIRED:
        return next(found for pattern in TWO_NODES if (found := pattern.search(head))).groups()
    if task in ("markov_blanket", "parent", "child", "ancestor", "descendant"):
        return (ONE_NODE.findall(head)[-1],)
    return ()


def claim_of(head: str) -> str:
    if "directed edges" in head:
        return str(read_graph(head))
    return next(found for pattern in CLAIMS if (found := pattern.search(head)))[1]


# ---------------------------------------------------------------- published answers


def published_sets(row: Row) -> list[frozenset[str]]:
    """Every set of a "one valid" key, "[set(), {'T'}]", or the one set that a key names."""
    said = ast.literal_eval(row.published.replace("set()", "()"))
    return [frozenset(item) for item in said] if isinstance(said, list) else [frozenset(said)]


def published_answers(row: Row) -> list[Any]:
    """What the key accepts, each as `check` takes it: most rows name one answer, "one valid" rows all of them."""
    said = row.published
    if row.query.form != "find_one" or row.query.task in DECISIONS:
        return [said]
    if row.query.task == "markov_equivalent":
        return [str(read_graph(said))]
    if row.query.task in ("backdoor", "blocked_path", "d_separation", "frontdoor"):
        return list(published_sets(row))
    return said if isinstance(said, list) else [said]
