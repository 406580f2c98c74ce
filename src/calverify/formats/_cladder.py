"""The models of CLadder: `structure` and `params` as its `test-model-meta.json` holds them.

    "structure": "X->V2,X->Y,V2->Y"
    "params": {"p(X)": 0.8, "p(V2 | X)": [0.29, 0.68], "p(Y | X, V2)": [[0.13, 0.58], [0.56, 0.99]]}

Each table is nested one level for each parent, in the order written after the bar, and holds P(child = 1 | parents).
A root's one number may stand alone or in a list of one.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from calverify.effects import SCM
from calverify.errors import GraphError, RecordError
from calverify.graphs import Graph
from calverify.names import brief

__all__ = ["scm_from_cladder"]

HEAD: Final = re.compile(r"[pP]\(([^()|,]{1,200}+)(?:\|([^()|]{1,2000}+)|(?!))?+\)")


def scm_from_cladder(params: Mapping[str, Any], structure: str | None = None) -> SCM:
    """The model of CLadder-shaped `params`; where a `structure` is given, its arrows must be those of the tables."""
    if not isinstance(params, Mapping):
        raise RecordError(f"CLadder's params must be an object, not {brief(params)}")
    variables: dict[str, dict[str, Any]] = {}
    for head, table in params.items():
        found = HEAD.fullmatch(head) if isinstance(head, str) else None
        if found is None:
            raise RecordError(f'CLadder\'s params hold {brief(head)}; expected "p(CHILD | PARENT, PARENT)"')
        child, parents = found[1].strip(), [parent.strip() for parent in found[2].split(",")] if found[2] else []
        if child in variables:
            raise RecordError(f"variable {child}: CLadder's params hold two tables for it")
        alone = not parents and isinstance(table, list | tuple) and len(table) == 1
        variables[child] = {"parents": parents, "p": table[0] if alone else table}
    scm = SCM.from_json({"variables": variables})
    if structure is not None:
        if not isinstance(structure, str):
            raise RecordError(f"CLadder's structure must be a text, not {brief(structure)}")
        stated = Graph.parse(structure)
        if stated != scm.graph:
            raise GraphError(f"CLadder's tables say {scm.graph}, and its structure says {stated}")
    return scm
