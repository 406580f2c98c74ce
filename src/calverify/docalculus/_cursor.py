"""A place in a text: patterns match at it, blanks are skipped behind them, and errors say where it stands.

Rule 1: every position is one in the text as it was given; nothing is normalised before it is read.
Rule 2: what only spaces a formula out is blank: white space, `~`, `\\,`, `\\quad`, `\\left`, `\\big`, `\\displaystyle`.
"""

import re

from calverify.errors import ExpressionError

__all__ = ["AFTER_COMMAND", "BLANKS", "Cursor"]

AFTER_COMMAND = "(?![A-Za-z])"  # a LaTeX command ends here
BLANKS = (
    r"(?:\s|~|\\[,;:!> ]|\\(?:left|right|middle|quad|qquad|displaystyle|textstyle|limits|nolimits|"
    rf"[bB]ig(?:[lrm]|g[lrm]|g|)){AFTER_COMMAND}|(?!))*+"
)
BLANK = re.compile(BLANKS)
EXCERPT = 24  # characters
WRAPPERS = (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"))


class Cursor:
    """Where reading stands in the text, and where the text ends."""

    __slots__ = ("at", "stop", "text")

    def __init__(self, text: str) -> None:
        """At the first character that is no blank, inside the `$...$` around the whole."""
        self.text = text
        self.at = len(text) - len(text.lstrip())
        self.stop = max(self.at, len(text.rstrip()))
        for left, right in WRAPPERS:
            inside = self.at + len(left), self.stop - len(right)
            if inside[0] <= inside[1] and text.startswith(left, self.at) and text.endswith(right, 0, self.stop):
                self.at, self.stop = inside
                break
        self.move(self.at)

    def move(self, at: int) -> None:
        """Go there, and past the blanks that follow."""
        found = BLANK.match(self.text, at, self.stop)
        self.at = found.end() if found else at

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What matches here, left behind together with the blanks after it; None where nothing does."""
        found = pattern.match(self.text, self.at, self.stop)
        if found is not None:
            self.move(found.end())
        return found

    def expect(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        found = self.take(pattern)
        if found is None:
            raise self.error(f"expected {what}")
        return found

    def sees(self, pattern: re.Pattern[str]) -> bool:
        return pattern.match(self.text, self.at, self.stop) is not None

    def error(self, why: str, at: int | None = None) -> ExpressionError:
        """The error, with its place and the text that stands there."""
        place = self.at if at is None else at
        found = self.text[place : min(place + EXCERPT, self.stop)]
        return ExpressionError(f"{why} at character {place + 1}: {repr(found) if found else 'the end'}")
