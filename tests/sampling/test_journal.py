"""The journal: what is written is read back, a torn end is taken off, and any other damage is told with its line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calverify.errors import CalverifyError, RecordError
from calverify.sampling._journal import Entry, Failure, Journal, batches, entries_of, line_of
from calverify.sampling._request import Completion, Reply


def reply(*texts, **more):
    return Reply(tuple(Completion(text, "because", "stop") for text in texts), 7, 3, "fp", **more)


BATCHES = [
    entries_of(("w0", 0), 0, 3, reply("one", "two", "three")),
    entries_of(("w1", 0), 0, 3, reply("four", asked=1)),
    [Failure(problem="w2", seed=0, index=0, wanted=3, failed="429: slow down")],
    entries_of(("w1", 0), 1, 2, reply("five\n\x1b[31m", "\ud800")),
]
DATA = b"".join(line_of(line) for batch in BATCHES for line in batch)
LINES = DATA.splitlines(keepends=True)


def written(tmp_path, data=DATA):
    file = tmp_path / "journal.jsonl"
    file.write_bytes(data)
    return file


def test_what_is_written_is_read(tmp_path):
    file = tmp_path / "journal.jsonl"
    journal = Journal(file)
    for batch in BATCHES:
        journal.write(batch)
    journal.close()
    assert file.read_bytes() == DATA
    assert [batch for _, batch in batches(file)] == BATCHES
    assert [end for end, _ in batches(file)][-1] == len(DATA)


def test_a_line_is_one_candidate_that_anyone_can_read(tmp_path):
    record = json.loads(LINES[0])
    assert len(record.pop("check")) == 16
    assert record == {
        "problem": "w0", "seed": 0, "index": 0, "text": "one", "reasoning": "because", "finish": "stop", "choice": 0,
        "choices": 3, "wanted": 3, "tokens_in": 7, "tokens_out": 3, "fingerprint": "fp",
    }  # fmt: skip


def test_no_journal_is_an_empty_one(tmp_path):
    assert list(batches(tmp_path / "journal.jsonl")) == []


@pytest.mark.parametrize("end", range(0, len(DATA), 17))
def test_torn_end_is_left_out(tmp_path, end):
    """Only whole replies are read, and `cut` takes off the rest."""
    file = written(tmp_path, DATA[:end])
    found = list(batches(file))
    ends = [0, *(where for where, _ in batches(written(tmp_path / "..")))]
    assert [batch for _, batch in found] == BATCHES[: len(found)]
    last = found[-1][0] if found else 0
    assert last == max(where for where in ends if where <= end)
    journal = Journal(written(tmp_path, DATA[:end]))
    assert journal.cut(last) == end - last
    for batch in BATCHES[len(found) :]:
        journal.write(batch)
    journal.close()
    assert file.read_bytes() == DATA


DAMAGES = [
    ("a byte changed in line 1", lambda lines: [lines[0].replace(b"one", b"0ne"), *lines[1:]], 1, "checksum differs"),
    ("a byte changed in the last line", lambda lines: [*lines[:-1], lines[-1].replace(b"w1", b"w9")], 7, "checksum"),
    ("zeros in line 4", lambda lines: [*lines[:3], b"\0" * 40 + b"\n", *lines[4:]], 4, "checksum differs"),
    ("an empty line", lambda lines: [*lines[:2], b"\n", *lines[2:]], 3, "checksum differs"),
    ("line 2 taken out", lambda lines: [lines[0], *lines[2:]], 2, "is not whole"),
    ("line 3 taken out", lambda lines: [*lines[:2], *lines[3:]], 3, "is not whole"),
    ("line 1 taken out", lambda lines: lines[1:], 1, "is not whole"),
    ("lines 2 and 3 swapped", lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], 2, "is not whole"),
    ("line 2 twice", lambda lines: [*lines[:2], *lines[1:]], 3, "is not whole"),
]


@pytest.mark.parametrize("damage, line, why", [row[1:] for row in DAMAGES], ids=[row[0] for row in DAMAGES])
def test_damage_is_told_with_its_line(tmp_path, damage, line, why):
    file = written(tmp_path, b"".join(damage(LINES)))
    with pytest.raises(RecordError, match=why) as told:
        list(batches(file))
    assert str(told.value).startswith(f"{file}, line {line}: ")


def test_unknown_field_is_refused(tmp_path):
    """With a right checksum: written by a later version, or by somebody else."""
    plain = LINES[0]
    entry = Entry(problem="w", seed=0, index=0, text="t")
    raw = line_of(entry)
    assert plain != raw
    from hashlib import sha256

    body = b'{"gold":"M","index":0,"problem":"w","seed":0,"text":"t"}\n'
    forged = b'{"check":"' + sha256(body).hexdigest()[:16].encode() + b'",' + body[1:]
    with pytest.raises(RecordError, match="carries 'gold'"):
        list(batches(written(tmp_path, forged)))


def test_one_process_writes_at_a_time(tmp_path):
    """A lock that goes with the process, so that a kill leaves none behind."""
    first = Journal(tmp_path / "journal.jsonl")
    with pytest.raises(CalverifyError, match="another process is writing"):
        Journal(tmp_path / "journal.jsonl")
    first.close()
    Journal(tmp_path / "journal.jsonl").close()


def test_full_disk_leaves_a_whole_journal(tmp_path, monkeypatch):
    """A write of a part is taken back."""
    journal = Journal(tmp_path / "journal.jsonl")
    journal.write(BATCHES[0])
    import os

    real = os.write
    monkeypatch.setattr("os.write", lambda file, data: real(file, data[:10]))
    with pytest.raises(CalverifyError, match="the disk took 10 of"):
        journal.write(BATCHES[1])
    monkeypatch.undo()
    journal.close()
    assert [batch for _, batch in batches(journal.path)] == BATCHES[:1]


def test_disk_that_fails_says_so(tmp_path, monkeypatch):
    journal = Journal(tmp_path / "journal.jsonl")

    def fails(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.write", fails)
    with pytest.raises(CalverifyError, match="No space left on device"):
        journal.write(BATCHES[0])
    monkeypatch.undo()
    journal.close()


@given(st.text(), st.text(), st.integers(0, 9), st.one_of(st.none(), st.text(max_size=5)))
def test_any_text_comes_back(text, reasoning, index, finish):
    """Whatever a model wrote."""
    from calverify.sampling._journal import _read

    entry = Entry(problem="w", seed=0, index=index, text=text, reasoning=reasoning, finish=finish)
    raw = line_of(entry)
    assert raw.count(b"\n") == 1
    back = _read(raw)
    assert (back.text, back.reasoning, back.index, back.finish or None) == (text, reasoning, index, finish or None)
