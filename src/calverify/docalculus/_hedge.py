"""The hedge: two forests that prove that an effect cannot be identified, small and with the edges that make them so."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

from calverify.docalculus._districts import Districts, bits_of

__all__ = ["Hedge", "hedge_of", "identified"]

MOST_TRIED = 10  # nodes of which every subset is looked at

Edge = tuple[str, str]


@dataclass(frozen=True)
class Hedge:
    """Two C-forests with the same roots: `inner` lies in `whole`, avoids the treatments, and `whole` meets them.

    It is a hedge for P(outcomes | do(treatments)); an effect given something is first brought to that form, so the
    treatments may hold some of what was given, and the outcomes the rest, which is `given`.  In `directed` every node
    but a root has one arrow, to its child in the forest, and those of `inner` stay in `inner`.  `bidirected` is a tree
    over `whole`, and its edges inside `inner` are a tree over `inner`.  Every root is an ancestor of an outcome when
    the edges into the treatments are cut.
    """

    whole: tuple[str, ...]
    inner: tuple[str, ...]
    roots: tuple[str, ...]
    directed: tuple[Edge, ...]
    bidirected: tuple[Edge, ...]
    outcomes: tuple[str, ...]
    treatments: tuple[str, ...]
    why: str
    given: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        record: dict[str, Any] = {name: list(getattr(self, name)) for name in ("whole", "inner", "roots")}
        record |= {name: [list(edge) for edge in getattr(self, name)] for name in ("directed", "bidirected")}
        record |= {name: list(getattr(self, name)) for name in ("outcomes", "treatments", "given")}
        return {**record, "why": self.why}


def identified(districts: Districts, outcomes: int, treatments: int) -> bool:
    """Is P(outcomes | do(treatments)) identified?"""
    area = districts.ancestors(outcomes, districts.all & ~treatments)
    return all(districts.closure(inner) == inner for inner in districts.districts(area))


def hedge_of(districts: Districts, outcomes: int, treatments: int, given: int = 0) -> Hedge | None:
    """A smallest hedge for P(outcomes, given | do(treatments)), or None where it is identified.

    The ID algorithm fails at a district of the outcomes' ancestors whose closure is larger, and every hedge lies in
    such a closure.
    """
    area = districts.ancestors(outcomes | given, districts.all & ~treatments)
    closures = [districts.closure(inner) for inner in districts.districts(area)]
    found = [_smallest(districts, whole, area, treatments) for whole in closures if whole & treatments]
    if not found:
        return None
    whole = min(found, key=lambda mask: (mask.bit_count(), mask))
    roles = {"outcomes": outcomes | given, "treatments": treatments, "given": given}
    return _written(districts, whole, _inner(districts, whole, area), roles)


def _smallest(districts: Districts, closure: int, area: int, treatments: int) -> int:
    """A smallest subset that is the whole of a hedge; past `MOST_TRIED` nodes one that no node can be taken from."""
    whole = closure
    for bit in sorted(bits_of(closure), reverse=True):
        if _is_whole(districts, whole & ~bit, area, treatments):
            whole &= ~bit
    bits = [*bits_of(closure)]
    sizes = range(2, whole.bit_count() if len(bits) <= MOST_TRIED else 2)
    smaller = (sum(some) for size in sizes for some in combinations(bits, size))
    return next((mask for mask in smaller if _is_whole(districts, mask, area, treatments)), whole)


def _is_whole(districts: Districts, whole: int, area: int, treatments: int) -> bool:
    """Is it joined, does it meet the treatments, and do its sinks lie in one district of what may be inside?"""
    if not whole & treatments or districts.district(whole & -whole, whole) != whole:
        return False
    sinks = _sinks(districts, whole)
    return not sinks & ~area and not sinks & ~districts.district(sinks & -sinks, whole & area)


def _sinks(districts: Districts, nodes: int) -> int:
    return sum(bit for bit in bits_of(nodes) if not districts.children[bit] & nodes)


def _inner(districts: Districts, whole: int, area: int) -> int:
    """A joined set around the sinks, from which nothing can go."""
    sinks = _sinks(districts, whole)
    inner = districts.district(sinks & -sinks, whole & area)
    for bit in bits_of(inner & ~sinks):
        if districts.district(sinks & -sinks, inner & ~bit) == inner & ~bit:
            inner &= ~bit
    return inner


def _written(districts: Districts, whole: int, inner: int, roles: dict[str, int]) -> Hedge:
    roots = _sinks(districts, inner)
    directed = []
    for bit in bits_of(whole & ~roots):
        children = districts.children[bit] & (inner if bit & inner else whole)
        directed.append((districts.name(bit), districts.name(children & -children)))
    masks = {"whole": whole, "inner": inner, "roots": roots, **roles}
    named = {name: tuple(districts.named(mask)) for name, mask in masks.items()}
    shown = {name: "{" + ", ".join(nodes) + "}" for name, nodes in named.items()}
    why = (
        f"{shown['whole']} and {shown['inner']} form a hedge: both are joined by bidirected edges and drain into the "
        f"roots {shown['roots']}, and only the first meets the treatments {shown['treatments']}"
    )
    return Hedge(directed=tuple(directed), bidirected=_tree(districts, whole, inner), why=why, **named)


def _tree(districts: Districts, whole: int, inner: int) -> tuple[Edge, ...]:
    """Bidirected edges that span `inner` first, and then the rest of `whole`."""
    found = []
    reached = inner & -inner
    for area in (inner, whole):
        while reached & area != area:
            left, right = next(
                (one, other & -other)
                for one in bits_of(reached & area)
                if (other := districts.spouses[one] & area & ~reached)
            )
            found.append((districts.name(left), districts.name(right)))
            reached |= right
    return tuple(found)
