"""The adjustment functional on random binary models: ours in exact rationals, the peers in floats.

A plain float variable elimination is written here the obvious way, with dictionaries; pyAgrum joins where it is
installed.  Models are random dags of 5 to 40 nodes with at most 3 parents and two-digit tables; Z is the treatment's
parents, at least one.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from random import Random
from typing import Any

from bench.measure import OURS, Contest, Engine
from bench.peers import pyagrum
from calverify.effects import SCM, psi

__all__ = ["effect_contests"]

World = dict[str, tuple[list[str], list[float]]]  # name -> parents, P(1 | parents) in counting order
Asked = tuple[World, str, str, list[str]]
Factor = tuple[tuple[str, ...], dict[tuple[int, ...], float]]


def effect_contests(share: float) -> Iterator[Contest]:
    for nodes, count in ((5, 60), (10, 60), (20, 40), (40, 20)):
        asked = [_asked(nodes, Random(f"{nodes} {seed}")) for seed in range(max(2, int(count * share)))]
        models = [(_scm(world), x, y, z) for world, x, y, z in asked]
        engines = [
            Engine(OURS, partial(list, models), _ours),
            Engine("float elimination", partial(list, asked), _floats),
        ]
        if pyagrum:
            nets = [(_net(world), x, y, z) for world, x, y, z in asked]
            engines.append(Engine("pyAgrum", partial(list, nets), _gum))
        yield Contest("exact psi", f"{nodes} nodes", len(asked), engines, says=lambda value: round(float(value), 6))


def _asked(nodes: int, rng: Random) -> Asked:
    """A model and a question whose treatment has parents and a descendant."""
    while True:
        names = [f"V{i}" for i in range(nodes)]
        world: World = {}
        for i, name in enumerate(names):
            above = sorted(rng.sample(names[max(0, i - 6) : i], rng.randint(0, min(3, i))))
            world[name] = above, [rng.randint(5, 95) / 100 for _ in range(2 ** len(above))]
        pairs = [(x, y) for y in names for x in world[y][0] if world[x][0]]
        if pairs:
            x, y = rng.choice(pairs)
            return world, x, y, world[x][0]


def _scm(world: World) -> SCM:
    def nested(flat: Sequence[float]) -> Any:
        half = len(flat) // 2
        return flat[0] if len(flat) == 1 else [nested(flat[:half]), nested(flat[half:])]

    return SCM.from_json({"variables": {v: {"parents": above, "p": nested(p)} for v, (above, p) in world.items()}})


def _ours(work: Sequence[tuple[SCM, str, str, list[str]]]) -> Iterator[Any]:
    for scm, x, y, z in work:
        scm.memo.clear()  # each question is new
        yield psi(scm, x, y, z).value


# ---------------------------------------------------------------- float variable elimination, as one would write it


def _floats(work: Sequence[Asked]) -> Iterator[float]:
    for world, x, y, z in work:
        yield round(_from_joint(_joint(world, [x, y, *z]), len(z)), 6)


def _joint(world: World, kept: list[str]) -> dict[tuple[int, ...], float]:
    """P(kept), by multiplying and summing out one ancestor after another, the one in the fewest tables first."""
    needed = list(kept)
    for name in needed:
        needed += [above for above in world[name][0] if above not in needed]
    factors = [_table(name, *world[name]) for name in needed]
    left = [name for name in needed if name not in kept]
    while left:
        name = min(left, key=lambda v: len({n for names, _ in factors if v in names for n in names}))
        left.remove(name)
        inside = [factor for factor in factors if name in factor[0]]
        factors = [factor for factor in factors if name not in factor[0]]
        factors.append(_product(inside, drop=name))
    names, table = _product(factors, drop=None)
    places = [names.index(name) for name in kept]
    return {tuple(key[place] for place in places): value for key, value in table.items()}


def _table(name: str, parents: list[str], p: list[float]) -> Factor:
    rows = {}
    for key, one in zip(product((0, 1), repeat=len(parents)), p, strict=True):
        rows[*key, 0], rows[*key, 1] = 1 - one, one
    return (*parents, name), rows


def _product(factors: list[Factor], drop: str | None) -> Factor:
    names = tuple(dict.fromkeys(name for own, _ in factors for name in own))
    kept = tuple(name for name in names if name != drop)
    table: dict[tuple[int, ...], float] = {}
    for values in product((0, 1), repeat=len(names)):
        at = dict(zip(names, values, strict=True))
        value = 1.0
        for own, rows in factors:
            value *= rows[tuple(at[name] for name in own)]
        key = tuple(at[name] for name in kept)
        table[key] = table.get(key, 0.0) + value
    return kept, table


def _from_joint(joint: Any, free: int) -> float:
    """psi from P(x, y, z), as a dictionary."""
    total = 0.0
    for z in product((0, 1), repeat=free):
        cells = {(x, y): joint[x, y, *z] for x in (0, 1) for y in (0, 1)}
        arms = [cells[x, 1] / (cells[x, 0] + cells[x, 1]) for x in (0, 1)]
        total += (arms[1] - arms[0]) * sum(cells.values())
    return total


# ---------------------------------------------------------------- pyAgrum


def _net(world: World) -> Any:
    net = pyagrum.BayesNet()
    for name in world:
        net.add(pyagrum.LabelizedVariable(name, name, 2))
    for name, (parents, _) in world.items():
        for parent in parents:
            net.addArc(parent, name)
    for name, (parents, p) in world.items():
        for key, one in zip(product((0, 1), repeat=len(parents)), p, strict=True):
            net.cpt(name)[dict(zip(parents, key, strict=True))] = [1 - one, one]
    return net


def _gum(work: Sequence[Any]) -> Iterator[float]:
    for net, x, y, z in work:
        engine = pyagrum.VariableElimination(net)
        engine.addJointTarget({x, y, *z})
        engine.makeInference()
        joint = engine.jointPosterior({x, y, *z})
        table = joint.reorganize([*reversed([x, y, *z])]).toarray()  # the array has the last name first
        yield round(_from_joint(table, len(z)), 6)
