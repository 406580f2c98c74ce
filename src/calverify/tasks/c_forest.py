"""Is the graph a C-forest: one C-component in which every node has at most one child (Shpitser and Pearl 2006)?"""

from calverify.graphs import Graph
from calverify.tasks._graph_questions import Objection, answers_rightly, many_children, one_district, question_parts
from calverify.tasks._task import Case, task

__all__ = ["is_a_forest"]


def objection(graph: Graph) -> Objection | None:
    return one_district(graph) or many_children(graph)


@task("c_forest", aliases=("is_c_forest",), **question_parts("C-forest", objection))
def is_a_forest(answer: str, case: Case) -> bool:
    """Yes exactly when the graph is one C-component and no node has two children."""
    return answers_rightly(answer, case)
