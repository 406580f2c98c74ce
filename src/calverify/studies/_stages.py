"""The stages of a study.  Each looks at what is there and does what is missing, so any of them may be killed.

Rule 1: the keys are written beside the problems at first, sealed before anything is chosen, and opened at the end.
Rule 2: what was chosen and revealed is never chosen anew.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from json import dumps
from pathlib import Path
from random import Random
from typing import Any

from calverify import SCORER_VERSION, __version__
from calverify.archives import (
    LOG,
    OUTCOMES,
    make_folder,
    read_archive,
    read_bytes,
    read_log,
    read_problems,
    select_blind,
    write_atomically,
)
from calverify.benchmarks import DataFolder, find_benchmark
from calverify.errors import CalverifyError
from calverify.evaluation import Study, crossings, outcomes_bytes, outcomes_of, read_study, reveal, seal
from calverify.keys import Key, read_keys
from calverify.pools import SCORE_NAMES
from calverify.problem import Problem
from calverify.records import json_line, read_strict_json, write_lines
from calverify.reports import RENDERERS, Options, Plot, Table, make_report, page
from calverify.sampling import OPENAI, Progress, RunFolder, Source, Tally, freeze_run, open_run, source_of, start_run
from calverify.selectors import SELECTORS, choose, view_of
from calverify.studies._folder import Clock, StudyFolder
from calverify.studies._plan import Plan, Policy

__all__ = ["Teller", "asked_of", "begin", "graded", "make_reports", "run_policy"]

PATHS = ("weights", "adapter")  # of a source's record, beside the plan unless absolute


def _nobody(*told: object) -> None:
    """Nobody listens."""


@dataclass(frozen=True, slots=True)
class Teller:
    """Who is told: `stage` of each stage that has something to do, `sampled` of candidates as they come."""

    stage: Callable[[str], None] = _nobody
    sampled: Callable[[Progress], None] = _nobody


# ---------------------------------------------------------------- what is asked


def asked_of(plan: Plan, folder: StudyFolder, data: DataFolder | None) -> tuple[list[Problem], list[Key]]:
    """The problems of the study and their keys; refused where the folder was begun with another plan."""
    if not folder.plan.is_file():
        return _asked(plan, data)
    _same_plan(plan, folder)
    problems = read_problems(read_bytes(folder.problems), str(folder.problems))
    return list(problems.values()), list(read_keys(folder.keys).values())


def begin(plan: Plan, folder: StudyFolder, problems: Sequence[Problem], keys: Sequence[Key]) -> None:
    """Write the problems, the keys and the plan into the folder, unless it is begun; the plan comes last."""
    if folder.plan.is_file():
        return
    make_folder(folder.root)
    for path, rows in ((folder.problems, problems), (folder.keys, keys)):
        written = write_lines([row.to_json() for row in rows], path.name)
        if path.is_file() and read_bytes(path) != written:
            raise CalverifyError(f"{path} is there already and holds something else: name another folder")
        write_atomically(path, written)
    write_atomically(folder.plan, dumps(plan.sampled, sort_keys=True, indent=2).encode() + b"\n")


def _same_plan(plan: Plan, folder: StudyFolder) -> None:
    begun = read_strict_json(read_bytes(folder.plan).decode("utf-8", "replace"))
    now = read_strict_json(dumps(plan.sampled))
    if begun != now:
        parts = [name for name in now if not isinstance(begun, dict) or begun.get(name) != now[name]]
        raise CalverifyError(
            f"the study in {folder.root} was begun with other {' and '.join(parts) or 'settings'} ({folder.plan} says "
            "which): name another folder, or take the change back"
        )


def _asked(plan: Plan, data: DataFolder | None) -> tuple[list[Problem], list[Key]]:
    asked, limit = plan.problems, plan.problems.get("limit")
    if "benchmark" in asked:
        entry, part = find_benchmark(asked["benchmark"])
        rng = Random(f"{entry.name} {asked.get('seed', 0)}")
        items = entry.build(rng, data if entry.reader is not None else None, part).items[:limit]
        return [item.problem for item in items], [item.key for item in items]
    file, keys = plan.beside / asked["file"], plan.beside / asked["keys"]
    problems = list(read_problems(read_bytes(file), str(file)).values())[:limit]
    known = read_keys(keys)
    lost = [problem.id for problem in problems if problem.id not in known]
    if lost:
        raise CalverifyError(f"{keys} has no key of problem {lost[0]!r}")
    return problems, [known[problem.id] for problem in problems]


# ---------------------------------------------------------------- one policy


def run_policy(
    plan: Plan, folder: StudyFolder, policy: Policy, environment: Mapping[str, str], teller: Teller
) -> Tally | None:
    """Sample, freeze, seal, select, reveal and grade whatever of it is missing; the tally of a run that stays short."""
    clock = Clock(folder.root / "times.jsonl")
    if not folder.is_frozen(policy.label):
        source = _source(plan, policy, environment)
        run = _run_of(folder, policy, source)
        tally = _sample(run, source, policy, clock, teller)
        if tally.done < tally.total:
            return tally
        freeze_run(run, source, folder.frozen(policy.label), packed=plan.packed)
    _judge(plan, folder, policy, teller)
    _measure_checking(folder.frozen(policy.label), policy, clock, teller)
    return None


def _source(plan: Plan, policy: Policy, environment: Mapping[str, str]) -> Source:
    record = {**policy.source}
    if record["kind"] == "endpoint":
        record.setdefault("base_url", environment.get("OPENAI_BASE_URL") or OPENAI)
    for name in PATHS:
        if isinstance(record.get(name), str):
            record[name] = str(plan.beside / record[name])
    return source_of(record, environment)


def _run_of(folder: StudyFolder, policy: Policy, source: Source) -> RunFolder:
    there = folder.run(policy.label)
    if (there / "run.json").is_file():
        return open_run(there)
    problems = read_problems(read_bytes(folder.problems), str(folder.problems))
    return start_run(there, problems.values(), source, policy.settings)


def _sample(run: RunFolder, source: Source, policy: Policy, clock: Clock, teller: Teller) -> Tally:
    before, _ = run.tally()
    if before.done == before.total:
        return before
    teller.stage(f"sampling {before.total - before.done:,} candidates from {source.name}")
    with clock.measured(policy.label, "sample") as about:
        try:
            run.sample(source, progress=teller.sampled)
        finally:
            tally, _ = run.tally()
            about["candidates"] = tally.done - before.done
    return tally


def _judge(plan: Plan, folder: StudyFolder, policy: Policy, teller: Teller) -> None:
    """Seal, select, reveal, grade."""
    frozen, keys = folder.frozen(policy.label), folder.keys
    taken = {step.step: step for step in read_log(frozen)}
    names = _selectors(plan, frozen)
    if "reveal" in taken and plan.selectors and taken["select"].selectors != names:
        raise CalverifyError(
            f"{', '.join(taken['select'].selectors)} chose from {frozen}, and the keys were opened then: a choice that "
            "is made now would not be blind. Name another folder for other selectors"
        )
    if "seal" not in taken:
        seal(frozen, keys)
    if "select" not in taken:
        teller.stage(f"choosing, in a process that cannot open the keys: {', '.join(names)}")
        select_blind(frozen, names)
    if "reveal" not in taken:
        reveal(frozen, keys)
    if not (frozen / OUTCOMES).is_file():
        write_atomically(frozen / OUTCOMES, outcomes_bytes(outcomes_of(read_study(frozen, keys))))


def _selectors(plan: Plan, frozen: Path) -> tuple[str, ...]:
    """Those of the plan, else all on the shelf, save those whose stored score nobody has."""
    if plan.selectors:
        return plan.selectors
    rated = {name for pool in read_archive(frozen).pools for one in pool.candidates for name in one.scores}
    return tuple(name for name in SELECTORS if name in rated or name not in SCORE_NAMES)


def _measure_checking(frozen: Path, policy: Policy, clock: Clock, teller: Teller) -> None:
    """How long it takes to read and check every candidate and to pick one of each pool; measured once."""
    if clock.each_s(policy.label, "check") is not None:
        return
    teller.stage("checking every candidate once more, to measure how long that takes")
    archive = read_archive(frozen)
    with clock.measured(policy.label, "check") as about:
        for pool in archive.pools:
            choose(view_of(archive.problems[pool.problem], pool))
            about["candidates"] += len(pool)


# ---------------------------------------------------------------- the end


def graded(plan: Plan, folder: StudyFolder) -> list[Study]:
    """The study of each policy, in the order of the plan."""
    return [read_study(folder.frozen(policy.label), folder.keys) for policy in plan.policies]


def make_reports(plan: Plan, folder: StudyFolder, studies: Sequence[Study], teller: Teller) -> None:
    """Write tables.md, tables.json and report.html, unless they are there and made of the same."""
    mark = folder.root / ".reported"
    made_of = _made_of(plan, folder)
    outputs = (folder.tables, folder.tables.with_suffix(".json"), folder.page)
    if mark.is_file() and read_bytes(mark) == made_of and all(path.is_file() for path in outputs):
        return
    keys = read_keys(folder.keys)
    options = Options(draws=plan.draws, seed=plan.seed, crossings=lambda study: crossings(study, keys))
    tables: list[Table] = []
    plots: list[Plot] = []
    for name in plan.reports:
        teller.stage(f"making the report {name}")
        more, drawn = make_report(name, studies, options)
        tables += more
        plots += drawn
    teller.stage("drawing the page")
    logs = [read_log(folder.frozen(policy.label)) for policy in plan.policies]
    write_atomically(outputs[0], RENDERERS["markdown"](tables, plots).encode())
    write_atomically(outputs[1], RENDERERS["json"](tables, plots).encode())
    write_atomically(outputs[2], page(studies, tables, plots, title=plan.name, logs=logs).encode())
    write_atomically(mark, made_of)


def _made_of(plan: Plan, folder: StudyFolder) -> bytes:
    """What the reports hang on, as one line."""
    logs: dict[str, Any] = {
        policy.label: sha256(read_bytes(folder.frozen(policy.label) / LOG)).hexdigest() for policy in plan.policies
    }
    asked = {"reports": list(plan.reports), "draws": plan.draws, "seed": plan.seed, "name": plan.name}
    return json_line({**asked, "logs": logs, "version": __version__, "scorer": SCORER_VERSION})
