"""CLadder (Jin et al. 2023): questions of ten kinds about ten structures with tables, and the audit of its keys.

Rule 1: every number is computed again from the model's own tables, in fractions.
Rule 2: a question is asked here as its task asks it.  "Does X decrease Y?" is the task's question about Y=0; what is
nearer to zero than 0.005 is no effect, as in the data set.  Of two methods the task asks which is valid, and "does
seeing the collider mean that X affects Y?" is whether X reaches Y.  The published word is the one that was printed.
Rule 3: two keys are audited for a question with a number: the word, and the number, which the data set computed as if
parents were independent.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, Final

from calverify.benchmarks._data import DataFolder, field
from calverify.benchmarks._item import Corpus, Finding, Item, Origin, Remote, Subset, adapter, audits
from calverify.effects import SCM
from calverify.errors import RecordError
from calverify.formats import scm_from_cladder
from calverify.graphs import topological_order
from calverify.keys import Key
from calverify.names import brief
from calverify.problem import Problem, Query
from calverify.records import located
from calverify.scoring import checker_for
from calverify.tasks import Case

__all__ = ["Row", "corpus", "findings", "released_word", "rows", "word_of"]

FOLDER = "cladder"
COMMIT = "3d2d1169b4b939a09048a6a75956c8972a93cc38"
FILES = {
    "anti": "576974176ba7a735e0b7ca63526039ea75951cb87bc7e0f345c40a57c5e9792b",
    "det": "6d44e62822f84f68223ef2590f0353767ce83d1226d3363468114955cfa12e87",
    "easy": "a59d096b75e92e7c19319c713d9de0c9cc2ef58b4725dade577419f7d5a2304c",
    "hard": "8a9be6bf03ea84f4a6c4f2ed7f5d225090eebc13c2711ca81af508489fa32a18",
    "non": "ead7f71b9b740a5d9c2a8290057a7c46d2679502dceb0944dea174381b7f5b45",
}
MODELS = "cladder/test-model-meta.json"
MODELS_DIGEST = "1223621dc2d12ea061f4242474638dc6770f3c48aa24eeafdc6118ab3f6b4148"
HOME = f"https://raw.githubusercontent.com/causalNLP/cladder/{COMMIT}/data"
NEAR = Fraction(1, 200)  # an effect that is nearer to zero is answered no
TOLERANCE = Fraction(1, 100)  # texts round to one percent
SAME = Fraction(1, 1_000_000)  # two numbers of which one went through floats
WOULD: Final = re.compile(r"([A-Z]\d?+)_\{([A-Z]\d?+)=([01])\} = ([01]) \| ([^|]*+)")

ORIGIN = Origin(
    folder=FOLDER,
    size="4,164 questions in five files, 396 models, 6.6 MB",
    licence="MIT",
    home="https://github.com/causalNLP/cladder",
    files=(
        Remote(f"{HOME}/test-model-meta.json", MODELS, MODELS_DIGEST),
        *(
            Remote(f"{HOME}/test-generate-{name}.json", f"{FOLDER}/test-generate-{name}.json", digest)
            for name, digest in FILES.items()
        ),
    ),
)
# How the ways of asking after an effect lie: asked as it is printed, the number is above the threshold for a yes.
EFFECTS = {"ate": "ate", "nde": "natural_direct", "nie": "natural_indirect", "correlation": "correlation"}
KINDS = (*EFFECTS, "ett", "marginal", "exp_away", "collider_bias", "backadj", "det-counterfactual")


@dataclass(frozen=True, slots=True)
class Row:
    """One question as it was read, with its model."""

    place: str
    variant: str
    number: int
    kind: str
    record: Mapping[str, Any]
    meta: Mapping[str, Any]
    model: Mapping[str, Any]
    scm: SCM

    @property
    def ident(self) -> str:
        return f"cladder-{self.variant}-{self.number:04}"

    @property
    def polarity(self) -> bool:
        return bool(self.meta.get("polarity", True))


def rows(data: DataFolder) -> Iterator[Row]:
    """Every question of the files, each with its model; a question without one is refused."""
    models = {}
    for place, record in data.records(MODELS):
        with located(place):
            scm = scm_from_cladder(field(record, "params", dict, place), field(record, "structure", str, place))
        models[field(record, "model_id", int, place)] = record, scm
    for variant in FILES:
        for place, record in data.records(f"{FOLDER}/test-generate-{variant}.json"):
            meta = field(record, "meta", dict, place)
            number = field(meta, "model_id", int, place)
            kind = field(meta, "query_type", str, place)
            if number not in models:
                raise RecordError(f"{place}: its model {number} is not in {MODELS}")
            if kind not in KINDS:
                raise RecordError(f"{place}: the query_type {brief(kind)}; expected one of {', '.join(KINDS)}")
            if field(record, "answer", str, place) not in ("yes", "no"):
                raise RecordError(f"{place}: the answer {brief(record['answer'])}; expected yes or no")
            yield Row(place, variant, field(record, "question_id", int, place), kind, record, meta, *models[number])


@adapter(
    "cladder",
    "yes/no questions of ten kinds about models with tables: observation, intervention, counterfactual",
    ORIGIN,
    {kind: Subset(f"questions of the type {kind}", {"slice": kind}) for kind in KINDS},
)
def corpus(data: DataFolder, rng: Random) -> Corpus:
    """Every question as a problem with its model."""
    return Corpus(tuple(_item(row) for row in rows(data)))


def _item(row: Row) -> Item:
    with located(row.place):
        query = QUERIES[row.kind](row)
        problem = Problem(row.ident, query, row.scm.graph, _text(row), scm=row.scm if _needs_tables(query) else None)
        checker_for(problem)
    strata = {"slice": row.kind, "variant": row.variant, "structure": str(row.meta["graph_id"])}
    cluster = f"cladder-{row.variant}-{row.meta['model_id']}-{row.kind}"
    return Item(problem, Key(row.ident, published=row.record["answer"], cluster=cluster, strata=strata))


def _needs_tables(query: Query) -> bool:
    return query.task not in ("backdoor", "intervention")


def _text(row: Row) -> str:
    """What the data set shows, and what its variables are called; the question too, where the task asks the same."""
    names = row.model["variable_mapping"]
    legend = "; ".join(f"{node} = {names[f'{node}name']}" for node in row.scm.graph.nodes if f"{node}name" in names)
    parts = [field(row.model, "background", str, MODELS), f"Let {legend}."]
    parts.append(field(row.record, "given_info", str, row.place))
    if row.kind not in ("backadj", "collider_bias"):
        parts.append(field(row.record, "question", str, row.place))
    return "\n".join(part for part in parts if part)


# ---------------------------------------------------------------- the question, as a task asks it


def _targets(row: Row) -> tuple[str, str]:
    return row.meta["treatment"], row.meta["outcome"]


def _effect(row: Row) -> Query:
    """Above 0.005 of the outcome that the question is about: the other state where it asks about a decrease."""
    up = row.polarity if row.kind != "ett" else not row.polarity  # ett asks about the arm that did not happen
    task = EFFECTS.get(row.kind, row.kind)
    formula = () if up else ((row.meta["outcome"], "0"),)
    return Query(task, _targets(row), threshold=NEAR, tolerance=TOLERANCE, formula=formula)


def _marginal(row: Row) -> Query:
    outcome = row.meta["outcome"]
    formula = () if row.polarity else ((outcome, "0"),)
    return Query("probability", (outcome,), threshold=Fraction(1, 2), tolerance=TOLERANCE, formula=formula)


def _explaining_away(row: Row) -> Query:
    formula = () if row.polarity else ((row.meta["outcome"], "0"),)
    collider = (row.meta["collider"],)
    return Query("explaining_away", _targets(row), given=collider, tolerance=TOLERANCE, formula=formula)


def _methods(row: Row) -> Query:
    """The first method is A, the second B."""
    options = tuple("{" + ", ".join(names) + "}" for names in row.meta["given_info"])
    return Query("backdoor", _targets(row), form="choice", options=options)


def _would(row: Row) -> Query:
    found = WOULD.fullmatch(row.meta["formal_form"])
    if found is None:
        raise RecordError(f'the formal_form {brief(row.meta["formal_form"])}; expected "Y_{{X=0}} = 1 | V2=0"')
    seen = [tuple(part.strip().split("=")) for part in found[5].split(",") if part.strip()]
    formula = ((found[2], found[3]), (found[1], found[4]), *((name, state) for name, state in seen))
    return Query("counterfactual", (found[2], found[1]), given=tuple(name for name, _ in seen), formula=formula)


QUERIES: dict[str, Callable[[Row], Query]] = {
    **dict.fromkeys((*EFFECTS, "ett"), _effect),
    "marginal": _marginal,
    "exp_away": _explaining_away,
    "collider_bias": lambda row: Query("intervention", _targets(row)),
    "backadj": _methods,
    "det-counterfactual": _would,
}


# ---------------------------------------------------------------- the audit


def word_of(row: Row, answer: str) -> str:
    """The word that the printed question wants where the task's answer is this."""
    if row.kind == "backadj":
        return "yes" if answer == "A" else "no"
    if row.kind == "collider_bias" and not row.polarity:  # "does it mean that X does not affect Y?"
        return "no" if answer == "yes" else "yes"
    return answer


def released_word(row: Row) -> str:
    """The word that follows from the released number or set by the data set's own rule."""
    truth, polarity = row.meta["groundtruth"], row.polarity
    if row.kind == "collider_bias":
        return "no" if polarity else "yes"
    if row.kind == "backadj":
        return "yes" if (row.meta["given_info"][0] == truth) == polarity else "no"
    if row.kind == "det-counterfactual":
        return "yes" if truth else "no"
    if row.kind == "marginal":
        return "yes" if (truth > 0.5) == polarity else "no"
    if row.kind != "exp_away" and abs(truth) < NEAR:
        return "no"
    up = polarity if row.kind != "ett" else not polarity
    return "yes" if (truth > 0) == up else "no"


@audits("cladder")
def findings(data: DataFolder, rng: Random) -> Iterator[Finding]:
    """The word of every question, then the number of every question that has one."""
    every = list(rows(data))
    for row in every:
        case = checker_for(_item(row).problem).case
        assert case is not None
        answers = list(case.task.solve(case))
        yield _word_finding(row, answers, _why(case, answers[0]))
    yield from (_number_finding(row) for row in every if row.kind in NUMBERS)


def _why(case: Case, answer: str) -> str:
    """Why the word is what it is; a number to six places."""
    if case.task.family != "numeric":
        return case.task.explain(answer, case).why
    state = case.state
    more = "above" if answer == "yes" else "not above"
    outcome = f" (of {case.query.formula[0][0]}=0)" if case.query.formula else ""
    return f"the number{outcome} is {float(state.truth()):.6f}, {more} {state.threshold}"


def _word_finding(row: Row, answers: list[str], why: str) -> Finding:
    published = row.record["answer"]
    if len(answers) > 1:
        why = "both methods are valid backdoor sets, so that no word is more right than the other"
        return Finding(row.ident, row.kind, published, "yes or no", None, why, {"options": row.meta["given_info"]})
    word = word_of(row, answers[0])
    if word == published:
        return Finding(row.ident, row.kind, published, word, True)
    if released_word(row) == published:
        why += f"; the key follows the released number {row.meta['groundtruth']}"
    return Finding(row.ident, row.kind, published, word, False, why, _witness(row))


def _number_finding(row: Row) -> Finding:
    released, exact = Fraction(str(row.meta["groundtruth"])), NUMBERS[row.kind](row)
    part = f"{row.kind}, number"
    if abs(released - exact) < SAME:
        return Finding(row.ident, part, float(released), float(exact), True)
    why = f"from the tables of {row.meta['graph_id']} it is {float(exact):.6f}"
    wrong = careless(row)
    if wrong is not None and abs(released - wrong) < SAME:
        why += "; the released number multiplies the marginals of parents that are not independent"
    return Finding(row.ident, part, float(released), float(exact), False, why, _witness(row))


def _witness(row: Row) -> dict[str, Any]:
    exact = NUMBERS[row.kind](row) if row.kind in NUMBERS else None
    number = None if exact is None else float(exact)
    return {"structure": row.model["structure"], "params": dict(row.model["params"]), "number": number}


def _asked(task: str) -> Callable[[Row], Fraction]:
    """The number of the state 1, whatever the question's direction."""

    def number(row: Row) -> Fraction:
        query = QUERIES[row.kind](row)
        plain = Query(task, query.targets, given=query.given)
        case = checker_for(Problem("(number)", plain, scm=row.scm)).case
        assert case is not None
        found: Fraction = case.state.truth()
        return found

    return number


NUMBERS: dict[str, Callable[[Row], Fraction]] = {
    **{kind: _asked(task) for kind, task in EFFECTS.items()},
    "ett": _asked("ett"),
    "marginal": _asked("probability"),
    "exp_away": _asked("explaining_away"),
}


def careless(row: Row) -> Fraction | None:
    """The number as the data set's generator computes it: as if the parents of a variable were independent."""
    scm, outcome, treatment = row.scm, row.meta["outcome"], row.meta["treatment"]
    if row.kind == "marginal":
        return _spread(scm, {})[outcome]
    one, none = (_spread(scm, {treatment: Fraction(arm)}) for arm in (1, 0))
    if row.kind in ("ate", "ett"):
        return one[outcome] - none[outcome]
    if row.kind == "nde":
        return _row(scm, outcome, {**none, treatment: Fraction(1)}) - none[outcome]
    if row.kind == "nie":
        return _row(scm, outcome, {**one, treatment: Fraction(0)}) - none[outcome]
    return None


def _spread(scm: SCM, fixed: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """P(V=1) of every variable from the P(V=1) of its parents alone."""
    found: dict[str, Fraction] = {}
    for name in topological_order(scm.graph) or ():
        found[name] = fixed[name] if name in fixed else _row(scm, name, found)
    return found


def _row(scm: SCM, name: str, ones: Mapping[str, Fraction]) -> Fraction:
    variable = scm[name]
    total = Fraction(0)
    for states, row in zip(product((0, 1), repeat=len(variable.parents)), variable.rows, strict=True):
        mass = row[1]
        for parent, state in zip(variable.parents, states, strict=True):
            mass *= ones[parent] if state else 1 - ones[parent]
        total += mass
    return total
