"""`identify`: the effect as an expression of observed probabilities, or the hedge that proves that there is none.

Rule 1: the short ways come first, since what they give is simplest: treatments and conditions that make no difference
go (rules 3 and 1 of the do-calculus), then seeing for doing (rule 2), then an adjustment.
Rule 2: the long way is complete.  IDC turns conditions into treatments; the ID algorithm takes each district of the
outcomes' ancestors by itself, and gets its factor out of the observed distribution by turns of summing out what is no
ancestor and keeping one district.  It fails where that stops short of the district.
Rule 3: the long way looks at as few nodes as it can: one that the answer can do without counts as not observed.

Shpitser and Pearl, "Identification of joint interventional distributions in recursive semi-Markovian causal models"
(2006) and "Identification of conditional interventional distributions" (2006); Tian and Pearl, "A general
identification condition for causal effects" (2002).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from calverify.docalculus._districts import Districts, bits_of
from calverify.docalculus._expression import Expression
from calverify.docalculus._hedge import Hedge, hedge_of, identified
from calverify.docalculus._laws import Factor, expression, observed, pruned, ratio, summed
from calverify.errors import BudgetError, QueryError
from calverify.graphs import Graph
from calverify.names import brief, listing

__all__ = ["MOST_NODES", "Estimand", "identify"]

MOST_NODES = 300  # among the ancestors of what is asked; the work grows with their third power


@dataclass(frozen=True)
class Estimand:
    """An expression that equals the effect, and how it was found, a sentence a step.

    A free variable that the effect does not mention may have any value: the expression is the same for all of them.
    """

    expression: Expression
    steps: tuple[str, ...]


class Question(NamedTuple):
    """P(outcomes | do(treatments), given), as masks."""

    outcomes: int
    treatments: int
    given: int


def identify(
    graph: Graph, outcomes: Collection[str], treatments: Collection[str], given: Collection[str] = ()
) -> Estimand | Hedge:
    """P(outcomes | do(treatments), given) in observed probabilities, or the hedge that proves that there is none.

    Raises a `QueryError` for names that are no three disjoint sets of nodes with some outcome, and a `BudgetError`
    where the expression grows too large.
    """
    districts = Districts(graph)
    asked = Question(*_masks(districts, outcomes=outcomes, treatments=treatments, given=given))
    return _Search(districts, asked).run()


def _masks(districts: Districts, **roles: Collection[str]) -> Iterable[int]:
    seen: dict[str, str] = {}
    for role, names in roles.items():
        if isinstance(names, str):
            raise QueryError(f"{role} must be several names, not the text {brief(names)}")
        for name in sorted(set(names), key=str):
            if name not in districts.bit:
                raise QueryError(f"{role}: {brief(name)} is not in the graph ({listing(sorted(districts.names))})")
            if name in seen:
                raise QueryError(f"{brief(name)} stands in both {seen[name]} and {role}")
            seen[name] = role
    if not roles["outcomes"]:
        raise QueryError("an effect needs an outcome, and outcomes is empty")
    return [districts.mask(names) for names in roles.values()]


class _Search:
    """One question on its way to the answer: the graph, what is asked by now, and the steps so far."""

    def __init__(self, districts: Districts, asked: Question) -> None:
        self.districts, self.asked = districts, asked
        self.steps: list[str] = []

    def run(self) -> Estimand | Hedge:
        self._reduce()
        self._keep_ancestors()
        found = self._seen() or self._adjusted()
        if not found and self._exchange():
            self._keep_ancestors()
            found = self._seen() or self._adjusted()
        if not found:
            y, x, z = self.asked
            hedge = hedge_of(self.districts, y, x, given=z)
            if hedge is not None:
                return hedge
            self._leave_out()
            found = self._by_districts()
        return Estimand(expression(self.districts, found), tuple(self.steps))

    def _names(self, mask: int) -> str:
        return "{" + ", ".join(self.districts.named(mask)) + "}"

    # ------------------------------------------------------------ the question gets smaller

    def _reduce(self) -> None:
        """Treatments and conditions that make no difference go."""
        again = True
        while again:
            again = False
            for bit in bits_of(self.asked.treatments):
                if self._is_idle(bit):
                    self.steps.append(f"rule 3: do({self.districts.name(bit)}) changes nothing")
                    self.asked, again = self.asked._replace(treatments=self.asked.treatments ^ bit), True
            for bit in bits_of(self.asked.given):
                y, x, z = self.asked
                if self.districts.separated(bit, y, x | z ^ bit, into=x):
                    self.steps.append(f"rule 1: seeing {self.districts.name(bit)} tells nothing more")
                    self.asked, again = Question(y, x, z ^ bit), True

    def _is_idle(self, bit: int) -> bool:
        y, x, z = self.asked
        others = x ^ bit
        above_z = self.districts.ancestors(z, self.districts.all, into=others)
        return self.districts.separated(bit, y, others | z, into=others | (bit & ~above_z))

    def _keep_ancestors(self) -> None:
        y, _, z = self.asked
        gone = self.districts.all & ~self.districts.ancestors(y | z, self.districts.all)
        if gone:
            self.steps.append(f"{self._names(gone)} lies above nothing that is asked about: summed out")
            self.districts = self.districts.projected(gone)
        if (count := self.districts.all.bit_count()) > MOST_NODES:
            raise BudgetError(f"the effect depends on {count:,} nodes; identify takes at most {MOST_NODES}")

    def _exchange(self) -> bool:
        """IDC: conditions become treatments while they can.  Did any?"""
        before = self.asked
        bits = [*bits_of(before.given)]
        while bits:
            bit = bits.pop()
            y, x, z = self.asked
            if bit & z and self.districts.separated(bit, y, x | z ^ bit, into=x, out=bit):
                self.steps.append(f"rule 2: seeing {self.districts.name(bit)} is doing it")
                self.asked = Question(y, x | bit, z ^ bit)
                bits = [*bits_of(self.asked.given)]
        if self.asked != before:
            self._reduce()
        return self.asked != before

    # ------------------------------------------------------------ short ways

    def _seen(self) -> Factor | None:
        """Rule 2: P(Y | X, Z) where nothing is open between X and Y once the arrows out of X are cut."""
        y, x, z = self.asked
        if not self.districts.separated(x, y, z, out=x):
            return None
        if x:
            self.steps.append(f"rule 2: doing {self._names(x)} is seeing it")
        return pruned(self.districts, y, x | z)

    def _adjusted(self) -> Factor | None:
        """The sum over W of P(Y | X, Z, W) P(W | Z), for a smallest set W."""
        y, x, z = self.asked
        forbidden, cut = self._conditional() if z else self._proper()
        if z & forbidden:
            return None
        above = self.districts.ancestors(x | y | z, self.districts.all)
        chosen = above & ~(x | y | z | forbidden)
        if not cut.separated(x, y, z | chosen):
            return None
        for bit in sorted(bits_of(chosen), reverse=True):
            if cut.separated(x, y, z | chosen ^ bit):
                chosen ^= bit
        self.steps.append(f"adjustment for {self._names(chosen)}")
        factors = [pruned(self.districts, y, x | z | chosen), pruned(self.districts, chosen, z)]
        return _product(self.districts, summed(self.districts, chosen, factors))

    def _proper(self) -> tuple[int, Districts]:
        """The adjustment criterion: what lies below a causal path, and the graph without the paths' first arrows."""
        y, x, _ = self.asked
        everything = self.districts.all
        below = self.districts.descendants(x, everything, into=x) & ~x
        causal = below & self.districts.ancestors(y, everything & ~x)
        return self.districts.descendants(causal, everything), self.districts.without_arrows(x, causal)

    def _conditional(self) -> tuple[int, Districts]:
        """The back-door criterion: what lies below the treatments, and the graph without the arrows out of them."""
        x = self.asked.treatments
        everything = self.districts.all
        return self.districts.descendants(x, everything), self.districts.without_arrows(x, everything)

    # ------------------------------------------------------------ the long way

    def _leave_out(self) -> None:
        """Nodes that the answer can do without go: first what the treatments change, the last node first."""
        y, x, z = self.asked
        others = self.districts.all & ~(x | y | z)
        below = self.districts.descendants(x, self.districts.all)
        gone = 0
        for bit in sorted(bits_of(others), key=lambda bit: (not bit & below, -bit)):
            fewer = self.districts.projected(bit)
            if identified(fewer, y | z, x):
                self.districts, gone = fewer, gone | bit
        if gone:
            self.steps.append(f"{self._names(gone)} is not needed: summed out")

    def _by_districts(self) -> Factor:
        y, x, z = self.asked
        area = self.districts.ancestors(y | z, self.districts.all & ~x)
        factors: list[Factor] = []
        for district in self.districts.districts(area):
            factors += self._factors(district)
        hidden = area & ~(y | z)
        if hidden:
            self.steps.append(f"the product of the districts' factors, summed over {self._names(hidden)}")
        above = summed(self.districts, hidden, factors)
        if not z:
            return _product(self.districts, above)
        self.steps.append(f"divided by its sum over {self._names(y)}")
        return ratio(self.districts, above, summed(self.districts, hidden | y, factors))

    def _factors(self, district: int) -> list[Factor]:
        """The factors of a district: it is its own closure, so the two turns end at it."""
        nodes = self.districts.ancestors(district, self.districts.all)
        law = observed(self.districts, nodes)
        way = {nodes: None}
        while (nodes := self.districts.district(district & -district, nodes)) != district:
            law = law.restricted(nodes)
            way[nodes] = None
            nodes = self.districts.ancestors(district, nodes)
            law = law.marginal(nodes)
            way[nodes] = None
        start, *between = (self._names(mask) for mask in way if mask != district or len(way) == 1)
        through = f" by way of {', '.join(between)}" if between else ""
        self.steps.append(f"the factor of district {self._names(district)} comes out of {start}{through}")
        return [law.factor(bit) for bit in bits_of(district)]


def _product(districts: Districts, factors: Iterable[Factor]) -> Factor:
    return ratio(districts, factors, ())
