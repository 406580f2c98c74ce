"""Questions in other forms than find one: each goes back to a proof about one object, or to trying all there may be."""

from collections.abc import Callable
from string import ascii_uppercase
from typing import Any

from .question import Family, Question
from .records import Set, bounded, fields, need, several, word

__all__ = ["shows"]

Shows = Callable[[Family, Question, Any, Any], bool]


def every(family: Family, q: Question) -> frozenset[Any]:
    """All valid objects, found by trying."""
    assert family.holds is not None, q.task
    return frozenset(value for value in bounded(family.tried(q)) if family.holds(q, value))


def find_all(family: Family, q: Question, answer: Any, w: Any) -> bool:
    """One too many or one too few, each with its own proof; or the whole list, which is tried."""
    said = several(answer, lambda one: family.value(q, one))
    if w["kind"] == "all":
        (listed,) = fields(w, "kind objects")[1:]
        need(several(listed, lambda one: family.value(q, one)) == said == every(family, q))
        return True
    _, stated, inner = fields(w, "kind object witness")
    value = family.value(q, stated)
    extra = w["kind"] == "extra"
    need((extra or w["kind"] == "left_out") and (value in said) is extra)
    need(family.proves(q, value, inner) is not extra)
    return False


def how_many(family: Family, q: Question, answer: Any, w: Any) -> bool:
    """The objects are tried and counted; where there is one set and no other, its members are counted."""
    kind, count, listed = fields(w, "kind count objects")
    truth = every(family, q)
    sizes = [len(value) for value in truth] if "find_all" not in family.forms.split() else [len(truth)]
    need(type(answer) is int and answer >= 0, "no count")
    stated = several(listed, lambda one: family.value(q, one))
    need(kind == "count" and type(count) is int and [count] == sizes and stated == truth)
    return bool(answer == count)


def claimed(family: Family, q: Question, text: Any, w: Any) -> bool:
    """The verdict on what a claim or an option names; few texts show by themselves that they name nothing."""
    need(type(text) is str, "a claim is a text")
    if w["kind"] == "unreadable":
        fields(w, "kind")
        need(family.nameless(q, text), "that a text cannot be read is not for a witness to show")
        return False
    return family.proves(q, family.value(q, family.claimed(q, text)), w)


def yes_no(family: Family, q: Question, answer: Any, w: Any) -> bool:
    return claimed(family, q, q.claim, w) is (word(answer) == "yes")


def choice(family: Family, q: Question, answer: Any, w: Any) -> bool:
    need(type(answer) is str and len(answer) == 1 and answer in ascii_uppercase, "no letter")
    need(0 < len(q.options) <= len(ascii_uppercase) and {type(text) for text in q.options} == {str}, "no options")
    place = ascii_uppercase.index(answer)
    if place >= len(q.options):
        fields(w, "kind")
        need(w["kind"] == "unreadable")
        return False
    return claimed(family, q, q.options[place], w) is (q.form == "choice")


def existence(family: Family, q: Question, answer: Any, w: Any) -> bool:
    if w["kind"] == "none":
        fields(w, "kind")
        need(not every(family, q))
        return word(answer) == "no"
    kind, stated, inner = fields(w, "kind object witness")
    need(kind == "example" and family.proves(q, family.value(q, stated), inner))
    return word(answer) == "yes"


# ---------------------------------------------------------------- the best of them


def _size(value: Any) -> int:
    return len(value[0]) if type(value[0]) is tuple else len(value)  # a path is a pair: its names, its arrows


def _inside(one: Set, other: Set) -> bool:
    return one < other


BEATS: dict[str, Callable[[Any, Any], bool]] = {
    "minimal": _inside,
    "minimum": lambda one, other: len(one) < len(other),
    "maximal": lambda one, other: _inside(other, one),
    "shortest": lambda one, other: _size(one) < _size(other),
    "longest": lambda one, other: _size(one) > _size(other),
}


def best(family: Family, q: Question, answer: Any, w: Any) -> bool:
    """A better one with its own proof; or a proof that the object is valid, and none that beats it, which is tried."""
    value, beats = family.value(q, answer), BEATS[q.form]
    if w["kind"] == "better":
        _, stated, inner = fields(w, "kind object witness")
        other = family.value(q, stated)
        need(beats(other, value) and family.proves(q, other, inner))
        return False
    if not family.proves(q, value, w):
        return False
    assert family.holds is not None, q.task
    need(
        not any(beats(one, value) and family.holds(q, one) for one in bounded(family.tried(q))), "there is a better one"
    )
    return True


FORMS: dict[str, Shows] = {
    "find_one": lambda family, q, answer, w: family.proves(q, family.value(q, answer), w),
    "find_all": find_all,
    "how_many": how_many,
    "yes_no": yes_no,
    "choice": choice,
    "choice_not": choice,
    "existence": existence,
    **dict.fromkeys(BEATS, best),
}


def shows(family: Family, q: Question, answer: Any, w: Any) -> bool:
    """The verdict on an answer to a question in any form that the witness proves."""
    need(type(w) is dict and type(w.get("kind")) is str, "there is no witness")
    need(
        q.form in ("find_one", *family.forms.split()), f"no proof of {q.task} asked as {q.form!r:.60} can be rechecked"
    )
    return FORMS[q.form](family, q, answer, w)
