"""Does a causal relation hold in every dag of a Markov equivalence class?  A "no" is shown by one member without it.

The first slot may state any member of the class.  `formula` names the relation: `(("relation", "parent"),)`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from calverify.errors import BudgetError, GraphError, QueryError
from calverify.graphs import Graph, directed_path, skeleton, v_structure_apart
from calverify.problem import Problem, Query
from calverify.tasks._graph_slot import GraphSlot
from calverify.tasks._task import Case, Reason, distinct_targets, task
from calverify.tasks.markov_equivalent import members
from calverify.traces import GRAPH, YES_NO, graph_of_slot

__all__ = ["RELATIONS", "holds_in_every_member"]

RULES = (
    "counter_model", "counterexample", "every_member", "enumeration", "enumerate", "skeleton", "v_structures",
    "v_structure", "markov_equivalence", "markov_equivalent", "covered_edge", "reverse_edge", "pc_algorithm",
    "orientation", "meek_rules", "d_separation", "collider", "direct",
)  # fmt: skip
MOST_MEMBERS = 1_000  # a class of six variables has 720 at most

Relation = Callable[[Graph, str, str], bool]


def _indirect(graph: Graph, a: str, b: str) -> bool:
    """A directed path of two edges or more; a direct edge may be there too."""
    return any(directed_path(graph, {child}, {b}) is not None for child in graph.children({a}) - {b})


RELATIONS: dict[str, tuple[Relation, str]] = {
    "parent": (lambda g, a, b: (a, b) in g.edge_set[0], "{a} is a direct cause of {b}"),
    "child": (lambda g, a, b: (b, a) in g.edge_set[0], "{a} is a direct effect of {b}"),
    "indirect_cause": (_indirect, "{a} causes {b} through some other variable"),
    "indirect_effect": (lambda g, a, b: _indirect(g, b, a), "{b} causes {a} through some other variable"),
    "common_effect": (
        lambda g, a, b: bool(g.children({a}) & g.children({b})),
        "some variable is a direct effect of both {a} and {b}",
    ),
    "common_cause": (
        lambda g, a, b: bool(g.parents({a}) & g.parents({b})),
        "some variable is a direct cause of both {a} and {b}",
    ),
}


class ClassSlot(GraphSlot):
    """The `Formal` of this task: any dag of the class that the problem's graph belongs to."""

    noun = "a dag of the class"

    def mismatch(self, value: Any, formal: Graph) -> str | None:
        try:
            return not_equivalent(graph_of_slot(value), formal)
        except (GraphError, BudgetError) as error:
            return str(error)

    def given(self, formal: Graph | None, problem: Problem) -> str:
        return "the statistical relations among some variables, and a claim about what causes what"

    def facts(self, formal: Graph) -> list[str]:
        return [
            f"Variables: {', '.join(sorted(formal.nodes))}",
            "State in STEP 1 any directed acyclic graph that has exactly these independences.",
        ]


def not_equivalent(one: Graph, other: Graph) -> str | None:
    """Why a graph is not in the class of the other; None when it is."""
    if one.kind != "dag":
        return f"the graph is of the class {one.kind}; expected a dag"
    if one.node_set != other.node_set:
        return f"the node {min(one.node_set ^ other.node_set)} stands in one of the graphs only"
    for pair in sorted(map(sorted, skeleton(one) ^ skeleton(other))):
        joined = "are not adjacent" if frozenset(pair) in skeleton(one) else "are adjacent"
        return f"{pair[0]} and {pair[1]} {joined} in the class"
    apart = v_structure_apart(one, other)
    if apart is not None:
        left, middle, right, its = apart
        return f"{left} -> {middle} <- {right} {'is not' if its else 'is'} in the graphs of the class"
    return None


@dataclass(frozen=True, slots=True)
class Claim:
    """A relation and its two names; a member of the class in which it fails, and one in which it holds."""

    relation: str
    a: str
    b: str
    counter: Graph | None
    example: Graph | None
    members: int

    def holds(self, graph: Graph) -> bool:
        return RELATIONS[self.relation][0](graph, self.a, self.b)

    @property
    def said(self) -> str:
        return RELATIONS[self.relation][1].format(a=self.a, b=self.b)


def relation_of(query: Query) -> str:
    stated = [name for role, name in query.formula if role == "relation" and name in RELATIONS]
    if len(stated) != 1 or len(query.formula) != 1:
        known = ", ".join(RELATIONS)
        raise QueryError(f"{query.task}: the formula must be one pair of 'relation' and one of {known}")
    return stated[0]


def prepare_claim(graph: Graph, query: Query) -> Claim:
    a, b = distinct_targets(query, graph.node_set, ("first", "second"))
    if graph.kind != "dag":
        raise GraphError(f"{query.task} needs a dag, and this graph is of the class {graph.kind}")
    relation = relation_of(query)
    found = RELATIONS[relation][0]
    inside = class_of(graph)
    held = [found(member, a, b) for member in inside]
    counter, example = (inside[held.index(word)] if word in held else None for word in (False, True))
    return Claim(relation, a, b, counter, example, len(inside))


@lru_cache(maxsize=256)  # a premise is asked about many times
def class_of(graph: Graph) -> tuple[Graph, ...]:
    """Every member of the graph's class."""
    found = tuple(islice(members(graph), MOST_MEMBERS + 1))
    if len(found) > MOST_MEMBERS:
        raise BudgetError(f"the class has over {MOST_MEMBERS:,} members")
    return found


def truth(case: Case) -> str:
    state: Claim = case.state
    return "yes" if state.counter is None else "no"


def only_truth(case: Case) -> Iterator[str]:
    yield truth(case)


def explain(answer: str, case: Case) -> Reason:
    """The member in which the claim fails, or all of them."""
    state: Claim = case.state
    if state.counter is not None:
        why = f"{state.counter} is in the class, and there it does not hold that {state.said}"
        return Reason(why, {"kind": "counter_member", "graph": state.counter.to_json()})
    plural = "the one member" if state.members == 1 else f"each of the {state.members} members"
    return Reason(
        f"it holds in {plural} of the class that {state.said}", {"kind": "every_member", "count": state.members}
    )


def witness_fault(graph: Graph, case: Case) -> str | None:
    state: Claim = case.state
    why = not_equivalent(graph, case.formal)
    if why is None and state.holds(graph):
        why = f"in the stated graph it does hold that {state.said}"
    return why


def question(query: Query) -> str:
    a, b = query.targets
    said = RELATIONS[relation_of(query)][1].format(a=a, b=b)
    return (
        f"Does it follow that {said}? Answer yes if this holds in every directed acyclic graph with these "
        "independences, and no if it fails in one; state such a graph as your strategy."
    )


@task(
    "equivalence_claim",
    family="decision",
    answer=YES_NO,
    formal=ClassSlot(),
    prepare=prepare_claim,
    solve=only_truth,
    cheapest=truth,
    explain=explain,
    question=question,
    aliases=("corr2cause", "causal_claim", "mec_claim"),
    rules=RULES,
    rule="enumeration",
    states=("graph", "dag", "counter_model"),
    witness=GRAPH,
    shown_word="no",
    witness_fault=witness_fault,
    witness_for=lambda answer, case: case.state.counter if answer == "no" else None,
)
def holds_in_every_member(answer: str, case: Case) -> bool:
    """The answer is "yes" exactly when the relation holds in every dag of the class."""
    return answer == truth(case)
