"""A run's folder, its tally, and what is frozen of it."""

import json
from fractions import Fraction

import pytest

from calverify.archives import read_archive
from calverify.errors import CalverifyError, RecordError
from calverify.sampling import (
    Completion,
    Endpoint,
    Parameters,
    Refused,
    Reply,
    Retries,
    RunSettings,
    Tally,
    ask,
    freeze_run,
    open_run,
    prices_of,
    source_of,
    start_run,
)  # fmt: skip
from calverify.sampling._journal import Failure, entries_of
from calverify.sampling._sources import SOURCES
from tests.sampling.loopback import Loopback, fine, refused
from tests.sampling.runs import HASTY, begin, distinct, expected, pools_of
from tests.sampling.runs import source_of as endpoint_of

URL = "http://127.0.0.1:1/v1"
ALONE = {"one_by_one": True}


# ---------------------------------------------------------------- settings

REFUSED = [
    ({"k": 0}, "k must lie between 1 and 65,536"),
    ({"k": 65_537}, "k must lie between 1 and 65,536"),
    ({"k": 2, "parameters": Parameters(temperature=0)}, "all 2 candidates of a pool would be one text"),
    ({"seeds": ()}, "a run needs seeds, each once"),
    ({"seeds": (1, 1)}, "a run needs seeds, each once"),
    ({"seeds": (-1,)}, "seeds lie between 0 and 32,767"),
    ({"concurrency": 0}, "at least one call at once"),
    ({"tries": 0}, "one try"),
    ({"reasoning": "mixed"}, "reasoning is kept apart or joined"),
]


@pytest.mark.parametrize("parts, why", REFUSED, ids=lambda value: value if isinstance(value, str) else "")
def test_settings_that_cannot_be(parts, why):
    with pytest.raises(CalverifyError, match=why):
        RunSettings(**parts)


@pytest.mark.parametrize(
    "parts", [{"temperature": -1}, {"temperature": 11}, {"top_p": 0}, {"max_tokens": 0}, {"decoding": "loose"}], ids=str
)
def test_parameters_that_cannot_be(parts):
    with pytest.raises(CalverifyError):
        Parameters(**parts)


def test_settings_come_back_from_their_record():
    parameters = Parameters(
        temperature=0.5, top_p=0.9, max_tokens=5, stop=("a",), system="s", decoding="names", extra_body={"top_k": 3}
    )
    settings = RunSettings(
        k=3, seeds=(4, 5), parameters=parameters, concurrency=2, tries=3, prices=(Fraction("0.15"), Fraction(2)),
        reasoning="joined", command="c",
    )  # fmt: skip
    assert RunSettings.from_json(json.loads(json.dumps(settings.to_json()))) == settings
    assert RunSettings.from_json(json.loads(json.dumps(RunSettings().to_json()))) == RunSettings()


@pytest.mark.parametrize("said", [[], ["1"], ["1", "x"], ["-1", "2"], ["1", "2", "3"], [True, 1]], ids=str)
def test_prices_that_cannot_be(said):
    with pytest.raises(CalverifyError, match="prices are two numbers"):
        prices_of(said)


def test_seeds_of_places_are_their_own():
    """No two places of two pools share one, all fit 31 bits, and the next place has the next."""
    problem, asked = distinct(1)[0], Parameters()
    seeds = [ask(problem, seed, index, asked).sampling_seed for seed in (0, 1, 32_767) for index in (0, 1, 65_535)]
    assert len(set(seeds)) == len(seeds)
    assert max(seeds) < 1 << 31
    assert seeds[1] == seeds[0] + 1
    for seed, index in ((32_768, 0), (-1, 0), (0, 65_536), (0, -1)):
        with pytest.raises(CalverifyError):
            ask(problem, seed, index, asked)


# ---------------------------------------------------------------- the folder


def test_folder_is_all_that_resuming_needs(tmp_path):
    run = begin(tmp_path / "run", URL, parameters=Parameters(temperature=0.3))
    again = open_run(tmp_path / "run")
    assert (again.problems, again.settings, dict(again.source)) == (run.problems, run.settings, dict(run.source))
    assert source_of(again.source, {"OPENAI_API_KEY": "k"}).settings() == run.source


def test_begun_twice(tmp_path):
    begin(tmp_path / "run", URL)
    with pytest.raises(CalverifyError, match=r"name a new folder; calverify sample --resume .*/run goes on"):
        begin(tmp_path / "run", URL)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").touch()
    with pytest.raises(CalverifyError, match=r"is not empty: name a new folder$"):
        begin(tmp_path / "other", URL)


def test_folder_where_a_run_never_began(tmp_path):
    """What a crash left before run.json was there is begun anew."""
    begin(tmp_path / "run", URL)
    (tmp_path / "run" / "run.json").rename(tmp_path / "run" / ".run.json.draft")
    begin(tmp_path / "run", URL)


def test_run_without_a_problem(tmp_path):
    with pytest.raises(CalverifyError, match="there is no problem"):
        start_run(tmp_path / "run", [], Endpoint(model="m", base_url=URL), RunSettings())


CHANGED = [
    ("run.json", lambda text: text.replace('"k":4', '"k":"4"'), "'k' must be of type int"),
    ("run.json", lambda text: text.replace('"k":4', '"k":4,"gold":1'), "carries 'gold'"),
    ("run.json", lambda text: text[:-5], "not JSON"),
    ("run.json", lambda text: text.replace('"prompt_version":"', '"prompt_version":"0'), "would mix two prompts"),
    ("run.json", lambda text: text.replace("endpoint", "oracle"), "a source is of a kind among endpoint"),
    ("problems.jsonl", lambda text: text.replace("U0", "V0"), "has changed since the run began"),
]


@pytest.mark.parametrize("name, change, why", CHANGED, ids=[row[2] for row in CHANGED])
def test_folder_that_was_changed(tmp_path, name, change, why):
    begin(tmp_path / "run", URL)
    file = tmp_path / "run" / name
    file.write_text(change(file.read_text("utf-8")), encoding="utf-8")
    with pytest.raises(RecordError, match=why):
        source_of(open_run(tmp_path / "run").source, {})


def leaves(record, path=()):
    """The place of every value in a record."""
    yield path
    items = record.items() if isinstance(record, dict) else enumerate(record) if isinstance(record, list) else ()
    for name, value in items:
        yield from leaves(value, (*path, name))


def changed(record, path, value):
    """The record with that value in that place."""
    if not path:
        return value
    copy = dict(record) if isinstance(record, dict) else list(record)
    copy[path[0]] = changed(record[path[0]], path[1:], value)
    return copy


@pytest.mark.parametrize("value", [None, True, -1, 0, 10**30, 0.5, "x", "", [], [None], {}, {"x": 1}], ids=str)
def test_any_change_of_the_settings_is_read_or_refused(tmp_path, value):
    """A run.json that somebody edited is never a crash."""
    parameters = Parameters(top_p=0.9, max_tokens=5, stop=("a",), system="s", extra_body={"top_k": 3})
    begin(tmp_path / "run", URL, parameters=parameters, prices=prices_of(["1", "2"]), command="c")
    file = tmp_path / "run" / "run.json"
    record = json.loads(file.read_text("utf-8"))
    places = list(leaves(record))
    assert len(places) > 25
    for path in places:
        file.write_text(json.dumps(changed(record, path, value)), encoding="utf-8")
        try:
            source_of(open_run(tmp_path / "run").source, {})
        except CalverifyError:
            continue


def test_every_kind_of_source_has_a_name():
    assert "endpoint" in SOURCES
    assert Endpoint(model="m", base_url=URL).settings()["kind"] == "endpoint"


# ---------------------------------------------------------------- what is sampled


def test_pools_stay_in_order_whatever_comes_first(tmp_path):
    """The journal is in the order of arrival, the pools are in that of problems, seeds and places."""
    waits = iter([0.05, 0.02, 0.04, 0.0, 0.03, 0.01])
    with Loopback(lambda call: fine(call)._replace(stall_s=next(waits, 0.0))).running() as server:
        run = begin(tmp_path / "run", server.url)
        run.sample(endpoint_of(run), retries=HASTY)
    lines = [json.loads(line) for line in (run.folder / "journal.jsonl").read_bytes().splitlines()]
    arrived = [(line["problem"], line["seed"]) for line in lines]
    assert arrived != sorted(arrived)
    found = pools_of(run, tmp_path / "frozen")
    assert list(found) == sorted(found)
    assert found == expected(run)


def test_resumed_run_asks_for_nothing_that_is_there(tmp_path):
    with Loopback(lambda call: refused(500, "x") if "U2" in call.prompt else fine(call)).running() as server:
        run = begin(tmp_path / "run", server.url, tries=1, concurrency=1)
        tally = run.sample(endpoint_of(run))
        assert (tally.done, len(tally.failed)) == (16, 2)
        before = len(server.calls)
        server.answer = fine
        assert open_run(run.folder).sample(endpoint_of(run)).done == 24
        assert {call.prompt for call in server.calls[before:]} == {server.calls[-1].prompt}
        assert len(server.calls) == before + 2
        assert open_run(run.folder).sample(endpoint_of(run)).done == 24
        assert len(server.calls) == before + 2


def test_calls_that_are_given_up_are_written_down(tmp_path):
    with Loopback(lambda call: refused(503, "down")).running() as server:
        run = begin(tmp_path / "run", server.url, concurrency=1)
        tally = run.sample(endpoint_of(run), retries=Retries(tries=2, first_s=0.001))
    lines = [json.loads(line) for line in (run.folder / "journal.jsonl").read_bytes().splitlines()]
    assert [line["failed"] for line in lines] == [f"127.0.0.1:{server.port} says 503: down (tried 2 times)"] * 6
    assert (tally.done, len(tally.failed)) == (0, 6)


def test_problem_that_does_not_fit_costs_only_its_own_pools(tmp_path):
    """Once anything was answered; a first request that is refused stops the run, because then all of them would be."""
    long = refused(400, "maximum context length is 512")
    with Loopback(lambda call: long if "U1" in call.prompt else fine(call)).running() as server:
        run = begin(tmp_path / "run", server.url, concurrency=1)
        tally = run.sample(endpoint_of(run))
        assert (tally.done, [unit for unit, _ in tally.failed]) == (16, [("w1", 0), ("w1", 1)])
        assert "problem 'w1' and its answer do not fit the context" in tally.failed[("w1", 0), 0]
        server.answer = lambda call: long
        run = begin(tmp_path / "other", server.url, concurrency=1)
        with pytest.raises(Refused, match="problem 'w0' and its answer do not fit"):
            run.sample(endpoint_of(run))


def test_ten_in_a_row_stop_a_run(tmp_path):
    """And not ten among others."""
    with Loopback(lambda call: refused(503, "down")).running() as server:
        run = begin(tmp_path / "run", server.url, count=30, tries=1, concurrency=1)
        with pytest.raises(CalverifyError, match=r"10 calls in a row were given up, .* here: .* says 503"):
            run.sample(endpoint_of(run))
        assert len(server.calls) == 10
        server.answer = lambda call: refused(503, "down") if call.number % 3 else fine(call)
        assert run.sample(endpoint_of(run)).done == 80


def test_never_more_at_once_than_was_said(tmp_path):
    with Loopback(latency_s=0.01).running() as server:
        run = begin(tmp_path / "run", server.url, count=20, concurrency=5)
        run.sample(endpoint_of(run))
    assert server.most == 5


def test_storm_slows_a_run_down_and_lets_it_recover(tmp_path):
    """Where a server takes three at once and refuses the rest, all comes, and few requests are refused."""
    with Loopback(latency_s=0.01).running() as server:
        server.answer = lambda call: refused(429, "slow down", "retry-after-ms: 5") if server.inside > 3 else fine(call)
        run = begin(tmp_path / "run", server.url, count=60, concurrency=32)
        assert run.sample(endpoint_of(run), retries=HASTY).done == 480
    assert len(server.calls) < 3 * 120


def test_large_pools_are_asked_for_in_parts(tmp_path):
    """Of 128, and after a stop the parts of which something is there one by one."""
    with Loopback().running() as server:
        run = begin(tmp_path / "run", server.url, count=1, seeds=(0,), k=300, concurrency=1)
        run.sample(endpoint_of(run))
        assert [(call.seed, call.n) for call in server.calls] == [(0, 128), (128, 128), (256, 44)]
        journal = run.folder / "journal.jsonl"
        journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:128]))
        run.sample(endpoint_of(run))
        assert [(call.seed, call.n) for call in server.calls[3:]] == [(128, 128), (256, 44)]
    assert pools_of(run, tmp_path / "frozen") == expected(run)


def test_progress_is_told(tmp_path):
    told = []
    with Loopback().running() as server:
        run = begin(tmp_path / "run", server.url)
        run.sample(endpoint_of(run), progress=told.append)
    assert (told[0].done, told[-1].done, told[-1].total, told[-1].failed) == (0, 24, 24, 0)


# ---------------------------------------------------------------- what is frozen


def freezable(tmp_path, answer=fine, **settings):
    with Loopback(answer).running() as server:
        run = begin(tmp_path / "run", server.url, count=1, **{"seeds": (0,), "tries": 1, "concurrency": 1, **settings})
        run.sample(endpoint_of(run))
    return run


def test_short_pool_is_named_and_not_padded(tmp_path):
    """Its candidates close up in the order of their places, and the manifest says which places are empty."""
    run = freezable(tmp_path, lambda call: refused(500, "x") if call.seed in (1, 2) else fine(call), endpoint=ALONE)
    manifest = freeze_run(run, endpoint_of(run), tmp_path / "frozen")
    (pool,) = read_archive(tmp_path / "frozen").pools
    wanted = expected(run)["w0", 0]
    assert list(pool.texts) == [wanted[0], wanted[3]]
    assert manifest.sampling["short"] == ["w0, seed 0: 2 of 4, without 1, 2"]
    assert manifest.sampling["choices"] == "one by one"


def test_reasoning_is_kept_apart_or_joined(tmp_path):
    def thinks(call):
        return fine(call)._replace(
            body=json.dumps({"choices": [{"message": {"content": "said", "reasoning": "thought"}}] * call.n}).encode()
        )

    for how, text in (("apart", "said"), ("joined", "<think>\nthought\n</think>\nsaid")):
        run = freezable(tmp_path / how, thinks, reasoning=how)
        manifest = freeze_run(run, endpoint_of(run), tmp_path / how / "frozen")
        assert read_archive(tmp_path / how / "frozen").pools[0].texts == (text,) * 4
        assert manifest.sampling["reasoning"] == how


def test_freezing_is_whole_or_not_at_all(tmp_path):
    """What a crash left of an earlier try is no hindrance, and what is frozen is not written over."""
    run = freezable(tmp_path)
    (tmp_path / ".frozen.draft").mkdir()
    (tmp_path / ".frozen.draft" / "pools.jsonl").write_text("half", encoding="utf-8")
    freeze_run(run, endpoint_of(run), tmp_path / "frozen", packed=True)
    assert not (tmp_path / ".frozen.draft").exists()
    assert sorted(file.name for file in (tmp_path / "frozen").iterdir()) == [
        "manifest.json", "pools.jsonl.gz", "problems.jsonl.gz"
    ]  # fmt: skip
    with pytest.raises(CalverifyError, match="is not empty; what is frozen"):
        freeze_run(run, endpoint_of(run), tmp_path / "frozen")


def test_manifest_says_how(tmp_path):
    run = freezable(tmp_path, parameters=Parameters(stop=("END",), extra_body={"top_k": 3}), command="my words")
    manifest = freeze_run(run, endpoint_of(run, label="T"), tmp_path / "frozen")
    assert (manifest.policy, manifest.model, manifest.command) == ("T", "tiny", "my words")
    assert manifest.sampling == {
        "backend": "endpoint 127.0.0.1", "temperature": 0.8, "stop": ["END"], "extra_body": '{"top_k": 3}',
        "decoding": "free", "n": 4, "choices": "n", "reasoning": "apart", "fingerprints": ["fp_loopback"],
    }  # fmt: skip


# ---------------------------------------------------------------- the tally

UNITS = [("a", 0), ("b", 0)]


def said(*texts, **more):
    return Reply(tuple(map(Completion, texts)), 10, 5, **more)


def test_tally_counts():
    tally = Tally(UNITS, 3)
    tally.add(entries_of(UNITS[0], 0, 3, said("x", "y", "x", fingerprint="f")))
    tally.add(entries_of(UNITS[1], 0, 3, said("x")))
    tally.add([Failure(problem="b", seed=0, index=1, wanted=1, failed="no")])
    assert (tally.done, tally.total, tally.tokens_in, tally.tokens_out, tally.repeats) == (4, 6, 20, 10, 1)
    assert (tally.missing(UNITS[1]), tally.failed, tally.fingerprints) == ([1, 2], {(UNITS[1], 1): "no"}, {"f"})
    assert list(tally.short) == [(UNITS[1], [1, 2])]
    assert tally.cost((Fraction(1), Fraction("0.5"))) == Fraction(25, 1_000_000)
    assert tally.cost(None) is None
    tally.add(entries_of(UNITS[1], 1, 1, Reply((Completion("z"),))))
    assert (tally.failed, tally.uncounted) == ({}, 1)
    assert tally.repeated == Fraction(1, 3)


PATHS = [
    ([(3, 3)], "n"),
    ([(1, 1)], "one by one"),
    ([(3, 2), (1, 1)], "n, topped up one by one"),
    ([(3, 3), (1, 1)], "n, topped up one by one"),
    ([], "one by one"),
]


@pytest.mark.parametrize("calls, path", PATHS, ids=str)
def test_tally_says_how_the_choices_came(calls, path):
    tally = Tally([("a", seed) for seed in range(4)], 3)
    for seed, (wanted, given) in enumerate(calls):
        tally.add(entries_of(("a", seed), 0, wanted, said(*"xyz"[:given])))
    assert tally.path == path


@pytest.mark.parametrize(
    "unit, index, why",
    [(("a", 0), 0, "stands already"), (("a", 0), 3, "no place"), (("a", 1), 0, "no place"), (("c", 0), 0, "no place")],
)  # fmt: skip
def test_tally_refuses_what_has_no_place(unit, index, why):
    tally = Tally(UNITS, 3)
    tally.add(entries_of(UNITS[0], 0, 1, said("x")))
    with pytest.raises(RecordError, match=why):
        tally.add(entries_of(unit, index, 1, said("y")))
