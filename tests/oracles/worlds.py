"""Small causal models by full enumeration: slow, obvious, in fractions.  Shares no code with the library.

A world is {name: (parents, states, {parents' states: {state: probability}})}.
`worlds` multiplies out the joint distribution; `responses` goes below it, to the functions from parents to states that
units carry, so that counterfactuals are counted and no identification result is trusted.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any

Assignment = dict[str, str]
World = dict[str, tuple[tuple[str, ...], tuple[str, ...], dict[tuple[str, ...], dict[str, Fraction]]]]


# ---------------------------------------------------------------- making worlds


def random_world(rng, n: int, p: float, digits: int = 2, states: int = 2, zeros: float = 0.0) -> World:
    """n variables listed in an order of their own; each pair is joined with probability p, with shuffled parents."""
    ranks = rng.sample([f"V{i}" for i in range(n)], n)
    count = {name: 2 if states == 2 else rng.randint(2, states) for name in ranks}
    named = {name: tuple(str(k) for k in range(count[name])) for name in ranks}
    world: World = {}
    for at, name in enumerate(ranks):
        parents = [other for other in ranks[:at] if rng.random() < p]
        rng.shuffle(parents)
        rows = product(*(named[parent] for parent in parents))
        table = {row: dict(zip(named[name], random_row(rng, count[name], digits, zeros), strict=True)) for row in rows}
        world[name] = (tuple(parents), named[name], table)
    return {name: world[name] for name in sorted(world)}


def random_tables(rng, parents: Mapping[str, Sequence[str]], digits: int = 2) -> World:
    """Binary variables with these parents and a random row for each of the parents' states."""
    world: World = {}
    for name, above in parents.items():
        rows = product("01", repeat=len(above))
        world[name] = (
            tuple(above),
            ("0", "1"),
            {row: dict(zip("01", random_row(rng, 2, digits, 0.0), strict=True)) for row in rows},
        )
    return world


def random_row(rng, count: int, digits: int, zeros: float) -> list[Fraction]:
    """Numbers of so many digits that sum to one; each cut may fall on zero or one."""
    unit = 10**digits
    cuts = sorted(rng.choice((0, unit)) if rng.random() < zeros else rng.randint(1, unit - 1) for _ in range(count - 1))
    return [Fraction(b - a, unit) for a, b in zip([0, *cuts], [*cuts, unit], strict=True)]


def as_record(world: World) -> dict[str, Any]:
    """The world as a model's JSON record."""
    return {"variables": {name: _entry(world, name) for name in world}}


def _entry(world: World, name: str) -> dict[str, Any]:
    parents, states, table = world[name]

    def nested(row: tuple[str, ...]) -> Any:
        if len(row) < len(parents):
            return [nested((*row, state)) for state in world[parents[len(row)]][1]]
        numbers = [str(table[row][state]) for state in states]
        return numbers if len(states) > 2 else numbers[1]

    more = {"states": list(states), "positive": [states[-1]]} if len(states) > 2 else {}
    return {"parents": list(parents), **more, "p": nested(())}


# ---------------------------------------------------------------- what is seen


def causal_order(world: World) -> list[str]:
    order: list[str] = []
    while len(order) < len(world):
        order += [name for name in world if name not in order and all(p in order for p in world[name][0])]
    return order


def worlds(world: World, do: Mapping[str, str] | None = None) -> Iterator[tuple[Assignment, Fraction]]:
    """Every assignment with its probability; a variable in `do` has its state whatever its parents say."""
    do = do or {}
    for states in product(*(world[name][1] for name in world)):
        at = dict(zip(world, states, strict=True))
        mass = Fraction(1)
        for name, (parents, _, table) in world.items():
            if name in do:
                mass *= int(at[name] == do[name])
            else:
                mass *= table[tuple(at[parent] for parent in parents)][at[name]]
        yield at, mass


def chance(world: World, holds: Callable[[Assignment], bool], do: Mapping[str, str] | None = None) -> Fraction:
    return sum((mass for at, mass in worlds(world, do) if holds(at)), Fraction(0))


def effect(world: World, x: str, y: str, arms: tuple[str, str], event: Sequence[str]) -> Fraction:
    treated, control = (chance(world, lambda at: at[y] in event, {x: arm}) for arm in arms)
    return treated - control


def adjusted(world: World, x: str, y: str, z: Sequence[str], arms: tuple[str, str], event: Sequence[str]):
    """(psi, [(z's states, P(z), P(y | treated, z), P(y | control, z))]); psi is None when an arm is missing."""
    joint = list(worlds(world))
    rows, value = [], Fraction(0)
    for states in product(*(world[name][1] for name in z)):
        stratum = [(at, mass) for at, mass in joint if all(at[n] == s for n, s in zip(z, states, strict=True))]
        mass = sum((m for _, m in stratum), Fraction(0))
        if not mass:
            continue
        means: list[Fraction | None] = []
        for arm in arms:
            below = sum((m for at, m in stratum if at[x] == arm), Fraction(0))
            above = sum((m for at, m in stratum if at[x] == arm and at[y] in event), Fraction(0))
            means.append(above / below if below else None)
        rows.append((states, mass, *means))
        if value is not None:
            value = None if None in means else value + (means[0] - means[1]) * mass
    return value, rows


# ---------------------------------------------------------------- what would have been


def responses(world: World, together: bool) -> Iterator[tuple[dict[str, dict[tuple[str, ...], str]], Fraction]]:
    """Every unit type of a binary world: for each variable a function from its parents' states, with its probability.

    Tables do not say how a variable's answers to different parents hang together: `together` lets one draw decide all
    of them (as monotone as can be), else each answer is drawn on its own.  What the tables identify agrees on both.
    """
    kinds = [list(_kinds(table, together)) for _, _, table in world.values()]
    for chosen in product(*kinds):
        mass = Fraction(1)
        for _, share in chosen:
            mass *= share
        yield {name: function for name, (function, _) in zip(world, chosen, strict=True)}, mass


def _kinds(table, together: bool) -> Iterator[tuple[dict[tuple[str, ...], str], Fraction]]:
    rows = list(table)
    if together:
        cuts = sorted({Fraction(0), Fraction(1), *(table[row]["1"] for row in rows)})
        for low, high in pairwise(cuts):
            yield {row: "1" if table[row]["1"] > low else "0" for row in rows}, high - low
        return
    for size in range(len(rows) + 1):
        for ones in combinations(rows, size):
            mass = Fraction(1)
            for row in rows:
                mass *= table[row]["1"] if row in ones else table[row]["0"]
            yield {row: "1" if row in ones else "0" for row in rows}, mass


def outcome_of(world: World, unit, order: Sequence[str], forced: Callable[[str, str], str | None]) -> Assignment:
    """How one unit turns out when `forced(parent, child)` is what the child sees of that parent, None the truth."""
    at: Assignment = {}
    for name in order:
        seen = tuple(forced(p, name) or at[p] for p in world[name][0])
        at[name] = unit[name][seen]
    return at


def counterfactual(world: World, x: str, y: str, together: bool) -> dict[str, Fraction]:
    """The effect among the treated, both natural effects and the probability of necessity, by counting unit types."""
    order = causal_order(world)
    sums = dict.fromkeys(("treated", "ett", "direct", "indirect", "both", "needed"), Fraction(0))
    for unit, mass in responses(world, together):
        if not mass:
            continue

        def run(direct: str | None, others: str | None, unit=unit) -> Assignment:
            def forced(parent: str, child: str) -> str | None:
                return None if parent != x else direct if child == y else others

            return outcome_of(world, unit, order, forced)

        fact, one, zero = run(None, None), run("1", "1")[y] == "1", run("0", "0")[y] == "1"
        sums["direct"] += mass * ((run("1", "0")[y] == "1") - zero)
        sums["indirect"] += mass * ((run("0", "1")[y] == "1") - zero)
        if fact[x] == "1":
            sums["treated"] += mass
            sums["ett"] += mass * (one - zero)
            if fact[y] == "1":
                sums["both"] += mass
                sums["needed"] += mass * (not zero)
    return sums
