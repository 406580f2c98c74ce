"""What is printed and written: markdown that reads well in a terminal, and the same as JSON."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.floors import floors, targets
from bench.measure import OURS, Row

__all__ = ["as_json", "page", "report"]

PAGE = Path(__file__).with_name("page.md")

NO_PYAGRUM = """******************************************************************
*** PYAGRUM IS NOT INSTALLED: ITS COLUMN OF THE BENCH IS EMPTY ***
******************************************************************"""


def as_json(rows: Sequence[Row], machine: dict[str, str]) -> dict[str, Any]:
    return {
        "machine": machine,
        "rows": [
            {
                "section": row.section,
                "name": row.name,
                "operations": row.ops,
                "microseconds": {
                    name: {"best": figure.best, "median": figure.median} for name, figure in row.figures.items()
                },
                "ratios": {name: row.ratio(name) for name in row.figures if name != OURS},
            }
            for row in rows
        ],
        "floors": [
            {"row": floor.row, "peer": floor.peer, "at_least": floor.at_least, "found": floor.found, "kept": floor.kept}
            for floor in floors(rows)
        ],
        "targets": [
            {"row": target.row, "at_most": target.at_most, "found": target.found, "met": target.met}
            for target in targets(rows)
        ],
    }


def page(rows: Sequence[Row], machine: dict[str, str]) -> str:
    """The whole of docs/performance.md."""
    return PAGE.read_text(encoding="utf-8").replace("{report}", report(rows, machine))


def report(rows: Sequence[Row], machine: dict[str, str]) -> str:
    """The machine, a table a section, the floors and the targets."""
    parts = ["## The machine", "\n".join(f"- {name}: {value}" for name, value in machine.items())]
    for section in dict.fromkeys(row.section for row in rows):
        parts += [f"## {section[:1].upper()}{section[1:]}", _table([row for row in rows if row.section == section])]
    parts += ["## Floors", "\n".join(f"- {floor}" for floor in floors(rows)) or "None of these rows has a floor."]
    parts += ["## Targets", "\n".join(f"- {target}" for target in targets(rows)) or "None of these rows has a target."]
    return "\n\n".join(parts)


def _table(rows: Sequence[Row]) -> str:
    engines = list(dict.fromkeys(name for row in rows for name in row.figures))
    lines = [["us per operation", *engines]]
    lines += [[row.name, *(_cell(row, engine) for engine in engines)] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(f"| {' | '.join(map(str.ljust, line, widths))} |" for line in lines)


def _cell(row: Row, engine: str) -> str:
    figure = row.figures.get(engine)
    if figure is None:
        return "-"
    text = f"{figure.best:,.1f} ({figure.median:,.1f})"
    if engine == OURS:
        return text
    ratio = row.ratio(engine)
    return f"{text} {ratio:.1f}x" if ratio >= 1 else f"{text} {ratio:.2f}x"
