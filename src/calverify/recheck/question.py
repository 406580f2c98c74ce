"""A problem, read as its task admits it; and the table that says what a task admits."""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from .graphs import Graph, read_graph
from .records import Set, fields, json_text, need, row, several

__all__ = ["ACYCLIC", "ANY", "DECIDED", "EVERY", "LISTED", "Ask", "Family", "Question", "plain_name"]

ACYCLIC, ANY, EVERY = "dag admg", "dag admg directed", "dag admg directed undirected"  # classes of graphs
DECIDED = "yes_no choice choice_not existence"  # the forms of every task that can be asked in more than one
LISTED = f"{DECIDED} find_all how_many"
OPTIONAL: dict[str, Any] = {
    "path": None, "given": [], "threshold": None, "tolerance": None, "formula": [], "form": "find_one", "claim": None,
    "options": [],
}  # fmt: skip


class Ask(NamedTuple):
    """What a question looks like: how many targets, graphs of which classes ("" for none), which fields beyond those.

    `sets` says that a target may be a set of names.
    """

    targets: Collection[int] = (2,)
    graphs: str = ACYCLIC
    takes: str = ""
    sets: bool = False


class Question:
    """A problem; what its task has no use for is refused.

    `path`, `said` (what is said, by whom), `threshold`, `tolerance` and `scm` are as the record has them.
    """

    def __init__(self, problem: Any, ask: Ask) -> None:
        whole = {"text": "", "graph": None, "scm": None, **problem}
        ident, text, query, graph, self.scm = fields(whole, "id text query graph scm")
        need(row([ident]) and type(text) is str, "the problem has no id")
        self.task, targets, self.path, given, self.threshold, self.tolerance, self.said, self.form, *stated = fields(
            {**OPTIONAL, **query}, f"task targets {' '.join(OPTIONAL)}"
        )
        self.claim, self.options = stated
        need(type(self.said) is list and type(self.options) is list, "the problem is damaged")
        need((self.claim is not None) is (self.form == "yes_no"), "a claim belongs to a yes_no question")
        need(bool(self.options) is (self.form in ("choice", "choice_not")), "options belong to a choice")
        self.sides = self._sides(targets, ask)
        self.targets, self.given = tuple(name for side in self.sides for name in sorted(side)), several(given)
        self._uses(ask, graph is not None)
        self.graph, self.kind = (Graph(self.targets, ()), "") if graph is None else read_graph(graph)
        need(self.kind in ask.graphs.split() or not ask.graphs, f"{self.task} is not asked on such a graph")
        pair = self.targets[-2:] if self.task == "intervention" else self.targets
        need({*self.targets, *self.given} <= self.graph.nodes and len(set(pair)) == len(pair), "wrong targets")

    def _sides(self, targets: Any, ask: Ask) -> tuple[Set, ...]:
        """Each target as a set, of one name where the task takes no sets."""
        need(type(targets) is list and len(targets) in ask.targets, "the wrong number of targets")
        found = tuple(several(side if ask.sets and type(side) is list else [side]) for side in targets)
        need(all(found), "a target is an empty set")
        return found

    def _uses(self, ask: Ask, graphed: bool) -> None:
        """Are the fields those that the task takes?"""
        stated = {"path": self.path, "threshold": self.threshold, "tolerance": self.tolerance, "scm": self.scm}
        used = {name for name, value in stated.items() if value is not None}
        used |= {name for name, value in (("given", self.given), ("formula", self.said)) if value}
        fits = used <= set(ask.takes.split()) and graphed is bool(ask.graphs)
        need(fits, "the problem has a field that its task does not admit, or lacks one")

    @cached_property
    def way(self) -> Set:
        """The nodes of the causal paths from the first target to the second, the first apart."""
        t, reach = self.targets, self.graph.reach
        return reach("->", t[:1]) & reach("<-", t[1:]) - {*t[:1]}


def plain_name(q: Question, text: str) -> str:
    """The name that a claim or an option is; a text that could be read as more than its name is refused."""
    plain = all(mark.isalnum() or mark in "-_ " for mark in text)
    need(text in q.graph.nodes or plain, f"no plain name: {text!r:.60}")
    return text


class Family(NamedTuple):
    """Tasks whose answers and witnesses are alike.

    A value is an answer that can be compared and kept in a set.  `shows` is the verdict on a value that a witness
    proves; it refuses a witness that proves none.  `holds` is the verdict without a witness, and `tried` all values
    that may be valid: with both, a task can be asked in the `forms` that need them.  `claimed` reads the answer that a
    claim or an option names, `nameless` says that a text names none, and `legal` refuses a problem that the task does
    not admit.
    """

    tasks: Mapping[str, Ask]
    kinds: Mapping[str, str]  # of witnesses, with their fields
    value: Callable[[Question, Any], Any]
    shows: Callable[[Question, Any, Any], bool]
    holds: Callable[[Question, Any], bool] | None = None
    tried: Callable[[Question], Iterable[Any]] = lambda q: ()
    forms: str = ""
    claimed: Callable[[Question, str], Any] = lambda q, text: json_text(text)
    nameless: Callable[[Question, str], bool] = lambda q, text: False
    legal: Callable[[Question], None] = lambda q: None

    def proves(self, q: Question, value: Any, w: Any) -> bool:
        """The verdict on a value that a witness of one of these kinds proves."""
        need(type(w) is dict and w.get("kind") in tuple(self.kinds), "no witness of a kind that the task has")
        fields(w, f"kind {self.kinds[w['kind']]}")
        return self.shows(q, value, w)
