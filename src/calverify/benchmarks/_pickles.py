"""Pickles as data: a closed reader of the few opcodes that plain values and arrays of numbers are written with.

A pickle is a program for a small machine, and running it is how one is harmed.  This is another machine: it has a
stack of plain values and no way to call anything.

Rule 1: strings, bytes, numbers, None, lists, tuples and dicts are read; an opcode beyond those is refused by its name.
Rule 2: a name such as `numpy.dtype` is read as a name.  Four of them, in the one way in which numpy writes an array or
a number, are turned into lists and numbers here; any other name, and any other use of those, is refused.
Rule 3: the work is bounded by the length of the file, and a length in the file is checked before anything is taken.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import isfinite, prod
from struct import unpack_from
from typing import Any, NamedTuple

from calverify.errors import RecordError
from calverify.names import brief

__all__ = ["read_pickles"]

MOST_CELLS = 1 << 16  # of one array
MOST_ITEMS = 1 << 24  # put on the stack of one file
MARK = object()


class Name(NamedTuple):
    """A name that stands in a pickle; nothing is looked up by it."""

    module: str
    name: str


@dataclass(slots=True)
class Dtype:
    code: str
    little: bool = True


@dataclass(slots=True)
class Array:
    """What numpy begins an array as, until its state comes; `cells` are its rows."""

    cells: Any = None


MODULES = ("numpy", "numpy.core.multiarray", "numpy._core.multiarray")
NAMES = {"dtype": "dtype", "ndarray": "ndarray", "_reconstruct": "_reconstruct", "scalar": "scalar"}
FORMATS = {"f8": "d", "f4": "f", "i8": "q", "i4": "i", "i2": "h", "i1": "b", "u1": "B", "b1": "?"}


def read_pickles(data: bytes, where: str) -> Iterator[tuple[str, Any]]:
    """Each value of a file of pickles, one after the other, with its place: "graphs.pkl, record 3"."""
    machine, number = _Machine(data, where), 0
    while machine.at < len(data):
        number += 1
        machine.where = f"{where}, record {number}"
        yield machine.where, machine.value()


@dataclass(slots=True)
class _Machine:
    """One file, and the place in it."""

    data: bytes
    where: str
    at: int = 0
    items: int = 0
    stack: list[Any] = field(default_factory=list)
    memo: dict[int, Any] = field(default_factory=dict)

    def value(self) -> Any:
        """The next whole value; arrays as lists of lists."""
        self.stack.clear()
        self.memo.clear()
        while (opcode := self.take(1)) != b".":
            step = OPCODES.get(opcode)
            if step is None:
                raise self.wrong(f"the opcode {opcode!r}, which plain values do not need")
            step(self)
            self.items += 1
            if self.items > MOST_ITEMS:
                raise self.wrong(f"over {MOST_ITEMS:,} steps")
        if len(self.stack) != 1:
            raise self.wrong(f"{len(self.stack)} values at its end; expected one")
        return _plain(self.stack.pop())

    def wrong(self, what: str) -> RecordError:
        return RecordError(f"{self.where}: byte {self.at - 1:,} of the pickle: {what}; nothing is unpickled")

    def take(self, count: int) -> bytes:
        if not 0 <= count <= len(self.data) - self.at:
            raise RecordError(f"{self.where}: the pickle ends too early, after {len(self.data):,} bytes")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, form: str, size: int) -> Any:
        return unpack_from(form, self.take(size))[0]

    def line(self) -> str:
        end = self.data.find(b"\n", self.at, self.at + 500)
        if end < 0:
            raise self.wrong("a name without an end")
        return self.text(self.take(end + 1 - self.at)[:-1])

    def text(self, raw: bytes) -> str:
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            raise self.wrong("a text that is not UTF-8") from None

    def pop(self, kind: type[Any] | None = None) -> Any:
        if not self.stack or self.stack[-1] is MARK:
            raise self.wrong("a value is missing")
        if kind is not None and type(self.stack[-1]) is not kind:
            raise self.wrong(f"{brief(self.stack[-1])}; expected a {kind.__name__}")
        return self.stack.pop()

    def top(self, kind: type[Any]) -> Any:
        value = self.pop(kind)
        self.stack.append(value)
        return value

    def since_mark(self) -> list[Any]:
        found: list[Any] = []
        while self.stack and self.stack[-1] is not MARK:
            found.append(self.stack.pop())
        if not self.stack:
            raise self.wrong("a mark is missing")
        self.stack.pop()
        return found[::-1]


# ---------------------------------------------------------------- what the opcodes do


def _push(read: Callable[[_Machine], Any]) -> Callable[[_Machine], None]:
    return lambda machine: machine.stack.append(read(machine))


def _proto(machine: _Machine) -> None:
    if machine.number("<B", 1) not in (2, 3, 4, 5):
        raise machine.wrong("a protocol that is none of 2 to 5")


def _frame(machine: _Machine) -> None:
    """A length that we need not: what follows is read piece by piece."""
    machine.take(8)


def _long(machine: _Machine) -> int:
    return int.from_bytes(machine.take(machine.number("<B", 1)), "little", signed=True)


def _float(machine: _Machine) -> float:
    value: float = machine.number(">d", 8)
    if not isfinite(value):
        raise machine.wrong("a number that is not finite")
    return value


def _sized(form: str, size: int) -> Callable[[_Machine], bytes]:
    return lambda machine: machine.take(machine.number(form, size))


def _text(form: str, size: int) -> Callable[[_Machine], str]:
    raw = _sized(form, size)
    return lambda machine: machine.text(raw(machine))


def _tuple(count: int) -> Callable[[_Machine], tuple[Any, ...]]:
    return lambda machine: tuple([machine.pop() for _ in range(count)][::-1])


def _append(machine: _Machine) -> None:
    value = machine.pop()
    machine.top(list).append(value)


def _appends(machine: _Machine) -> None:
    values = machine.since_mark()
    machine.top(list).extend(values)


def _put(machine: _Machine, pairs: list[Any]) -> None:
    if len(pairs) % 2:
        raise machine.wrong("a key without a value")
    entries = machine.top(dict)
    for key, value in zip(pairs[::2], pairs[1::2], strict=True):
        if not isinstance(key, str | int | float):
            raise machine.wrong(f"the key {brief(key)}; expected a text or a number")
        entries[key] = value


def _set_item(machine: _Machine) -> None:
    value, key = machine.pop(), machine.pop()
    _put(machine, [key, value])


def _get(form: str, size: int) -> Callable[[_Machine], Any]:
    def read(machine: _Machine) -> Any:
        place = machine.number(form, size)
        if place not in machine.memo:
            raise machine.wrong(f"place {place} of the memo, where nothing is")
        return machine.memo[place]

    return read


def _keep(form: str, size: int) -> Callable[[_Machine], None]:
    return lambda machine: machine.memo.__setitem__(machine.number(form, size), _last(machine))


def _memoize(machine: _Machine) -> None:
    machine.memo[len(machine.memo)] = _last(machine)


def _last(machine: _Machine) -> Any:
    value = machine.pop()
    machine.stack.append(value)
    return value


def _name(machine: _Machine, module: str, name: str) -> Name:
    if module not in MODULES or name not in NAMES:
        raise machine.wrong(f"the name {brief(f'{module}.{name}')}, which could be a program")
    return Name(module, name)


def _stack_global(machine: _Machine) -> Name:
    name, module = machine.pop(str), machine.pop(str)
    return _name(machine, module, name)


def _reduce(machine: _Machine) -> Any:
    """A dtype, the beginning of an array, or a number: the three things that numpy writes so."""
    arguments, name = machine.pop(tuple), machine.pop(Name).name
    if name == "dtype" and len(arguments) == 3 and arguments[0] in FORMATS:
        return Dtype(arguments[0])
    if name == "_reconstruct" and len(arguments) == 3 and _is(arguments[0], "ndarray"):
        return Array()
    if name == "scalar" and len(arguments) == 2 and type(arguments[0]) is Dtype and type(arguments[1]) is bytes:
        return _cells(machine, arguments[0], arguments[1], 1)[0]
    raise machine.wrong(f"a call of {name} that is not how numpy writes an array of numbers")


def _is(value: Any, name: str) -> bool:
    return type(value) is Name and value.name == name


def _build(machine: _Machine) -> None:
    """The state of a dtype (its byte order) or of an array (its shape and its bytes)."""
    state = machine.pop(tuple)
    if machine.stack and type(machine.stack[-1]) is Dtype and len(state) in (8, 9) and state[1] in ("<", ">", "|"):
        machine.stack[-1].little = state[1] != ">"
        return
    if machine.stack and type(machine.stack[-1]) is Array and len(state) == 5:
        machine.stack[-1].cells = _array(machine, *state[1:])
        return
    raise machine.wrong("a state that is not how numpy writes an array of numbers")


def _array(machine: _Machine, shape: Any, dtype: Any, by_column: Any, raw: Any) -> Any:
    fine = type(shape) is tuple and 1 <= len(shape) <= 2 and all(type(count) is int and count >= 0 for count in shape)
    if not fine or type(dtype) is not Dtype or type(raw) is not bytes or prod(shape) > MOST_CELLS:
        raise machine.wrong(f"an array of the shape {brief(shape)}; expected a row or a table of numbers")
    cells = _cells(machine, dtype, raw, prod(shape))
    if len(shape) == 1:
        return cells
    rows, columns = shape
    if by_column:
        return [cells[row::rows] for row in range(rows)]
    return [cells[row * columns : (row + 1) * columns] for row in range(rows)]


def _cells(machine: _Machine, dtype: Dtype, raw: bytes, count: int) -> list[Any]:
    form = f"{'<' if dtype.little else '>'}{count}{FORMATS[dtype.code]}"
    if len(raw) != count * int(dtype.code[1:]):
        raise machine.wrong(f"{len(raw):,} bytes for {count:,} numbers of the type {dtype.code}")
    return list(unpack_from(form, raw))


def _plain(value: Any) -> Any:
    """The value with arrays as lists; whatever holds them is plain already."""
    whole = [value]
    waiting: list[Any] = [whole]
    seen: set[int] = set()
    while waiting:
        inside = waiting.pop()
        places = range(len(inside)) if isinstance(inside, list) else list(inside)
        for place in places:
            part = inside[place]
            if type(part) is Array:
                inside[place] = part.cells
            elif isinstance(part, list | dict) and id(part) not in seen:
                seen.add(id(part))
                waiting.append(part)
    return whole[0]


OPCODES: dict[bytes, Callable[[_Machine], None]] = {
    b"\x80": _proto,
    b"\x95": _frame,
    b"(": _push(lambda machine: MARK),
    b"N": _push(lambda machine: None),
    b"\x88": _push(lambda machine: True),
    b"\x89": _push(lambda machine: False),
    b"J": _push(lambda machine: machine.number("<i", 4)),
    b"K": _push(lambda machine: machine.number("<B", 1)),
    b"M": _push(lambda machine: machine.number("<H", 2)),
    b"\x8a": _push(_long),
    b"G": _push(_float),
    b"\x8c": _push(_text("<B", 1)),
    b"X": _push(_text("<I", 4)),
    b"C": _push(_sized("<B", 1)),
    b"B": _push(_sized("<I", 4)),
    b"]": _push(lambda machine: []),
    b"}": _push(lambda machine: {}),
    b")": _push(lambda machine: ()),
    b"t": _push(lambda machine: tuple(machine.since_mark())),
    b"\x85": _push(_tuple(1)),
    b"\x86": _push(_tuple(2)),
    b"\x87": _push(_tuple(3)),
    b"a": _append,
    b"e": _appends,
    b"s": _set_item,
    b"u": lambda machine: _put(machine, machine.since_mark()),
    b"q": _keep("<B", 1),
    b"r": _keep("<I", 4),
    b"\x94": _memoize,
    b"h": _push(_get("<B", 1)),
    b"j": _push(_get("<I", 4)),
    b"c": _push(lambda machine: _name(machine, machine.line(), machine.line())),
    b"\x93": _push(_stack_global),
    b"R": _push(_reduce),
    b"b": _build,
}
