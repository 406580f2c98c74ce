"""The checker as a classifier, against counts candidate by candidate."""

from fractions import Fraction
from itertools import product

from calverify.evaluation import Unit
from calverify.reports.quality import auroc
from tests.reports.recount import ASKED, is_ratio, made, of, records

FAMILIES = {"mediator": "decision"}
ANSWER = 5


def test_every_cell():
    (table,) = made("quality")
    assert [row["family"] for row in records(table)] == ["object", "decision"] * 3
    for record in records(table):
        rows = [r for r in of(record["policy"]) if FAMILIES.get(ASKED[r.problem][1].task, "object") == record["family"]]
        hits = [sum(ok and bits[ANSWER] for ok, bits in zip(r.right, r.bits, strict=True)) for r in rows]
        passing = [sum(bits[ANSWER] for bits in r.bits) for r in rows]
        right = [sum(r.right) for r in rows]
        every = [len(r.right) for r in rows]
        assert (record["candidates"], record["right"], record["undetermined"]) == (sum(every), sum(right), 0)
        wrong_passing = [p - h for p, h in zip(passing, hits, strict=True)]
        wrong = [n - r for n, r in zip(every, right, strict=True)]
        for name, top, bottom in (
            ("precision", hits, passing), ("recall", hits, right), ("FPR", wrong_passing, wrong),
            ("coverage", passing, every),
        ):  # fmt: skip
            assert is_ratio(record[name], top, bottom, rows)
        scored = [(sum(bits), ok) for r in rows for bits, ok in zip(r.bits, r.right, strict=True)]
        good, bad = ([score for score, ok in scored if ok is wanted] for wanted in (True, False))
        won = sum(Fraction(1) if a > b else Fraction(1, 2) if a == b else Fraction(0) for a, b in product(good, bad))
        assert record["AUROC"].value == won / (len(good) * len(bad))


class Scored:
    def __init__(self, score):
        self.score = score


def test_area_of_lists_by_hand():
    def unit(scores, correct):
        return Unit("p", 0, "p", {}, tuple(map(Scored, scores)), tuple(correct), {})

    assert auroc([unit([6, 3], [True, False])]) == 1
    assert auroc([unit([3, 6], [True, False])]) == 0
    assert auroc([unit([3, 3], [True, False])]) == Fraction(1, 2)
    assert auroc([unit([6], [True]), unit([3, 6], [False, False])]) == Fraction(3, 4)
    assert auroc([unit([6, None, 5], [True, False, None])]) is None
