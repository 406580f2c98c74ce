"""Damaged graphs keep their class and lose what they should; the lift falls only through what the checker is handed."""

from fractions import Fraction
from random import Random

import pytest

import calverify as cv
from calverify.reports import Options, make_report
from calverify.reports._damaged_graph import DAMAGES, damaged
from tests.known import random_graph
from tests.oracles import votes
from tests.reports.recount import DRAWS, OPTIONS, PROBLEMS, SEED, hit, is_ratio, made, records, recount, studies

KINDS = ("dag", "admg", "directed")
RATES = OPTIONS.rates


def edges(graph: cv.Graph) -> set[tuple[str, str, str]]:
    two_headed = {(min(pair), "<->", max(pair)) for pair in graph.bidirected}
    return {(a, "->", b) for a, b in graph.directed} | two_headed


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("damage", DAMAGES)
def test_what_each_damage_does(damage, kind):
    """Nodes and class stay, and the edges that changed are as many as it says."""
    rng = Random(f"{damage} {kind}")
    for _ in range(60):
        before = random_graph(rng, kind)
        rate = rng.choice(RATES)
        after, count = damaged(before, damage, rate, rng)
        assert (after.nodes, after.kind) == (before.nodes, before.kind)
        assert after.acyclic or kind == "directed"
        old, new = edges(before), edges(after)
        most = int(len(old) * rate) + 1
        if damage == "delete":
            assert new < old or not count
            assert len(old) - len(new) == count <= most
        elif damage == "add":
            assert old <= new
            assert len(new) - len(old) == count <= most
            assert all({a, b} != {c, d} for a, _, b in new - old for c, _, d in old)
        elif damage == "reverse":
            assert {(b, mark, a) for a, mark, b in old - new} == new - old
            assert len(new - old) == count <= most
        elif damage == "mixed":
            assert count <= most
            assert len(old ^ new) <= 2 * count
        elif damage == "random":
            assert sorted(mark for _, mark, _ in new) == sorted(mark for _, mark, _ in old)
        else:
            assert after.directed == tuple((b, a) for a, b in before.directed)
            assert after.bidirected == before.bidirected


def test_a_rate_is_the_expected_share():
    graph = cv.Graph.parse("A -> B -> C -> D -> E -> F")
    rng = Random(1)
    counts = [damaged(graph, "delete", Fraction(1, 10), rng)[1] for _ in range(2_000)]
    assert set(counts) == {0, 1}
    assert 0.46 < sum(counts) / len(counts) < 0.54


def on_damaged(row, damage, rate) -> bool:
    """Is the pick right that is made with this damaged graph?"""
    problem = PROBLEMS[row.problem]
    graph, _ = damaged(problem.graph, damage, rate, Random(f"{SEED} {problem.id} {damage} {rate}"))
    other = cv.Problem(problem.id, problem.query, graph)
    try:
        scores = [None if vote is None else cv.verify(other, text).score
                  for vote, text in zip(row.votes, row.texts, strict=True)]  # fmt: skip
    except cv.CalverifyError:
        scores = [None if vote is None else 0 for vote in row.votes]
    place = votes.highest(scores)
    return place is not None and row.right[place]


def test_every_row():
    (table,) = made("corruption")
    rows = list(recount())
    base = [hit(row, "plurality") for row in rows]
    found = records(table)
    assert [row["damage"] for row in found] == [
        "intact", *[name for name in ("delete", "add", "reverse", "mixed") for _ in RATES], "random", "full reversal",
    ]  # fmt: skip
    intact = found[0]["lift over the vote"].value
    assert intact == Fraction(sum(hit(row, "calver") for row in rows) - sum(base), len(rows))
    for record in found[1:]:
        rate = Fraction(record["rate"].value)
        rights = [on_damaged(row, record["damage"], rate) for row in rows]
        assert record["accuracy"].value == Fraction(sum(rights), len(rows))
        lifts = [right - vote for right, vote in zip(rights, base, strict=True)]
        assert is_ratio(record["lift over the vote"], lifts, [1] * len(rows), rows)
        assert record["share of the intact lift"].value == record["lift over the vote"].value / intact


def test_damage_hurts_here():
    """Otherwise nothing above could fail."""
    lifts = {row["damage"]: row["lift over the vote"].value for row in records(made("corruption")[0])}
    assert lifts["full reversal"] < lifts["intact"]


def test_the_plot_draws_the_table():
    (table,), (plot,) = make_report("corruption", studies(), OPTIONS)
    assert plot.x == (0.0, 0.1, 0.25, 0.5)
    for line in plot.series:
        cells = [row for row in records(table) if row["damage"] in ("intact", line.name)]
        assert line.values == tuple(float(row["lift over the vote"].value) for row in cells)


def test_the_seed_decides():
    one, same, other = (
        make_report("corruption", studies(), Options(draws=DRAWS, seed=seed))[0][0].column("accuracy")
        for seed in (SEED, SEED, SEED + 1)
    )
    assert one == same != other
