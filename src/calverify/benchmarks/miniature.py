"""The miniature: small generated problems of eight tasks, for demonstrations and for models that are small themselves.

Rule 1: every problem can be got wrong, and is not given away.  Where a set is asked for, the empty set is wrong,
several sets are right and at least as many are not; where a word, either word is right equally often; where a cycle,
there are several; a puzzle has one solution or two.
Rule 2: no two are the same up to renaming.
Rule 3: the tasks take turns, so the first n problems are spread over them as evenly as can be.
Rule 4: problems to train on (`more_problems`) have no graph and no puzzle of those to judge on, whatever their names.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, count, islice
from random import Random
from types import MappingProxyType
from typing import Any

from calverify.benchmarks._item import Corpus, Item, generated
from calverify.benchmarks._shape import bare_shape, shape
from calverify.effects import SCM, ate
from calverify.errors import BudgetError, CalverifyError
from calverify.graphs import Graph, simple_cycles, simple_paths
from calverify.keys import Key
from calverify.names import brief
from calverify.problem import Problem, Query
from calverify.scoring import case_of, checker_for
from calverify.tasks import Case

__all__ = ["BUILDERS", "PER_TASK", "corpus", "more_problems"]

PER_TASK = 15
FEWEST, MOST = 5, 8  # nodes
MOST_PARENTS = 3
MOST_TRIED = 5_000  # drafts for each problem that is wanted
LEAST_EFFECT = Fraction(1, 10)  # no effect is nearer to the threshold, which is 0
LETTERS = "ABCDFGHJKLMNQRSTUVWXYZ"
PEOPLE = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")

Draft = Problem | None  # None: the dice gave no problem of this kind


@generated("miniature", "120 small problems of eight tasks, each of which can be got wrong; generated")
def corpus(rng: Random) -> Corpus:
    """The items that `rng` gives."""
    dropped: Counter[tuple[str, str]] = Counter()
    drawn = [list(_drawn(task, dropped, rng)) for task in BUILDERS]
    turns = [draft for turn in zip(*drawn, strict=True) for draft in turn]
    items = tuple(_item(draft, number) for number, draft in enumerate(turns))
    return Corpus(items, MappingProxyType(dict(sorted(dropped.items()))))


def _drawn(task: str, dropped: Counter[tuple[str, str]], rng: Random) -> Iterator[Problem]:
    """Problems of one task; of each two in turn, the answer to one is yes where a word is asked for."""
    words = [word for _ in range((PER_TASK + 1) // 2) for word in rng.sample(("yes", "no"), 2)]
    return _new(task, words[:PER_TASK], dropped, rng)


def more_problems(rng: Random, tasks: Collection[str], besides: Collection[Problem]) -> Iterator[Problem]:
    """Problems of these tasks in turn, without end and without keys, none of them asked twice.

    None is on a graph (or a puzzle) of `besides`, up to renaming.
    """
    for task in tasks:
        if task not in BUILDERS:
            raise CalverifyError(f"problems are drawn for the tasks {', '.join(BUILDERS)}, not for {brief(task)}")
    apart = {bare_shape(problem) for problem in besides}
    streams = [_unending(task, apart, rng) for task in tasks]
    drawn = chain.from_iterable(zip(*streams, strict=True))
    return (replace(problem, id=f"drawn-{number:06}") for number, problem in zip(count(), drawn, strict=False))


def _unending(task: str, apart: Collection[str | None], rng: Random) -> Iterator[Problem]:
    words = (word for _ in count() for word in rng.sample(("yes", "no"), 2))
    return (problem for problem in _new(task, words, Counter(), rng) if bare_shape(problem) not in apart)


def _new(task: str, words: Iterable[str], dropped: Counter[tuple[str, str]], rng: Random) -> Iterator[Problem]:
    """A problem a word, no two of them the same."""
    seen: set[str] = set()
    for word in words:
        for _ in range(MOST_TRIED):
            draft = BUILDERS[task](rng, word)
            if draft is None:
                continue
            spelled = shape(draft)
            if spelled is not None and spelled not in seen:
                seen.add(spelled)
                yield draft
                break
            dropped[task, "the same question was asked before" if spelled else "too symmetric to compare"] += 1
        else:
            raise BudgetError(f"{MOST_TRIED:,} drafts were not enough for a problem of the task {task}")


def _item(draft: Problem, number: int) -> Item:
    ident = f"miniature-{number:03}"
    case = _case(draft)
    answer = case.task.answer.show(case.task.cheapest(case))
    problem = Problem(ident, draft.query, draft.graph, scm=draft.scm)
    return Item(problem, Key(ident, published=answer, strata={"slice": draft.query.task}))


def _case(draft: Problem) -> Case:
    case = checker_for(draft).case
    assert case is not None, draft
    return case


# ---------------------------------------------------------------- graphs


def _names(rng: Random, count: int) -> list[str]:
    return rng.sample(LETTERS, count)


def _dag(rng: Random, most: int = MOST) -> Graph:
    """A random dag of about three edges to two nodes; the order of its nodes says nothing."""
    names = _names(rng, rng.randint(FEWEST, most))
    edges: list[tuple[str, str]] = []
    for at, head in enumerate(names):
        tails = [tail for tail in names[:at] if rng.random() < 3 / (len(names) - 1)]
        edges += [(tail, head) for tail in rng.sample(tails, min(len(tails), MOST_PARENTS))]
    return Graph(sorted(names), sorted(edges))


def _fits(case: Case) -> bool:
    """The empty set is wrong; several sets without the targets are right, and at least as many are not."""
    others = sorted(case.names - set(case.query.targets))
    sets = [frozenset(names) for size in range(len(others) + 1) for names in combinations(others, size)]
    right = sum(case.holds(names) for names in sets)
    return not case.holds(frozenset()) and 2 < right <= len(sets) // 2


# ---------------------------------------------------------------- one builder a task


def _d_separation(rng: Random, word: str) -> Draft:
    graph = _dag(rng)
    query = Query("d_separation", tuple(rng.sample(graph.nodes, 2)))
    return Problem("(draft)", query, graph) if _fits(case_of(graph, query)) else None


def _backdoor(rng: Random, word: str) -> Draft:
    graph = _dag(rng)
    treatment, outcome = rng.sample(graph.nodes, 2)
    query = Query("backdoor", (treatment, outcome))
    acts = outcome in graph.descendants({treatment})
    return Problem("(draft)", query, graph) if acts and _fits(case_of(graph, query)) else None


def _blocked_path(rng: Random, word: str) -> Draft:
    """A path of four nodes or five that nothing shuts by itself."""
    graph = _dag(rng)
    found = simple_paths(graph, *rng.sample(graph.nodes, 2))
    paths = [path for path in islice(found, 50) if len(path.nodes) in (4, 5) and not path.colliders()]
    if not paths:
        return None
    query = Query("blocked_path", path=str(rng.choice(paths)))
    return Problem("(draft)", query, graph)


def _mediator(rng: Random, word: str) -> Draft:
    """Source reaches outcome either way; a node that is no mediator still lies behind one or before the other."""
    graph = _dag(rng)
    source, middle, outcome = rng.sample(graph.nodes, 3)
    below = graph.descendants({source})
    halves = (middle in below) + (outcome in graph.descendants({middle}))
    if outcome not in below or halves != (2 if word == "yes" else 1):
        return None
    return Problem("(draft)", Query("mediator", (source, middle, outcome)), graph)


def _intervention(rng: Random, word: str) -> Draft:
    """The intervention lies on a path from source to outcome: on every one, or not."""
    graph = _dag(rng)
    cut, source, outcome = rng.sample(graph.nodes, 3)
    if cut not in graph.descendants({source}) or outcome not in graph.descendants({cut}):
        return None
    still = outcome in graph.without_edges_into({cut}).descendants({source})
    if still != (word == "yes"):
        return None
    return Problem("(draft)", Query("intervention", (cut, source, outcome)), graph)


def _cycle(rng: Random, word: str) -> Draft:
    """Two cycles to four, and an edge on none of them."""
    names = _names(rng, rng.randint(FEWEST, MOST))
    pairs = [(tail, head) for tail in names for head in names if tail != head]
    graph = Graph(sorted(names), sorted(rng.sample(pairs, rng.randint(len(names), 2 * len(names)))))
    cycles = list(islice(simple_cycles(graph), 5))
    used = {step for cycle in cycles for step in zip(cycle, (*cycle[1:], cycle[0]), strict=True)}
    if not 2 <= len(cycles) <= 4 or set(graph.directed) <= used:
        return None
    return Problem("(draft)", Query("cycle"), graph)


def _knights(rng: Random, word: str) -> Draft:
    """Everyone says one thing."""
    people = sorted(rng.sample(PEOPLE, rng.randint(3, 5)))
    said = tuple((speaker, _statement(rng, people, 2)) for speaker in people)
    draft = Problem("(draft)", Query("knights", tuple(people), formula=said))
    case = _case(draft)
    return draft if len(list(islice(case.task.solve(case), 3))) in (1, 2) else None


def _statement(rng: Random, people: list[str], depth: int) -> str:
    if not depth or rng.random() < 0.4:
        return f"{rng.choice(people)} is a {rng.choice(('knight', 'knave'))}"
    one = other = _statement(rng, people, depth - 1)
    while other == one:
        other = _statement(rng, people, depth - 1)
    return f"({one}) {rng.choice(('and', 'or', 'if and only if'))} ({other})"


def _ate(rng: Random, word: str) -> Draft:
    """Tables in tenths; the treatment is confounded, and the effect clearly above the threshold or clearly below."""
    graph = _dag(rng, FEWEST + 1)
    treatment, outcome = rng.sample(graph.nodes, 2)
    acts = outcome in graph.descendants({treatment})
    if not acts or not _fits(case_of(graph, Query("backdoor", (treatment, outcome)))):
        return None
    variables = {}
    for name in graph.nodes:
        parents = sorted(graph.parents({name}))
        variables[name] = {"parents": parents, "p": _table(rng, len(parents))}
    scm = SCM.from_json({"variables": variables})
    effect = ate(scm, treatment, outcome)
    if abs(effect) < LEAST_EFFECT or (effect > 0) != (word == "yes"):
        return None
    query = Query("ate", (treatment, outcome), threshold=Fraction(0))
    return Problem("(draft)", query, scm.graph, scm=scm)


def _table(rng: Random, parents: int) -> Any:
    return [_table(rng, parents - 1) for _ in range(2)] if parents else rng.randint(1, 9) / 10


BUILDERS: dict[str, Callable[[Random, str], Draft]] = {
    "d_separation": _d_separation,
    "backdoor": _backdoor,
    "blocked_path": _blocked_path,
    "cycle": _cycle,
    "mediator": _mediator,
    "intervention": _intervention,
    "knights": _knights,
    "ate": _ate,
}
