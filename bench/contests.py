"""Who runs against whom, on what.

One function a section, each yielding its contests one by one, so that a workload is gone before the next is made.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from bench import peers
from bench.effects import effect_contests
from bench.identification import identification_contests
from bench.measure import OURS, Contest, Engine
from bench.statistics import statistics_contests
from bench.workloads import ADMGS, DAGS, Asked, Layout, Sized, Trial, layouts, questions, trials
from calverify import Checker, Graph, Problem, Query, find_task, parse, separated
from calverify.traces import SLOTS, STEPS

__all__ = ["NX_JSON", "contests"]

NX_JSON = "networkx + json"


def contests(share: float = 1.0) -> Iterator[Contest]:
    """Every contest; `share` is the part of each workload to run."""
    for sized in (*DAGS, *ADMGS):
        yield from _separations(sized, share)
    yield from _backdoors(DAGS[0], share)
    for sized in DAGS[:2]:
        yield from _parsing(sized)
    for sized in DAGS[:2]:
        yield from _verdicts(sized, share)
    yield from effect_contests(share)
    yield from identification_contests(share)
    yield from statistics_contests(share)


# ---------------------------------------------------------------- separation


def _our_graph(layout: Layout) -> Graph:
    return Graph(layout.nodes, layout.directed, layout.bidirected)


def _our_separations(work: Sequence[tuple[Graph, Sequence[Asked]]]) -> list[bool]:
    return [separated(graph, {x}, {y}, given=given) for graph, asked in work for x, y, given in asked]


def _separations(sized: Sized, share: float) -> Iterator[Contest]:
    graphs = layouts(sized, share)
    asked = questions(sized, graphs)
    kinds: list[tuple[str, Any, Any]] = [
        (OURS, _our_graph, _our_separations),
        ("networkx", peers.nx_graph, peers.nx_separations),
        ("moralised", peers.moral_parents, peers.moral_separations),
    ]
    work: dict[str, Any] = {name: list(zip(map(build, graphs), asked, strict=True)) for name, build, _ in kinds}
    if peers.pyagrum:
        kinds.append(("pyAgrum", peers.gum_graph, peers.gum_separations))
        work["pyAgrum"] = list(zip(map(peers.gum_graph, graphs), map(peers.gum_questions, graphs, asked), strict=True))
    engines = [Engine(name, partial(work.get, name), answer) for name, _, answer in kinds]
    yield Contest("separation", sized.name, sum(map(len, asked)), engines)
    builders = [Engine(name, lambda: graphs, partial(map, build)) for name, build, _ in kinds]
    yield Contest("building a graph", sized.name, len(graphs), builders, comparable=False)


# ---------------------------------------------------------------- backdoor


def _our_case(layout: Layout, x: str, y: str) -> Any:
    graph = Graph(layout.nodes, layout.directed)
    return find_task("backdoor").case(graph, Query("backdoor", (x, y)))


def _our_backdoors(work: Sequence[tuple[Any, Sequence[frozenset[str]]]]) -> list[bool]:
    return [case.holds(given) for case, sets in work for given in sets]


def _backdoors(sized: Sized, share: float) -> Iterator[Contest]:
    graphs = layouts(sized, share)
    asked = [_about_one_pair(some) for some in questions(sized, graphs)]
    work = [(graph, *some[0][:2], [given for *_, given in some]) for graph, some in zip(graphs, asked, strict=True)]
    theirs = [(peers.nx_graph(graph), x, y, sets) for graph, x, y, sets in work]

    def fresh() -> list[tuple[Any, Sequence[frozenset[str]]]]:
        return [(_our_case(graph, x, y), sets) for graph, x, y, sets in work]

    known = fresh()
    _our_backdoors(known)
    others = [
        Engine("networkx", lambda: theirs, peers.nx_backdoors),
        Engine("networkx, cut once", lambda: theirs, peers.nx_backdoors_cut_once),
    ]
    if peers.pyagrum:
        dags = list(zip(map(peers.gum_graph, graphs), map(peers.gum_questions, graphs, asked), strict=True))
        others.append(Engine("pyAgrum", lambda: dags, peers.gum_backdoors))
    ops = sum(map(len, asked))
    for name, prepare in (("fresh sets", fresh), ("sets seen before", lambda: known)):
        ours = Engine(OURS, prepare, _our_backdoors)
        yield Contest("strict backdoor check", f"{sized.nodes} nodes, {name}", ops, [ours, *others])


def _about_one_pair(asked: Sequence[Asked]) -> list[Asked]:
    """The sets of all queries, asked of the first query's nodes; pyAgrum raises where a set holds one of them."""
    x, y, _ = asked[0]
    return [(x, y, given - {x, y}) for *_, given in asked]


# ---------------------------------------------------------------- parsing


def _parsing(sized: Sized) -> Iterator[Contest]:
    texts = [text for trial in trials(sized, layouts(sized, 0.3), faultless=True) for text in trial.texts]
    mean = sum(len(text) for text in texts) / len(texts)
    engines = [
        Engine(OURS, lambda: texts, partial(map, parse)),
        Engine("finditer + json.loads", lambda: texts, partial(map, peers.json_slots)),
    ]
    yield Contest(
        "parsing a trace",
        f"{sized.nodes} nodes, {mean:.0f} bytes",
        len(texts),
        engines,
        says=lambda trace: dict(zip(STEPS, trace.slots, strict=True)),
    )


# ---------------------------------------------------------------- whole verdicts


def _checker(trial: Trial, *, constructed: bool = False) -> Checker:
    query = Query(trial.task, trial.targets)
    if constructed:
        return Checker(Problem("p", query, legend=trial.layout.nodes, graph_class="dag"))
    return Checker(Problem("p", query, Graph(trial.layout.nodes, trial.layout.directed)))


Ready = Sequence[tuple[Checker, Sequence[str]]]


def _judged(work: Iterable[tuple[Checker, Sequence[str]]]) -> Iterator[Any]:
    for checker, texts in work:
        for text in texts:
            verdict = checker(text)
            verdict.score  # noqa: B018 - what a selector reads
            yield verdict


def _judged_in_words(work: Ready) -> Iterator[Any]:
    for verdict in _judged(work):
        verdict.faults  # noqa: B018 - the sentences are made here
        yield verdict


def _bits(verdict: Any) -> tuple[int, ...]:
    return tuple(verdict.bits[slot] for slot in SLOTS)


def _verdicts(sized: Sized, share: float) -> Iterator[Contest]:
    asked = trials(sized, layouts(sized, share / 2))
    ops = sum(len(trial.texts) for trial in asked)

    def ready(constructed: bool = False) -> Ready:
        return [(_checker(trial, constructed=constructed), trial.texts) for trial in asked]

    def with_set_up(work: Sequence[Trial]) -> Iterator[Any]:
        return _judged((_checker(trial), trial.texts) for trial in work)

    def their_ready() -> list[tuple[Any, Trial]]:
        return [(peers.nx_graph(trial.layout), trial) for trial in asked]

    def their_verdicts(work: Iterable[tuple[Any, Trial]], constructed: bool = False) -> Iterator[tuple[int, ...]]:
        return (
            peers.nx_verdict(graph, trial, text, constructed=constructed)
            for graph, trial in work
            for text in trial.texts
        )

    def theirs_with_set_up(work: Sequence[Trial]) -> Iterator[tuple[int, ...]]:
        return their_verdicts((peers.nx_graph(trial.layout), trial) for trial in work)

    whole = Engine(OURS, lambda: asked, with_set_up), Engine(NX_JSON, lambda: asked, theirs_with_set_up)
    theirs = Engine(NX_JSON, their_ready, their_verdicts)
    built = (
        Engine(OURS, lambda: ready(constructed=True), _judged),
        Engine(NX_JSON, their_ready, lambda work: their_verdicts(work, constructed=True)),
    )
    rows = (
        ("set-up shared by 8", whole),
        ("problem compiled", (Engine(OURS, ready, _judged), theirs)),
        ("every fault in words", (Engine(OURS, ready, _judged_in_words), theirs)),
        ("the trace's own graph", built),
    )
    for name, engines in rows:
        yield Contest("whole verdict", f"{sized.nodes} nodes, {name}", ops, engines, says=_bits)
