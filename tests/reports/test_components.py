"""The ablation, against picks by hand from each part of the bits."""

from fractions import Fraction

from calverify.reports.components import VARIANTS
from tests.oracles import votes
from tests.reports.recount import hit, is_ratio, made, of, records, share
from tests.sheets import SLOTS


def right_by(row, kept) -> bool:
    numbers = [
        None if vote is None else sum(bits[SLOTS.index(slot)] for slot in kept)
        for vote, bits in zip(row.votes, row.bits, strict=True)
    ]
    place = votes.highest(numbers)
    return place is not None and row.right[place]


def test_every_variant():
    (table,) = made("components")
    found = {(row["policy"], row["score"]): row for row in records(table)}
    for policy in ("simulated one", "simulated two"):
        rows = of(policy)
        ones = [1] * len(rows)
        for name, kept in VARIANTS:
            record = found[policy, name]
            rights = [right_by(row, kept) for row in rows]
            assert record["accuracy"].value == Fraction(sum(rights), len(rows))
            gains = [r - hit(row, "plurality") for r, row in zip(rights, rows, strict=True)]
            assert is_ratio(record["gain over the vote"], gains, ones, rows)
            if kept == SLOTS:
                assert record["gain over the whole score"] is None
                assert record["accuracy"].value == share(rows, "calver")
                continue
            changes = [r - hit(row, "calver") for r, row in zip(rights, rows, strict=True)]
            assert is_ratio(record["gain over the whole score"], changes, ones, rows)


def test_every_component_is_dropped_once_and_alone_once():
    names = [name for name, _ in VARIANTS]
    assert len(set(names)) == len(names) == 14
    for slot in SLOTS:
        assert dict(VARIANTS)[f"{slot} alone"] == (slot,)
        assert set(dict(VARIANTS)[f"without {slot}"]) == set(SLOTS) - {slot}


def test_the_structure_only_control_is_there():
    assert made("components")[0].column("score").count("structure_only") == 2
