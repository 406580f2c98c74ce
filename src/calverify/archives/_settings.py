"""How a model was asked: settings by name from a closed list, each a number, a text or a list of texts."""

from collections.abc import Mapping, Sequence
from typing import Any

from calverify.errors import RecordError
from calverify.records import read_fields

__all__ = ["SAMPLING_NAMES", "read_settings"]

SAMPLING_NAMES = (
    "temperature", "top_p", "top_k", "min_p", "n", "max_tokens", "stop", "frequency_penalty", "presence_penalty",
    "repetition_penalty", "backend", "dtype", "system", "extra_body", "decoding", "reasoning", "choices",
    "fingerprints", "short",
)  # fmt: skip


def read_settings(noun: str, record: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The settings of a record; an unknown name is a `LeakError`."""
    read = read_fields(noun, record, dict.fromkeys(names, int | float | str | list))
    for name, value in read.items():
        if isinstance(value, list) and not all(isinstance(item, str) for item in value):
            raise RecordError(f"in a {noun} record, {name!r} must be a number, a text or a list of texts")
    return read
