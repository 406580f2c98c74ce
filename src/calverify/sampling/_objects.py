"""The objects of one problem as patterns of a grammar: sets, walks, cycles, assignments, words and numbers.

An object is spelled as JSON in a slot and in plain words on the ANSWER line, or there as JSON too where a name holds
marks of its own.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from json import dumps
from typing import Any

from calverify.graphs import Graph, Path
from calverify.problem import Problem
from calverify.sampling._gbnf import either, literal, separated
from calverify.tasks import Task
from calverify.traces import AnswerType

__all__ = ["Objects"]


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
    """The patterns of a problem's objects, and the rules that they name.

    `pinned` holds an object further: a set is written in order, each name once, and one that separates is not empty and
    leaves the targets out; a walk follows edges of the graph; an ordering has every name.
    """

    task: Task
    problem: Problem
    known: tuple[str, ...]
    formal: Any
    pinned: bool
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
        """What no grammar here describes: a text, or texts in a list."""
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
        if kind == "set":
            body = self._subset(spelling) if self.pinned else separated(word, spelling.between, least=0)
        elif kind == "ordering" and self.pinned:
            body = f"{word} ( {literal(spelling.between)} {word} ){{{len(self.known) - 1}}}"
        elif self.pinned and kind in ("walk", "cycle") and self._graph is not None:
            body = self._along_edges(spelling)
        else:
            body = separated(word, spelling.between)
        return f"{literal(spelling.opens)} {body} {literal(spelling.closes)}"

    def _assignment(self, spelling: Spelling) -> str:
        """Everybody in order."""
        opens, behind, between, closes = spelling.roles
        parts = [f"{literal(spelling.word(name) + behind)} role" for name in self.known]
        return f"{literal(opens)} " + f" {literal(between)} ".join(parts) + f" {literal(closes)}"

    def _subset(self, spelling: Spelling) -> str:
        """Names in order, each at most once: a rule a name, which is in the set or not."""
        separates = "separating_set" in self.task.states
        names = [name for name in self.known if not (separates and name in self._ends)]
        tag = f"{spelling.tag}-from"
        for place, name in reversed(list(enumerate(names))):
            word = literal(spelling.word(name))
            last = place == len(names) - 1
            here = word if last else f"{word} ( {literal(spelling.between)} {tag}{place + 1} )?"
            self._rules[f"{tag}{place}"] = here if last else f"{here} | {tag}{place + 1}"
        if not names:
            return '""'
        return f"{tag}0" if separates else f"( {tag}0 )?"

    @property
    def _ends(self) -> set[str]:
        path = self.problem.query.path
        ends = () if path is None else Path.parse(path).nodes
        return {*self.problem.query.target_names, *ends[:1], *ends[-1:]}

    @property
    def _graph(self) -> Graph | None:
        return self.formal if isinstance(self.formal, Graph) else None

    def _along_edges(self, spelling: Spelling) -> str:
        """A walk of at least one edge of the graph: a rule a node, for the walk from there on."""
        graph = self._graph
        assert graph is not None
        place = {name: number for number, name in enumerate(self.known)}
        heads: dict[str, list[str]] = {name: [] for name in self.known}
        for tail, head in graph.directed:
            heads[tail].append(head)
        tag, starts = f"{spelling.tag}-at", []
        for name, after in heads.items():
            word = literal(spelling.word(name))
            onward = f"{literal(spelling.between)} {either(f'{tag}{place[head]}' for head in sorted(after))}"
            self._rules[f"{tag}{place[name]}"] = f"{word} ( {onward} )?" if after else word
            if after:
                starts.append(f"{word} {onward}")
        return either(starts) if starts else self._names(spelling, self.known)
