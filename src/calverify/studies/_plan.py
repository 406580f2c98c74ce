"""What a study file says: which problems, which policies, how many candidates, who selects, what is reported.

Rule 1: a name that is not known is refused, with those that are.
Rule 2: the part of a plan that decides what is sampled is written into the study's folder, and may not change there.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calverify.archives import read_bytes
from calverify.errors import CalverifyError
from calverify.names import brief, first_repeat
from calverify.records import located, read_fields, read_list
from calverify.reports import find_report
from calverify.sampling import Parameters, RunSettings, prices_of
from calverify.selectors import find_selector

__all__ = ["Plan", "Policy", "read_plan"]

REPORTS = ("policies", "same-pool", "k-curve", "tasks", "fragmentation", "ties", "quality")
RUN_FIELDS = {"concurrency": int, "tries": int, "prices": list, "reasoning": str}


@dataclass(frozen=True, slots=True)
class Policy:
    """Who samples, and how: `source` is the record that makes the source, `label` its name and that of its folder."""

    label: str
    source: Mapping[str, Any]
    settings: RunSettings

    def to_json(self) -> dict[str, Any]:
        settings = {name: value for name, value in self.settings.to_json().items() if name != "command"}
        return {"label": self.label, "source": dict(self.source), "settings": settings}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A study.  `problems` names a benchmark with its seed, or a file with its keys.

    Files that it names are looked for in `beside`, so that what is written down does not hang on a machine.
    """

    name: str
    out: Path
    beside: Path
    problems: Mapping[str, Any]
    policies: tuple[Policy, ...]
    selectors: tuple[str, ...] = ()
    reports: tuple[str, ...] = REPORTS
    draws: int | None = None
    seed: int = 0
    packed: bool = False

    @property
    def sampled(self) -> dict[str, Any]:
        """What decides which candidates there are."""
        return {"problems": dict(self.problems), "policies": [policy.to_json() for policy in self.policies]}


def read_plan(path: str | Path, *, out: str | Path | None = None, command: str = "") -> Plan:
    """The plan of a TOML file; files that it names lie beside it, and so does its folder unless `out` is another."""
    path = Path(path)
    data = read_bytes(path)
    with located(str(path)):
        try:
            record = tomllib.loads(data.decode("utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise CalverifyError(f"no TOML: {error}") from None
        return _plan(record, path, out, command)


def _plan(record: Mapping[str, Any], path: Path, out: str | Path | None, command: str) -> Plan:
    kinds = {
        "name": str, "out": str, "k": int, "seeds": list, "problems": dict, "sampling": dict, "policies": list,
        "selectors": list, "reports": list, "draws": int, "seed": int, "packed": bool,
    }  # fmt: skip
    read = read_fields("study", record, kinds, needed=("problems", "policies"))
    k, seeds = read.get("k", 8), tuple(read.get("seeds", [0]))
    shared = read.get("sampling", {})
    entries = read_list("study", "policies", read["policies"])
    policies = tuple(_policy(entry, shared, RunSettings(k=k, seeds=seeds, command=command)) for entry in entries)
    twice = first_repeat(policy.label for policy in policies)
    if not policies or twice is not None:
        why = f"two policies are called {twice!r}: give each a label" if policies else "a study needs a policy"
        raise CalverifyError(why)
    selectors, reports = _names(read, "selectors"), _names(read, "reports")
    for name in selectors:
        find_selector(name)
    for name in reports:
        find_report(name)
    return Plan(
        name=read.get("name", path.stem),
        out=Path(out) if out is not None else path.parent / read.get("out", f"{path.stem}-run"),
        beside=path.parent,
        problems=_problems(read["problems"]),
        policies=policies,
        selectors=selectors,
        reports=reports or REPORTS,
        **{name: read[name] for name in ("draws", "seed", "packed") if name in read},
    )


def _names(read: Mapping[str, Any], field_name: str) -> tuple[str, ...]:
    names = read_list("study", field_name, read.get(field_name, []))
    twice = first_repeat(names)
    if twice is not None or not all(isinstance(name, str) for name in names):
        raise CalverifyError(f"{field_name} must be names, each once, not {brief(names)}")
    return tuple(names)


def _problems(record: Mapping[str, Any]) -> dict[str, Any]:
    kinds = {"benchmark": str, "seed": int, "file": str, "keys": str, "limit": int}
    read = read_fields("problems", record, kinds)
    if ("benchmark" in read) == ("file" in read) or ("file" in read) != ("keys" in read):
        raise CalverifyError('problems come from a benchmark = "..." or from file = "..." with keys = "..."')
    if "file" in read and "seed" in read:
        raise CalverifyError("a seed belongs to a benchmark, not to a file of problems")
    if read.get("limit", 1) < 1:
        raise CalverifyError(f"the limit must be at least 1, not {read['limit']}")
    return read


def _policy(entry: object, shared: Mapping[str, Any], settings: RunSettings) -> Policy:
    """A policy: fields of a run, fields of how it samples (its own over the shared ones), and those of its source."""
    if not isinstance(entry, Mapping) or not isinstance(entry.get("kind"), str):
        raise CalverifyError(f'a policy is a table with a kind, such as kind = "embedded", not {brief(entry)}')
    record = dict(entry)
    asked = {**shared, **record.pop("sampling", {})}
    run = read_fields("policy", {name: record.pop(name) for name in RUN_FIELDS if name in record}, RUN_FIELDS)
    if "prices" in run:
        run["prices"] = prices_of(run["prices"])
    if record["kind"] == "embedded":
        run.setdefault("concurrency", 1)  # the calls of one model wait for each other anyway
    label = record.get("label") or record.get("model") or record["kind"]
    parameters = Parameters.from_json(asked)
    kept = {name: getattr(settings, name) for name in ("k", "seeds", "command")}
    return Policy(str(label), record, RunSettings(**kept, parameters=parameters, **run))
