"""Find one directed path between two nodes."""

from calverify.graphs import Graph, Path
from calverify.problem import Query
from calverify.tasks._path_tasks import PathQuestion, path_parts, two_ends
from calverify.tasks._task import Case, task

__all__ = ["leads"]


def prepare_directed(graph: Graph, query: Query) -> PathQuestion:
    source, target = two_ends(graph, query)
    return PathQuestion(graph, source, target, directed=True)


@task(
    "directed_path",
    aliases=("directed_paths", "causal_path"),
    **path_parts("directed path", prepare_directed, "directed"),
)
def leads(path: Path, case: Case) -> bool:
    """The path runs from one node to the other, every arrow pointing forward, and visits no node twice."""
    return case.state.fault(path) is None
