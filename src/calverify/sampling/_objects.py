"""The objects of one problem as patterns of a grammar: sets, walks, cycles, assignments, words and numbers.

An object is spelled as JSON in a slot and in plain words on the ANSWER line, or there as JSON too where a name holds
marks of its own.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from json import dumps

from calverify.sampling._gbnf import either, literal, separated
from calverify.tasks import Task
from calverify.traces import AnswerType

__all__ = ["GRAPH", "LIST_OF_NAMES", "Objects"]

LIST_OF_NAMES = f'"[" {separated("name", ",", least=0)} "]"'
LIST_OF_PAIRS = f'"[" {separated("pair", ",", least=0)} "]"'
GRAPH = (
    f'"{{\\"nodes\\":" {LIST_OF_NAMES} ",\\"edges\\":" {LIST_OF_PAIRS} '
    f'( ",\\"bidirected\\":" {LIST_OF_PAIRS} )? ( ",\\"undirected\\":" {LIST_OF_PAIRS} )? "}}"'
)


@dataclass(frozen=True, slots=True)
class Spelling:
    """How names stand together; of an assignment, what stands before, behind and between the roles."""

    tag: str
    word: Callable[[str], str]
    opens: str
    between: str
    closes: str
    roles: tuple[str, str, str, str] = ("{", ':"', '",', '"}')


def _json_word(name: str) -> str:
    return dumps(name, ensure_ascii=False)


SLOT = Spelling("slot", _json_word, "[", ",", "]")
EXACT = Spelling("exact", dumps, "[", ", ", "]", ("{", ': "', '", ', '"}'))
PLAIN_ROLES = ("", " is a ", ", ", "")
PLAIN = {
    "set": Spelling("plain", str, "{", ", ", "}"),
    "walk": Spelling("plain", str, "", " -> ", ""),
    "cycle": Spelling("plain", str, "", " -> ", ""),
    "ordering": Spelling("plain", str, "", ", ", ""),
    "name": Spelling("plain", str, "", "", ""),
    "assignment": Spelling("plain", str, "", "", "", PLAIN_ROLES),
}
WORDS = {"yes/no": '"\\"" yesno "\\""', "letter": '"\\"" letter "\\""', "count": "whole", "number": "decimal"}
BARE = {"yes/no": "yesno", "letter": "letter", "count": "whole", "number": "( decimal | fraction )"}


@dataclass(slots=True)
class Objects:
    """The patterns of a task's objects over these names, and the rules that the patterns name."""

    task: Task
    known: tuple[str, ...]
    _rules: dict[str, str] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._rules["name"] = self._names(SLOT, self.known) if self.known else "quoted"

    @property
    def rules(self) -> str:
        return "".join(f"{name} ::= {pattern}\n" for name, pattern in self._rules.items())

    def json(self, kind: AnswerType) -> str:
        """An object as a slot states it."""
        if kind.name in WORDS:
            return WORDS[kind.name]
        return self._object(kind.name, SLOT) if kind.name in PLAIN and self.known else self._other(kind.name)

    def line(self) -> str:
        """The answer as its line spells it."""
        kind = self.task.answer.name
        if kind in BARE:
            return BARE[kind]
        if kind not in PLAIN or not self.known:
            return "line"
        plain = self._object(kind, PLAIN[kind])
        awkward = any(not (name.isascii() and name.isidentifier()) for name in self.known)
        return either([plain, self._object(kind, EXACT)]) if awkward else plain

    def _other(self, kind: str) -> str:
        """A graph; or what no grammar here describes: a text, or texts in a list."""
        if kind == "graph":
            return GRAPH
        if kind.startswith("list of "):
            lists = f'"[" {separated("name", ",", least=0)} "]"'
            return f'"[" {separated(either(["quoted", "whole", lists]), ",", least=0)} "]"'
        return either(["quoted", f'"[" {separated("quoted", ",", least=0)} "]"'])

    # ------------------------------------------------------------ patterns

    def _object(self, kind: str, spelling: Spelling) -> str:
        """The rule of this kind of object in this spelling."""
        rule = f"{spelling.tag}-{kind}"
        if rule not in self._rules:
            inside = self._assignment(spelling) if kind == "assignment" else self._inside(kind, spelling)
            self._rules[rule] = inside
        return rule

    def _names(self, spelling: Spelling, names: Iterable[str]) -> str:
        return either(literal(spelling.word(name)) for name in names)

    def _inside(self, kind: str, spelling: Spelling) -> str:
        word = self._names(spelling, self.known)
        if kind == "name":
            return word if spelling is not EXACT else f'"[" {word} "]"'
        body = separated(word, spelling.between, least=0 if kind == "set" else 1)
        return f"{literal(spelling.opens)} {body} {literal(spelling.closes)}"

    def _assignment(self, spelling: Spelling) -> str:
        """Everybody in order."""
        opens, behind, between, closes = spelling.roles
        parts = [f"{literal(spelling.word(name) + behind)} role" for name in self.known]
        return f"{literal(opens)} " + f" {literal(between)} ".join(parts) + f" {literal(closes)}"
