"""A folder with a small network under the name of a published one, in BIF packed with gzip."""

import gzip
from pathlib import Path

import calverify as cv
from calverify.benchmarks import DataFolder


def bif(graph: cv.Graph) -> str:
    """Every variable with two states and whatever numbers: the adapters read the graph alone."""
    lines = ["network unknown { }"]
    for node in graph.nodes:
        lines.append(f"variable {node} {{ type discrete [ 2 ] {{ yes, no }}; }}")
    for node in graph.nodes:
        parents = [tail for tail, head in graph.directed if head == node]
        head = f"{node} | {', '.join(parents)}" if parents else node
        lines.append(f"probability ( {head} ) {{ table 0.5, 0.5; }}")
    return "\n".join(lines)


def put_network(folder: Path, name: str, graph: cv.Graph) -> DataFolder:
    (folder / "bnlearn").mkdir(parents=True, exist_ok=True)
    (folder / "bnlearn" / f"{name}.bif.gz").write_bytes(gzip.compress(bif(graph).encode()))
    return DataFolder(folder)
