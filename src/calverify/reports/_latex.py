"""Tables for a paper: booktabs, numbers in math mode, the notes as a caption.

Whatever a policy is called, pdfLaTeX reads it; for scripts that its fonts lack there are XeLaTeX and LuaLaTeX.
"""

from collections.abc import Sequence

from calverify.reports._cells import is_number, shown, visible
from calverify.reports._table import Plot, Table

__all__ = ["latex"]

FIT = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
MARKS = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': "{''}",
        **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    }
)


def latex(tables: Sequence[Table], plots: Sequence[Plot] = ()) -> str:
    """The tables as floats, made smaller where they are wider than a line; needs the packages booktabs and graphicx."""
    return "\n\n".join(map(_table, tables)) + "\n"


def _table(table: Table) -> str:
    caption = " ".join(_plain(part) for part in (f"{table.title}.", *table.notes))
    lines = [r"\begin{table}[t]", r"\centering", r"\small"]
    if table.rows:
        flush = [any(is_number(row[place]) for row in table.rows) for place in range(len(table.columns))]
        lines += [FIT, rf"\begin{{tabular}}{{{''.join('r' if right else 'l' for right in flush)}}}"]
        lines += [r"\toprule", _line([_plain(title) for title in table.columns]), r"\midrule"]
        lines += [_line([_number(shown(c)) if is_number(c) else _plain(shown(c)) for c in row]) for row in table.rows]
        lines += [r"\bottomrule", r"\end{tabular}}"]
    return "\n".join([*lines, rf"\caption{{{caption}}}", rf"\label{{tab:{_label(table.name)}}}", r"\end{table}"])


def _line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _number(said: str) -> str:
    """+17.4 [-1.0, 2.0] with its signs in math mode; thousands keep their commas."""
    marked = said.replace(",", "{,}").replace("{,} ", r",\ ").replace(" [", r"\ [")
    return f"${marked}$"


def _label(name: str) -> str:
    """The name, of which LaTeX obeys nothing."""
    return "".join(char if char.isascii() and char.isalnum() else "-" for char in name)


def _plain(said: str) -> str:
    return visible(said).translate(MARKS)
