"""CLEAR's rows as queries: the published text of a row to a graph, a query and the published answer.

Written for tests, straight from the published wording; one pattern a template, and a template that is not known fails.
"""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calverify import Graph, Query

TASKS = {
    "d-separation": "d_separation", "blocked_path": "blocked_path", "backdoor_adjustment_set": "backdoor",
    "frontdoor_adjustment_set": "frontdoor", "topological": "topological_order", "c-component": "c_component",
    "c-tree": "c_tree", "c-forest": "c_forest", "identification": "identifiable",
}  # fmt: skip
RELATIONS = r"(parent|ancestor|descendant|child)(?:ren|s)?"
TRIPLES = r"(chain|fork|v-structure)s?"
FORMS = {"FA": "find_all", "HM": "how_many", "YN": "yes_no", "MC": "choice", "EX": "existence", "FO": "find_one"}
TARGETS = (
    r"node (\w) and node (\w)", r"treatment (\w) (?:and|on) outcome (\w)", r"from (?:node )?(\w) to (?:node )?(\w)",
    r"node (\w)\b",
)  # fmt: skip
PAIRED = {"d-separation", "backdoor_adjustment_set", "frontdoor_adjustment_set", "identification", "path",
          "directed_path", "backdoor_path"}  # fmt: skip
SINGLE = {"markov_blanket", "2_node_relation"}


@dataclass(frozen=True)
class Row:
    uid: str
    sid: int
    graph: Graph
    query: Query
    published: Any
    question: str
    kind: str


def read_graph(text: str) -> Graph:
    nodes = re.search(r"nodes ([\w, ]+?),? (?:and )?(?:directed|undirected|bi-directed) edges", text)
    assert nodes, text
    directed = re.findall(r"(\w)->(\w)", text)
    arcs = re.findall(r"(\w)<->(\w)", text)
    lines = re.findall(r"(?<![<\w])(\w)-(\w)\b", text) if "undirected" in text else []
    return Graph(nodes[1].split(", "), directed, arcs, None, lines)


def read_rows(folder: Path) -> Iterator[Row]:
    for file in sorted((folder / "clear" / "json_single").glob("*.json")):
        for line in file.read_text("utf-8").splitlines():
            yield read_row(json.loads(line))


def read_row(record: dict[str, Any]) -> Row:
    kind, question = record["task_type"], record["question"]
    head = question.split("\n")[0]
    form = FORMS[record["question_type"]]
    task = TASKS.get(kind, kind)
    if kind == "2_node_relation":
        found = re.search(RELATIONS, head)
        task = {"child": "child", "childre": "child"}.get(found[1], found[1])
    elif kind == "3_node_relation":
        task = re.search(TRIPLES, head)[1].replace("-", "_")
    elif kind == "c-component" and form == "yes_no":
        task, form = "is_c_component", "find_one"
    elif kind in ("c-tree", "c-forest", "identification"):
        form = "find_one"
    if kind == "markov_blanket" and form == "find_one" or task == "markov_blanket" and form == "find_all":
        form = "find_one"
    if kind == "maximal_root_set" and form == "find_all":
        form = "find_one"
    if form == "find_one":
        form = rule_of(kind, head)
    if form == "choice" and " NOT " in head:
        form = "choice_not"
    targets, path = targets_of(kind, head)
    options = tuple(line.split(". ", 1)[1] for line in question.split("\n")[1:]) if form.startswith("choice") else ()
    claim = claim_of(kind, head) if form == "yes_no" else None
    options = tuple(object_text(option) for option in options)
    query = Query(task, targets, path=path, form=form, claim=claim, options=options)
    return Row(record["uid"], record["sid"], read_graph(record["description"]), query,
               record["answer"], question, record["question_type"])  # fmt: skip


def rule_of(kind: str, head: str) -> str:
    for word in ("shortest", "longest"):
        if word in head:
            return word
    if "minimal" in head:
        return "minimum" if kind in ("d-separation", "blocked_path") else "minimal"
    return "maximal" if "maximal valid" in head else "find_one"


def targets_of(kind: str, head: str) -> tuple[tuple[str, ...], str | None]:
    if kind == "blocked_path":
        return (), re.search(r"path ((?:\w|<->|->|<-)+)", head)[1]
    if kind in PAIRED:
        found = next(m for m in (re.search(p, head) for p in TARGETS[:3]) if m)
        return found.groups(), None
    if kind in SINGLE:
        asked = re.findall(r"(?:node|of node) (\w)\b", head)
        return (asked[-1],), None
    return (), None


def object_text(text: str) -> str:
    """A set literal with its quotes, a tuple, an arrow chain, a graph: as our readers take it."""
    if "directed edges" in text:
        return str(read_graph(text))
    return text


def claim_of(kind: str, head: str) -> str:
    if kind == "markov_equivalent":
        return str(read_graph(head))
    sets = re.search(r"(\{[^}]*\}|set\(\))", head)
    if kind in ("topological",):
        return re.search(r"Is ((?:\w, )*\w) a valid", head)[1]
    if sets:
        return sets[1]
    if kind == "2_node_relation":
        return re.search(r"Is node (\w) one of", head)[1]
    return re.search(r"Is ((?:\w|<->|->|<-|-)+) (?:a|an) ", head)[1]


def published_object(row: Row) -> Any:
    """The published answer of a find-one, find-all or how-many row as our readers take it."""
    return row.published.rstrip(".") if isinstance(row.published, str) else row.published


def literal_sets(text: str) -> list[frozenset[str]]:
    return [frozenset(one) for one in ast.literal_eval(text.replace("set()", "frozenset()")
            .replace("frozenset()", "()"))]  # fmt: skip
