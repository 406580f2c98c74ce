"""The six-slot contract: a model's text in, a `Trace` out, whatever the text.

Rule 1: any string up to the size limit gives a trace, in time proportional to its length; nothing here raises.
Rule 2: a header stands at the start of a line, behind blanks, bullets, emphasis, heading marks or a think tag only.
Rule 3: a slot must occur exactly once; missing, repeated (even where the copies agree) or malformed, it is a `Fault`.
Rule 4: behind a slot's JSON the line ends; more text there would be a second thought, and the slot is malformed.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from calverify.errors import Fault, RecordError
from calverify.records import read_fields
from calverify.traces._json import MAX_DEPTH, JsonFault, crowded, is_plain, read_json, scan, too_deep

__all__ = ["MAX_TEXT", "SLOTS", "STEPS", "Trace", "parse"]

SLOTS = ("graph", "query", "strategy", "derivation", "result", "answer")
STEPS = ("graph_extract", "query_id", "strategy", "identification_proof", "compute", "answer")
MAX_TEXT = 1 << 20

# Possessive groups end with |(?!), which never matches: older Pythons lose their place without it (issue 106052).
# The pattern begins with the line break before the line, because the search for one fixed character is the fast one.
LINE = re.compile(
    r"\n(?:[ \t>#*_`~+•–-]++|</?+[Tt][Hh][Ii][Nn][Kk]>|\d++[.)]|(?!))*+"
    r"(?:([Ss][Tt][Ee][Pp][ \t*_#]*+\d++[ \t*_`.:–-]*+\[[ \t*_`]*+[A-Za-z][A-Za-z_ -]*+[*`]*+[ \t]*+\])"
    r"[ \t*_]*+(?:`(?!`)|(?!))?+[ \t*_]*+:?+[ \t*_]*+(?:`(?!`)|(?!))?+[ \t*_]*+([^\n]*+)"
    r"|(?:[Ff][Ii][Nn][Aa][Ll][ \t]++|(?!))?+[Aa][Nn][Ss][Ww][Ee][Rr][ \t*_`]*+:([^\n]*+))"
)
GAP = re.compile(r"(?:\s*+```[A-Za-z]*+|(?!))?+\s*+")
TAIL = re.compile(r"(?:[ \t\r*_`.;,]++|</?+[Tt][Hh][Ii][Nn][Kk]>|(?!))*+(?:\n|\Z)")
# A line of prose here begins with no mark and no letter that a line with a header could begin with.
PROSE = r"(?:[^ \t>#*_`~+•–<\dSsFfAa\n-][^\n]*+\n|<think>\n|</think>\n|\n|(?!))*+"
BOOK = re.compile(
    PROSE
    + "".join(rf"(?:STEP {i} \[{step}\]: ([^\n]*+)\n|(?!))?+{PROSE}" for i, step in enumerate(STEPS, 1))
    + rf"(?:ANSWER:([^\n]*+)\n|(?!))?+{PROSE}"
)
HEADER = re.compile(r"\D++(\d++)[^A-Za-z]++([^\]*`]++)")
BY_THE_BOOK = {f"STEP {i + 1} [{step}]": i for i, step in enumerate(STEPS)}
NOTHING: Mapping[str, Any] = {}
MISSING = tuple(Fault(slot, "missing") for slot in SLOTS)


class Trace(NamedTuple):
    """What each slot holds, or why it holds nothing, and the ANSWER lines as written.

    `undetermined` says why a text was not read at all (it is too large); that is neither right nor wrong.
    """

    slots: tuple[Any, ...] = MISSING
    answers: tuple[str, ...] = ()
    headers: int = 0
    undetermined: str | None = None

    @property
    def faults(self) -> tuple[Fault, ...]:
        return tuple(value for value in self.slots if isinstance(value, Fault))

    def to_json(self) -> dict[str, Any]:
        return {
            "slots": {s: v for s, v in zip(SLOTS, self.slots, strict=True) if not isinstance(v, Fault)},
            "faults": [fault.to_json() for fault in self.faults],
            "answers": list(self.answers),
            "headers": self.headers,
            "undetermined": self.undetermined,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Trace":
        kinds = {"slots": dict, "faults": list, "answers": list, "headers": int, "undetermined": str | None}
        read = read_fields("trace", record, kinds, needed=kinds)
        stated = [Fault.from_json(fault) for fault in read["faults"]]
        faults = {fault.slot: fault for fault in stated}
        known = read_fields("slots", {**read["slots"], **faults}, dict.fromkeys(SLOTS, object), needed=SLOTS)
        slots = tuple(known[slot] for slot in SLOTS)
        if not all(isinstance(answer, str) for answer in read["answers"]):
            raise RecordError("in a trace record, 'answers' must be a list of strings")
        return cls(slots, tuple(read["answers"]), read["headers"], read["undetermined"])


def parse(text: str, known: Mapping[str, Any] = NOTHING) -> Trace:
    """The trace of any string; the model's mistakes are in it as faults.

    `known` may hold JSON of the first slot that was read before: nearly every trace of a problem repeats its graph
    letter by letter, and then it need not be read again.
    """
    if len(text) > MAX_TEXT:
        return Trace(undetermined=f"the text has {len(text):,} characters; the limit is {MAX_TEXT:,}")
    text = f"\n{text}\n"
    deep = crowded(text)
    return (None if deep else _by_the_book(text, known)) or _with_care(text, deep)


def _by_the_book(text: str, known: Mapping[str, Any] = NOTHING) -> Trace | None:
    """The trace of a text whose headers are spelled and ordered as the prompt has them, each JSON on the same line.

    Anything else is None, and read with care; both ways give the same trace.
    """
    book = BOOK.fullmatch(text)
    if book is None:
        return None
    *bodies, answer = book.groups()
    slots: list[Any] = list(MISSING)
    headers = 0
    if bodies[0] in known:
        slots[0] = known[bodies[0]]
        bodies[0] = None
        headers = 1
    try:
        for index, body in enumerate(bodies):
            if body is None:
                continue
            value, stop = scan(body, 0)
            if stop != len(body) or not is_plain(value, body.count(":")):
                return None
            slots[index] = value
            headers += 1
    except (ValueError, StopIteration):
        return None
    return Trace(tuple(slots), () if answer is None else (_line(answer),), headers)


def _line(answer: str) -> str:
    """What an ANSWER line says, without the emphasis around it."""
    return answer.strip(" \t\r*`")


def _with_care(text: str, deep: bool) -> Trace:
    """The trace of any text; `deep` says whether some value may be nested too deep."""
    slots: list[Any] = list(MISSING)
    copies: dict[int, int] = {}
    answers: list[str] = []
    headers = 0
    for line in LINE.finditer(text):
        header, _, answer = line.groups()
        if header is None:
            answers.append(_line(answer))
            continue
        book = BY_THE_BOOK.get(header)
        index, fault = _slot_of(header) if book is None else (book, None)
        if index is None:
            continue
        headers += 1
        start = line.start(2)
        if slots[index] is not MISSING[index]:
            copies[index] = copies.get(index, 1) + 1
            slots[index] = Fault(SLOTS[index], f"{copies[index]} copies")
        elif deep and too_deep(text, start):
            slots[index] = Fault(SLOTS[index], f"nested over {MAX_DEPTH} levels")
        else:
            slots[index] = fault or _body(text, start, index)
    return Trace(tuple(slots), tuple(answers), headers)


def _slot_of(header: str) -> tuple[int | None, Fault | None]:
    """The slot that a header belongs to, and its fault where number and name disagree."""
    found = HEADER.match(header)
    assert found is not None, header
    number, name = found.groups()
    clean = "_".join(name.lower().replace("-", " ").replace("_", " ").split())
    if clean in STEPS:
        index = STEPS.index(clean)
        agrees = number.lstrip("0") == str(index + 1)
        said = f"the header says STEP {number[:9]}, expected STEP {index + 1}"
        return index, None if agrees else Fault(SLOTS[index], said)
    if len(number) == 1 and number in "123456":
        index = int(number) - 1
        return index, Fault(SLOTS[index], f"the header says [{name[:40]}], expected [{STEPS[index]}]")
    return None, None


def _body(text: str, start: int, index: int) -> Any:
    """The slot's JSON value, on this line or the next ones, or the fault that there is none."""
    try:
        value, stop = scan(text, start)
        if text[stop] == "\n" and is_plain(value, text.count(":", start, stop)):
            return value
    except (ValueError, StopIteration):
        pass  # the careful reader says what is wrong
    gap = GAP.match(text, start)
    try:
        value, stop = read_json(text, gap.end() if gap else start)
    except JsonFault as fault:
        return Fault(SLOTS[index], str(fault))
    if not TAIL.match(text, stop):
        rest = text[stop : stop + 20].split("\n", 1)[0]
        return Fault(SLOTS[index], f"more text behind the JSON: {rest!r}")
    return value
