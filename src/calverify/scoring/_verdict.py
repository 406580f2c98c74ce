"""A verdict: six bits and why each that is 0 failed.  Sentences and witnesses are made when they are asked for."""

from collections.abc import Mapping
from typing import Any

from calverify.errors import Fault, RecordError
from calverify.records import read_fields
from calverify.tasks import Case, Reason
from calverify.traces import SLOTS

__all__ = ["SCORER_VERSION", "Verdict"]

SCORER_VERSION = "1"
KINDS = {
    "score": int | None, "bits": dict, "answer": object, "faults": list, "witness": dict | None, "why": str,
    "headers": int, "undetermined": str | None,
}  # fmt: skip
NOTHING = Reason("there is no answer to judge")


class Verdict:
    """What the checker says of one trace.

    `score` is the number of bits that hold, None where the question is `undetermined` (too large, over the budget):
    neither a pass nor a zero.  `answer` is the returned answer in plain JSON, None when there is none.
    """

    __slots__ = ("_answer", "_case", "_marks", "_reason", "_told", "_value", "headers", "undetermined")

    def __init__(
        self,
        marks: tuple[Fault | None, ...],
        headers: int,
        *,
        case: Case | None = None,
        value: Any = None,
        answer: Any = None,
        undetermined: str | None = None,
    ) -> None:
        self._marks, self.headers, self.undetermined = marks, headers, undetermined
        self._case, self._value, self._answer = case, value, answer
        self._reason: Reason | None = None
        self._told: tuple[Fault, ...] | None = None

    @property
    def score(self) -> int | None:
        return None if self.undetermined else self._marks.count(None)

    @property
    def bits(self) -> dict[str, int | None]:
        """{"graph": 1, "query": 1, "strategy": 0, ...}; None for each bit where undetermined."""
        if self.undetermined:
            return dict.fromkeys(SLOTS)
        return {slot: int(mark is None) for slot, mark in zip(SLOTS, self._marks, strict=True)}

    @property
    def answer(self) -> Any:
        if self._value is None or self._case is None or self._case.task.family == "numeric":
            return self._answer  # of a numeric task the value is the whole claim
        return self._case.task.answer.show(self._value)

    @property
    def claim(self) -> Any:
        """What a trace of a numeric task says: its set, its number, its word; None elsewhere."""
        return self._value if self._case is not None and self._case.task.family == "numeric" else None

    @property
    def judged_on(self) -> Any:
        """The graph (or puzzle) that the answer was judged on: the problem's, else the trace's own, or None."""
        return None if self._case is None else self._case.formal

    @property
    def admissible(self) -> bool:
        """Can an answer be read, and is at least one slot header there?"""
        return self.undetermined is None and self.headers > 0 and self.answer is not None

    @property
    def reason(self) -> Reason:
        if self._reason is None:
            if self._case is None or self._value is None:
                self._reason = NOTHING
            else:
                self._reason = self._case.task.explain(self._value, self._case)
        return self._reason

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Why each bit that is 0 failed; that the object is not valid is said once, at the first slot it costs."""
        if self._told is not None:
            return self._told
        found: list[Fault] = []
        told = False
        for mark in self._marks:
            if mark is not None and (mark.why or not told):
                found.append(mark if mark.why else Fault(mark.slot, self.reason.why))
                told = told or not mark.why
        return tuple(found)

    @property
    def why(self) -> str:
        """One sentence about the answer."""
        if self.undetermined:
            return f"undetermined: {self.undetermined}"
        if self.reason is NOTHING:
            return next((mark.why for mark in reversed(self._marks) if mark is not None), NOTHING.why)
        return self.reason.why

    @property
    def witness(self) -> Mapping[str, Any] | None:
        """Data with which a reader can check by hand that the answer is valid, or that it is not."""
        return None if self.undetermined else self.reason.witness

    def __eq__(self, other: object) -> bool:
        return self.to_json() == other.to_json() if isinstance(other, Verdict) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Verdict(score={self.score}, answer={self.answer!r}, why={self.why!r})"

    def to_json(self) -> dict[str, Any]:
        witness = self.witness
        return {
            "score": self.score,
            "bits": self.bits,
            "answer": self.answer,
            "faults": [fault.to_json() for fault in self.faults],
            "witness": dict(witness) if witness is not None else None,
            "why": self.why,
            "headers": self.headers,
            "undetermined": self.undetermined,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Verdict":
        read = read_fields("verdict", record, KINDS, needed=KINDS)
        stated = [Fault.from_json(fault) for fault in read["faults"]]
        faults = {fault.slot: fault for fault in stated}
        failed = {slot for slot, bit in read["bits"].items() if bit == 0}
        if read["undetermined"] is None:
            marks = tuple(faults.get(slot, Fault(slot, "")) if slot in failed else None for slot in SLOTS)
            agree = len(faults) == len(stated) and faults.keys() <= failed and read["score"] == marks.count(None)
        else:
            marks, agree = (), not faults and read["score"] is None
        verdict = cls(marks, read["headers"], answer=read["answer"], undetermined=read["undetermined"])
        if not agree or read["bits"] != verdict.bits:
            raise RecordError("a verdict's score, bits and faults do not agree")
        verdict._reason = Reason(read["why"], read["witness"])
        verdict._told = tuple(faults.values())
        return verdict
