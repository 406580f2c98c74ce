"""Graphs as other tools write them: a text becomes a `Graph`, a `Graph` becomes a text.  No file is opened here.

| format  | read | write | suffixes  | bidirected edges            | hidden nodes                 |
|---------|------|-------|-----------|-----------------------------|------------------------------|
| text    | yes  | yes   | .txt      | A <-> B                     | -                            |
| json    | yes  | yes   | .json     | "bidirected": [["A", "B"]]  | -                            |
| dot     | yes  | yes   | .dot .gv  | A -> B [dir=both]           | observed="no"                |
| dagitty | yes  | yes   | .dagitty  | A <-> B                     | [latent]                     |
| gml     | yes  | -     | .gml      | kind "bidirected"           | observed "no"                |
| bif     | yes  | -     | .bif      | -                           | -                            |
| (networkx objects) | yes | yes |    | kind="bidirected"           | observed="no", or g.latents  |

Two readers give a whole causal model, tables and all: `scm_from_bif` and `scm_from_cladder`.

Rules of the room.
Rule 1: every reader is total, and linear in its text: what it cannot read it refuses with a `CalverifyError` that names
the line, what stands there and what was expected.
Rule 2: nothing that bears on causes is dropped in silence.  Undirected edges, circles, selection and repeated edges are
refused; hidden nodes are refused unless the caller asks for the latent projection.
Rule 3: what a writer writes, the reader of that format reads back to an equal graph.  A name that the format cannot
spell is refused.

Reading order: `_tokens`, `_sketch`, `_statements` (shared by `_dot` and `_dagitty`), the formats, `_latents`, `_table`.
"""

from calverify.formats._bif import from_bif
from calverify.formats._bif_tables import scm_from_bif
from calverify.formats._cladder import scm_from_cladder
from calverify.formats._dagitty import from_dagitty, to_dagitty
from calverify.formats._dot import from_dot, to_dot
from calverify.formats._gml import from_gml
from calverify.formats._latents import latent_projection
from calverify.formats._networkx import from_networkx, to_networkx
from calverify.formats._table import FORMATS, Format, format_of, read_graph, write_graph

__all__ = [
    "FORMATS",
    "Format",
    "format_of",
    "from_bif",
    "from_dagitty",
    "from_dot",
    "from_gml",
    "from_networkx",
    "latent_projection",
    "read_graph",
    "scm_from_bif",
    "scm_from_cladder",
    "to_dagitty",
    "to_dot",
    "to_networkx",
    "write_graph",
]
