"""Corr2Cause (Jin et al. 2024): what independences say of causes, and the audit of its labels.

Rule 1: a premise lists every independence, so it fixes one Markov equivalence class.  The class is found from it by
skeleton and v-structures, and a member must have exactly the independences that are listed.
Rule 2: a hypothesis follows when it holds in every dag of the class, by listing them: that is the label recomputed.
Rule 3: `published` is the printed relation.  Two keys are audited: entailment or not, and which of three classes.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any, Final

from calverify.benchmarks._data import DataFolder, field
from calverify.benchmarks._item import Corpus, Finding, Item, Origin, adapter, audits
from calverify.errors import RecordError
from calverify.graphs import Graph, separated
from calverify.keys import Key
from calverify.names import brief
from calverify.problem import Problem, Query
from calverify.records import located
from calverify.scoring import checker_for
from calverify.tasks import equivalence_claim

__all__ = ["class_member", "corpus", "findings", "read_hypothesis", "read_premise"]

SIZES = (2, 3, 4, 5)
LABELS = ("entailment", "neutral", "contradiction")
MOST_NAMES = 10

OPENING: Final = re.compile(r"Suppose there is a closed system of (\d{1,2}+) variables, ([\w, ]++)\. ")
LISTING: Final = re.compile(r"All the statistical relations among these \d{1,2}+ variables are as follows: (.++)", re.S)
DEPENDS: Final = re.compile(r"(\w++) correlates with (\w++)")
MARGINAL: Final = re.compile(r"(?:However, )?+(\w++) is independent of (\w++)")
GIVEN: Final = re.compile(r"(?:However, )?+(\w++) and (\w++) are independent given ([\w, ]++)")
IDENT: Final = re.compile(
    r"num_nodes=(\d++)__mec_id=(\d++)__node_i=(\d++)__node_j=(\d++)__causal_relation="
    r"(parent|child|non-parent_ancestor|non-child_descendant|has_collider|has_confounder)__prob=[\d.]++"
)
DIRECTLY: Final = re.compile(r"(\w++) directly causes (\w++)\.")
THROUGH: Final = re.compile(r"(\w++) causes something else which causes (\w++)\.")
NOT_DIRECT: Final = re.compile(r"(\w++) is a cause for (\w++), but not a direct one\.")
COLLIDER: Final = re.compile(r"There exists at least one collider \(i\.e\., common effect\) of (\w++) and (\w++)\.")
CONFOUNDER: Final = re.compile(r"There exists at least one confounder \(i\.e\., common cause\) of (\w++) and (\w++)\.")
WORDINGS = (
    (DIRECTLY, "parent"),
    (THROUGH, "indirect_cause"),
    (NOT_DIRECT, "indirect_cause"),
    (COLLIDER, "common_effect"),
    (CONFOUNDER, "common_cause"),
)

Independence = tuple[frozenset[str], frozenset[str]]  # a pair, and what it is independent given
Class = tuple[tuple[str, ...], frozenset[Independence]]

ORIGIN = Origin(
    folder="corr2cause",
    size="9,342 claims about 2 to 5 variables",
    licence="MIT (the programs; the published data set states none)",
    home="https://github.com/causalNLP/corr2cause (its two programs write the data)",
)


@adapter("corr2cause", "does a causal claim follow from independences? claims about 2 to 5 variables", ORIGIN)
def corpus(data: DataFolder, rng: Random) -> Corpus:
    """Every claim as a problem; its graph is a member of the class, and any other member may be stated."""
    return Corpus(tuple(_item(place, record) for place, record in _records(data)))


def _records(data: DataFolder) -> Iterator[tuple[str, Mapping[str, Any]]]:
    names = [f"{ORIGIN.folder}/causalnli_{size}nodes.json" for size in SIZES]
    held = [name for name in names if data.has(name)] or names[:1]  # none: reading the first says so
    for name in held:
        yield from data.records(name)


def _item(place: str, record: Mapping[str, Any]) -> Item:
    premise = field(record, "premise", str, place)
    found = IDENT.fullmatch(field(record, "id", str, place))
    if found is None:
        raise RecordError(f"{place}: the id {brief(record['id'])}; expected num_nodes=2__mec_id=0__node_i=1__...")
    if field(record, "relation", str, place) not in LABELS:
        raise RecordError(f"{place}: the relation {brief(record['relation'])}; expected one of {', '.join(LABELS)}")
    with located(place):
        relation, names = read_hypothesis(field(record, "hypothesis", str, place))
        graph = class_member(premise)
        size, mec, one, other, kind = found.groups()
        ident = f"corr2cause-{size}-{mec}-{one}{other}-{kind}"
        query = Query("equivalence_claim", names, formula=(("relation", relation),))
        problem = Problem(ident, query, graph, premise)
    strata = {"slice": f"{size} variables", "relation": relation}
    return Item(problem, Key(ident, published=record["relation"], cluster=f"corr2cause-{size}-{mec}", strata=strata))


# ---------------------------------------------------------------- reading


def read_premise(text: str) -> Class:
    """The names and every independence of a premise; a sentence of another kind is refused."""
    opened = OPENING.match(text)
    listed = LISTING.fullmatch(text, opened.end()) if opened else None
    if opened is None or listed is None:
        raise RecordError(f"the premise {brief(text)}; expected 'Suppose there is a closed system of ...'")
    names = _names(opened[2])
    if len(names) != int(opened[1]) or len(set(names)) != len(names) or len(names) > MOST_NAMES:
        raise RecordError(f"the premise names {len(names)} variables ({brief(opened[2])}) and tells of {opened[1]}")
    joined: set[frozenset[str]] = set()
    found: set[Independence] = set()
    for sentence in listed[1].rstrip().removesuffix(".").split(". "):
        if match := DEPENDS.fullmatch(sentence):
            joined.add(_pair(match[1], match[2], names))
        elif match := MARGINAL.fullmatch(sentence):
            found.add((_pair(match[1], match[2], names), frozenset()))
        elif match := GIVEN.fullmatch(sentence):
            pair, given = _pair(match[1], match[2], names), frozenset(_names(match[3]))
            if given & pair or not given <= set(names):
                raise RecordError(f"the premise says {brief(sentence)}, which is about other names or one name twice")
            found.add((pair, given))
        else:
            raise RecordError(f"the premise says {brief(sentence)}; expected a correlation or an independence")
    for pair in joined:
        if (pair, frozenset()) in found:
            raise RecordError(f"the premise says that {' and '.join(sorted(pair))} correlate and are independent")
    return names, frozenset(found)


def _names(text: str) -> tuple[str, ...]:
    """ "A, B and C" -> A, B, C."""
    return tuple(name.strip() for name in text.replace(" and ", ", ").split(",") if name.strip())


def _pair(one: str, other: str, names: tuple[str, ...]) -> frozenset[str]:
    pair = frozenset({one, other})
    if len(pair) != 2 or not pair <= set(names):
        raise RecordError(f"the premise is about {one} and {other}; expected two of {', '.join(names)}")
    return pair


def read_hypothesis(text: str) -> tuple[str, tuple[str, str]]:
    """The relation and its two names: "A directly causes B." -> parent, (A, B)."""
    for wording, relation in WORDINGS:
        if found := wording.fullmatch(text.strip()):
            return relation, (found[1], found[2])
    raise RecordError(f"the hypothesis {brief(text)} is of no known wording, such as 'A directly causes B.'")


# ---------------------------------------------------------------- the class


@lru_cache(maxsize=512)
def class_member(premise: str) -> Graph:
    """A dag with exactly the independences of a premise; refused where no dag has them."""
    names, independent = read_premise(premise)
    graph = _extended(names, *_pattern(names, independent))
    if graph is None or _independences(graph) != independent:
        raise RecordError("no directed acyclic graph has exactly the independences of the premise")
    return graph


Arrows = set[tuple[str, str]]


def _pattern(names: tuple[str, ...], independent: frozenset[Independence]) -> tuple[set[frozenset[str]], Arrows]:
    """The skeleton, and the arrows of the v-structures: a - c - b where c is in no set that separates a and b."""
    given: dict[frozenset[str], set[str]] = {}
    for pair, seen in independent:
        given.setdefault(pair, set()).update(seen)
    skeleton = {frozenset(pair) for pair in combinations(names, 2) if frozenset(pair) not in given}
    arrows = {
        (end, middle)
        for a, b in combinations(names, 2)
        if frozenset({a, b}) in given
        for middle in names
        if {frozenset({a, middle}), frozenset({b, middle})} <= skeleton and middle not in given[frozenset({a, b})]
        for end in (a, b)
    }
    return skeleton, arrows


def _extended(names: tuple[str, ...], skeleton: set[frozenset[str]], arrows: Arrows) -> Graph | None:
    """A dag with this skeleton, these arrows and no other v-structure (Dor and Tarsi 1992), or None."""
    left, edges, directed = set(names), set(skeleton), set(arrows)
    while left:
        sink = next((name for name in names if name in left and _may_be_last(name, left, edges, directed)), None)
        if sink is None:
            return None
        directed |= {(other, sink) for other in left if frozenset({other, sink}) in edges}
        left.discard(sink)
    if any((head, tail) in directed for tail, head in directed):
        return None
    return Graph(names, sorted(directed))


def _may_be_last(name: str, left: set[str], edges: set[frozenset[str]], directed: Arrows) -> bool:
    """No arrow out of it, and whoever it has a line to is joined to all of its neighbours."""
    near = {other for other in left if other != name and frozenset({other, name}) in edges}
    if any((name, other) in directed for other in near):
        return False
    lines = {other for other in near if (other, name) not in directed}
    return all(other == line or frozenset({other, line}) in edges for line in lines for other in near)


def _independences(graph: Graph) -> frozenset[Independence]:
    found = set()
    for a, b in combinations(graph.nodes, 2):
        rest = [name for name in graph.nodes if name not in (a, b)]
        for size in range(len(rest) + 1):
            for given in combinations(rest, size):
                if separated(graph, {a}, {b}, given):
                    found.add((frozenset({a, b}), frozenset(given)))
    return frozenset(found)


# ---------------------------------------------------------------- the audit


@audits("corr2cause")
def findings(data: DataFolder, rng: Random) -> Iterator[Finding]:
    """Of every claim: is it entailed?  Then of every claim: which of the three relations is it?"""
    cases = []
    for place, record in _records(data):
        item = _item(place, record)
        case = checker_for(item.problem).case
        assert case is not None
        cases.append((item, case))
    for item, case in cases:
        published, label = (_entailed(one) for one in (item.key.published, _label(case.state)))
        reason = case.task.explain("yes", case)
        part = item.key.strata["slice"]
        yield _finding(item.problem.id, part, (published, label), reason.why, reason.witness)
    for item, case in cases:
        why, witness = _said(case.state)
        part = f"{item.key.strata['slice']}, three classes"
        yield _finding(item.problem.id, part, (item.key.published, _label(case.state)), why, witness)


def _entailed(label: str) -> str:
    return "entailed" if label == LABELS[0] else "not entailed"


def _label(state: equivalence_claim.Claim) -> str:
    """Entailment, neutral or contradiction, as the members have it."""
    return LABELS[0] if state.counter is None else LABELS[1] if state.example is not None else LABELS[2]


def _finding(ident: str, part: str, labels: tuple[str, str], why: str, witness: Any) -> Finding:
    published, ours = labels
    if published == ours:
        return Finding(ident, part, published, ours, True)
    return Finding(ident, part, published, ours, False, why, None if witness is None else dict(witness))


def _said(state: equivalence_claim.Claim) -> tuple[str, dict[str, Any]]:
    """A member in which the claim holds, and one in which it fails, as far as there are such."""
    shown = {"holds_in": state.example, "fails_in": state.counter}
    witness = {name: None if graph is None else graph.to_json() for name, graph in shown.items()}
    parts = [f"{'holds' if name == 'holds_in' else 'fails'} in {graph}" for name, graph in shown.items() if graph]
    return f"that {state.said} {' and '.join(parts)}, of {state.members} members", {"members": state.members, **witness}
