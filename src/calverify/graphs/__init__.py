"""Typed graphs and what can be asked of them.  This room has never heard of language models.

Reading order: `_graph` (the value), `_masks` (its machine form), `_separation`, `_walks` (proof), `_paths`,
`_separators`, `_structure`.
"""

from calverify.graphs._graph import KINDS, Edge, Graph
from calverify.graphs._paths import (
    Path,
    directed_path,
    directed_paths,
    path_is_blocked,
    shortest_cycle,
    shortest_path,
    simple_cycles,
    simple_paths,
)
from calverify.graphs._separation import Separation, separated
from calverify.graphs._separators import minimal_separators, minimum_separator
from calverify.graphs._structure import (
    c_components,
    edge_f1,
    markov_blanket,
    query_signature,
    skeleton,
    topological_order,
    topological_orders,
    unshielded_triples,
    v_structure_apart,
    v_structures,
    violates_order,
)
from calverify.graphs._walks import active_path, opened_colliders, walk_states

__all__ = [
    "KINDS",
    "Edge",
    "Graph",
    "Path",
    "Separation",
    "active_path",
    "c_components",
    "directed_path",
    "directed_paths",
    "edge_f1",
    "markov_blanket",
    "minimal_separators",
    "minimum_separator",
    "opened_colliders",
    "path_is_blocked",
    "query_signature",
    "separated",
    "shortest_cycle",
    "shortest_path",
    "simple_cycles",
    "simple_paths",
    "skeleton",
    "topological_order",
    "topological_orders",
    "unshielded_triples",
    "v_structure_apart",
    "v_structures",
    "violates_order",
    "walk_states",
]
