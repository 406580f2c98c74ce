"""A folder of data with its answers altered: what depends on a published answer shows itself."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from calverify.benchmarks import DataFolder

Alter = Callable[[dict[str, Any]], dict[str, Any]]


def altered_lines(source: Path, target: Path, names: list[str], alter: Alter) -> DataFolder:
    """The named files of JSON Lines, each record through `alter`, in another folder."""
    for name in names:
        records = [alter(json.loads(line)) for line in (source / name).read_text("utf-8").splitlines()]
        write_lines(target / name, records)
    return DataFolder(target)


def write_lines(path: Path, records: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
