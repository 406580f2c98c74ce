"""`calverify report`: names before folders, keys beside them, five styles, and the page with the folder's own log."""

import csv
import json
from pathlib import Path

import pytest

from calverify.archives import read_log
from calverify.reports import REPORTS

KEYS = ["--keys", "keys.jsonl"]
FEW = ["--draws", "20"]


def test_a_table_of_a_revealed_folder(run, folder):
    """{M}, {U}, {M}: the vote is wrong, calver is right."""
    done = run("report", "same-pool", "revealed", *KEYS, *FEW)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "Every selector on the same frozen pools"
    assert lines[2].split()[:2] == ["selector", "accuracy"]
    rows = {line.split()[0]: line.split()[1:3] for line in lines[4:8]}
    assert rows == {"first": ["0.0", "+100.0"], "plurality": ["0.0", "+100.0"], "calver": ["100.0", "-"],
                    "coverage": ["100.0", "0.0"]}  # fmt: skip


def test_several_names_and_all(run, folder):
    two = run("report", "ties", "policies", "revealed", *KEYS, *FEW, "--json").json
    assert [table["table"] for table in two["tables"]] == ["policies", "ties"], "in the order of the shelf"
    everything = run("report", "all", "revealed", *KEYS, *FEW, "--json").json
    names = {table["table"] for table in everything["tables"]}
    assert all(any(table.startswith(name) for table in names) for name in REPORTS)


@pytest.mark.parametrize(
    "style, begins",
    [("text", "Accuracy under"), ("markdown", "## Accuracy under"), ("csv", "# ties"), ("latex", r"\begin{table}"),
     ("json", '{"plots": []')],
)  # fmt: skip
def test_styles(run, folder, style, begins):
    done = run("report", "ties", "revealed", *KEYS, "--format", style)
    assert done.code == 0
    assert done.out.startswith(begins)
    written = run("report", "ties", "revealed", *KEYS, "--format", style, "--out", "ties.out")
    assert written.out == "wrote ties.out\n"
    kept = Path("ties.out").read_text("utf-8")
    assert kept == done.out if style != "json" else json.loads(kept) == json.loads(done.out)


def test_csv_can_be_read(run, folder):
    rows = list(csv.reader(run("report", "ties", "revealed", *KEYS, "--format", "csv").out.splitlines()))
    assert rows[1][:3] == ["policy", "units", "tie rate"]
    assert rows[2][:2] == ["demo", "1"]


def test_the_page(run, folder):
    """One file, with the chain of the folder's log; made again it is the same."""
    done = run("report", "page", "revealed", *KEYS, *FEW, "--out", "report.html")
    assert (done.code, done.out, done.err) == (0, "wrote report.html\n", "")
    page = Path("report.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    for step in read_log("revealed"):
        assert step.sha256 in page
    assert "Not sealed" not in page
    for name in REPORTS:
        assert f'id="table-{name}' in page, name
    run("report", "page", "revealed", *KEYS, *FEW, "--out", "again.html")
    assert Path("again.html").read_text("utf-8") == page


def test_the_page_of_what_was_never_sealed_says_so(run, folder):
    assert run("report", "page", "frozen", *KEYS, *FEW, "--out", "report.html").code == 0
    assert "Not sealed" in Path("report.html").read_text("utf-8")


def test_some_reports_on_a_page_with_a_title(run, folder):
    run("report", "page", "ties", "revealed", *KEYS, *FEW, "--out", "report.html", "--title", "Ties & <losses>")
    page = Path("report.html").read_text("utf-8")
    assert "<title>Ties &amp; &lt;losses&gt;</title>" in page
    assert "<h1>Ties &amp; &lt;losses&gt;</h1>" in page
    assert 'id="table-ties"' in page
    assert 'id="table-policies"' not in page


def test_two_folders_of_one_policy_are_told_apart(run, folder):
    rows = run("report", "policies", "revealed", "frozen", *KEYS, *FEW, "--json").json["tables"][0]["rows"]
    assert [row[0] for row in rows] == ["demo (revealed)", "demo (frozen)"]


def test_the_list(run, folder):
    lines = run("report", "--list").out.splitlines()
    assert [line.split()[0] for line in lines] == list(REPORTS)
    found = run("report", "--list", "--json").json
    assert found.keys() == set(REPORTS)
    assert found["policies"]["draws"] == 10_000


REFUSED = [
    (["same-pool", "nowhere", *KEYS], "'nowhere' is neither a report nor a folder; there are policies, "),
    (["same-pool", *KEYS], "Name the frozen folders"),
    (["revealed", *KEYS], "Name a report, or all of them"),
    (["same-pool", "revealed"], "give the keys with --keys FILE"),
    (["page", "revealed", *KEYS], "add --out report.html"),
    (["ties", "revealed", "revealed", *KEYS], "A folder is named twice."),
    (["ties", "revealed", *KEYS, *KEYS, *KEYS], "Give --keys once, or once for each of the 1 folders, not 3 times."),
    (["ties", "chosen", *KEYS], "calverify reveal chosen --keys FILE comes before grading"),
    (["ties", "revealed", *KEYS, "--out", "no/such/folder.txt"], "cannot write no/such/folder.txt"),
    (["corruption", "revealed", *KEYS, "--rates", "2"], "--rates"),
]


@pytest.mark.parametrize("words, why", REFUSED)
def test_what_is_refused(run, folder, words, why):
    done = run("report", *words)
    assert done.code == 2
    assert why in " ".join(done.err.split())


def test_a_changed_byte_stops_the_report(run, folder):
    path = Path("revealed/pools.jsonl")
    path.write_bytes(path.read_bytes().replace(b"STEP 1", b"STEP  1", 1))
    done = run("report", "ties", "revealed", *KEYS)
    assert done.code == 2
    assert "pools.jsonl" in done.err
