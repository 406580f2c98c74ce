"""`calverify run`: a whole study from one file; it may be stopped at any moment and goes on where it was."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from calverify.cli._data import data_option, folder_of
from calverify.cli._endpoint import Meter, money
from calverify.cli._grade import graded_rows, show_graded
from calverify.cli._judge import show_choice
from calverify.cli._model import pulled
from calverify.cli._output import INCOMPLETE, OK, emit, json_option, paint, say, say_error

if TYPE_CHECKING:
    from calverify.evaluation import Study
    from calverify.problem import Problem
    from calverify.sampling import Progress, Tally
    from calverify.studies import Clock, Plan, Policy

__all__ = ["Job", "run_command"]


@click.command("run", short_help="A whole study from one file.")
@click.argument("study", metavar="STUDY.toml")
@click.option("--out", metavar="DIR", help="The study's folder; by default what the file says.")
@click.option("--dry-run", is_flag=True, help="Say what it would do and cost, and stop.")
@data_option
@json_option
def run_command(study: str, out: str | None, dry_run: bool, data: str | None, json: bool) -> int:
    """Run a study: build the problems, sample K traces for each, choose blind, grade, and write tables and a page.

    Every stage does only what is missing, so the same command goes on after a stop, whatever stopped it.

    \b
    Example:
      calverify run study.toml
    """
    from calverify.studies import read_plan

    plan = read_plan(study, out=out, command=f"calverify run {study}")
    return Job(plan, f"calverify run {study}" + (f" --out {out}" if out else ""), data, json).run(dry_run=dry_run)


class Job:
    """A study and whoever is told about it; `again` is the command that goes on with it."""

    def __init__(self, plan: "Plan", again: str, data: str | None = None, json: bool = False) -> None:
        from calverify.studies import Clock, StudyFolder

        self.plan: Plan = plan
        self.folder: StudyFolder = StudyFolder(plan.out)
        self.clock = Clock
        self.again = again
        self.data = data
        self.json = json

    def run(self, *, dry_run: bool = False) -> int:
        """All of it; INCOMPLETE where something is left to do."""
        from calverify.studies import asked_of, begin

        problems, keys = asked_of(self.plan, self.folder, folder_of(self.data))
        self._say_ahead(problems)
        if dry_run:
            return OK
        begin(self.plan, self.folder, problems, keys)
        try:
            short = [policy.label for policy in self.plan.policies if self._policy(policy) is not None]
            if short:
                return self._stopped(f"pools of {', '.join(short)} are short: some requests were given up")
            return self._end()
        except KeyboardInterrupt:
            return self._stopped("interrupted")

    def _stopped(self, why: str) -> int:
        if self.json:
            emit({"folder": str(self.folder.root), "stopped": why, "resume": self.again})
        else:
            say_error(why)
            say(f"go on with  {self.again}")
        return INCOMPLETE

    # ------------------------------------------------------------ before

    def _tell(self, text: str) -> None:
        say(text, err=self.json)

    def _say_ahead(self, problems: "Sequence[Problem]") -> None:
        """What is asked, of whom, and what it costs."""
        from calverify.sampling import DECODINGS
        from calverify.studies import ahead_of

        plan = self.plan
        self._tell(f"study       {plan.name}: {len(problems):,} problems, in {self.folder.root}")
        for policy in plan.policies:
            ahead = ahead_of(plan, self.folder, policy, problems)
            settings = policy.settings
            self._tell(f"policy      {policy.label}: {DECODINGS[settings.parameters.decoding]}")
            pools = f"{len(settings.seeds)} seeds" if len(settings.seeds) > 1 else "one seed"
            if not ahead.missing:
                self._tell(f"candidates  all {ahead.total:,} are there (K = {settings.k}, {pools})")
                continue
            written = "" if ahead.written is None else f", at most {ahead.written:,} written"
            self._tell(f"candidates  {ahead.missing:,} of {ahead.total:,} to sample (K = {settings.k}, {pools})")
            self._tell(f"tokens      about {ahead.read:,} read at most{written}")
            if policy.source["kind"] == "embedded":
                self._tell("cost        no money and no key: the model runs on this machine")
            elif ahead.cost is not None:
                self._tell(f"cost        about {money(ahead.cost)} at most" + ("" if written else " for what is read"))

    # ------------------------------------------------------------ during

    def _policy(self, policy: "Policy") -> "Tally | None":
        from calverify.studies import Teller, run_policy

        if policy.source["kind"] == "embedded" and not self.folder.is_frozen(policy.label):
            if "weights" not in policy.source:
                pulled(str(policy.source.get("model", "smollm2-135m")), tell=not self.json)
        meter = Meter("candidates")

        def show(progress: "Progress") -> None:
            failed = f"{progress.failed:,} requests given up" if progress.failed else ""
            meter(progress.done, progress.total, failed, progress.trouble)

        def stage(text: str) -> None:
            meter.end()
            self._tell(f"now         {text}")

        try:
            return run_policy(self.plan, self.folder, policy, os.environ, Teller(stage, show))
        finally:
            meter.end()

    # ------------------------------------------------------------ after

    def _end(self) -> int:
        from calverify.studies import Teller, graded, make_reports

        studies = graded(self.plan, self.folder)
        make_reports(self.plan, self.folder, studies, Teller(lambda text: self._tell(f"now         {text}")))
        clock = self.clock(self.folder.root / "times.jsonl")
        if self.json:
            emit({
                "folder": str(self.folder.root),
                "report": str(self.folder.page),
                "policies": [self._record(study, policy, clock)
                             for study, policy in zip(studies, self.plan.policies, strict=True)],
            })  # fmt: skip
            return OK
        for study, policy in zip(studies, self.plan.policies, strict=True):
            say()
            say(paint(f"{study.policy} ({policy.settings.parameters.decoding})", bold=True))
            show_graded(study, self.plan.draws or 10_000, self.plan.seed)
            self._say_changed(study, policy, clock)
        say()
        say(f"tables      {self.folder.tables}")
        say(f"report      {self.folder.page}")
        return OK

    def _record(self, study: "Study", policy: "Policy", clock: "Clock") -> dict[str, Any]:
        from calverify.studies import changed_by

        changed = changed_by(study) if _votes(study) else None
        return {
            "policy": study.policy,
            "decoding": policy.settings.parameters.decoding,
            "selectors": graded_rows(study, self.plan.draws or 10_000, self.plan.seed),
            "repaired": changed and changed.repaired,
            "lost": changed and changed.lost,
            "checking_share": clock.share(policy.label),
        }

    def _say_changed(self, study: "Study", policy: "Policy", clock: "Clock") -> None:
        """What the checker changed in the vote, with one pool in which it did, and what checking cost in time."""
        from calverify.studies import changed_by

        if _votes(study):
            changed = changed_by(study)
            say()
            say(f"What checking changed, against voting on the same candidates, in {changed.units:,} pools:")
            say(f"  {changed.repaired:>5,}  vote wrong, checked pick right")
            say(f"  {changed.lost:>5,}  vote right, checked pick wrong")
            say(f"  {changed.hopeless:>5,}  no candidate is right, so nobody can pick one")
            if changed.example is not None:
                unit = changed.example
                say()
                say("The first of them:")
                _show_example(study, unit.problem, unit.seed)
        share, each = clock.share(policy.label), clock.each_s(policy.label, "sample")
        if share is not None and each is not None:
            checking = clock.each_s(policy.label, "check") or 0
            say()
            say(
                f"Checking took {100 * share:.2g} % of the time of sampling: {1000 * checking:.2f} ms a candidate, and "
                f"sampling it {1000 * each:,.0f} ms."
            )


def _votes(study: "Study") -> bool:
    return {"plurality", "calver"} <= set(study.selectors)


def _show_example(study: "Study", problem: str, seed: int) -> None:
    """The question and each candidate's answer, as a reader checks them."""
    unit = next(unit for unit in study.units if (unit.problem, unit.seed) == (problem, seed))
    view = study.view(unit)
    query = view.problem.query
    about = query.path or ", ".join(query.target_names)
    said = "; ".join(f"{who}: {what}" for who, what in query.formula) if query.task == "knights" else ""
    say(f"  task {query.task}" + (f", about {about}" if about else "") + (f": {said}" if said else ""))
    if view.problem.graph is not None:
        say(f"  graph {view.problem.graph}")
    show_choice(view)
