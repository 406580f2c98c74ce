"""Which record belongs to which problem: by id, by what was asked, in order; and whatever belongs to none is listed."""

from dataclasses import replace

import pytest

import calverify as cv
from calverify.errors import CalverifyError
from calverify.exchange import Join, import_logs
from tests.exchange.logs import PROBLEMS, lines, texts_of

W1, W2, W3 = PROBLEMS.values()


def row(text="a", **parts):
    return {"completions": [text], **parts}


def joined(*rows, problems=PROBLEMS, **how):
    return import_logs({"log.jsonl": lines(*rows)}, problems, join=Join(**how))


def whys(found):
    return [str(entry).partition(": ")[2] for entry in found.rejected]


def test_by_the_id():
    """Pools stand in the order of the problems, and their candidates in that of the file."""
    found = joined(row("a", id="w2"), row("b", id="w1"), row("c", id="w2"))
    assert texts_of(found) == {"w1/0": ("b",), "w2/0": ("a", "c")}
    assert (found.missing, list(found.problems)) == (("w3",), ["w1", "w2"])
    assert found.places["w2", 0, 1] == "log.jsonl, line 3"


def test_a_number_is_an_id_and_a_truth_value_is_not():
    found = joined(row(id=5), row(id=True), problems={"5": replace(W1, id="5")}, match="id")
    assert texts_of(found) == {"5/0": ("a",)}
    assert whys(found) == ["there is True at id or problem_id or task_id, where the id of a sample was expected"]


def test_a_field_of_the_users():
    found = joined(row(doc={"uid": "w1"}, id="x"), field="doc.uid")
    assert texts_of(found) == {"w1/0": ("a",)}


def test_the_number_of_a_sample():
    """Behind the last cut; what is no number there leaves the order of the file."""
    found = joined(row("c", id="w1#2"), row("a", id="w1#0"), row("b", id="w1#x"), cut="#")
    assert texts_of(found) == {"w1/0": ("a", "b", "c")}


def test_by_the_text():
    """A prompt that holds the whole question is asked of its problem, whatever stands around it."""
    asked = f"You are careful.\n\n{W1.text}   End with ANSWER."
    found = joined(row(prompt=asked), row("b", prompt=W2.text))
    assert texts_of(found) == {"w1/0": ("a",), "w2/0": ("b",)}


def test_by_our_own_prompt():
    from calverify.tasks import prompt

    bare = {name: replace(problem, text="") for name, problem in PROBLEMS.items()}
    found = joined(*[row(name, prompt=prompt(problem)) for name, problem in bare.items()], problems=bare)
    assert texts_of(found) == {"w1/0": ("w1",), "w2/0": ("w2",), "w3/0": ("w3",)}


def test_a_text_without_its_graph_is_no_match():
    """The same words may be asked about another graph."""
    vague = replace(W3, text="Find one cycle in this graph.")
    with pytest.raises(CalverifyError, match=r"nothing was imported from log\.jsonl"):
        joined(row(prompt="G->H, H->G. Find one cycle in this graph."), problems={"w3": vague})


def test_a_text_without_a_graph_to_name():
    """In constructed mode the text is all there is."""
    story = cv.Problem("own", W1.query, text="Rain wets the grass.", legend=("X", "Y"))
    assert texts_of(joined(row(prompt="Rain wets the grass."), problems={"own": story})) == {"own/0": ("a",)}


def test_a_text_of_two_problems():
    twin = replace(W1, id="twin")
    found = joined(row(prompt=W1.text), row(prompt=W2.text), row(), problems={"w1": W1, "twin": twin, "w2": W2})
    assert texts_of(found) == {"w2/0": ("a",)}
    first, last = whys(found)
    assert "and what was asked fits w1, twin: 'Given a DAG" in first
    assert last.endswith("where the id of a sample was expected, and it does not say what was asked")


def test_only_by_one_of_them():
    rows = row("a", id="w1", prompt=W2.text), row("b", id="w2", prompt=W2.text)
    assert texts_of(joined(*rows)) == {"w1/0": ("a",), "w2/0": ("b",)}
    assert texts_of(joined(*rows, match="text")) == {"w2/0": ("a", "b")}
    strange = joined(row(id="w1"), row("b", id="?", prompt=W2.text), match="id")
    assert (texts_of(strange), whys(strange)) == ({"w1/0": ("a",)}, ["its id '?' is not the id of a problem"])
    with pytest.raises(CalverifyError, match="records are matched by auto or id or text, not by 'luck'"):
        Join(match="luck")


def test_seeds_and_pools_apart():
    rows = row("a", id="w1", seed=1), row("b", id="w1"), row("c", id="w1", seed=1)
    assert texts_of(joined(*rows)) == {"w1/0": ("b",), "w1/1": ("a", "c")}
    assert texts_of(joined(*rows, apart=True)) == {"w1/0": ("b",), "w1/1": ("a",), "w1/2": ("c",)}


def test_nothing_joins():
    """The sentence shows both sides, and what to do."""
    with pytest.raises(CalverifyError) as refused:
        joined(row(id="q7"), row(id="q8"), match="id")
    assert str(refused.value) == (
        "nothing was imported from log.jsonl: the ids of its records are 'q7', 'q8', and the problems are 'w1', 'w2', "
        "'w3'; the id of a sample may stand elsewhere (--id-field NAME, --cut MARK)"
    )
    with pytest.raises(
        CalverifyError, match=r"no record that can be joined with a problem; the first: log\.jsonl, line 1"
    ):
        import_logs({"log.jsonl": lines(7)}, PROBLEMS, format="plain")
    with pytest.raises(CalverifyError, match=r"its records carry no problem; name the file that holds the problems"):
        joined(row(id="w1"), problems=None)


def test_several_files():
    """The same record in two files is two replies: only within one file it stands once."""
    files = {"a.jsonl": lines(row("a", id="w1")), "b.jsonl": lines(row("b", id="w1"))}
    assert texts_of(import_logs(files, PROBLEMS)) == {"w1/0": ("a", "b")}


def test_nothing_is_lost():
    """Every record is a candidate or is listed."""
    rows = [row(id="w1"), row(id="?"), 7, b"{", row(id="w2"), {"id": "w1"}]
    found = joined(*rows)
    assert sum(map(len, found.pools)) + len(found.rejected) == len(rows)


def test_no_mark_enters_a_pool():
    """A pool has no place for one; only a rating that is asked for by name becomes a stored score."""
    found = joined(row(id="w1", reward=[1.0], correct=[True], gold="{U}"))
    assert "correct" not in str(found.pools[0].to_json())
    assert found.marks[0].gold == "{U}"
    rated = joined(row(id="w1", reward=[1.0], correct=[True]), ratings={"reward": "reward"})
    assert rated.pools[0].candidates[0].scores == {"reward": 1.0}
    with pytest.raises(CalverifyError, match="the rating 'correct' is True, no number"):
        joined(row(id="w1", correct=[True]), ratings={"correct": "judge"})
