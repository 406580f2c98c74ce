"""Strict JSON inside a longer text: what is read and where it ends, what is refused and why, what is too deep."""

import json

import pytest

from calverify.traces._json import MAX_DEPTH, MAX_DIGITS, JsonFault, crowded, read_json, too_deep
from tests.oracles import slow_json

READ = [
    ("{}", {}, 2),
    ("[]", [], 2),
    ("[ ]x", [], 3),
    ('{"a": [1, 2.5, -3e2, "b", true, false, null]} tail', {"a": [1, 2.5, -300.0, "b", True, False, None]}, 45),
    ('"text" behind', "text", 6),
    ("true", True, 4),
    ("nullify", None, 4),
    ("0", 0, 1),
    ("-0", 0, 2),
    ("01", 0, 1),  # the caller sees that the text goes on
    ("1.", 1, 1),
    ("1.5.2", 1.5, 3),
    ("1e", 1, 1),
    ("1e+", 1, 1),
    ("2E-1]", 0.2, 4),
    ("[1\n,\r\n\t2 ]", [1, 2], 10),
    (r'"\u00e9\ud835\udefc\n\/"', "é𝛼\n/", 24),
    (r'"\ud800"', "\ud800", 8),
    (r'"\udc00\ud800"', "\udc00\ud800", 14),
    ('"\ud835\\udefc"', "\ud835\udefc", 9),
    ('"\x7f\u2028"', "\x7f\u2028", 4),
    ('{"": 1}', {"": 1}, 7),
    ('{"a": {"a": {"a": 1}}}', {"a": {"a": {"a": 1}}}, 22),
    ('[{"a": 1}, {"a": 2}]', [{"a": 1}, {"a": 2}], 20),
    ("9" * MAX_DIGITS, int("9" * MAX_DIGITS), MAX_DIGITS),
    ("-" + "9" * MAX_DIGITS, -int("9" * MAX_DIGITS), MAX_DIGITS + 1),
    ("0." + "1" * 5000, 1 / 9, 5002),
    ("1e-999", 0.0, 6),
    ("1.7976931348623157e308", 1.7976931348623157e308, 22),
]


@pytest.mark.parametrize("text, value, stop", READ, ids=[ascii(row[0])[:30] for row in READ])
def test_read(text, value, stop):
    found = read_json(text, 0)
    assert found == (value, stop)
    assert type(found[0]) is type(value)
    assert found == slow_json.read(text)


def test_it_starts_where_it_is_told():
    assert read_json("{{[7]]", 2) == ([7], 5)


NOT_JSON = "not JSON: "
REFUSED = [
    ("", NOT_JSON + "expected a JSON value at the end of the line"),
    (" {}", NOT_JSON + "expected a JSON value at ' {}'"),
    ("\ufeff{}", NOT_JSON + "expected a JSON value"),
    ("x", NOT_JSON + "expected a JSON value at 'x'"),
    ("x" * 1000, NOT_JSON + f"expected a JSON value at {'x' * 20!r}"),
    ("x\ny", NOT_JSON + "expected a JSON value at 'x'"),
    ("-", NOT_JSON),
    ("+1", NOT_JSON),
    (".5", NOT_JSON),
    ("'a'", NOT_JSON),
    ("True", NOT_JSON),
    ("None", NOT_JSON),
    ("tru", NOT_JSON),
    ("nul", NOT_JSON),
    ("\u0661", NOT_JSON),
    ("[01]", NOT_JSON),
    ("[1.]", NOT_JSON),
    ("[1e]", NOT_JSON),
    ("[0x1]", NOT_JSON),
    ("[1_000]", NOT_JSON),
    ("[1,]", NOT_JSON),
    ("[,1]", NOT_JSON),
    ("[1 2]", NOT_JSON),
    ("[1;2]", NOT_JSON),
    ("[1", NOT_JSON),
    ("[", NOT_JSON),
    ("[1)", NOT_JSON),
    ('{"a": 1,}', NOT_JSON),
    ('{"a" 1}', NOT_JSON),
    ('{"a":}', NOT_JSON),
    ('{"a"}', NOT_JSON),
    ("{a: 1}", NOT_JSON),
    ("{1: 1}", NOT_JSON),
    ("{'a': 1}", NOT_JSON),
    ('{"a": 1', NOT_JSON),
    ("{", NOT_JSON),
    ("[/* c */ 1]", NOT_JSON),
    ("[1 // c\n]", NOT_JSON),
    ("[\u00a01]", NOT_JSON),
    ("[\x0c1]", NOT_JSON),
    ('"a', NOT_JSON),
    ('"a\\', NOT_JSON),
    ('"a\tb"', NOT_JSON),
    ('"a\nb"', NOT_JSON),
    ('"a\x00b"', NOT_JSON),
    (r'"\x41"', NOT_JSON),
    (r'"\U00000041"', NOT_JSON),
    (r'"\u12"', NOT_JSON),
    (r'"\u 12"', NOT_JSON),
    (r'"\u-123"', NOT_JSON),
    (r'"\u00g0"', NOT_JSON),
    ("NaN", "NaN is not a number"),
    ("[NaN]", "NaN is not a number"),
    ("Infinity", "Infinity is not a number"),
    ("-Infinity", "-Infinity is not a number"),
    ('{"a": [-Infinity]}', "-Infinity is not a number"),
    ("1e999", "a number is too large"),
    ("[-1e999]", "a number is too large"),
    ("1" + "0" * 400 + ".0", "a number is too large"),
    ("9" * (MAX_DIGITS + 1), "an integer has over 300 digits"),
    ("-" + "9" * (MAX_DIGITS + 1), "an integer has over 300 digits"),
    ("[" + "9" * 5000 + "]", "an integer has over 300 digits"),
    ('{"a": 1, "a": 1}', "the key 'a' occurs twice"),
    ('{"a": 1, "b": 2, "a": 3}', "the key 'a' occurs twice"),
    ('{"a": {"b": 1, "b": 2}}', "the key 'b' occurs twice"),
    ('[{"a": 1}, {"b": 1, "b": 1}]', "the key 'b' occurs twice"),
    ('[[{"b": 1, "b": 1}]]', "the key 'b' occurs twice"),
    ('{"a": [{"b": [{"c": 1, "c": 1}]}]}', "the key 'c' occurs twice"),
    ('{"a": ":", "a": 1}', "the key 'a' occurs twice"),
    ('{"a": {"x": 1}, "b": 2, "b": 3}', "the key 'b' occurs twice"),
    (r'{"a": 1, "\u0061": 2}', "the key 'a' occurs twice"),
    ('{"": 1, "": 2}', "the key '' occurs twice"),
]


@pytest.mark.parametrize("text, why", REFUSED, ids=[ascii(row[0])[:30] for row in REFUSED])
def test_refused(text, why):
    with pytest.raises(JsonFault) as refusal:
        read_json(text, 0)
    assert str(refusal.value).startswith(why)
    with pytest.raises(slow_json.Refused):
        slow_json.read(text)


@pytest.mark.parametrize("text", ['{"%s": 1, "%s": 2}' % (("k" * 10_000,) * 2), "[" + "x" * 10_000, '"' + "x" * 10_000])
def test_the_reason_is_short_whatever_the_text(text):
    with pytest.raises(JsonFault) as refusal:
        read_json(text, 0)
    assert len(str(refusal.value)) < 200


def nest(levels: int) -> str:
    return "[" * levels + "]" * levels


DEPTH = [
    ("[]", 1),
    ("7", 0),
    ('"[[[["', 0),
    (nest(MAX_DEPTH), MAX_DEPTH),
    (nest(MAX_DEPTH + 1), MAX_DEPTH + 1),
    ('{"a": ' * MAX_DEPTH + "1" + "}" * MAX_DEPTH, MAX_DEPTH),
    ('{"a": [' * 32 + "]}" * 32, 64),
    ('{"a": [' * 33 + "]}" * 33, 66),
    ("[" + "[]," * 500 + "[]]", 2),
    ("[" + nest(64) + "]", 65),
    ('["' + "[" * 100 + '"]', 1),
    (r'["\"' + "[" * 100 + '"]', 1),
    (r'["\\", ' + nest(64) + "]", 65),
    ('["]]]]]]]", ' + nest(64) + "]", 65),
    ("[]" + nest(100), 1),  # the first value ends before
    ("[1, 2] then " + nest(100), 1),
    ("[" * 1000, 1000),
    ('["' + "[" * 1000, 1),
    ("]" + "[" * 1000, 0),
]


@pytest.mark.parametrize("text, depth", DEPTH, ids=range(len(DEPTH)))
def test_depth(text, depth):
    assert slow_json.depth(text) == depth
    assert too_deep(text, 0) == (depth > MAX_DEPTH)
    assert crowded(text) >= too_deep(text, 0)


def test_depth_counts_from_where_it_is_told():
    text = "[" * 100 + nest(MAX_DEPTH)
    assert too_deep(text, 0)
    assert not too_deep(text, 100)
    assert too_deep(text, 99)


@pytest.mark.parametrize("levels", [1, MAX_DEPTH])
def test_the_deepest_value_that_is_allowed_is_read(levels):
    assert read_json(nest(levels), 0) == (json.loads(nest(levels)), 2 * levels)
