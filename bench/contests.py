"""Who runs against whom, on what.

One function a section, each yielding its contests one by one, so that a workload is gone before the next is made.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from bench import peers
from bench.measure import OURS, Contest, Engine
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


# ---------------------------------------------------------------- separation


def _our_graph(layout: Layout) -> Graph:
    """Built and closed, ready for any question."""
    graph = Graph(layout.nodes, layout.directed, layout.bidirected)
    graph.masks  # noqa: B018 - made on first use, and part of the building
    return graph


def _our_separations(work: Sequence[tuple[Graph, Sequence[Asked]]]) -> list[bool]:
    return [separated(graph, {x}, {y}, given=given) for graph, asked in work for x, y, given in asked]


def _separations(sized: Sized, share: float) -> Iterator[Contest]:
    graphs = layouts(sized, share)
    asked = questions(sized, graphs)
    kinds = [
        (OURS, _our_graph, _our_separations),
        ("networkx", peers.nx_graph, peers.nx_separations),
        ("moralised", peers.moral_parents, peers.moral_separations),
    ]
    built = {name: [build(layout) for layout in graphs] for name, build, _ in kinds}
    works: dict[str, Any] = {name: list(zip(built[name], asked, strict=True)) for name in built}
    runs: list[tuple[str, Any]] = [(name, answer) for name, _, answer in kinds]
    builds: list[tuple[str, Any]] = [(name, build) for name, build, _ in kinds]
    if peers.pyagrum:
        works["pyAgrum"] = [
            (peers.gum_graph(layout), peers.gum_questions(layout, some))
            for layout, some in zip(graphs, asked, strict=True)
        ]
        runs.append(("pyAgrum", peers.gum_separations))
        builds.append(("pyAgrum", peers.gum_graph))
    engines = [Engine(name, lambda name=name: works[name], answer) for name, answer in runs]
    yield Contest("separation", sized.name, sum(map(len, asked)), engines)
    builders = [Engine(name, lambda: graphs, lambda work, build=build: map(build, work)) for name, build in builds]
    yield Contest("building a graph", sized.name, len(graphs), builders, comparable=False)


# ---------------------------------------------------------------- backdoor


def _our_case(layout: Layout, x: str, y: str) -> Any:
    graph = Graph(layout.nodes, layout.directed)
    return find_task("backdoor").case(graph, Query("backdoor", (x, y)))


def _our_backdoors(work: Sequence[tuple[Any, Sequence[frozenset[str]]]]) -> list[bool]:
    return [case.holds(given) for case, sets in work for given in sets]


def _backdoors(sized: Sized, share: float) -> Iterator[Contest]:
    graphs = layouts(sized, share)
    asked = [
        [(x, y, given - {x, y}) for _, _, given in some] for some in questions(sized, graphs) for x, y, _ in some[:1]
    ]
    sets = [
        (layout, some[0][0], some[0][1], [given for _, _, given in some])
        for layout, some in zip(graphs, asked, strict=True)
    ]
    their = [(peers.nx_graph(layout), x, y, given) for layout, x, y, given in sets]

    def fresh() -> list[tuple[Any, Any]]:
        return [(_our_case(layout, x, y), given) for layout, x, y, given in sets]

    known = fresh()
    _our_backdoors(known)
    others = [
        Engine("networkx", lambda: their, peers.nx_backdoors),
        Engine("networkx, cut once", lambda: their, peers.nx_backdoors_cut_once),
    ]
    if peers.pyagrum:
        dags = [
            (peers.gum_graph(layout), peers.gum_questions(layout, some))
            for layout, some in zip(graphs, asked, strict=True)
        ]
        others.append(Engine("pyAgrum", lambda: dags, peers.gum_backdoors))
    ops = sum(map(len, asked))
    yield Contest("strict backdoor check", "8 nodes, fresh sets", ops, [Engine(OURS, fresh, _our_backdoors), *others])
    again = Engine(OURS, lambda: known, _our_backdoors)
    yield Contest("strict backdoor check", "8 nodes, sets seen before", ops, [again, *others])


# ---------------------------------------------------------------- parsing


def _parsing(sized: Sized) -> Iterator[Contest]:
    texts = [text for trial in trials(sized, layouts(sized, 0.3), faultless=True) for text in trial.texts]
    mean = sum(len(text) for text in texts) / len(texts)
    engines = [
        Engine(OURS, lambda: texts, lambda work: map(parse, work)),
        Engine("finditer + json.loads", lambda: texts, lambda work: map(peers.json_slots, work)),
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
