"""Where voting is worse than the first sample, without any verifier: cells of policy and query type."""

from collections.abc import Sequence

from calverify.evaluation import Study, Unit
from calverify.reports._shelf import Options, Parts, report
from calverify.reports._table import Cell, Table
from calverify.reports._units import VOTE, accuracy_of, counted_notes, empty, gain_of, interval_note, lacking, units_of

__all__ = ["kind_of", "majority_hurts"]

NAME, TITLE = "majority-hurts", "Where plurality is below the first sample"
FIRST = "first"


def kind_of(unit: Unit) -> str:
    """The stratum `query_type` of the key, where it names one, else the task."""
    return unit.strata.get("query_type", unit.strata["task"])


@report("majority-hurts")
def majority_hurts(studies: Sequence[Study], options: Options) -> Parts:
    """The cells of policy and query type in which plurality is right less often than the first candidate."""
    if why := lacking(studies, FIRST, VOTE):
        return [empty(NAME, TITLE, why)]
    cells: list[tuple[Cell, ...]] = []
    tested: dict[str, int] = {}
    below: dict[str, int] = {}
    for study in studies:
        for kind in sorted({kind_of(unit) for unit in study.units}):
            units = [unit for unit in study.units if kind_of(unit) == kind]
            hurts = sum(unit.right(VOTE) for unit in units) < sum(unit.right(FIRST) for unit in units)
            tested[kind] = tested.get(kind, 0) + 1
            below[kind] = below.get(kind, 0) + hurts
            gain = gain_of(units, VOTE, FIRST, options.how)
            cells.append((study.policy, kind, len(units), accuracy_of(units, FIRST), accuracy_of(units, VOTE), gain,
                          "yes" if hurts else "no"))  # fmt: skip
    rows: list[tuple[Cell, ...]] = [(kind, tested[kind], below[kind]) for kind in sorted(tested)]
    rows.append(("all cells", sum(tested.values()), sum(below.values())))
    everyone = units_of(studies)
    counted = "A cell is a policy and a query type; it counts where plurality has fewer right units than the first."
    summary = Table(NAME, TITLE, ("query", "policies tested", "plurality below first"), tuple(rows), (counted,))
    columns = ("policy", "query", "units", "first", "vote", "vote minus first", "below first")
    notes = (interval_note(everyone, options.how), *counted_notes(everyone, [FIRST, VOTE]))
    return [
        summary,
        Table(f"{NAME}-cells", "Plurality and the first sample, cell by cell", columns, tuple(cells), notes),
    ]
