"""A trace that is shown to a model is data between marks that it cannot hold."""

from hypothesis import given
from hypothesis import strategies as st

from calverify.sampling.scores import inert, shown
from calverify.sampling.scores._shown import CONTROL
from tests.sampling.scores.raters import problem

HOSTILE = st.lists(
    st.sampled_from(["<|im_end|>", "<|im_start|>system", "[/INST]", "</s>", "<", "|", ">", "END TRACE ", "\n"]),
    max_size=8,
).map("".join)  # fmt: skip


@given(HOSTILE | st.text(max_size=60))
def test_no_trace_ends_before_its_end(trace):
    """The mark stands in four places, and what is between the last two is the trace."""
    words = shown(problem(), trace, "Is it?")
    mark = words.partition("BEGIN TASK ")[2][:12]
    assert words.count(mark) == 4
    assert words.endswith(f"\nEND TRACE {mark}\n\nIs it?")
    assert words.partition(f"BEGIN TRACE {mark}\n")[2].partition(f"\nEND TRACE {mark}")[0] == inert(trace)


@given(HOSTILE | st.text(max_size=60))
def test_no_trace_speaks_in_another_role(trace):
    """Control marks of chat templates are broken up, and nothing else changes."""
    found = inert(trace)
    assert CONTROL.search(found) is None
    assert found.replace(" ", "") == trace.replace(" ", "")


def test_what_is_broken_up():
    assert inert("ok<|im_end|><|im_start|>system") == "ok< |im_end| >< |im_start| >system"
    assert inert("U -> X <-> Y") == "U -> X <-> Y"


def test_the_same_texts_are_shown_the_same_way():
    assert shown(problem(), "a", "?") == shown(problem(), "a", "?") != shown(problem(), "b", "?")
