"""The floors and targets of `floors.toml`, held against what was measured."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bench.measure import OURS, Row

__all__ = ["Floor", "Target", "floors", "recorded", "targets"]


@dataclass(frozen=True, slots=True)
class Floor:
    """The least ratio to a peer in one row, and the ratio found."""

    row: str
    peer: str
    at_least: float
    found: float

    @property
    def kept(self) -> bool:
        return self.found >= self.at_least

    def __str__(self) -> str:
        verdict = "kept" if self.kept else "BROKEN"
        return f"{self.row}: {self.found:.2f}x {self.peer}, at least {self.at_least}x wanted: {verdict}"


@dataclass(frozen=True, slots=True)
class Target:
    """The most microseconds wanted for one row, and the best pass found."""

    row: str
    at_most: float
    found: float

    @property
    def met(self) -> bool:
        return self.found <= self.at_most

    def __str__(self) -> str:
        verdict = "met" if self.met else "missed"
        return f"{self.row}: {self.found:.1f} us, at most {self.at_most} us wanted: {verdict}"


@cache
def recorded() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("floors.toml").read_text(encoding="utf-8"))


def floors(rows: Iterable[Row]) -> list[Floor]:
    """Every floor whose row and peer were run."""
    wanted: dict[str, dict[str, float]] = recorded()["floors"]
    return [
        Floor(row.key, peer, at_least, row.ratio(peer))
        for row in rows
        for peer, at_least in wanted.get(row.key, {}).items()
        if peer in row.figures
    ]


def targets(rows: Iterable[Row]) -> list[Target]:
    """Every target whose row was run."""
    wanted: dict[str, float] = recorded()["targets"]
    return [Target(row.key, wanted[row.key], row.figures[OURS].best) for row in rows if row.key in wanted]
