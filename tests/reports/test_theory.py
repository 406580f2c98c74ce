"""The theory of the pools, counted again by hand."""

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import exp

import pytest

from calverify.evaluation import plan
from calverify.reports import Options, make_report
from calverify.reports.theory import BOUND_KS, MARGINS, REGIMES, SHARP_KS, SPREADS
from tests.oracles import votes
from tests.reports.recount import OPTIONS, SEED, SEEDS, K, made, of, records, studies

POLICIES = ("simulated one", "simulated two")


@lru_cache(maxsize=1)
def tables() -> dict[str, list[dict]]:
    return {table.name: records(table) for table in made("theory")}


def test_the_law_is_a_count():
    """Shares, precisions and what lies at or below, of all candidates; an inversion is worse than the one below."""
    found = tables()["theory-law"]
    for policy in POLICIES:
        drawn = [(score, right if score is not None else False) for row in of(policy)
                 for score, right in zip(row.scores, row.right, strict=True)]  # fmt: skip
        below, last = 0, None
        rows = [row for row in found if row["policy"] == policy]
        assert [row["score"] for row in rows] == [
            "none" if score is None else str(score)
            for score in sorted({score for score, _ in drawn}, key=lambda score: -1 if score is None else score)
        ]
        for row in rows:
            here = [right for score, right in drawn if ("none" if score is None else str(score)) == row["score"]]
            below += len(here)
            assert row["share"].value == Fraction(len(here), len(drawn))
            assert row["right"].value == Fraction(sum(here), len(here))
            assert row["at or below"].value == Fraction(below, len(drawn))
            assert row["inversion"] == ("yes" if last is not None and row["right"].value < last else "")
            last = row["right"].value
        assert below == len(drawn) == len(of(policy)) * K


def test_the_plan_is_the_planners():
    """Within the pilot its points are means of what the problems' own candidates give, which other tests count."""
    found = tables()["theory-plan"]
    for study in studies():
        points = plan(study, (1, 2, 4, 8, 16), draws=OPTIONS.draws, seed=SEED).points
        rows = [row for row in found if row["policy"] == study.policy]
        assert [row["K"] for row in rows] == [1, 2, 4, 8, 16]  # up to four times six
        assert [row["accuracy of calver"].interval for row in rows] == [point.accuracy for point in points]
        assert [row["how"] for row in rows] == ["seen" if k <= K * SEEDS else "predicted" for k in (1, 2, 4, 8, 16)]


def test_one_law_for_all_and_its_increments():
    """The accuracy at k is that of k draws from one pot: with k = 2, over all ordered pairs."""
    found = tables()["theory-plan"]
    for policy in POLICIES:
        drawn = [(-1 if score is None else score, right and score is not None) for row in of(policy)
                 for score, right in zip(row.scores, row.right, strict=True)]  # fmt: skip
        by_k = {row["K"]: row for row in found if row["policy"] == policy}
        single = Fraction(sum(right for _, right in drawn), len(drawn))
        pairs = [max((one, other), key=lambda each: each[0])[1] for one, other in product(drawn, repeat=2)]
        double = Fraction(sum(pairs), len(pairs))
        assert by_k[1]["one law for all"].value == single
        assert by_k[2]["one law for all"].value == double
        assert by_k[1]["its increment"].value == double - single


def test_bounds_of_every_problem():
    """The regime of each problem by its own count of answers, and Hoeffding's bound by its formula."""
    found = tables()["theory-bounds"]
    for policy in POLICIES:
        regimes: dict[str, list[tuple[Fraction, int]]] = {name: [] for name in REGIMES}
        for problem in sorted({row.problem for row in of(policy)}):
            votes_of: Counter = Counter()
            right_of = {}
            for row in of(policy):
                if row.problem == problem:
                    for vote, right in zip(row.votes, row.right, strict=True):
                        if vote is not None:
                            votes_of[vote] += 1
                            right_of[vote] = right
            right = [count for vote, count in votes_of.items() if right_of[vote]]
            wrong = [count for vote, count in votes_of.items() if not right_of[vote]]
            lead = Fraction(max(right, default=0) - max(wrong, default=0), K * SEEDS)
            regime = "fails" if lead < 0 else "succeeds" if lead > 0 else "open"
            regimes[regime].append((abs(lead), len(right if lead < 0 else wrong)))
        rows = {row["regime"]: row for row in found if row["policy"] == policy}
        for regime, words in REGIMES.items():
            row, inside = rows[words], regimes[regime]
            assert row["problems"] == len(inside)
            if not inside or regime == "open":
                assert row["median margin"] is row["median K needed"] is None
                continue
            assert row["median margin"].value == sorted(lead for lead, _ in inside)[len(inside) // 2]
            for k in BOUND_KS:
                tails = [min(1.0, rivals * exp(-k * float(lead) ** 2 / 2)) for lead, rivals in inside]
                bounds = tails if regime == "fails" else [1 - tail for tail in tails]
                assert float(row[f"bound at K = {k}"].value) == pytest.approx(sum(bounds) / len(bounds))
            needed = sorted(least(lead, rivals) for lead, rivals in inside)
            assert row["median K needed"] == needed[len(needed) // 2]


def least(lead: Fraction, rivals: int) -> int:
    """The first K from which the tail is at most 0.05."""
    return next(k for k in range(1, 100_000) if rivals * exp(-k * float(lead) ** 2 / 2) <= 0.05)


def test_the_sharp_family_of_each_policy():
    """The mass is the mean share of right votes; two draws decide nothing but a tie, which the first one wins."""
    found = tables()["theory-sharp"]
    plots = {plot.name: plot for plot in make_report("theory", studies(), OPTIONS)[1]}
    for place, policy in enumerate(POLICIES, 1):
        shares = []
        for row in of(policy):
            voting = [right for vote, right in zip(row.votes, row.right, strict=True) if vote is not None]
            shares.append(sum(voting) / len(voting) if voting else 0)
        mass = Fraction(round(100 * sum(shares) / len(shares)), 100)
        rows = [row for row in found if row["policy"] == policy]
        assert [row["right answers"] for row in rows] == list(SPREADS)
        for row in rows:
            assert row["right mass"].value == mass
            assert row["vote turns"] == ("yes" if 1 - mass > mass / row["right answers"] else "no")
            for k in (8, 32):
                assert row[f"checked at K = {k}"].value == 1 - (1 - mass) ** k
        lines = {line.name: line.values for line in plots[f"theory-sharp-{place}"].series}
        assert len(lines) == len(SPREADS) + 1
        for name, values in lines.items():
            assert values[0] == pytest.approx(float(mass)), name
            assert (values[1] == pytest.approx(float(mass))) == (name != "calver")
        assert plots[f"theory-sharp-{place}"].x == tuple(map(float, SHARP_KS))


def test_stability_is_half_the_margin():
    """The margin between the two highest scores of a pool: 0 is a tie, and e bits may be wrong below (margin) / 2."""
    found = tables()["theory-stability"]
    for row in found:
        counts: Counter = Counter()
        for pool in of(row["policy"]):
            top = sorted((score for score in pool.scores if score is not None), reverse=True)
            if not top:
                continue
            bits = 6 if len(top) == 1 else max(e for e in range(-1, 3) if top[0] - top[1] > 2 * e)
            counts[None if bits == -1 else bits] += 1
        assert row["units"] == counts.total()
        for bits, words in MARGINS.items():
            assert row[words].value == Fraction(counts[bits], counts.total()), words
        assert votes.highest([1, 3, 3]) == 1  # a tie goes to the earliest, as the note says


def test_plots_draw_the_plan():
    found, plots = make_report("theory", studies(), OPTIONS)
    rows = records(next(table for table in found if table.name == "theory-plan"))
    for place, policy in enumerate(POLICIES, 1):
        (plot,) = [plot for plot in plots if plot.name == f"theory-plan-{place}"]
        mine = [row for row in rows if row["policy"] == policy]
        law, planned = plot.series
        assert plot.x == tuple(float(row["K"]) for row in mine)
        assert law.values == tuple(float(row["one law for all"].value) for row in mine)
        cells = [row["accuracy of calver"].interval for row in mine]
        assert planned.values == tuple(cell.point for cell in cells)
        assert planned.band == tuple((cell.low, cell.high) for cell in cells)
        assert "seen up to K = 8, predicted beyond" in plot.caption


def test_it_has_a_thousand_draws_unless_asked():
    (table, *_), _ = make_report("theory", studies()[:1], Options())
    (_, _, planned, *_), _ = make_report("theory", studies()[:1], Options())
    assert table.name == "theory-bounds"
    assert records(planned)[0]["accuracy of calver"].interval.draws == 1_000


def test_what_it_needs():
    one = studies()[0]
    (table,), plots = make_report("theory", [one.chosen_by(["first"])], OPTIONS)
    assert (table.rows, plots) == ((), ())
    assert "simulated one (plurality, calver)" in table.notes[0]
    (table,), plots = make_report("theory", [one.prefix(0)], OPTIONS)
    assert (table.rows, plots) == ((), ())
    assert "pools with candidates" in table.notes[0]
