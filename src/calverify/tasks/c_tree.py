"""Is the graph a C-tree: a C-forest with a single root, that is, one node without children?"""

from calverify.graphs import Graph
from calverify.tasks import c_forest
from calverify.tasks._graph_questions import Objection, answers_rightly, question_parts
from calverify.tasks._task import Case, task

__all__ = ["is_a_tree"]


def objection(graph: Graph) -> Objection | None:
    roots = [node for node in graph.nodes if not graph.children({node})]
    if found := c_forest.objection(graph):
        return found
    if len(roots) != 1:
        return f"it has {len(roots)} roots: {', '.join(roots)}", {"kind": "roots", "roots": roots}
    return None


@task("c_tree", aliases=("is_c_tree",), **question_parts("C-tree", objection))
def is_a_tree(answer: str, case: Case) -> bool:
    """Yes exactly when the graph is a C-forest with one root."""
    return answers_rightly(answer, case)
