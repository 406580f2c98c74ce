"""Writes docs/reference/ from the code: `make docs`.

Nothing on those pages is typed by hand, so nothing on them can be out of date; a test compares them with the code.
`pages()` gives their text, and running this file writes them.
"""

import json
import sys
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

import calverify as cv
from calverify import errors, recheck
from calverify.archives import RATING_NAMES, SAMPLING_NAMES, Manifest, Ratings, Step, archive_of, bytes_of
from calverify.archives import Choice as FrozenChoice
from calverify.cli import commands
from calverify.cli._demo import demo_pool
from calverify.cli._tasks import forms_of
from calverify.evaluation import Outcome
from calverify.exchange import Mark
from calverify.keys import Key
from calverify.pools import SCORE_NAMES, Candidate, Pool
from calverify.scoring import proof
from calverify.tasks import Task

FOLDER = Path(__file__).parent / "reference"
NOTE = "<!-- Written by `make docs` from the code. Edit docs/generate.py, not this page. -->"
WIDTH = 88

Row = tuple[str, ...]


def page(title: str, *parts: str) -> str:
    return "\n\n".join([NOTE, f"# {title}", *parts]) + "\n"


def table(*rows: Row) -> str:
    """A table of markdown; the first row is its head."""
    lines = [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])


def code(names: Any) -> str:
    return ", ".join(f"`{name}`" for name in names)


def sentences(text: str | None) -> str:
    """A docstring with one sentence a line."""
    flat = " ".join((text or "").split())
    return flat.replace(".  ", ".\n").replace(". ", ".\n")


# ---------------------------------------------------------------- tasks

GRAPH = cv.Graph.parse("U -> X, U -> Y, X -> M -> Y")
PATH = "X <- U -> Y"
SAYS = (("Ann", "knave(Bob)"), ("Bob", "knave(Ann) and knave(Bob)"))
CLAIM = (("relation", "indirect_cause"),)
ASKED: tuple[dict[str, Any], ...] = (
    {"path": PATH},
    {"targets": ("X", "Y")},
    {"targets": ("X", "M", "Y")},
    {"targets": ("Ann", "Bob"), "formula": SAYS},
    {},
    {"targets": ("X",)},
    {"targets": ("X", "Y"), "formula": CLAIM},
)


def sample_query(task: Task) -> cv.Query | None:
    """The first of the queries above that the task accepts."""
    for parts in ASKED:
        if "path" in parts and task.name != "blocked_path":
            continue
        query = cv.Query(task.name, **parts)
        try:
            formal = task.formal.supplied(
                cv.Problem("docs", query, GRAPH if parts.get("formula") is not SAYS else None)
            )
            if formal is not None:
                task.case(formal, query)
                return query
        except cv.CalverifyError:
            continue
    return None


def question(task: Task) -> str:
    query = sample_query(task)
    return "" if query is None else task.question(query)


def task_section(task: Task) -> str:
    query = sample_query(task)
    asked = {} if query is None else query.to_json()
    rows: list[Row] = [("", "")]
    if asked:
        rows.append(("query", f"`{json.dumps(asked, ensure_ascii=False)}`"))
        rows.append(("question", question(task)))
    rows += [
        ("family", task.family),
        ("answer", task.answer.name),
        ("forms", "find one only" if forms_of(task) == ["find_one"] else code(forms_of(task))),
        ("targets bind", "in order" if task.ordered else "in any order"),
    ]
    if task.states:
        rows.append(("strategy keys", code(task.states)))
    if task.witness is not None:
        rows.append((f'witness of a "{task.shown_word}"', task.witness.name))
    rows.append(("aliases", code(sorted(task.aliases - {task.name}))))
    rows.append(("rules", code(sorted(task.rules))))
    return "\n\n".join([f"## {task.name}", sentences(task.predicate.__doc__), table(*rows)])


def tasks_page() -> str:
    head = ("task", "family", "answer", "aliases", "question")
    rows = [
        (f"[{task.name}](#{task.name})", task.family, task.answer.name, str(len(task.aliases) - 1), question(task))
        for task in cv.TASKS.values()
    ]
    intro = (
        "The names that `--task` and `Query` take.\n"
        "A name matches in any case, with blanks, dashes or underscores between its words.\n"
        "What each task decides, and where others decide otherwise, is told in "
        "[predicates](../concepts/predicates.md).\n"
        "The same question can be put in other [forms](../concepts/question-forms.md)."
    )
    return page("Tasks", intro, table(head, *rows), *[task_section(task) for task in cv.TASKS.values()])


# ---------------------------------------------------------------- commands


def help_of(command: click.Command, *path: str) -> str:
    parent = None
    for name in ("calverify", *path)[:-1]:
        parent = click.Context(commands, info_name=name, parent=parent, **commands.context_settings)
    settings = {**command.context_settings, "terminal_width": WIDTH, "max_content_width": WIDTH}
    context = click.Context(command, info_name=("calverify", *path)[-1], parent=parent, **settings)
    with context:
        return "```text\n" + command.get_help(context).rstrip() + "\n```"


CODES = (
    ("code", "meaning"),
    ("0", "ok: valid, six of six, or something was chosen"),
    ("1", "failed or invalid: the answer is wrong, the score is below six, or nothing could be chosen"),
    ("2", "usage, or input that cannot be used: one sentence says what is wrong and where"),
    ("3", "a gate is not met: `audit leak` found a field that got in"),
    (
        "4",
        "incomplete, and the same words or --resume go on; or undetermined: too large, too deep, over the step budget",
    ),
)


def command_sections(command: click.Command, *path: str) -> list[str]:
    """The help of a command, and of those below it."""
    below = command.commands.items() if isinstance(command, click.Group) else ()
    inner = [section for name, sub in below for section in command_sections(sub, *path, name)]
    return [f"## {' '.join(path)}\n\n{help_of(command, *path)}", *inner]


def commands_page() -> str:
    intro = (
        "Every command takes `--json` (but `completion`), and then writes one JSON value on standard output.\n"
        'An error is then `{"error": {"kind", "message", "hint"}}`; otherwise it is one sentence on standard error.\n'
        "Every option can also be set in the environment as `CALVERIFY_<COMMAND>_<OPTION>`, such as "
        "`CALVERIFY_CHECK_TASK=backdoor`.\n"
        "Several `--says` or `--option` in one variable have semicolons between them.\n"
        "`NO_COLOR=1` turns colours off."
    )
    sections = [section for name, command in commands.commands.items() for section in command_sections(command, name)]
    return page("Commands", intro, "## Exit codes", table(*CODES), "## calverify", help_of(commands), *sections)


# ---------------------------------------------------------------- errors


def error_rows(kind: type[Exception], depth: int = 0) -> list[Row]:
    mark = "&nbsp;" * 4 * depth
    rows: list[Row] = [(f"{mark}`{kind.__name__}`", sentences(kind.__doc__).replace("\n", " "))]
    below = [sub for sub in kind.__subclasses__() if sub.__module__ == errors.__name__]
    return rows + [row for sub in below for row in error_rows(sub, depth + 1)]


def errors_page() -> str:
    intro = (
        "A model's mistake is a `Fault`: data in a verdict, never raised.\n"
        "The caller's mistake is a `CalverifyError`, raised where it is found, in one sentence that names the value.\n"
        "Anything else that is raised is a bug: please report it."
    )
    faults = (
        "## Faults\n\n"
        "A `Fault` has a `slot` (one of the six, in the table of [the six bits](../concepts/six-bits.md)) and a `why`, "
        "a phrase.\n"
        "They stand in `Verdict.faults` and `Trace.faults`."
    )
    return page("Errors", intro, table(("error", "meaning"), *error_rows(cv.CalverifyError)), faults)


# ---------------------------------------------------------------- records

MEANING: dict[str, dict[str, str]] = {
    "Problem": {
        "id": "a name of its own",
        "query": "what is asked: a query record",
        "graph": "the supplied graph: a graph record; null or left out: each trace states its own",
        "text": "what the model is shown beside the graph; may be left out",
        "legend": "without a graph: the only names that a trace's graph may use; may be left out",
        "graph_class": "without a graph: the class that a trace's graph must have; may be left out",
        "scm": "for numeric effects: the tables of a model, whose graph is then the graph; may be left out",
    },
    "Query": {
        "task": "a [task](tasks.md) or one of its aliases",
        "targets": "the names asked about, a list",
        "path": "the named path of `blocked_path`",
        "given": "names that are conditioned on, a list",
        "threshold": "for numeric effects: a number, exact as written",
        "tolerance": "for numeric effects: a number, exact as written",
        "formula": "pairs of texts: for `knights` [speaker, formula]; for numbers of a model [variable, state]; for a "
        'claim about a class ["relation", its name]',
        "form": "how the question is put: one of the [forms](../concepts/question-forms.md); `find_one` where left out",
        "claim": "for the form `yes_no`: the text of the object asked about",
        "options": "for the forms `choice` and `choice_not`: a list of texts, of which A is the first",
    },
    "Candidate": {
        "index": "its place in the pool, from 0",
        "text": "the trace as the model wrote it",
        "scores": f"numbers that models gave it, by name: {', '.join(sorted(SCORE_NAMES))}; null where one failed; "
        "may be left out",
    },
    "Pool": {
        "problem": "the id of the problem",
        "seed": "the seed of the run; 0 where it is left out",
        "candidates": "candidate records in the order they were sampled",
    },
    "Manifest": {
        "policy": "what tables call the policy that wrote the traces",
        "model": "the model; this and what else is not known is left out",
        "adapter": "the adapter on it",
        "quantisation": "how it was quantised",
        "prompt_version": "the version of the prompt",
        "sampling": f"sampling parameters by name: {', '.join(SAMPLING_NAMES)}",
        "command": "how the pools were made, in free words",
        "scorer_version": "the version of the scorer when they were frozen",
        "seeds": "the seeds of the pools",
        "corpus": "the sha256 of the problems as JSON Lines, packed or not",
        "files": "each file that was frozen, with its `sha256` and its number of `records`",
        "scores": "of each score that was stored afterwards, how it was made: a ratings record; may be left out",
    },
    "Ratings": {
        "model": "the model that gave them",
        "pools": "the sha256 of the file of pools that was rated",
        "rated": "how many candidates have the score",
        "failed": "how many ratings failed",
        "revision": "the revision of the model; this and what else does not apply is left out",
        "adapter": "the adapter on it",
        "quantisation": "how it was quantised",
        "prompt_version": "the version of the words in which it was asked",
        "settings": f"how it was asked, by name: {', '.join(RATING_NAMES)}",
    },
    "Choice": {
        "selector": "who chose",
        "problem": "the id of the problem",
        "seed": "the seed of the pool",
        "index": "the place of the candidate that was picked; null where all stand aside",
        "scores": 'one exact number a candidate: an integer, "p/q" in lowest terms, or null for one that stands aside',
    },
    "Step": {
        "step": "seal, select or reveal",
        "files": "the sha256 of each file that the step is about",
        "keys": "of seal and reveal: the sha256 of the keys",
        "selectors": "of select: who chose",
        "admission": "of select: which candidates stood",
        "before": "the sha256 of the line before; null in the first",
    },
    "Outcome": {
        "problem": "the id of the problem",
        "seed": "the seed of the pool",
        "selector": "who chose",
        "index": "the place of the candidate that was picked; null where all stand aside",
        "correct": "whether the pick is right; null where that is undetermined",
    },
    "Mark": {
        "problem": "the id of the problem",
        "seed": "the seed of the pool",
        "index": "the place of the candidate; null for what was said of the pool as a whole",
        "scores": "what the log's graders said, by name; may be left out",
        "answers": "the answers that the log extracted, by name; may be left out",
        "gold": "the key that the log compared with; null or left out where it holds none",
    },
    "Key": {
        "problem": "the id of the problem",
        "graph": "in constructed mode: the graph that answers are graded on; may be left out",
        "answer": "the one right answer, where no predicate decides; may be left out",
        "published": "a data set's own key as it was printed; it grades nothing; may be left out",
        "cluster": "the source problem that it is resampled with; the problem itself where it is left out",
        "strata": "what tables are split by; may be left out",
    },
}
VERDICT = {
    "score": "0 to 6; null where undetermined",
    "bits": "each slot with 1, 0, or null where undetermined",
    "answer": "the returned answer in plain JSON; null where none could be read",
    "faults": "for each slot whose bit is 0, why; that the object is not valid is said once",
    "witness": "data to check the answer by hand; its `kind` says which",
    "why": "one sentence about the answer",
    "headers": "how many slot headers the text has",
    "undetermined": "why there is no score; null where there is one",
}


PROOF = {
    "problem": "the problem as it was judged: the task under its registered name, the graph, claims as their objects",
    "answer": "the object that was judged, in plain JSON; of a numeric trace its `set`, its `effect` and its `answer`",
    "valid": "whether it is valid",
    "why": "one sentence; it proves nothing and is not read",
    "witness": "its kind, and the data of that kind; an answer that could not be read has none that proves anything",
}


def proof_parts(problem: cv.Problem) -> list[str]:
    """The proof record: what it holds, what `calverify recheck` reads, and the kinds of witness."""
    record = proof(problem, ["M"])
    if list(record) != list(PROOF):
        raise SystemExit(f"docs/generate.py explains {list(PROOF)} of a proof, which has {list(record)}")
    left = sorted(set(cv.TASKS) - set(recheck.TASKS))
    intro = (
        "A verdict with everything that is needed to check it again.\n"
        "`calverify check --proof` and `calverify explain --proof` write one, `calverify recheck` reads it.\n"
        "The folder `calverify/recheck` shares no code with the checker: it can be copied out and read by itself.\n"
        "A record passes only when its witness shows the verdict; a field too many or too few is refused.\n"
        "[Proofs](../concepts/proofs.md) explains how."
    )
    covered = f"Rechecked, in every form: {code(sorted(recheck.TASKS))}."
    if left:
        covered += f"\nRefused, because they cannot be rechecked yet: {code(left)}."
    kinds = [(f"`{kind}`", code(wanted.split())) for kind, wanted in sorted(recheck.KINDS.items())]
    known = "A witness has its `kind` and these fields; that of a descendant has `onward` too in an adjustment proof."
    return ["## Proof", intro, table(("field", "meaning"), *[(f"`{name}`", said) for name, said in PROOF.items()]),
            shown(record), covered, known, table(("kind", "fields"), *kinds)]  # fmt: skip


def field_table(noun: type) -> str:
    """The fields of a record; fails when the code has other fields than are explained above."""
    meaning = MEANING[noun.__name__]
    names = [part.name for part in fields(noun) if not part.name.startswith("_")]
    if names != list(meaning):
        raise SystemExit(f"docs/generate.py explains {list(meaning)} of {noun.__name__}, which has {names}")
    return table(("field", "meaning"), *[(f"`{name}`", meaning[name]) for name in names])


def shown(record: Any) -> str:
    return f"```json\n{json.dumps(record, ensure_ascii=False)}\n```"


def frozen_parts(problem: cv.Problem, pool: Pool) -> list[str]:
    """The records of a frozen folder beside its problems and pools, the keys, and what is written beside either."""
    short = Pool(problem.id, 0, pool.candidates[:1])
    manifest = archive_of(bytes_of([problem], [short], Manifest("base", sampling={"temperature": 0.8}))).manifest
    step = Step("select", {"choices.jsonl": "..."}, selectors=("calver",), admission="admissible")
    return [
        "## Manifest",
        field_table(Manifest),
        shown(manifest.to_json()),
        "## Ratings",
        "How one stored score was made, in a manifest under the name of the score.",
        field_table(Ratings),
        shown(Ratings(model="a-judge", pools="...", rated=8, failed=0, settings={"temperature": 0}).to_json()),
        "## Frozen choice",
        "A line of `choices.jsonl`, one for each pool and selector.",
        field_table(FrozenChoice),
        shown(FrozenChoice("medoid", problem.id, 0, 1, (None, Fraction(1, 3))).to_json()),
        "## Log",
        "A line of `log.jsonl` also holds its own `sha256`, of the line without that field.",
        field_table(Step),
        shown({**step.to_json(), "sha256": "..."}),
        "## Key",
        "A line of a file of keys, which lies outside the frozen folder and is never read by what selects.",
        field_table(Key),
        shown(Key("w1", cluster="w", strata={"slice": "confounded"}).to_json()),
        "## Outcome",
        "A line of `outcomes.jsonl`, which `calverify grade` writes once the keys are open.",
        field_table(Outcome),
        shown(Outcome(problem.id, 0, "medoid", 1, True).to_json()),
        "## Mark",
        "A line of what `calverify import --marks FILE` writes: what a log said of a candidate, kept out of the pool.",
        field_table(Mark),
        shown(Mark(problem.id, 0, 1, {"exact_match": 0.0}, {"strict": "{P, U}"}, "{U}").to_json()),
    ]


def records_page() -> str:
    problem, pool = demo_pool()
    verdict = cv.verify(problem, pool.candidates[0].text).to_json()
    if list(verdict) != list(VERDICT):
        raise SystemExit(f"docs/generate.py explains {list(VERDICT)} of Verdict, which has {list(verdict)}")
    short = Pool("w1", 0, (Candidate(0, "ANSWER: {U}"), Candidate(1, "ANSWER: {M}", {"reward": 0.5})))
    choice = cv.select(problem, [candidate.text for candidate in pool.candidates[:1]]).to_json()
    checked = cv.check(problem.graph, problem.query, "M").to_json()
    assert problem.graph is not None
    intro = (
        "Everything converts to and from plain JSON with `to_json` and `from_json`.\n"
        "Problems, queries, pools, candidates, manifests, frozen choices and logs are read by an allow-list: a field "
        "that is not in their table is a `LeakError`, because a reference answer could live there."
    )
    graph = (
        "`class` is dag, admg, directed or undirected; where it is left out it is found, and where it is stated it is "
        "checked.\n"
        "`bidirected` may be left out.\n"
        "`undirected` is a list of edges without a direction; a graph that has one has no others."
    )
    parts = [
        intro,
        "## Problem",
        field_table(cv.Problem),
        shown(problem.to_json()),
        "## Query",
        field_table(cv.Query),
        shown(cv.Query("blocked_path", path="F -> P <- T").to_json()),
        shown(cv.Query("parent", ("Y",), form="choice", options=("X", "M")).to_json()),
        "## Graph",
        graph,
        shown(problem.graph.to_json()),
        shown(cv.Graph.parse("A -- B").to_json()),
        "## Pool",
        field_table(Pool),
        shown(short.to_json()),
        "## Candidate",
        field_table(Candidate),
        *frozen_parts(problem, pool),
        "## Verdict",
        table(("field", "meaning"), *[(f"`{name}`", meaning) for name, meaning in VERDICT.items()]),
        shown(verdict),
        "## Choice",
        f"A choice has {code(choice)}: the picked place from 0 (null where nothing could be picked), its answer, and "
        "the verdict on every candidate.",
        "## Check",
        f"A check has {code(checked)}; `valid` is null where undetermined.",
        shown(checked),
        *proof_parts(problem),
        "## Trace",
        f"A parsed trace has {code(cv.parse('').to_json())}.",
        shown(cv.parse('STEP 6 [answer]: {"answer":["U"]}\nANSWER: U').to_json()),
    ]
    return page("Records", *parts)


def pages() -> dict[str, str]:
    """The name and text of every generated page."""
    return {
        "tasks.md": tasks_page(),
        "commands.md": commands_page(),
        "errors.md": errors_page(),
        "records.md": records_page(),
    }


if __name__ == "__main__":
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        sys.stdout.write(f"wrote docs/reference/{name}\n")
