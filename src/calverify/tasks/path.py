"""Find one simple path between two nodes, whatever its arrows; parallel edges make different paths."""

from calverify.graphs import Graph, Path
from calverify.problem import Query
from calverify.tasks._path_tasks import PathQuestion, path_parts, two_ends
from calverify.tasks._task import Case, task

__all__ = ["joins"]


def prepare_path(graph: Graph, query: Query) -> PathQuestion:
    source, target = two_ends(graph, query)
    return PathQuestion(graph, source, target, directed=False)


@task("path", aliases=("paths", "find_path", "simple_path"), **path_parts("path", prepare_path, "a path of the graph"))
def joins(path: Path, case: Case) -> bool:
    """The path runs from one node to the other along edges of the graph and visits no node twice."""
    return case.state.fault(path) is None
