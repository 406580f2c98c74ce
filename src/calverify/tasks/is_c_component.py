"""Is the whole graph one C-component?"""

from calverify.tasks._graph_questions import answers_rightly, one_district, question_parts
from calverify.tasks._task import Case, task

__all__ = ["is_one_district"]


@task("is_c_component", aliases=("single_c_component",), **question_parts("C-component", one_district))
def is_one_district(answer: str, case: Case) -> bool:
    """Yes exactly when bidirected edges join all nodes."""
    return answers_rightly(answer, case)
