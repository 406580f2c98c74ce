"""CLEAR's wordings: what each published sentence asks.

{x} and {y} are nodes, {path} a path in arrows, {claim} what is asked about, {relation} a word of WORDS.
"""

from collections.abc import Mapping
from typing import Final

__all__ = ["CLASSES", "DESCRIPTIONS", "FORMS", "GRAPH", "TASKS", "WORDINGS", "WORDS"]

DESCRIPTIONS: Final = (
    ("dag", "Given a DAG (directed acyclic graph) with nodes {nodes} and directed edges {directed}."),
    (
        "admg",
        "Given an ADMG (acyclic directed mixed graph) with nodes {nodes}, directed edges {directed} "
        "and bi-directed edges {bidirected}.",
    ),
    ("directed", "Given a directed graph with nodes {nodes} and directed edges {directed}."),
    ("undirected", "Given a undirected graph with nodes {nodes} and undirected edges {undirected}."),
)
GRAPH: Final = "DAG with nodes {nodes} and directed edges {directed}."
CLASSES: Final = {  # graph_type -> the shape of its description
    "DAG": "dag", "ADMG": "admg", "C-component": "admg", "C-forest": "admg", "C-tree": "admg", "DG": "directed",
    "UG": "undirected",
}  # fmt: skip

FORMS: Final = ("FO", "FA", "HM", "YN", "MC", "EX")
TASKS: Final = {  # file -> our task, where it is not the name of the file
    "backdoor_adjustment_set": "backdoor",
    "c-component": "c_component",
    "c-forest": "c_forest",
    "c-tree": "c_tree",
    "d-separation": "d_separation",
    "frontdoor_adjustment_set": "frontdoor",
    "identification": "identifiable",
    "topological": "topological_order",
}
WORDS: Final = {
    "parent": "parent", "parents": "parent", "child": "child", "children": "child", "ancestor": "ancestor",
    "ancestors": "ancestor", "descendant": "descendant", "descendants": "descendant", "chain": "chain",
    "chains": "chain", "fork": "fork", "forks": "fork", "v-structure": "v_structure", "v-structures": "v_structure",
}  # fmt: skip

Wordings = tuple[tuple[str, str, str], ...]  # question type, form, shape


def _sets(kind: str) -> Wordings:
    """The wordings about sets to adjust for; "minimal" is by inclusion here."""
    asked = f"{kind} adjustment set for treatment {{x}} and outcome {{y}}"
    return (
        ("FO", "find_one", f"Find one valid {asked}."),
        ("FO", "minimal", f"Find one minimal valid {asked}."),
        ("FO", "maximal", f"Find one maximal valid {asked}."),
        ("YN", "yes_no", f"Is {{claim}} a valid {asked}?"),
        ("MC", "choice", f"Which of the following sets is a valid {asked}?"),
        ("EX", "existence", f"Does there exist a valid {asked}?"),
    )


def _parts(noun: str, article: str) -> Wordings:
    """The wordings about the nodes or edges of a graph."""
    return (
        ("FA", "find_all", f"List all {noun}s of this graph."),
        ("HM", "how_many", f"How many {noun}s does this graph have?"),
        ("YN", "yes_no", f"Is {{claim}} {article} {noun} of this graph?"),
        ("MC", "choice", f"Which of the following is {article} {noun} of this graph?"),
    )


def _with_denials(wordings: Wordings) -> Wordings:
    """Each choice as published, and as it is published of nodes and edges: which is NOT one?"""
    asked, denied = "Which of the following is ", "Which of the following is NOT "
    extra = [(kind, "choice_not", shape.replace(asked, denied)) for kind, _, shape in wordings if asked in shape]
    return (*wordings, *extra)


PUBLISHED: Final[Mapping[str, Wordings]] = {
    "2_node_relation": (
        ("FA", "find_all", "List all {relation} of node {x}."),
        ("HM", "how_many", "How many {relation} does node {x} have?"),
        ("YN", "yes_no", "Is node {claim} one of {relation} of node {x}?"),
        ("MC", "choice", "Which of the following is one of {relation} of node {x}?"),
        ("EX", "existence", "Does node {x} have any {relation}?"),
    ),
    "3_node_relation": (
        ("FA", "find_all", "List all {relation} of this graph."),
        ("HM", "how_many", "How many {relation} does this graph have?"),
        ("YN", "yes_no", "Does nodes {claim} form a {relation} in this graph?"),
        ("MC", "choice", "Which of the following is a {relation} of this graph?"),
        ("EX", "existence", "Are there any {relation} of this graph?"),
    ),
    "backdoor_adjustment_set": _sets("backdoor"),
    "frontdoor_adjustment_set": _sets("frontdoor"),
    "backdoor_path": (
        ("FA", "find_all", "Find all backdoor paths from node {x} to node {y}."),
        ("HM", "how_many", "How many backdoor paths are from node {x} to node {y}."),
        ("FO", "shortest", "Find the shortest backdoor path from node {x} to node {y}."),
        ("FO", "longest", "Find the longest backdoor path from node {x} to node {y}."),
        ("YN", "yes_no", "Is {claim} a backdoor path from {x} to {y}?"),
        ("MC", "choice", "Which of the following is a backdoor path from {x} to {y}?"),
    ),
    "blocked_path": (
        ("FO", "find_one", "Find one valid nodeset that can block path {path}."),
        ("FO", "minimum", "Find the minimal nodeset that can block path {path}."),
        ("YN", "yes_no", "Can path {path} be blocked by nodeset {claim}?"),
        ("MC", "choice", "Which of the following nodesets can block path {path}?"),
    ),
    "c-component": (
        ("FA", "find_all", "It can be uniquely partitioned into a set C(G) of subgraphs, each a maximal C-component. "
         "Write down such partition of the given graph."),
        ("HM", "how_many", "It can be uniquely partitioned into a set C(G) of subgraphs, each a maximal C-component. "
         "How many subgraphs are there in C(G)?"),
        ("YN", "find_one", "Is it a C-component?"),
    ),
    "c-forest": (("YN", "find_one", "Is it a C-forest?"),),
    "c-tree": (("YN", "find_one", "Is it a C-tree?"),),
    "cycle": (
        ("FO", "find_one", "Find one cycle in this graph."),
        ("YN", "yes_no", "Is {claim} a cycle in this graph?"),
        ("MC", "choice", "Which of the following is a cycle in this graph?"),
        ("EX", "existence", "Are there any cycles in this graph?"),
    ),
    "d-separation": (
        ("FO", "find_one", "Find one valid nodeset that can d-separate node {x} and node {y}."),
        ("FO", "minimum", "Find the minimal nodeset that can d-separate node {x} and node {y}."),
        ("YN", "yes_no", "Are node {x} and node {y} d-separated by nodeset {claim}?"),
        ("MC", "choice", "Which of the following nodesets can d-separate node {x} and node {y}?"),
    ),
    "directed_path": (
        ("FA", "find_all", "Find all directed paths from node {x} to node {y}."),
        ("HM", "how_many", "How many directed paths are there from {x} to {y}?"),
        ("YN", "yes_no", "Is {claim} a directed path from {x} to {y}?"),
        ("MC", "choice", "Which of the following is a directed path from {x} to {y}?"),
        ("EX", "existence", "Is there a directed path from {x} to {y}?"),
    ),
    "edge": _parts("edge", "an"),
    "node": _parts("node", "a"),
    "identification": (
        ("YN", "find_one", "Can the causal effect of treatment {x} on outcome {y} be identified or not?"),
    ),
    "markov_blanket": (
        ("FO", "find_one", "What is the markov blanket of node {x}?"),
        ("YN", "yes_no", "Is {claim} the markov blanket of node {x}?"),
        ("MC", "choice", "Which of the following is the markov blanket of node {x}?"),
    ),
    "markov_equivalent": (
        ("FO", "find_one", "Find another graph that belongs to the same Markov Equivalent Class of the given graph."),
        ("YN", "yes_no", "Given another {claim}, do these two graphs belong to the same markov equivalent class?"),
        ("YN", "yes_no", "Given another {claim}, do these two graphs belong to the same Markov Equivalent Class?"),
    ),
    "maximal_root_set": (
        ("FA", "find_one", "Find the maximal root set of this graph."),
        ("HM", "how_many", "How many nodes are there in the maximal root set of this graph?"),
        ("YN", "yes_no", "Is {claim} the maximal root set of this graph?"),
        ("MC", "choice", "Which of the following options is the maximal root set of this graph?"),
    ),
    "path": (
        ("FA", "find_all", "Find all paths from {x} to {y}."),
        ("HM", "how_many", "How many paths are there from {x} to {y}."),
        ("FO", "find_one", "Find one path from {x} to {y}."),
        ("FO", "shortest", "Find the shortest paths from {x} to {y}."),
        ("FO", "longest", "Find the longest paths from {x} to {y}."),
        ("YN", "yes_no", "Is {claim} a path from {x} to {y}?"),
        ("MC", "choice", "Which of the following is a path from {x} to {y}?"),
    ),
    "topological": (
        ("FO", "find_one", "Find one valid topological ordering of the graph."),
        ("YN", "yes_no", "Is {claim} a valid topological ordering of this graph?"),
        ("MC", "choice", "Which of the following is a valid topological ordering of this graph?"),
    ),
}  # fmt: skip
WORDINGS: Final = {file: _with_denials(wordings) for file, wordings in PUBLISHED.items()}
