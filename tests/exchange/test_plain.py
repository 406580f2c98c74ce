"""The plainest format: a prompt and its completions, and lists beside them that are marks."""

import pytest

from tests.exchange.logs import joined, lines, read, texts_of


def test_a_file():
    found = joined("plain.jsonl")
    assert texts_of(found) == {
        "w1/0": ("ANSWER: {P, U}", "ANSWER: {M}", "ANSWER: {U}"),
        "w3/0": ("ANSWER: X->G->X",),
    }
    assert [mark.right("correct") for mark in found.marks] == [False, False, True, False]
    assert found.marks[0].gold == "{U}"


CHAT = [{"role": "user", "content": "?"}, {"role": "assistant", "content": "U", "reasoning_content": "so"}]
TEXTS = [
    ("texts", {"completions": ["a", "b"]}, ("a", "b")),
    ("chats", {"completions": [CHAT]}, ("<think>\nso\n</think>\nU",)),
    ("a message", {"completions": [CHAT[1]]}, ("<think>\nso\n</think>\nU",)),
    ("no completions yet", {"completions": []}, ()),
    ("one", {"completion": "a"}, ("a",)),
    ("responses", {"responses": ["a"]}, ("a",)),
    ("outputs", {"outputs": ["a"]}, ("a",)),
]


@pytest.mark.parametrize("record, texts", [row[1:] for row in TEXTS], ids=[row[0] for row in TEXTS])
def test_completions(record, texts):
    ((entry,), why) = read("plain", lines({"id": "w1", **record}))
    assert (entry.texts, why) == (texts, [])


ROWS = [
    ("nothing", {"id": "w1"}, "it holds no completions or completion"),
    ("a text for a list", {"completions": "a"}, "'completions' is 'a', not a list"),
    ("a number", {"completions": [1]}, "completions[0] is 1, neither a text nor chat messages"),
    ("the user's word last", {"completions": [CHAT[:1]]}, "completions[0] is ["),
    ("an empty chat", {"completions": [[]]}, "completions[0] is [], neither"),
    ("no object", "x", "the record is 'x', not an object"),
    ("no JSON", b'{"completions": [', "not JSON"),
    ("a key twice", b'{"id": 1, "id": 2}', "not JSON: the key 'id' stands twice in one object"),
    ("no UTF-8", b'{"id": "\xff"}', "not UTF-8 at byte 8"),
]


@pytest.mark.parametrize("damaged, why", [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_damaged_line_costs_itself_only(damaged, why):
    found, said = read("plain", lines(damaged, {"completions": ["a"]}))
    assert [entry.texts for entry in found] == [("a",)]
    assert len(said) == 1
    assert said[0].startswith(f"log.jsonl, line 1: {why}")


def test_lists_beside_them():
    """A list of single values that is as long as they are is a mark; any other says nothing of one of them."""
    record = {"completions": ["a", "b"], "correct": [True, False], "tokens": [1, 2, 3], "steps": [[1], [2]],
              "nan": [float("nan"), 1]}  # fmt: skip
    ((entry,), _) = read("plain", lines(record))
    assert [dict(said.scores) for said in entry.said] == [{"correct": True, "nan": None}, {"correct": False, "nan": 1}]
    ((one,), _) = read("plain", lines({"completion": "a", "correct": True, "reward": 0.5, "other": 1, "gold": ["U"]}))
    assert (dict(one.said[0].scores), one.said[0].gold) == ({"correct": True, "reward": 0.5}, '["U"]')
