"""What a selector may see: the question, the text a model was shown, and the graph when one is supplied.

There is no field in which a reference answer could live, and records are read by an allow-list: an unknown field is a
`LeakError`, so tomorrow's `gold_v2` is refused too.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from calverify.errors import QueryError, RecordError
from calverify.graphs import KINDS, Graph, Path
from calverify.names import NameFault, brief, clean_name, exact_number, listing, number_json
from calverify.records import read_fields

if TYPE_CHECKING:
    from calverify.effects import SCM

__all__ = ["Problem", "Query", "Target"]

Target = Any  # a name; in a task about effects of sets, a sorted tuple of two names or more


@dataclass(frozen=True, slots=True)
class Query:
    """A task's name and what it is asked about: `Query("backdoor", ("X", "Y"))`.

    `path` is one named path ("F -> P <- T"; its ends are the targets), `given` a condition, `threshold` and
    `tolerance` belong to numeric effects, and `formula` is what each speaker says (`(("Ann", "knave(Bob)"), ...)`), the
    state of a variable that a question about a model names (`(("Y", "0"),)`), or a claim's relation.
    `form` is how the question is put ("find_one", "find_all", "how_many", "yes_no", "choice", ...); a yes/no question
    has a `claim`, and a choice has `options`.  Where a task takes sets, a target may be one:
    `Query("identification", (("X", "Z"), "Y"))`.
    """

    task: str
    targets: tuple[Target, ...] = ()
    path: str | None = None
    given: tuple[str, ...] = ()
    threshold: Fraction | None = None
    tolerance: Fraction | None = None
    formula: tuple[tuple[str, str], ...] = ()
    form: str = "find_one"
    claim: str | None = None
    options: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.task, str) or not self.task:
            raise QueryError(f"a query needs the name of a task, not {self.task!r}")
        for name in ("targets", "given"):
            value = getattr(self, name)
            if not isinstance(value, list | tuple):
                raise QueryError(f"{name} must be a list of names, which has an order, not {brief(value)}")
            read = _target if name == "targets" else _name
            object.__setattr__(self, name, tuple(read(item, name) for item in value))
        for name in ("threshold", "tolerance"):
            object.__setattr__(self, name, _exact(name, getattr(self, name)))
        if self.path is not None:
            if not isinstance(self.path, str):
                raise QueryError(f"path must be a text such as 'F -> P <- T', not {brief(self.path)}")
            path = Path.parse(self.path)
            object.__setattr__(self, "path", str(path))
            object.__setattr__(self, "targets", self.targets or (path.nodes[0], path.nodes[-1]))
        if not isinstance(self.claim, str | None):
            raise QueryError(f"claim must be the text of an object, not {brief(self.claim)}")
        if not isinstance(self.options, list | tuple) or not all(isinstance(option, str) for option in self.options):
            raise QueryError(f"options must be a list of texts, not {brief(self.options)}")
        if not isinstance(self.form, str):
            raise QueryError(f"form must be the name of a form, not {brief(self.form)}")
        object.__setattr__(self, "options", tuple(self.options))
        if not isinstance(self.formula, list | tuple):
            raise QueryError(f"formula must be a list of [speaker, formula] pairs, not {brief(self.formula)}")
        object.__setattr__(self, "formula", tuple(_statement(pair) for pair in self.formula))

    @property
    def target_names(self) -> Iterator[str]:
        """Every name among the targets, those of sets too."""
        return (name for target in self.targets for name in (target if type(target) is tuple else (target,)))

    def to_json(self) -> dict[str, Any]:
        shown = [list(target) if type(target) is tuple else target for target in self.targets]
        record: dict[str, Any] = {"task": self.task, "targets": shown}
        if self.path is not None:
            record["path"] = self.path
        if self.given:
            record["given"] = list(self.given)
        for name in ("threshold", "tolerance"):
            value = getattr(self, name)
            if value is not None:
                record[name] = number_json(value)
        if self.form != "find_one":
            record["form"] = self.form
        if self.claim is not None:
            record["claim"] = self.claim
        if self.options:
            record["options"] = list(self.options)
        if self.formula:
            record["formula"] = [list(pair) for pair in self.formula]
        return record

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Query":
        number = int | float | str | None
        kinds = {"task": str, "targets": list, "path": str | None, "given": list, "threshold": number,
                 "tolerance": number, "formula": list, "form": str, "claim": str | None, "options": list}  # fmt: skip
        return cls(**read_fields("query", record, kinds, needed=("task",)))


def _exact(name: str, value: object) -> Fraction | None:
    """The number as the caller wrote it: 0.02 is 1/50, not the nearest double."""
    number = value if isinstance(value, Fraction) else exact_number(value)
    if number is None and value is not None:
        raise QueryError(f"{name} must be a finite number, not {brief(value)}")
    return number


def _statement(pair: object) -> tuple[str, str]:
    if not isinstance(pair, list | tuple) or len(pair) != 2 or not isinstance(pair[1], str):
        raise QueryError(f"a statement must be a pair of speaker and formula, not {pair!r}")
    return _name(pair[0], "formula"), pair[1]


def _name(item: object, where: str) -> str:
    try:
        return clean_name(item)
    except NameFault as fault:
        raise QueryError(f"{where}: {fault}") from None


def _target(item: object, where: str) -> Target:
    """A name, or the sorted names of a set; a set of one is its member."""
    if not isinstance(item, list | tuple | set | frozenset):
        return _name(item, where)
    names = sorted({_name(member, where) for member in item})
    if not names or len(names) != len(item):
        raise QueryError(f"a set among the targets must hold names, each once, not {brief(item)}")
    return tuple(names) if len(names) > 1 else names[0]


@dataclass(frozen=True, slots=True)
class Problem:
    """One question with everything a model was shown; `graph=None` asks each trace for a graph of its own.

    In that constructed-graph mode, `legend` lists the only names a trace's graph may use (empty: any), and
    `graph_class` the class it must have.  `scm` holds the tables of a numeric question; the graph is then its graph.
    """

    id: str
    query: Query
    graph: Graph | None = None
    text: str = ""
    legend: tuple[str, ...] = ()
    graph_class: str | None = None
    scm: "SCM | None" = None
    _memo: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.id, str) or not self.id:
            raise RecordError(f"a problem needs a non-empty string as its id, not {self.id!r}")
        if not isinstance(self.query, Query):
            raise RecordError(f"problem {self.id!r}: query must be a Query, not {self.query!r}")
        if not isinstance(self.graph, Graph | None):
            raise RecordError(f"problem {self.id!r}: graph must be a Graph or None, not {self.graph!r}")
        if not isinstance(self.text, str):
            raise RecordError(f"problem {self.id!r}: text must be a string, not {self.text!r}")
        if self.graph_class not in (None, *KINDS):
            raise RecordError(f"problem {self.id!r}: graph_class must be one of {', '.join(KINDS)}")
        if not isinstance(self.legend, list | tuple):
            raise RecordError(f"problem {self.id!r}: legend must be a list of names, not {brief(self.legend)}")
        object.__setattr__(self, "legend", tuple(_name(name, "legend") for name in self.legend))
        if self.scm is not None:
            if self.graph is None:
                object.__setattr__(self, "graph", self.scm.graph)
            elif self.graph != self.scm.graph:
                raise RecordError(f"problem {self.id!r}: the graph {self.graph} is not the graph of the scm")
        self._check_names()

    def _check_names(self) -> None:
        if self.graph is not None:
            known, where = self.graph.node_set, "the graph"
        elif self.legend:
            known, where = frozenset(self.legend), "the legend"
        else:
            return
        path = Path.parse(self.query.path).nodes if self.query.path else ()
        for role, names in (("target", self.query.target_names), ("given", self.query.given), ("path", path)):
            for name in names:
                if name not in known:
                    place = "" if self.id.startswith("(") else f", in problem {self.id!r}"
                    raise QueryError(f"{role} {name!r} is not in {where} ({listing(sorted(known))}){place}")

    def to_json(self) -> dict[str, Any]:
        record: dict[str, Any] = {
            "id": self.id,
            "text": self.text,
            "query": self.query.to_json(),
            "graph": self.graph.to_json() if self.graph is not None else None,
        }
        if self.legend:
            record["legend"] = list(self.legend)
        if self.graph_class is not None:
            record["graph_class"] = self.graph_class
        if self.scm is not None:
            record["scm"] = self.scm.to_json()
        return record

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Problem":
        """The problem of a record; an unknown field is refused, because a reference answer could live there."""
        kinds = {"id": str, "text": str, "query": dict, "graph": dict | None, "legend": list,
                 "graph_class": str | None, "scm": dict | None}  # fmt: skip
        read = read_fields("problem", record, kinds, needed=("id", "query"))
        graph = read.pop("graph", None)
        read["graph"] = None if graph is None else Graph.from_json(graph)
        read["query"] = Query.from_json(read["query"])
        if read.get("scm") is not None:
            from calverify.effects import SCM  # only a numeric question needs the room

            read["scm"] = SCM.from_json(read["scm"])
        return cls(**read)
