"""The pinned grammar: everything is written but what a model chooses, and what it chose is repeated where it belongs.

Written are the graph, the query, the methods and the rules; chosen is the object (a set, a cycle, who is a knight), the
word and its witness, or the set, the number and the word.  So what is sampled is a choice among objects, and a score
says whether the choice was right and not whether the model can copy.

Rule 1: the choices are all objects of a kind over the problem's names, right or wrong: subsets of the names in order;
walks along edges, closed where a cycle is asked for; a role for everybody.
Rule 2: a set that separates is not empty and leaves the targets (or the ends of the path) out.
Rule 3: whoever has more than `MOST_CHOICES` objects, or of another kind, is not pinned.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, islice, product
from typing import Any

from calverify.graphs import Graph, Path
from calverify.problem import Problem
from calverify.sampling._gbnf import TERMS, either, literal, one_of
from calverify.sampling._held import Held, as_json, header
from calverify.scoring import checker_for
from calverify.tasks import Case, faultless_trace

__all__ = ["pinned"]

MOST_CHOICES = 2_000
LONGEST_CYCLE = 8  # nodes


def pinned(problem: Problem) -> Held | None:
    """The grammar of a problem, or None where nothing can be pinned."""
    case = checker_for(problem).case
    if case is None or not case.task.states:
        return None
    opening = _opening(case)
    if case.task.family == "decision":
        return _decision(case, opening) if case.task.answer.name == "yes/no" and _has_walks(case) else None
    kind = case.task.witness or case.task.answer
    choices = list(islice(CHOICES.get(kind.name, _no_choices)(problem, case), MOST_CHOICES + 1))
    if not 0 < len(choices) <= MOST_CHOICES:
        return None
    stated = f",{as_json(case.task.states[0])}:"
    if case.task.family == "numeric":
        texts = [f"{stated}{as_json(kind.show(value))}" + "}\n" + _step(case, kind.show(value)) for value in choices]
        return Held(opening, f"{one_of(texts)} {_number_and_word(case)}", TERMS)
    endings = {}
    for value in choices:
        text = faultless_trace(case, value)
        said, ending = text.removeprefix(opening).split("\n", 1)
        endings[said] = "\n" + ending
    rest = one_of([said + ending for said, ending in endings.items()])
    return Held(opening, rest, "", one_of(list(endings)), endings.__getitem__)


def _opening(case: Case) -> str:
    task = case.task
    about = {"task": task.name, "targets": list(case.query.targets)}
    return (
        f"<think>\n{header(0)}{as_json(task.formal.show(case.formal))}\n{header(1)}{as_json(about)}\n"
        f'{header(2)}{{"method":{as_json(task.rule)}'
    )


def _step(case: Case, about: Any) -> str:
    """The derivation: one step about the object."""
    return f"{header(3)}{as_json([{'rule': case.task.rule, 'to': about}])}\n"


def _number_and_word(case: Case) -> str:
    """The last two slots and the answer of a numeric task: any number, and a word that slot and line share."""
    words = [f'}}\n{header(5)}{{"answer":"{word}"}}\n</think>\nANSWER: {word}' for word in ("yes", "no")]
    number = either(["decimal", '"\\"" fraction "\\""'])
    return f"{literal(header(4) + '{' + as_json('result') + ':')} {number} {one_of(words)}"


# ---------------------------------------------------------------- yes or no


def _has_walks(case: Case) -> bool:
    kind = case.task.witness
    return kind is not None and kind.name == "walk" and isinstance(case.formal, Graph) and bool(case.formal.directed)


def _decision(case: Case, opening: str) -> Held:
    """ "yes" with a walk along edges, wherever it leads, or "no" without one."""
    endings = {}
    for word in ("yes", "no"):
        _, ending = faultless_trace(case, word).removeprefix(opening).split("\n", 1)
        endings[word] = "\n" + ending
    walk = f"{literal(',' + as_json(case.task.states[0]) + ':[')} walk {literal(']}')}"
    rest = either([f"{walk} {literal(endings['yes'])}", literal("}" + endings["no"])])
    choice = either([walk, literal("}")])
    return Held(opening, rest, _walks(case.formal), choice, lambda said: endings["no" if said == "}" else "yes"])


def _walks(graph: Graph) -> str:
    """The rules of a walk of one edge or more: a rule a node, for the walk from there on."""
    place = {name: number for number, name in enumerate(graph.nodes)}
    heads: dict[str, list[str]] = {name: [] for name in graph.nodes}
    for tail, head in sorted(graph.directed):
        heads[tail].append(head)
    rules, starts = [], []
    for name, after in heads.items():
        word = literal(as_json(name))
        onward = f'"," {either(f"at{place[head]}" for head in after)}'
        rules.append(f"at{place[name]} ::= {word}" + (f" ( {onward} )?" if after else ""))
        starts += [f"{word} {onward}"] if after else []
    return "\n".join([f"walk ::= {either(starts)}", *rules, ""])


# ---------------------------------------------------------------- choices


def _no_choices(problem: Problem, case: Case) -> Iterator[Any]:
    return iter(())


def _subsets(problem: Problem, case: Case) -> Iterator[frozenset[str]]:
    separates = "separating_set" in case.task.states
    path = () if problem.query.path is None else Path.parse(problem.query.path).nodes
    out = {*problem.query.target_names, *path[:1], *path[-1:]} if separates else set()
    names = sorted(case.names - out)
    sizes = range(1 if separates else 0, len(names) + 1)
    return (frozenset(chosen) for size in sizes for chosen in combinations(names, size))


def _cycles(problem: Problem, case: Case) -> Iterator[tuple[str, ...]]:
    """Walks along edges that visit no node twice, each closed by its first node, whether or not that is an edge."""
    if not isinstance(case.formal, Graph):
        return
    heads: dict[str, list[str]] = {name: [] for name in sorted(case.names)}
    for tail, head in sorted(case.formal.directed):
        heads[tail].append(head)
    walks: list[tuple[str, ...]] = [(name,) for name in heads]
    while walks:
        yield from (walk for walk in walks if len(walk) > 1)
        walks = [
            (*walk, head) for walk in walks if len(walk) < LONGEST_CYCLE for head in heads[walk[-1]] if head not in walk
        ]


def _assignments(problem: Problem, case: Case) -> Iterator[tuple[tuple[str, bool], ...]]:
    names = sorted(case.names)
    return (tuple(zip(names, roles, strict=True)) for roles in product((True, False), repeat=len(names)))


def _single_names(problem: Problem, case: Case) -> Iterator[str]:
    return iter(sorted(case.names))


CHOICES: dict[str, Callable[[Problem, Case], Iterator[Any]]] = {
    "set": _subsets,
    "cycle": _cycles,
    "assignment": _assignments,
    "name": _single_names,
}
