"""The benchmark asks the same on every run, its engines agree, and its tables say what was measured.  No times here."""

import pytest

from bench import table
from bench.coldstart import cold_starts
from bench.contests import contests
from bench.floors import floors, recorded, targets
from bench.measure import OURS, Contest, Disagreement, Engine, Figure, Row, run
from bench.workloads import ADMGS, DAGS, K, layouts, questions, trials

TINY = 0.01


def row(section="separation", name="dag8", **best):
    return Row(section, name, 8, {name: Figure(us, 2 * us) for name, us in best.items()})


@pytest.mark.parametrize("sized", [*DAGS, *ADMGS], ids=lambda sized: sized.name)
def test_workloads_are_deterministic(sized):
    first, second = layouts(sized, TINY), layouts(sized, TINY)
    assert first == second
    assert questions(sized, first) == questions(sized, second)
    assert trials(sized, first) == trials(sized, second)


@pytest.mark.parametrize("sized", [*DAGS, *ADMGS], ids=lambda sized: sized.name)
def test_layouts_have_the_promised_size(sized):
    for layout in layouts(sized, TINY):
        assert len(layout.nodes) == sized.nodes
        assert sized.edges[0] <= len(layout.directed) <= sized.edges[1]
        assert sized.arcs[0] <= len(layout.bidirected) <= sized.arcs[1]
        assert max(len(layout.parents(node)) for node in layout.nodes) <= sized.most_parents
        assert all(layout.order.index(tail) < layout.order.index(head) for tail, head in layout.directed)


def test_a_smaller_share_is_a_part_of_the_whole():
    assert layouts(DAGS[0], TINY) == layouts(DAGS[0])[: len(layouts(DAGS[0], TINY))]


def test_conditioning_sets_hold_neither_end():
    graphs = layouts(DAGS[0], TINY)
    assert all(given.isdisjoint({x, y}) for asked in questions(DAGS[0], graphs) for x, y, given in asked)


@pytest.mark.parametrize("faultless", [True, False])
def test_every_trial_has_k_texts(faultless):
    assert {len(trial.texts) for trial in trials(DAGS[0], layouts(DAGS[0], TINY), faultless=faultless)} == {K}


def test_engines_agree_on_every_workload():
    """One turn each: `run` compares all answers before it times anything."""
    rows = [*(run(contest, turns=1) for contest in contests(TINY)), *cold_starts(tries=1)]
    assert all(figure.best > 0 for found in rows for figure in found.figures.values())
    assert {found.key for found in rows} >= recorded()["floors"].keys() | recorded()["targets"].keys()
    assert floors(rows)
    assert targets(rows)


def test_traces_are_of_mixed_quality():
    """Scores from nothing to everything occur, or the whole verdict is measured on one kind of text only."""
    verdicts = [c for c in contests(TINY) if c.section == "whole verdict"]
    scores = {sum(contest.says(answer)) for contest in verdicts for answer in _answers(contest)}
    assert {0, 3, 5, 6} <= scores


def _answers(contest):
    ours = contest.engines[0]
    return list(ours.run(ours.prepare()))


@pytest.mark.parametrize("theirs", [[True, False], [True]])
def test_disagreement_is_refused(theirs):
    engines = [Engine(OURS, list, lambda _: [True, True]), Engine("peer", list, lambda _: theirs)]
    with pytest.raises(Disagreement, match="peer"):
        run(Contest("separation", "dag8", 2, engines), turns=1)


def test_floor_compares_best_passes():
    found = floors([row(calverify=1.0, networkx=19.0)])
    assert [(floor.found, floor.kept) for floor in found] == [(19.0, False)]
    assert "BROKEN" in str(found[0])
    assert floors([row(calverify=1.0, networkx=20.0)])[0].kept


def test_target_is_met_or_missed():
    name = "8 nodes, problem compiled"
    assert targets([row("whole verdict", name, calverify=15.0)])[0].met
    assert "missed" in str(targets([row("whole verdict", name, calverify=15.1)])[0])


def test_table_shows_best_median_and_ratio():
    text = table.report([row(calverify=1.25, networkx=2_500.0), row(name="dag20", calverify=2.0)], {"CPU": "abacus"})
    assert "- CPU: abacus" in text
    assert "| dag8             | 1.2 (2.5) | 2,500.0 (5,000.0) 2000.0x |" in text
    assert "| dag20            | 2.0 (4.0) | -                         |" in text


def test_page_says_how_to_repeat_it():
    assert 'make bench ARGS="--write docs/performance.md"' in table.page([row(calverify=1.0)], {"CPU": "abacus"})


def test_json_holds_the_same_figures():
    record = table.as_json([row(calverify=1.0, networkx=30.0)], {"CPU": "abacus"})
    assert record["rows"][0]["ratios"] == {"networkx": 30.0}
    assert record["floors"][0]["kept"] is True
