"""The adjustment functional ψ: what a causal effect would be if adjusting for Z were right.

    ψ(P; X, Y, Z) = sum over z of [P(y | X = treated, z) - P(y | X = control, z)] P(z)

Rule 1: the treatment is protected.  X and Y leave Z before the strata are formed, so a Z that names the treatment
cannot overwrite both arms with one value and make every effect zero.
Rule 2: it fails closed.  A stratum that occurs, but never with one of the arms, leaves ψ undefined, and the answer
names that stratum.
Rule 3: what says nothing is not enumerated.  A member of Z that is separated from X and Y by the rest of Z changes
neither an arm nor the sum, so a Z of forty names costs no more than the members that bear on X and Y.
Rule 4: ψ is observational: whether Z is a valid adjustment set is a question to the graph, and is not asked here.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any

from calverify.effects._events import Contrast, read_contrast, read_names
from calverify.effects._question import Question, weigh
from calverify.effects._scm import SCM
from calverify.errors import BudgetError
from calverify.graphs import separated
from calverify.names import number_json

__all__ = ["Adjusted", "Stratum", "psi", "psi_strata"]

MOST_REMEMBERED = 4096  # answers a model keeps
MOST_BITS = 1 << 20  # of all denominators in one sum


@dataclass(frozen=True, slots=True)
class Stratum:
    """One assignment z with P(z) > 0: its mass, and P(y | arm, z) for both arms, None where that arm never occurs."""

    given: tuple[tuple[str, str], ...]
    mass: Fraction
    treated: Fraction | None
    control: Fraction | None

    @property
    def term(self) -> Fraction | None:
        """What the stratum adds to ψ."""
        if self.treated is None or self.control is None:
            return None
        return (self.treated - self.control) * self.mass

    @property
    def named(self) -> str:
        """The stratum as a sentence shows it: "U=1, W=0"; "everyone" where Z is empty."""
        return ", ".join(f"{name}={state}" for name, state in self.given) or "everyone"

    def to_json(self) -> dict[str, Any]:
        """Exact numbers: a JSON number where it is exact, else "p/q"; null for an arm that never occurs."""
        arms = {"treated": self.treated, "control": self.control}
        written = {arm: None if value is None else number_json(value) for arm, value in arms.items()}
        return {"given": dict(self.given), "mass": number_json(self.mass), **written}


@dataclass(frozen=True, slots=True)
class Adjusted:
    """ψ for one Z.  `value` is None exactly when `gap` names the first stratum in which an arm never occurs."""

    treatment: str
    outcome: str
    arms: tuple[str, str]
    event: tuple[str, ...]
    adjustment: tuple[str, ...]  # Z without X and Y, in the model's order
    value: Fraction | None
    gap: Stratum | None

    @property
    def why(self) -> str:
        """One sentence: the value, or the stratum without mass."""
        if self.gap is None:
            return f"adjusting for {{{', '.join(self.adjustment)}}} gives {self.value}"
        arm = self.arms[0] if self.gap.treated is None else self.arms[1]
        mass = f"the stratum {self.gap.named} has probability {self.gap.mass}"
        return f"{mass}, but {self.treatment}={arm} never occurs in it"


def psi(
    scm: SCM,
    treatment: str,
    outcome: str,
    adjustment: Iterable[str] = (),
    *,
    arms: tuple[str, str] | None = None,
    event: Collection[str] | str | None = None,
) -> Adjusted:
    """ψ(P; X, Y, Z), exact, or the stratum that leaves it undefined; members X and Y of Z are dropped.

    The stratum in `gap` names only the members of Z that bear on X and Y.  Too many strata, or too large a table on the
    way, is a `BudgetError`.
    """
    contrast = read_contrast(scm, treatment, outcome, arms, event)
    z = _protected(scm, contrast, adjustment)
    key = ("psi", contrast, z)
    if key not in scm.memo:
        if len(scm.memo) >= MOST_REMEMBERED:
            scm.memo.clear()
        scm.memo[key] = _psi(scm, contrast, z)
    found: Adjusted = scm.memo[key]
    return found


def psi_strata(
    scm: SCM,
    treatment: str,
    outcome: str,
    adjustment: Iterable[str] = (),
    *,
    arms: tuple[str, str] | None = None,
    event: Collection[str] | str | None = None,
) -> tuple[Stratum, ...]:
    """Every stratum with mass; the sum of their terms is `psi(...).value` wherever that is defined."""
    contrast = read_contrast(scm, treatment, outcome, arms, event)
    z = _protected(scm, contrast, adjustment)
    blocks, scale = _blocks(scm, contrast, z)
    return tuple([_stratum(scm, z, at, block, scale) for at, block in enumerate(blocks) if any(block)])


def _protected(scm: SCM, contrast: Contrast, adjustment: Iterable[str]) -> tuple[int, ...]:
    """Z as positions, without X and Y."""
    return tuple(sorted({*read_names(scm, adjustment)} - {contrast.treatment, contrast.outcome}))


def _bearing(scm: SCM, contrast: Contrast, z: tuple[int, ...]) -> tuple[int, ...]:
    """The members of z that the others do not separate from X and Y (Shachter 1998: requisite observations)."""
    x, y = contrast[:2]
    near = {*scm.parents[x], *scm.parents[y]}
    name = [variable.name for variable in scm.variables]
    bearing = []
    for at in z:
        if at not in near and x not in scm.parents[at] and y not in scm.parents[at]:
            others = [name[other] for other in z if other != at]
            if separated(scm.graph, (name[at],), (name[x], name[y]), others):
                continue
        bearing.append(at)
    return tuple(bearing)


Block = tuple[
    int, int, int, int, int
]  # one stratum: treated with y, treated without, control with, without; neither arm
Classes = tuple[tuple[int, ...], ...]


def _blocks(scm: SCM, contrast: Contrast, z: tuple[int, ...]) -> tuple[Iterator[Block], int]:
    """The weights of each stratum in turn, the last member of z varying fastest, and their scale."""
    every = [range(len(variable.states)) for variable in scm.variables]
    treated, control, happens = contrast.arms[:1], contrast.arms[1:], contrast.event
    neither = tuple([state for state in every[contrast.treatment] if state not in contrast.arms])
    fails = tuple([state for state in every[contrast.outcome] if state not in happens])
    arms: Classes = tuple(sorted([treated, control, *([neither] if neither else [])]))
    ends: Classes = tuple(sorted([happens, fails]))
    keep = [(at, tuple([(state,) for state in every[at]])) for at in z]
    weights, scale = weigh(scm, Question((*keep, (contrast.treatment, arms), (contrast.outcome, ends))))
    width = 2 * len(arms)
    columns = {(arm, end): weights[2 * i + j :: width] for i, arm in enumerate(arms) for j, end in enumerate(ends)}
    rest = [a + b for a, b in zip(columns[neither, happens], columns[neither, fails], strict=True)] if neither else None
    first = columns[treated, happens]
    return zip(
        first,
        columns[treated, fails],
        columns[control, happens],
        columns[control, fails],
        rest or [0] * len(first),
        strict=True,
    ), scale


def _psi(scm: SCM, contrast: Contrast, z: tuple[int, ...]) -> Adjusted:
    bearing = _bearing(scm, contrast, z)
    blocks, scale = _blocks(scm, contrast, bearing)
    terms: dict[int, int] = {}  # denominator -> the sum of the numerators over it
    gap = None
    for at, block in enumerate(blocks):
        with_1, without_1, with_0, without_0, rest = block
        mass_1, mass_0 = with_1 + without_1, with_0 + without_0
        if not (mass_1 and mass_0):
            if not (mass_1 or mass_0 or rest):
                continue
            gap = _stratum(scm, bearing, at, block, scale)
            break
        above = (with_1 * mass_0 - with_0 * mass_1) * (mass_1 + mass_0 + rest)
        below = mass_1 * mass_0
        shared = gcd(above, below)
        below //= shared
        terms[below] = terms.get(below, 0) + above // shared
    x, y = scm.variables[contrast.treatment], scm.variables[contrast.outcome]
    return Adjusted(
        treatment=x.name,
        outcome=y.name,
        arms=(x.states[contrast.arms[0]], x.states[contrast.arms[1]]),
        event=tuple([y.states[state] for state in contrast.event]),
        adjustment=tuple([scm.variables[at].name for at in z]),
        value=None if gap else _total(terms) / scale,
        gap=gap,
    )


def _total(terms: dict[int, int]) -> Fraction:
    """The sum of numerator / denominator, halves first, so that the integers stay small for as long as they can."""
    bits = sum(below.bit_length() for below in terms)
    if bits > MOST_BITS:
        raise BudgetError(f"an exact sum over these strata would need a denominator of up to {bits:,} bits")
    parts = [Fraction(above, below) for below, above in terms.items()]
    while len(parts) > 1:
        odd = parts[-1:] if len(parts) % 2 else []
        parts = [parts[at] + parts[at + 1] for at in range(0, len(parts) - 1, 2)] + odd
    return parts[0] if parts else Fraction(0)


def _stratum(scm: SCM, z: tuple[int, ...], at: int, block: Block, scale: int) -> Stratum:
    """The stratum at this place, the last member of z varying fastest."""
    given = []
    for member in reversed(z):
        states = scm.variables[member].states
        at, state = divmod(at, len(states))
        given.append((scm.variables[member].name, states[state]))
    with_1, without_1, with_0, without_0, _ = block
    mass_1, mass_0 = with_1 + without_1, with_0 + without_0
    treated = Fraction(with_1, mass_1) if mass_1 else None
    control = Fraction(with_0, mass_0) if mass_0 else None
    return Stratum(tuple(reversed(given)), Fraction(sum(block), scale), treated, control)
