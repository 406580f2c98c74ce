"""A slow matcher of GBNF grammars: every way to read a text, as the set of places where a pattern can end.

It shares nothing with the writer of the grammars, and reads what llama.cpp reads: rules, quoted text, classes of
characters, groups, choices, and the repeats * + ? {m} {m,} {m,n}.
"""

from typing import Any

ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\", "[": "[", "]": "]", "-": "-", "^": "^", "/": "/"}
WIDTHS = {"x": 2, "u": 4, "U": 8}


class Grammar:
    """`Grammar('root ::= "a"+').accepts("aaa")`."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.rules: dict[str, Any] = {}
        self._skip(lines=True)
        while self.at < len(text):
            name = self._name()
            self._skip()
            assert text.startswith("::=", self.at), f"no rule at {text[self.at : self.at + 40]!r}"
            self.at += 3
            self._skip(lines=True)
            assert name not in self.rules, f"two rules {name}"
            self.rules[name] = self._choice(inside=False)
            self._skip(lines=True)
        missing = {name for name in self._named(list(self.rules.values())) if name not in self.rules}
        assert not missing, f"rules that are named and not there: {missing}"

    def _named(self, part: Any) -> set[str]:
        if isinstance(part, tuple) and part[0] == "rule":
            return {part[1]}
        return set().union(*(self._named(inner) for inner in part)) if isinstance(part, list | tuple) else set()

    # ------------------------------------------------------------ reading

    def _skip(self, *, lines: bool = False) -> None:
        while self.at < len(self.text) and self.text[self.at] in (" \t\n" if lines else " \t"):
            self.at += 1

    def _name(self) -> str:
        start = self.at
        while self.at < len(self.text) and (self.text[self.at].isalnum() or self.text[self.at] == "-"):
            self.at += 1
        assert self.at > start, f"no name at {self.text[start : start + 40]!r}"
        return self.text[start : self.at]

    def _choice(self, *, inside: bool) -> Any:
        ways = [self._row(inside=inside)]
        while self._peek() == "|":
            self.at += 1
            self._skip(lines=True)
            ways.append(self._row(inside=inside))
        return ("choice", ways)

    def _peek(self) -> str:
        return self.text[self.at] if self.at < len(self.text) else ""

    def _row(self, *, inside: bool) -> Any:
        parts: list[Any] = []
        self._skip(lines=inside)
        while self._peek() and self._peek() not in "|)\n":
            parts.append(self._repeated(self._one()))
            self._skip(lines=inside)
        return ("row", parts)

    def _one(self) -> Any:
        char = self._peek()
        if char == '"':
            self.at += 1
            letters = []
            while self._peek() != '"':
                letters.append(self._char())
            self.at += 1
            return ("text", "".join(letters))
        if char == "[":
            return self._class()
        if char == "(":
            self.at += 1
            inner = self._choice(inside=True)
            assert self._peek() == ")", f"an open group at {self.text[self.at : self.at + 40]!r}"
            self.at += 1
            return inner
        return ("rule", self._name())

    def _class(self) -> Any:
        self.at += 1
        outside = self._peek() == "^"
        self.at += outside
        ranges = []
        while self._peek() != "]":
            low = high = self._char()
            if self._peek() == "-" and self.text[self.at + 1] != "]":
                self.at += 1
                high = self._char()
            ranges.append((low, high))
        self.at += 1
        return ("class", outside, tuple(ranges))

    def _char(self) -> str:
        char = self.text[self.at]
        self.at += 1
        if char != "\\":
            return char
        kind = self.text[self.at]
        self.at += 1
        if kind not in WIDTHS:
            return ESCAPES[kind]
        digits = self.text[self.at : self.at + WIDTHS[kind]]
        self.at += WIDTHS[kind]
        return chr(int(digits, 16))

    def _repeated(self, part: Any) -> Any:
        mark = self._peek()
        if mark not in ("*", "+", "?", "{"):
            return part
        self.at += 1
        if mark != "{":
            return ("times", part, *{"*": (0, None), "+": (1, None), "?": (0, 1)}[mark])
        end = self.text.index("}", self.at)
        low, comma, high = self.text[self.at : end].partition(",")
        self.at = end + 1
        return ("times", part, int(low), (int(high) if high else None) if comma else int(low))

    # ------------------------------------------------------------ matching

    def accepts(self, text: str) -> bool:
        """Can the whole text be read as `root`?"""
        known: dict[tuple[int, int], frozenset[int]] = {}
        return len(text) in self._ends(("rule", "root"), text, 0, known)

    def _ends(self, part: Any, text: str, at: int, known: dict[tuple[int, int], frozenset[int]]) -> frozenset[int]:
        match part:
            case ("text", said):
                return frozenset({at + len(said)} if text.startswith(said, at) else ())
            case ("class", outside, ranges):
                inside = at < len(text) and any(low <= text[at] <= high for low, high in ranges)
                return frozenset({at + 1} if at < len(text) and inside != outside else ())
            case ("rule", name):
                body = self.rules[name]
                if (id(body), at) not in known:
                    known[id(body), at] = self._ends(body, text, at, known)
                return known[id(body), at]
            case ("choice", ways):
                return frozenset().union(*(self._ends(way, text, at, known) for way in ways))
            case ("row", parts):
                places = frozenset({at})
                for inner in parts:
                    places = frozenset().union(*(self._ends(inner, text, place, known) for place in places))
                return places
            case ("times", inner, least, most):
                return self._times(inner, (least, most), text, at, known)
        raise AssertionError(part)

    def _times(self, inner: Any, times: tuple[int, int | None], text: str, at: int, known: Any) -> frozenset[int]:
        least, most = times
        ends = {at} if not least else set()
        places, seen, count = {at}, set[int](), 0
        while places and (most is None or count < most):
            count += 1
            places = set().union(*(self._ends(inner, text, place, known) for place in places))
            if count >= least:
                ends |= places
                places -= seen  # another way to a place that was reached already goes on as the first did
                seen |= places
        return frozenset(ends)
