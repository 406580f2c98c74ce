"""What two models of a hedge say, by enumerating everything they hold, from their JSON records alone.

A record lists latents and nodes with the rows of their tables, the last parent or latent varying fastest.
"""

from collections.abc import Collection, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

Distribution = dict[tuple[int, ...], Fraction]


def distribution(record: Mapping[str, Any], do: Mapping[str, int], over: list[str]) -> Distribution:
    """The joint distribution of some nodes under an intervention."""
    latents, nodes = record["latents"], record["nodes"]
    sizes = {part["name"]: part["values"] for part in (*latents, *nodes)}
    found: Distribution = {}
    for states in product(*(range(sizes[part["name"]]) for part in (*latents, *nodes))):
        at = dict(zip(sizes, states, strict=True))
        mass = Fraction(1)
        for latent in latents:
            mass *= Fraction(latent["row"][at[latent["name"]]])
        for node in nodes:
            name = node["name"]
            if name in do:
                mass *= at[name] == do[name]
                continue
            row = 0
            for above in (*node["parents"], *node["latents"]):
                row = row * sizes[above] + at[above]
            mass *= Fraction(node["rows"][row][at[name]])
        key = tuple(at[name] for name in over)
        found[key] = found.get(key, Fraction(0)) + mass
    return found


def effects(record: Mapping[str, Any], outcomes: list[str], treatments: list[str]) -> dict[tuple, Distribution]:
    """The outcomes' distribution under every intervention on the treatments."""
    sizes = {node["name"]: node["values"] for node in record["nodes"]}
    settings = product(*(range(sizes[name]) for name in treatments))
    return {row: distribution(record, dict(zip(treatments, row, strict=True)), outcomes) for row in settings}


def conditionals(
    record: Mapping[str, Any], outcomes: list[str], treatments: list[str], given: Collection[str]
) -> dict[tuple, Distribution]:
    """The distribution of the other outcomes given some of them, under every intervention."""
    places = [at for at, name in enumerate(outcomes) if name in given]
    found: dict[tuple, Distribution] = {}
    for setting, joint in effects(record, outcomes, treatments).items():
        for row, mass in joint.items():
            part = found.setdefault((setting, tuple(row[at] for at in places)), {})
            rest = tuple(value for at, value in enumerate(row) if at not in places)
            part[rest] = part.get(rest, Fraction(0)) + mass
    return {key: {row: mass / sum(part.values()) for row, mass in part.items()} for key, part in found.items()}
