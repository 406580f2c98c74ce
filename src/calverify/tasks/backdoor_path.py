"""Find one backdoor path: a simple path that starts with an arrowhead into its first node."""

from calverify.graphs import Graph, Path
from calverify.problem import Query
from calverify.tasks._path_tasks import PathQuestion, path_parts, two_ends
from calverify.tasks._task import Case, task

__all__ = ["enters_by_the_back"]


def prepare_backdoor_path(graph: Graph, query: Query) -> PathQuestion:
    """Once arrows out of the source are cut, every path from it is a backdoor path."""
    source, target = two_ends(graph, query)
    return PathQuestion(graph.without_edges_out_of({source}), source, target, directed=False)


@task(
    "backdoor_path",
    aliases=("backdoor_paths", "back door path"),
    **path_parts("backdoor path", prepare_backdoor_path, "a backdoor path"),
)
def enters_by_the_back(path: Path, case: Case) -> bool:
    """The path runs along edges of the graph, starts with an arrowhead into the source, and visits no node twice."""
    return case.state.fault(path) is None
