"""Sets that separate and blankets, by trying every set."""

from collections.abc import Collection

from .paths import Paths, subsets


def separating_sets(paths: Paths, x: str, y: str, usable: Collection[str]) -> list[frozenset[str]]:
    """Every subset of `usable` that separates x and y, small ones first."""
    return [given for given in subsets(usable) if paths.separated({x}, {y}, given)]


def minimal(sets: Collection[frozenset[str]]) -> set[frozenset[str]]:
    """Those that contain no other."""
    return {one for one in sets if not any(other < one for other in sets)}


def blanket(paths: Paths, node: str) -> frozenset[str]:
    """The smallest set that separates the node from all the rest."""
    rest = frozenset(paths.nodes) - {node}
    return next(given for given in subsets(rest) if paths.separated({node}, rest - given, given))
