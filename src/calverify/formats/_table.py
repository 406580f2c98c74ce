"""The table of formats, and what reads it.

A format is chosen by its name or by the suffix of a file name, never by looking into the text: a text that two formats
can read would be a graph that depends on luck.  Nothing here touches a disk.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from calverify.errors import GraphError
from calverify.formats._bif import from_bif
from calverify.formats._dagitty import from_dagitty, to_dagitty
from calverify.formats._dot import from_dot, to_dot
from calverify.formats._gml import from_gml
from calverify.formats._record import from_json, from_text, to_json, to_text
from calverify.graphs import Graph

__all__ = ["FORMATS", "Format", "format_of", "read_graph", "write_graph"]


class Format(NamedTuple):
    """One row: what reads the text, what writes it (None: read only), and the suffixes of its files."""

    reader: Callable[..., Graph]
    writer: Callable[[Graph], str] | None
    suffixes: tuple[str, ...]
    marks_hidden: bool  # the reader takes `project_latents`


FORMATS: Final[dict[str, Format]] = {
    "text": Format(from_text, to_text, (".txt",), marks_hidden=False),
    "json": Format(from_json, to_json, (".json",), marks_hidden=False),
    "dot": Format(from_dot, to_dot, (".dot", ".gv"), marks_hidden=True),
    "dagitty": Format(from_dagitty, to_dagitty, (".dagitty",), marks_hidden=True),
    "gml": Format(from_gml, None, (".gml",), marks_hidden=True),
    "bif": Format(from_bif, None, (".bif",), marks_hidden=False),
}


def format_of(filename: str) -> str:
    """The name of the format whose suffix the file name has, in upper or lower case."""
    for name, row in FORMATS.items():
        if filename.lower().endswith(row.suffixes):
            return name
    known = ", ".join(suffix for row in FORMATS.values() for suffix in row.suffixes)
    raise GraphError(f"no graph format has the suffix of {filename!r}; expected one of {known}")


def read_graph(text: str, format: str | None = None, *, project_latents: bool = False) -> Graph:
    """The graph of a text in the named format; None is "text", the line of `Graph.parse`.

    `project_latents` puts bidirected edges in the place of hidden nodes; a format that cannot mark them has none.
    """
    row = _row("text" if format is None else format)
    return row.reader(text, project_latents=project_latents) if row.marks_hidden else row.reader(text)


def write_graph(graph: Graph, format: str | None = None) -> str:
    """The text of a graph in the named format; None is "text"."""
    writer = _row("text" if format is None else format).writer
    if writer is None:
        able = ", ".join(name for name, row in FORMATS.items() if row.writer)
        raise GraphError(f"the format {format!r} is read only; expected one of {able}")
    return writer(graph)


def _row(format: str) -> Format:
    if format not in FORMATS:
        raise GraphError(f"unknown graph format {format!r}; expected one of {', '.join(FORMATS)}")
    return FORMATS[format]
