"""Every kind of source by its name, so that a run makes its source again from the record that it kept."""

from collections.abc import Callable, Mapping
from typing import Any

from calverify.errors import RecordError
from calverify.names import brief
from calverify.sampling._request import Source
from calverify.sampling.embedded import Embedded
from calverify.sampling.endpoint import Endpoint

__all__ = ["SOURCES", "source_of"]

# The record that `Source.settings` gave, and the environment, where keys are.
SOURCES: dict[str, Callable[[Mapping[str, Any], Mapping[str, str]], Source]] = {
    "endpoint": Endpoint.from_settings,
    "embedded": Embedded.from_settings,
}


def source_of(record: Mapping[str, Any], environment: Mapping[str, str]) -> Source:
    """The source of a record; an unknown kind is refused."""
    kind = record.get("kind")
    if not isinstance(kind, str) or kind not in SOURCES:
        raise RecordError(f"a source is of a kind among {', '.join(SOURCES)}, not {brief(kind)}")
    return SOURCES[kind](record, environment)
