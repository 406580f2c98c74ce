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
from calverify.traces._json import MAX_DEPTH, JsonFault, crowded, is_plain, read_json, scan, too_deep

__all__ = ["MAX_TEXT", "SLOTS", "STEPS", "Trace", "parse"]

SLOTS = ("graph", "query", "strategy", "derivation", "result", "answer")
STEPS = ("graph_extract", "query_id", "strategy", "identification_proof", "compute", "answer")
MAX_TEXT = 1 << 20

# The pattern begins with the line break before the line, because the search for one fixed character is the fast one.
LINE = re.compile(
    r"\n(?:[ \t>#*_`~+•–-]++|</?+[Tt][Hh][Ii][Nn][Kk]>|\d++[.)])*+"
    r"(?:([Ss][Tt][Ee][Pp][ \t*_#]*+\d++[ \t*_`.:–-]*+\[[ \t*_`]*+[A-Za-z][A-Za-z_ -]*+\])[ \t*_`]*+:?+[ \t*_`]*+"
    r"|(?:[Ff][Ii][Nn][Aa][Ll][ \t]++)?+[Aa][Nn][Ss][Ww][Ee][Rr][ \t*_`]*+:([^\n]*+))"
)
GAP = re.compile(r"(?:\s*+```[A-Za-z]*+)?+\s*+")
TAIL = re.compile(r"(?:[ \t\r*_`.;,]++|</?+[Tt][Hh][Ii][Nn][Kk]>)*+(?:\n|\Z)")
HEADER = re.compile(r"\D++(\d++)[^A-Za-z]++([^\]]++)")
BY_THE_BOOK = {f"STEP {i + 1} [{step}]": i for i, step in enumerate(STEPS)}
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
        if not isinstance(record, Mapping) or set(record) != {"slots", "faults", "answers", "headers", "undetermined"}:
            raise RecordError(f"a trace record has slots, faults, answers, headers and undetermined, not {record!r}")
        faults = {fault["slot"]: Fault(fault["slot"], fault["why"]) for fault in record["faults"]}
        slots = tuple(record["slots"].get(slot, faults.get(slot, MISSING[i])) for i, slot in enumerate(SLOTS))
        return cls(slots, tuple(record["answers"]), record["headers"], record["undetermined"])


def parse(text: str) -> Trace:
    """The trace of any string; the model's mistakes are in it as faults."""
    if len(text) > MAX_TEXT:
        return Trace(undetermined=f"the text has {len(text):,} characters; the limit is {MAX_TEXT:,}")
    text = f"\n{text}\n"
    deep = crowded(text)
    slots: list[Any] = list(MISSING)
    copies: dict[int, int] = {}
    answers: list[str] = []
    headers = 0
    for line in LINE.finditer(text):
        header, answer = line.groups()
        if answer is not None:
            answers.append(answer.strip(" \t\r*`"))
            continue
        fault = None
        index = BY_THE_BOOK.get(header)
        if index is None:
            index, fault = _odd_header(header)
            if index is None:
                continue
        headers += 1
        if slots[index] is not MISSING[index]:
            copies[index] = copies.get(index, 1) + 1
            slots[index] = Fault(SLOTS[index], f"{copies[index]} copies")
        elif deep and too_deep(text, line.end()):
            slots[index] = Fault(SLOTS[index], f"nested over {MAX_DEPTH} levels")
        else:
            slots[index] = fault or _body(text, line.end(), index)
    return Trace(tuple(slots), tuple(answers), headers)


def _odd_header(header: str) -> tuple[int | None, Fault | None]:
    """The slot that a header not spelled by the book belongs to, and its fault where number and name disagree."""
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
    """The slot's JSON value, or the fault that there is none."""
    try:
        value, stop = scan(text, start)
        if text[stop] == "\n" and is_plain(value, text.count(":", start, stop)):
            return value
    except (ValueError, StopIteration):
        pass  # the careful reader says what is wrong
    return _careful_body(text, start, index)


def _careful_body(text: str, start: int, index: int) -> Any:
    gap = GAP.match(text, start)
    try:
        value, stop = read_json(text, gap.end() if gap else start)
    except JsonFault as fault:
        return Fault(SLOTS[index], str(fault))
    if not TAIL.match(text, stop):
        rest = text[stop : stop + 20].split("\n", 1)[0]
        return Fault(SLOTS[index], f"more text behind the JSON: {rest!r}")
    return value
