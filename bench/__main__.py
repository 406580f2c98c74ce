"""`python -m bench`: run every contest, print the tables, and exit 3 when a floor is broken."""

import argparse
import json
import platform
import sys
from pathlib import Path

import networkx  # type: ignore[import-untyped]

import calverify
from bench.coldstart import cold_starts
from bench.contests import contests
from bench.floors import floors
from bench.measure import Disagreement, Row, run
from bench.peers import pyagrum
from bench.table import NO_PYAGRUM, as_json, page, report

CPUINFO = Path("/proc/cpuinfo")


def main() -> int:
    """0, or 1 where two engines disagree, or 3 where a floor is broken."""
    options = _options()
    if not pyagrum:
        print(NO_PYAGRUM, file=sys.stderr)
    try:
        rows = _rows(share=0.1 if options.quick else 1.0, turns=1 if options.quick else options.turns)
    except Disagreement as error:
        print(f"bench: the engines disagree, so nothing was timed: {error}", file=sys.stderr)
        return 1
    machine = _machine()
    print(json.dumps(as_json(rows, machine), indent=2) if options.json else report(rows, machine))
    if options.write:
        options.write.write_text(page(rows, machine), encoding="utf-8")
    broken = [floor for floor in floors(rows) if not floor.kept]
    for floor in broken:
        print(f"bench: below its floor: {floor}", file=sys.stderr)
    return 3 if broken else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description="How fast we are, beside the engines one would use.")
    parser.add_argument("--quick", action="store_true", help="a fast look: a tenth of the work, one turn")
    parser.add_argument(
        "--turns", type=int, default=4, metavar="N", help="turns an engine, of 3 passes each (default: 4)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write the page docs/performance.md")
    options = parser.parse_args()
    if options.turns < 1:
        parser.error("--turns must be at least 1")
    return options


def _rows(share: float, turns: int) -> list[Row]:
    rows = []
    for contest in contests(share):
        print(f"bench: {contest.section} / {contest.name}", file=sys.stderr, flush=True)
        rows.append(run(contest, turns))
    print("bench: cold start", file=sys.stderr, flush=True)
    return [*rows, *cold_starts(tries=3 * turns)]


def _machine() -> dict[str, str]:
    """What the figures depend on, and nothing that changes from run to run."""
    lines = CPUINFO.read_text(encoding="utf-8").splitlines() if CPUINFO.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "CPU": models[0] if models else platform.machine(),
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "calverify": calverify.__version__,
        "networkx": networkx.__version__,
        "pyAgrum": pyagrum.__version__ if pyagrum else "NOT INSTALLED",
    }


if __name__ == "__main__":
    sys.exit(main())
