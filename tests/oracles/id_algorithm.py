"""Is an effect identified?  The ID and IDC algorithms line by line as Shpitser and Pearl (2006) print them; yes or no.

On plain sets, with separation read off paths.  Shares no code with the library.
"""

from dataclasses import dataclass

from tests.oracles.paths import Paths

Names = frozenset[str]


@dataclass(frozen=True)
class Mixed:
    """A graph that the algorithm has cut down."""

    nodes: Names
    directed: frozenset[tuple[str, str]]
    bidirected: frozenset[tuple[str, str]]

    def ancestors(self, of: Names) -> Names:
        found = of & self.nodes
        while (more := found | {tail for tail, head in self.directed if head in found}) != found:
            found = more
        return found

    def induced(self, keep: Names) -> "Mixed":
        directed, bidirected = (
            frozenset(edge for edge in edges if set(edge) <= keep) for edges in (self.directed, self.bidirected)
        )
        return Mixed(self.nodes & keep, directed, bidirected)

    def without_edges_into(self, names: Names) -> "Mixed":
        directed = frozenset(edge for edge in self.directed if edge[1] not in names)
        return Mixed(self.nodes, directed, frozenset(edge for edge in self.bidirected if not set(edge) & names))

    def without_edges_out_of(self, names: Names) -> "Mixed":
        return Mixed(self.nodes, frozenset(edge for edge in self.directed if edge[0] not in names), self.bidirected)

    def components(self) -> set[Names]:
        """C(G): the sets that bidirected edges join."""
        found = {frozenset({node}) for node in self.nodes}
        for left, right in self.bidirected:
            joined = [part for part in found if left in part or right in part]
            found = (found - set(joined)) | {frozenset().union(*joined)}
        return found


def mixed(graph) -> Mixed:
    return Mixed(frozenset(graph.nodes), frozenset(graph.directed), frozenset(graph.bidirected))


def is_identified(graph: Mixed, y: Names, x: Names) -> bool:
    """ID(y, x, P, G), where FAIL anywhere is a no."""
    v = graph.nodes
    if not x:  # line 1
        return True
    above = graph.ancestors(y)
    if v != above:  # line 2
        return is_identified(graph.induced(above), y, x & above)
    w = (v - x) - graph.without_edges_into(x).ancestors(y)
    if w:  # line 3
        return is_identified(graph, y, x | w)
    parts = graph.induced(v - x).components()
    if len(parts) > 1:  # line 4
        return all(is_identified(graph, part, v - part) for part in parts)
    (s,) = parts
    whole = graph.components()
    if whole == {v}:  # line 5
        return False
    if s in whole:  # line 6
        return True
    (around,) = (part for part in whole if s < part)  # line 7
    return is_identified(graph.induced(around), y, x & around)


def is_identified_given(graph: Mixed, y: Names, x: Names, z: Names) -> bool:
    """IDC(y, x, z, P, G)."""
    for one in sorted(z):
        cut = graph.without_edges_into(x).without_edges_out_of(frozenset({one}))
        if separated(cut, one, y, x | z - {one}):
            return is_identified_given(graph, y, x | {one}, z - {one})
    return is_identified(graph, y | z, x)


def separated(graph: Mixed, one: str, others: Names, given: Names) -> bool:
    """Is every path blocked?"""
    paths = Paths(_listed(graph))
    return not any(paths.open_paths(one, other, given) for other in sorted(others))


def _listed(graph: Mixed) -> Mixed:
    return Mixed(*(tuple(sorted(part)) for part in (graph.nodes, graph.directed, graph.bidirected)))
