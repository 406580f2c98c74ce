"""The closed reader of pickles: what plain values and arrays are written as is read, all else is refused by name."""

import os
import pickle
import struct
from random import Random

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calverify.benchmarks._pickles import MOST_CELLS, read_pickles
from calverify.errors import RecordError

PROTOCOLS = (2, 3, 4)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.lists(inner, max_size=4).map(tuple),
)


def values(data: bytes) -> list:
    return [value for _, value in read_pickles(data, "some.pkl")]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@settings(max_examples=30)
@given(value=PLAIN)
def test_plain_values_come_back(protocol, value):
    assert values(pickle.dumps(value, protocol)) == [value]


@pytest.mark.parametrize("protocol", (3, 4))
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "i2", "i1", "u1", "?", ">i4", ">f8"])
def test_arrays_come_back_as_lists(protocol, dtype):
    rng = Random(dtype)
    for shape in [(3,), (2, 3), (4, 4), (0,)]:
        flat = [rng.randint(0, 1) for _ in range(int(numpy.prod(shape)))]
        array = numpy.array(flat, dtype=dtype).reshape(shape)
        assert values(pickle.dumps({"mat": array}, protocol)) == [{"mat": array.tolist()}]
        assert values(pickle.dumps([array, array], protocol)) == [[array.tolist(), array.tolist()]]
        assert values(pickle.dumps(numpy.asfortranarray(array), protocol)) == [array.tolist()]


@pytest.mark.parametrize("protocol", (3, 4))
def test_numbers_of_numpy_come_back(protocol):
    found = values(pickle.dumps([numpy.int64(-7), numpy.float64(0.25), numpy.int32(3)], protocol))
    assert found == [[-7, 0.25, 3]]


def test_a_stream_of_pickles_with_places():
    data = b"".join(pickle.dumps({"gid": str(n)}, 4) for n in range(3))
    assert list(read_pickles(data, "x.pkl")) == [(f"x.pkl, record {n + 1}", {"gid": str(n)}) for n in range(3)]


class Evil:
    def __reduce__(self):
        return os.mkdir, ("evil",)


class Plain:
    def __init__(self):
        self.a = 1


def forged(module: str, name: str, rest: bytes = b"") -> bytes:
    return b"\x80\x03c" + f"{module}\n{name}\n".encode() + rest + b"."


HOSTILE = [
    ("a call of the shell", pickle.dumps(Evil(), 4), r"the name 'posix\.mkdir', which could be a program"),
    ("the same, protocol 2", pickle.dumps(Evil(), 2), r"the name 'posix\.mkdir'"),
    ("an object", pickle.dumps(Plain(), 4), r"which could be a program"),
    ("eval", forged("builtins", "eval"), r"the name 'builtins\.eval'"),
    ("a name below an allowed module", forged("numpy", "load"), r"the name 'numpy\.load'"),
    ("a dotted name", forged("numpy", "dtype.mro"), r"the name 'numpy\.dtype\.mro'"),
    ("protocol 0", b"cos\nsystem\n(S'x'\ntR.", r"the name 'os\.system'"),
    ("an allowed name, called otherwise", forged("numpy", "dtype", b"(X\x01\x00\x00\x00OtR"), "a call of dtype"),
    (
        "an array of objects",
        pickle.dumps(numpy.array([Plain()], dtype=object), 4),
        "a call of dtype|could be a program",
    ),
    ("ndarray called", forged("numpy", "ndarray", b"(K\x01tR"), "a call of ndarray"),
    ("state without an object", b"\x80\x03K\x01K\x02\x85b.", "a state that is not"),
    ("INST", b"(ios\nsystem\n.", r"the opcode b'i'"),
    ("OBJ", b"\x80\x03(o.", r"the opcode b'o'"),
    ("NEWOBJ", b"\x80\x03))\x81.", r"the opcode b'\\x81'"),
    ("EXT1", b"\x80\x03\x82\x01.", r"the opcode b'\\x82'"),
    ("PERSID", b"Pname\n.", r"the opcode b'P'"),
    ("protocol 9", b"\x80\x09N.", "a protocol that is none of 2 to 5"),
    ("nothing to stop on", b"\x80\x03.", "0 values at its end"),
    ("two values", b"\x80\x03NN.", "2 values at its end"),
    ("an empty stack", b"\x80\x03a.", "a value is missing"),
    ("no mark", b"\x80\x03]e.", "a mark is missing"),
    ("mark as value", b"\x80\x03](a.", "a value is missing"),
    ("append to a dict", b"\x80\x03}Na.", "expected a list"),
    ("an unknown memo place", b"\x80\x03h\x05.", "place 5 of the memo"),
    ("a list as key", b"\x80\x03}]Ns.", "expected a text or a number"),
    ("half a pair", b"\x80\x03}(K\x01u.", "a key without a value"),
    ("not finite", b"\x80\x03G" + struct.pack(">d", float("inf")) + b".", "not finite"),
    ("not UTF-8", b"\x80\x03X\x01\x00\x00\x00\xff.", "not UTF-8"),
    ("a text that is too long", b"\x80\x03X\xff\xff\xff\xff.", "ends too early"),
    ("a global without end", b"\x80\x03c" + b"a" * 600, "a name without an end"),
    ("cut short", pickle.dumps({"a": [1, 2, 3]}, 4)[:-4], "ends too early|missing"),
]


@pytest.mark.parametrize("data, why", [row[1:] for row in HOSTILE], ids=[row[0] for row in HOSTILE])
def test_what_is_not_plain_is_refused(data, why):
    with pytest.raises(RecordError, match=why) as refused:
        values(data)
    assert str(refused.value).startswith("some.pkl, record 1: ")


def test_nothing_is_ever_called(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RecordError):
        values(pickle.dumps(Evil(), 4))
    assert list(tmp_path.iterdir()) == []


def test_sizes_are_checked_before_anything_is_taken():
    array = pickle.dumps(numpy.zeros((300, 300)), 4)
    assert MOST_CELLS < 300 * 300
    with pytest.raises(RecordError, match=r"an array of the shape \(300, 300\)"):
        values(array)
    wrong = pickle.dumps(numpy.zeros((2, 2)), 4).replace(b"K\x02K\x02\x86", b"K\x02K\x03\x86")
    with pytest.raises(RecordError, match="32 bytes for 6 numbers of the type f8"):
        values(wrong)


def test_a_list_that_holds_itself_ends():
    loop: list = []
    loop.append(loop)
    (found,) = values(pickle.dumps(loop, 4))
    assert found[0] is found


def ends_well(data: bytes) -> bool:
    """Values, or a refusal that names the file; anything else is raised."""
    try:
        return isinstance(values(data), list)
    except RecordError as refused:
        return "some.pkl" in str(refused)


@given(st.binary(max_size=80))
def test_any_bytes_give_values_or_a_refusal(data):
    assert ends_well(data)


@given(st.data())
def test_any_damage_gives_values_or_a_refusal(data):
    whole = bytearray(
        pickle.dumps({"gid": "1", "mat": numpy.eye(3), "n": numpy.int64(3)}, data.draw(st.sampled_from((3, 4))))
    )
    for _ in range(data.draw(st.integers(1, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    assert ends_well(bytes(whole))
