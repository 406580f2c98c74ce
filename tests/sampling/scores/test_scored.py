"""The whole job: every candidate of a frozen folder is rated, and the same pools are frozen with their scores."""

import json
import os

import pytest

from calverify.archives import read_archive
from calverify.errors import CalverifyError, RecordError
from calverify.evaluation import seal
from calverify.keys import Key, write_keys
from calverify.sampling import Judge, Passing, Rating, Retries, score_with
from calverify.sampling.scores import Ledger, Unit
from tests.sampling.scores.raters import Says, frozen_folder, trace_in

ONCE = Retries(tries=1, first_s=0.001, most_s=0.001)


def by_answer(request, want):
    """A U is worth 9, a P is not read, an M is worth 2."""
    trace = trace_in(request)
    return ["Hm." if trace.endswith("P") else f"{9 if trace.endswith('U') else 2}"]


def judge(said=by_answer):
    return Judge(source=Says(said))


@pytest.mark.parametrize("packed", [False, True])
def test_same_pools_with_scores(tmp_path, packed):
    """A failed rating is null, the order and the texts are as they were, and the manifest says how it was made."""
    folder = frozen_folder(tmp_path / "frozen", packed)
    scored = score_with(judge(), folder, tmp_path / "judged")
    before, after = read_archive(folder), read_archive(tmp_path / "judged")
    assert [pool.texts for pool in after.pools] == [pool.texts for pool in before.pools]
    assert [[candidate.scores for candidate in pool.candidates] for pool in after.pools] == [
        [{"judge": 2}, {"judge": 9}, {"judge": None}]
    ] * 4
    assert (scored.rated, len(scored.failed), scored.missing) == (8, 4, ())
    assert (scored.tokens_in, scored.tokens_out) == (120, 24)
    made = after.manifest.scores["judge"]
    assert (made.model, made.adapter, made.rated, made.failed, made.prompt_version) == (
        "oracle",
        "lora",
        8,
        4,
        "judge 1",
    )
    file = "pools.jsonl.gz" if packed else "pools.jsonl"
    assert made.pools == before.manifest.files[file].sha256
    assert made.settings == {"backend": "test", "temperature": 0.0, "max_tokens": 1024, "max_length": 1 << 20}
    assert after.manifest.files.keys() == before.manifest.files.keys()
    told = scored.failed[0]
    assert (told.problem, told.seed, told.index, told.why) == ("w0", 0, 2, "no line holds a rating alone")


def test_order_of_arrival_does_not_matter(tmp_path):
    folder = frozen_folder(tmp_path / "frozen")
    for at_once in (1, 5):
        score_with(judge(), folder, tmp_path / f"judged {at_once}", at_once=at_once)
    one, five = ((tmp_path / f"judged {at_once}" / "pools.jsonl").read_bytes() for at_once in (1, 5))
    assert one == five


def test_outage_is_not_a_rating(tmp_path):
    """Nothing is frozen while a candidate was not asked about, and the same call goes on where it stopped."""
    folder, out = frozen_folder(tmp_path / "frozen"), tmp_path / "judged"
    down = judge(
        lambda request, want: Passing("down") if trace_in(request).startswith("w1") else by_answer(request, want)
    )
    scored = score_with(down, folder, out, retries=ONCE, at_once=1)
    assert (scored.rated, len(scored.failed), len(scored.missing), scored.manifest) == (4, 2, 6, None)
    assert scored.missing[0].why == "down (tried 1 times)"
    assert not out.exists()
    back = judge()
    scored = score_with(back, folder, out)
    assert len(back.source.asked) == 6
    assert (scored.rated, len(scored.failed), scored.missing) == (8, 4, ())
    assert read_archive(out).manifest.scores["judge"].failed == 4


def test_ten_in_a_row_stop_it(tmp_path):
    folder = frozen_folder(tmp_path / "frozen")
    with pytest.raises(CalverifyError, match=r"10 ratings in a row were given up: down"):
        score_with(judge(lambda request, want: Passing("down")), folder, tmp_path / "judged", retries=ONCE, at_once=1)


def test_refusal_stops_it_and_keeps_what_came(tmp_path):
    folder, out = frozen_folder(tmp_path / "frozen"), tmp_path / "judged"
    stops = judge(
        lambda request, want: CalverifyError("bad key") if "w1" in trace_in(request) else by_answer(request, want)
    )
    with pytest.raises(CalverifyError, match="bad key"):
        score_with(stops, folder, out, at_once=1)
    back = judge()
    score_with(back, folder, out)
    assert len(back.source.asked) == 6


def test_progress(tmp_path):
    told = []
    score_with(
        judge(), frozen_folder(tmp_path / "frozen"), tmp_path / "judged", progress=lambda *said: told.append(said)
    )
    assert (told[0], told[-1]) == ((0, 0), (12, 4))


# ---------------------------------------------------------------- what is not rated


def test_sealed_folder_is_not_rated(tmp_path):
    """What was sealed is what is judged."""
    folder = frozen_folder(tmp_path / "frozen")
    write_keys(tmp_path / "keys.jsonl", [Key("w0"), Key("w1")])
    seal(folder, tmp_path / "keys.jsonl")
    with pytest.raises(CalverifyError, match="is sealed"):
        score_with(judge(), folder, tmp_path / "judged")


def test_score_that_is_there_is_not_written_over(tmp_path):
    folder, out = frozen_folder(tmp_path / "frozen"), tmp_path / "judged"
    score_with(judge(), folder, out)
    with pytest.raises(CalverifyError, match="has judge scores already"):
        score_with(judge(), out, tmp_path / "twice")
    with pytest.raises(CalverifyError, match="is not empty"):
        score_with(judge(), folder, out)


def test_two_scores_stand_side_by_side(tmp_path):
    from calverify.sampling import Confidence

    folder = frozen_folder(tmp_path / "frozen")
    score_with(judge(), folder, tmp_path / "judged")
    sure = Confidence(source=Says(lambda request, want: ["yes"] * want), samples=2)
    score_with(sure, tmp_path / "judged", tmp_path / "both")
    archive = read_archive(tmp_path / "both")
    assert archive.pools[0].candidates[1].scores == {"judge": 9, "confidence": 1}
    assert archive.manifest.scores.keys() == {"judge", "confidence"}


# ---------------------------------------------------------------- what was rated already

HEAD = {"rates": "abc", "score": "judge", "settings": {"temperature": 0.0}}


def units(tmp_path):
    archive = read_archive(frozen_folder(tmp_path / "frozen"))
    return [Unit(archive.problems[pool.problem], pool.seed, one) for pool in archive.pools for one in pool.candidates]


@pytest.fixture
def ledger(tmp_path):
    """A ledger of three ratings, and the bytes of its file."""
    ledger = Ledger.open(tmp_path / "ratings.jsonl", HEAD)
    rows = zip(units(tmp_path), [Rating(3), Rating(None, "why", "said"), Rating(0.5, said="x\n\x1b")], strict=False)
    for unit, rating in rows:
        ledger.add(unit, rating)
    ledger.close()
    return ledger, ledger.path.read_bytes()


def test_ledger_comes_back(ledger):
    before, _ = ledger
    after = Ledger.open(before.path, HEAD)
    after.close()
    assert (after.ratings, after.failed) == (before.ratings, 1)


def test_ledger_torn_at_any_byte(ledger):
    """The torn line is taken off, and what stands before it stays."""
    before, data = ledger
    whole = [place + 1 for place, byte in enumerate(data) if byte == 10]
    for end in range(len(data)):
        before.path.write_bytes(data[:end])
        after = Ledger.open(before.path, HEAD)
        after.close()
        kept = sum(place <= end for place in whole)
        assert len(after.ratings) == max(0, kept - 1)
        assert before.path.read_bytes().startswith(data[: whole[kept - 1] if kept else whole[0]])


DAMAGES = [
    (lambda lines: [*lines[:2], b"{\n", *lines[2:]], "ratings.jsonl, line 3: expected a JSON record"),
    (lambda lines: [*lines, lines[1]], "ratings.jsonl, line 5: candidate 0 .* was rated already"),
    (lambda lines: [*lines, lines[1].replace(b'"why"', b'"gold"')], "line 5: rating record carries 'gold'"),
    (lambda lines: [*lines, lines[3].replace(b"0.5", b'"0.5"')], "line 5: in a rating record, 'score' must be of type"),
    (lambda lines: [*lines[:3], lines[3].replace(b"0.5", b"null")], "line 4: a rating has a score, or says why"),
]


@pytest.mark.parametrize("damage, why", DAMAGES, ids=range(len(DAMAGES)))
def test_damage_is_told_with_its_line(ledger, damage, why):
    before, data = ledger
    before.path.write_bytes(b"".join(damage(data.splitlines(keepends=True))))
    with pytest.raises(CalverifyError, match=why):
        Ledger.open(before.path, HEAD)


@pytest.mark.parametrize(
    "head, why",
    [
        ({**HEAD, "rates": "other"}, "was begun with rates 'abc', and now it is 'other'"),
        ({**HEAD, "settings": {"temperature": 0.5}}, "with settings.temperature 0.0, and now it is 0.5"),
    ],
)
def test_ratings_of_something_else_are_never_mixed_in(ledger, head, why):
    with pytest.raises(CalverifyError, match=why):
        Ledger.open(ledger[0].path, head)


def test_full_disk_says_so_and_loses_nothing(ledger, tmp_path, monkeypatch):
    """The line that did not fit comes off, and the rest is as it was."""
    before, data = ledger
    opened = Ledger.open(before.path, HEAD)
    real, unit = os.write, units(tmp_path / "more")[5]
    monkeypatch.setattr("os.write", lambda file, line: real(file, line[:7]))
    with pytest.raises(CalverifyError, match="no room for a whole line"):
        opened.add(unit, Rating(1))

    def fails(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.write", fails)
    with pytest.raises(CalverifyError, match="No space left on device"):
        opened.add(unit, Rating(1))
    monkeypatch.undo()
    opened.close()
    Ledger.open(before.path, HEAD).close()
    assert before.path.read_bytes() == data


def test_one_process_rates_at_a_time(ledger):
    first = Ledger.open(ledger[0].path, HEAD)
    with pytest.raises(CalverifyError, match="another process is writing"):
        Ledger.open(ledger[0].path, HEAD)
    first.close()


@pytest.mark.parametrize("score, why", [(None, ""), (3, "both")])
def test_rating_has_a_score_or_says_why(score, why):
    with pytest.raises(CalverifyError):
        Rating(score, why)


def test_ledger_keeps_the_end_of_what_was_said(tmp_path):
    folder, out = frozen_folder(tmp_path / "frozen"), tmp_path / "judged"
    score_with(judge(lambda request, want: ["x" * 5000 + "\n7"]), folder, out)
    lines = (tmp_path / "judged.ratings.jsonl").read_text("utf-8").splitlines()
    assert {len(json.loads(line)["said"]) for line in lines[1:]} == {2000}
    assert issubclass(RecordError, CalverifyError)
