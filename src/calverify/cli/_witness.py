"""Witnesses as a person reads them: paths as arrows, derivations by steps, models and strata by lines."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from calverify.cli._output import say

__all__ = ["show_witness"]

Record = Mapping[str, Any]


def show_witness(witness: Record | None, indent: str = "  ") -> None:
    """The witness, field by field; a witness inside it stands under its name."""
    derived = witness is not None and witness.get("kind") == "derivation"
    for name, value in (witness or {}).items():
        inner = value if isinstance(value, list) else [value]
        if inner and all(isinstance(part, Mapping) and "kind" in part for part in inner):
            for part in inner:
                say(indent, name)
                show_witness(part, indent + "  ")
        elif derived and name in ("start", "goal", "text"):
            continue  # the steps say it
        elif derived and name == "steps" and witness:
            _show_lines(indent, "steps", _derivation(witness))
        elif name in LINES and value:
            _show_lines(indent, name, LINES[name](value))
        else:
            say(indent, f"{name:<8} ", _field(name, value))


def _show_lines(indent: str, name: str, lines: Iterator[str]) -> None:
    say(indent, name)
    for line in lines:
        say(indent, "  ", line)


def _field(name: str, value: Any) -> str:
    """One field of a witness as text."""
    if name == "path" and value and isinstance(value[0], list):
        return " ".join([value[0][0], *[f"{arrow} {right}" for _, arrow, right in value]])
    if name in ("path", "walk", "cycle") and isinstance(value, list):
        return " -> ".join(value)
    if name == "states":
        return ", ".join(f"{node} (by {how})" if how != "start" else f"{node} (start)" for node, how in value)
    if name == "at" and isinstance(value, Mapping):
        return _assignment(value)
    if name == "agreement" and value:
        return f"equal on {value['models']} random models too; a wrong formula passes once in 2^{value['bits']} or less"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _assignment(values: Record) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())


def _derivation(witness: Record) -> Iterator[str]:
    """The start, then each step with its rule and why it applies."""
    yield f"     {witness['text'][0]}"
    for step in witness["steps"]:
        yield f"{step['number']:>3}. = {step['text']}"
        yield f"       {step['rule']}"
        if step["because"]:
            yield f"       since {step['because']}"


def _strata(strata: Any) -> Iterator[str]:
    for part in strata:
        arms = ", ".join(
            f"{arm} {'never occurs' if part[arm] is None else part[arm]}" for arm in ("treated", "control")
        )
        yield f"{_assignment(part['given']) or 'everyone'}: mass {part['mass']}, {arms}"


def _model(model: Record) -> Iterator[str]:
    """A line for each table: the chance of every value but 0, in every row."""
    for latent in model["latents"]:
        behind, most = " <-> ".join(latent["ends"]), latent["values"] - 1
        yield f"{latent['name']} (behind {behind}), values 0..{most}: {', '.join(latent['row'])}"
    for node in model["nodes"]:
        above = ", ".join([*node["parents"], *node["latents"]])
        values = ", ".join(map(str, range(1, node["values"])))
        rows = [row[1] if len(row) == 2 else f"({', '.join(row[1:])})" for row in node["rows"]]
        yield f"P({node['name']}={values}{f' | {above}' if above else ''}): {', '.join(rows)}"


def _apart(pair: Record) -> Iterator[str]:
    """The two models, and what tells them apart."""
    for place, model in enumerate(pair["models"]):
        yield f"model {place + 1}, where the effect is {pair['values'][place]} at {_assignment(pair['at'])}"
        yield from (f"  {line}" for line in _model(model))


LINES: Mapping[str, Callable[[Any], Iterator[str]]] = {"strata": _strata, "model": _model, "apart": _apart}
