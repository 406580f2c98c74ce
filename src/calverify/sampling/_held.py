"""A text held to a form, and the spelling of slots that every form shares."""

from collections.abc import Callable
from dataclasses import dataclass
from json import dumps
from typing import Any

from calverify.errors import CalverifyError
from calverify.sampling._gbnf import literal
from calverify.traces import STEPS

__all__ = ["Held", "as_json", "header"]

MOST_CHARACTERS = 1 << 20  # of one grammar


@dataclass(frozen=True, slots=True)
class Held:
    """How every text begins, the pattern of the rest, and the rules that the patterns name.

    Where a part of the rest decides all of it, `choice` is the pattern of that part and `ending` gives what follows: so
    a runtime at hand need not ask a model for what is forced anyway.
    """

    opening: str
    rest: str
    rules: str
    choice: str | None = None
    ending: Callable[[str], str] | None = None

    @property
    def grammar(self) -> str:
        """Of the whole text."""
        return self._written(f"{literal(self.opening)} {self.rest}")

    @property
    def asked(self) -> str:
        """Of what a model has to be asked for behind the opening."""
        return self._written(self.choice or self.rest)

    def whole(self, said: str) -> str:
        """The text, from what a model said behind the opening."""
        return self.opening + said + (self.ending(said) if self.ending else "")

    def _written(self, root: str) -> str:
        written = f"root ::= {root}\n{self.rules}"
        if len(written) > MOST_CHARACTERS:
            raise CalverifyError(
                f"the grammar of this problem would have {len(written):,} characters; the limit is "
                f"{MOST_CHARACTERS:,}: sample it with another decoding"
            )
        return written


def header(place: int) -> str:
    return f"STEP {place + 1} [{STEPS[place]}]: "


def as_json(value: Any) -> str:
    """As `render_trace` writes it."""
    return dumps(value, ensure_ascii=False, separators=(",", ":"))
