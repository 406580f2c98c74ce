"""Unreadable traces left out and left in, against a recount of both."""

from dataclasses import replace

from tests.reports.recount import is_gain, made, of, records, said, share, studies


def left_in(row):
    """Every candidate stands: an unreadable one votes with what it says, and scores nothing."""
    votes, bits = [], []
    for text, vote, own in zip(row.texts, row.votes, row.bits, strict=True):
        raw = said(text)
        votes.append(vote if vote is not None else ("raw", text.strip()) if raw is None else raw)
        bits.append(own if vote is not None else (0,) * 6)
    return replace(row, votes=tuple(votes), bits=tuple(bits))


def test_every_cell():
    (table,) = made("admission")
    for record in records(table):
        rows = of(record["policy"])
        if record["unreadable traces"] != "left out":
            rows = [left_in(row) for row in rows]
        for column, name in (("first", "first"), ("vote", "plurality"), ("calver", "calver"), ("coverage", "coverage")):
            assert record[column].value == share(rows, name), (record["policy"], record["unreadable traces"], name)
        assert is_gain(record["gain"], rows, "calver", "plurality")


def test_both_handlings_differ_and_the_unreadable_are_counted():
    (table,) = made("admission")
    first, second = (table.rows[place][2:] for place in (2, 3))
    assert first != second
    unread = sum(
        vote is None for policy in ("simulated one", "simulated two") for row in of(policy) for vote in row.votes
    )
    assert f"Unreadable: {unread} of {2 * 16 * 6} traces" in table.notes[1]
    assert unread > 5


def test_the_study_itself_is_left_as_it_was():
    made("admission")
    assert {unit.admission for study in studies() for unit in study.units} == {"admissible"}
