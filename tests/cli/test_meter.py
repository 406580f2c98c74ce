"""The line that shows how far a long job is."""

import sys
from fractions import Fraction

import pytest

from calverify.cli._endpoint import Meter, money


@pytest.fixture
def meter(monkeypatch):
    """A meter on a terminal of 100 columns, with a clock that a test moves."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("calverify.cli._output.get_terminal_size", lambda: type("Size", (), {"columns": 100}))
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda *_: False)
    now = [0.0]
    meter = Meter("candidates", clock=lambda: now[0])
    meter.now = now
    return meter


def test_rate_and_time_left(meter, capsys):
    for seconds, done in ((0, 0), (10, 40), (20, 80)):
        meter.now[0] = seconds
        meter(done, 1_000)
    meter(80, 1_000, "", "2 requests given up")
    meter.end()
    lines = capsys.readouterr().err.split("\r")[1:]
    assert lines == [
        "0 of 1,000 candidates, 0 %\x1b[K",
        "40 of 1,000 candidates, 4 %  4.0 a second  4:00 left\x1b[K",
        "80 of 1,000 candidates, 8 %  4.0 a second  3:50 left\x1b[K",
        "80 of 1,000 candidates, 8 %  4.0 a second  3:50 left  2 requests given up\x1b[K\n",
    ]


def test_resumed_job_counts_only_what_it_does(meter, capsys):
    """What was there already says nothing about the rate, and a burst long ago says little."""
    for seconds, done in ((0, 500), (1, 600), (40, 610), (80, 620)):
        meter.now[0] = seconds
        meter(done, 10_000)
    assert "  0.2 a second  10:25:20 left" in capsys.readouterr().err.split("\r")[-1]


def test_trouble_cannot_drive_the_terminal(meter, capsys):
    """What a server says is escaped, and cut where the terminal ends."""
    meter(1, 2, "\x1b[31m" + "x" * 300)
    line = capsys.readouterr().err
    assert line.count("\x1b") == 1  # ours, which clears the rest of the line
    assert len(line) == 1 + 99 + 3


def test_nothing_where_there_is_no_terminal(capsys):
    meter = Meter("candidates")
    meter(1, 2)
    meter.end()
    assert capsys.readouterr().err == ""


def test_job_without_work(meter, capsys):
    meter(0, 0)
    assert "0 of 0 candidates, 100 %" in capsys.readouterr().err


@pytest.mark.parametrize(
    "amount, said", [("0", "0.00"), ("1234.5", "1,234.50"), ("0.000421", "0.00042"), ("0.5", "0.5"), ("1", "1.00")]
)
def test_money(amount, said):
    assert money(Fraction(amount)) == said
