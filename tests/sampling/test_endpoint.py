"""A real client against a real server that misbehaves: no candidate is lost, repeated or out of its place."""

import asyncio
import time
from email.utils import formatdate

import pytest

from calverify.errors import CalverifyError
from calverify.sampling import Endpoint, Parameters, Passing, Refused, ask
from tests.sampling.loopback import HARMLESS, MISDEEDS, STALL_S, Answer, Loopback, fine, refused, script, text_of
from tests.sampling.runs import HASTY, begin, distinct, expected, pools_of, source_of

SHORT = {"total_s": 0.3}  # far less than a stall


@pytest.mark.parametrize("misdeed", MISDEEDS)
def test_no_misdeed_costs_a_candidate(tmp_path, misdeed):
    """Each misdeed in three of four calls: every pool is what a server that behaves would have given."""
    share = 0.25 if misdeed == "stall" else 0.75
    with Loopback(script(1, [misdeed], share)).running() as server:
        run = begin(tmp_path / "run", server.url, endpoint=SHORT)
        tally = run.sample(source_of(run), retries=HASTY)
    assert (tally.done, tally.failed) == (24, {})
    assert pools_of(run, tmp_path / "frozen") == expected(run)


@pytest.mark.parametrize("misdeed", sorted(HARMLESS))
def test_servers_that_never_do_better(tmp_path, misdeed):
    """Some misdeeds are how a server is."""
    with Loopback(MISDEEDS[misdeed]).running() as server:
        run = begin(tmp_path / "run", server.url)
        assert run.sample(source_of(run), retries=HASTY).done == 24
    assert pools_of(run, tmp_path / "frozen") == expected(run)


@pytest.mark.parametrize("seed", range(3))
def test_all_misdeeds_in_one_run(tmp_path, seed):
    """A script that draws from all of them, every other call."""
    misdeeds = [misdeed for misdeed in MISDEEDS if misdeed != "stall"]
    with Loopback(script(seed, [*misdeeds, "stall"], 0.5)).running() as server:
        run = begin(tmp_path / "run", server.url, count=8, endpoint=SHORT, k=8)
        assert run.sample(source_of(run), retries=HASTY).done == 128
    assert pools_of(run, tmp_path / "frozen") == expected(run)


@pytest.mark.property
@pytest.mark.parametrize("seed", range(10, 40))
def test_all_misdeeds_in_many_runs(tmp_path, seed):
    """The same with other scripts, more of everything, and pools asked for one by one in every other run."""
    misdeeds = [misdeed for misdeed in MISDEEDS if misdeed != "stall"]
    with Loopback(script(seed, [*misdeeds * 4, "stall"], 0.6), 0.002).running() as server:
        endpoint = {**SHORT, "one_by_one": bool(seed % 2)}
        run = begin(tmp_path / "run", server.url, count=12, endpoint=endpoint, k=8, concurrency=16)
        assert run.sample(source_of(run), retries=HASTY).done == 192
    assert pools_of(run, tmp_path / "frozen") == expected(run)


def test_server_that_gives_the_same_bytes_for_everything(tmp_path):
    """It may be a response that was sent twice: it is asked for once more, over a new connection, and then believed."""
    same = Answer(200, b'{"choices":[{"message":{"content":"yes"}}]}')
    with Loopback(lambda call: same).running() as server:
        run = begin(tmp_path / "run", server.url, endpoint={"one_by_one": True})
        assert run.sample(source_of(run), retries=HASTY).done == 24
    assert 24 < len(server.calls) <= 48


def test_stall_is_waited_for_no_longer_than_said(tmp_path):
    """A response that would take ten seconds is given up after --timeout and asked for again."""
    first = iter([MISDEEDS["stall"]])
    with Loopback(lambda call: next(first, fine)(call)).running() as server:
        run = begin(tmp_path / "run", server.url, count=1, seeds=(0,), endpoint=SHORT)
        began = time.monotonic()
        assert run.sample(source_of(run), retries=HASTY).done == 4
        assert time.monotonic() - began < STALL_S / 2
    assert len(server.calls) == 2


def test_date_to_wait_for_is_kept_by_all(tmp_path):
    """By the server's own clock, which is an hour behind; nobody asks before that."""
    asked: list[float] = []
    late = time.time() - 3600

    def answer(call):
        asked.append(time.monotonic())
        if call.number:
            return fine(call)
        dates = (f"Date: {formatdate(late, usegmt=True)}", f"Retry-After: {formatdate(late + 1, usegmt=True)}")
        return refused(429, "slow down", *dates)

    with Loopback(answer).running() as server:
        run = begin(tmp_path / "run", server.url, concurrency=1)
        assert run.sample(source_of(run), retries=HASTY).done == 24
    assert 1.0 <= asked[1] - asked[0] < 30


# ---------------------------------------------------------------- what is asked


def body_of_one(tmp_path, endpoint=None, **parameters):
    with Loopback().running() as server:
        run = begin(
            tmp_path / "run", server.url, count=1, seeds=(3,), endpoint=endpoint, parameters=Parameters(**parameters)
        )
        run.sample(source_of(run), retries=HASTY)
    return server.calls[0]


def test_the_body_of_a_request(tmp_path):
    """The names are those of the OpenAI API; what is not set is not sent."""
    call = body_of_one(tmp_path)
    assert call.path == "/v1/chat/completions"
    assert call.headers["authorization"] == "Bearer EMPTY"
    assert call.body.keys() == {"model", "messages", "temperature", "seed", "n"}
    assert (call.body["model"], call.body["temperature"], call.body["n"], call.body["seed"]) == (
        "tiny",
        0.8,
        4,
        3 << 16,
    )
    assert [message["role"] for message in call.body["messages"]] == ["user"]


def test_every_parameter_of_a_request(tmp_path):
    extra = {"top_k": 5, "chat_template_kwargs": {"enable_thinking": False}, "seed": None}
    call = body_of_one(tmp_path, top_p=0.9, max_tokens=7, stop=("END",), system="Be brief.", extra_body=extra)
    assert call.body["messages"][0] == {"role": "system", "content": "Be brief."}
    said = {name: call.body[name] for name in ("top_p", "max_tokens", "stop", "top_k", "chat_template_kwargs")}
    assert said == {
        "top_p": 0.9,
        "max_tokens": 7,
        "stop": ["END"],
        **{name: extra[name] for name in extra if extra[name]},
    }
    assert "seed" not in call.body


@pytest.mark.parametrize("field", ["structured_outputs", "guided_grammar", "grammar"])
def test_grammars_go_where_the_server_takes_them(tmp_path, field):
    call = body_of_one(tmp_path, endpoint={"grammar_field": field}, decoding="pinned")
    grammar = call.body[field]["grammar"] if field == "structured_outputs" else call.body[field]
    assert grammar.startswith("root ::= ")


def test_schema_is_a_response_format(tmp_path):
    call = body_of_one(tmp_path, decoding="schema")
    assert call.body["response_format"]["type"] == "json_schema"
    assert call.body["messages"][-1]["content"].endswith("the JSON of that STEP.")


@pytest.mark.parametrize("name", ["model", "messages", "n", "stream", "temperature", "seed", "max_tokens"])
def test_extra_body_does_not_set_what_a_run_sets(name):
    """A seed or a temperature set there would go to every candidate alike."""
    with pytest.raises(CalverifyError, match="extra_body may not set"):
        Parameters(extra_body={name: 1})


def test_keys_and_headers_reach_the_server_and_nothing_else(tmp_path):
    """No record of the run, and no `repr`, holds the key."""
    names = {"OPENAI_API_KEY": "sk-secret", "OPENAI_ORG_ID": "org", "OPENAI_PROJECT_ID": "proj"}
    with Loopback().running() as server:
        run = begin(tmp_path / "run", server.url, count=1)
        source = Endpoint.from_settings(run.source, names)
        run.sample(source, retries=HASTY)
    headers = server.calls[0].headers
    assert headers["authorization"] == "Bearer sk-secret"
    assert (headers["openai-organization"], headers["openai-project"]) == ("org", "proj")
    assert "secret" not in repr(source)
    assert not any(b"secret" in file.read_bytes() for file in (tmp_path / "run").iterdir())


# ---------------------------------------------------------------- what servers refuse


def refuses_n(status, message):
    return lambda call: refused(status, message) if call.n > 1 else fine(call)


@pytest.mark.parametrize(
    "status, message",
    [(400, "n must be 1"), (422, "extra inputs"), (500, "Only one completion choice is allowed")],
    ids=["hosted", "strict", "llama.cpp"],
)
def test_server_that_refuses_several_choices(tmp_path, status, message):
    """It is asked one by one from then on, and the manifest says so."""
    with Loopback(refuses_n(status, message)).running() as server:
        run = begin(tmp_path / "run", server.url, concurrency=1)
        tally = run.sample(source_of(run), retries=HASTY)
    assert (tally.done, tally.path) == (24, "one by one")
    assert pools_of(run, tmp_path / "frozen") == expected(run)
    assert sum(call.n > 1 for call in server.calls) == 1


def test_server_that_wants_the_other_limit(tmp_path):
    """Some models take max_completion_tokens only."""
    said = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    with Loopback(lambda call: refused(400, said) if "max_tokens" in call.body else fine(call)).running() as server:
        run = begin(tmp_path / "run", server.url, concurrency=1, parameters=Parameters(max_tokens=9))
        assert run.sample(source_of(run), retries=HASTY).done == 24
    assert [call.body.get("max_completion_tokens") for call in server.calls] == [None, *[9] * (len(server.calls) - 1)]


def complete(server, **endpoint):
    """What one call gives."""
    request = ask(distinct(1)[0], 0, 0, Parameters())
    source = Endpoint(**{"model": "tiny", "base_url": server.url, **endpoint})

    async def once():
        try:
            return await source.complete(request, 2)
        finally:
            await source.close()

    return asyncio.run(once())


STOPS = [
    (401, "bad key", "OPENAI_API_KEY is not set"),
    (403, "no", "OPENAI_API_KEY is not set"),
    (404, "no such model", "name one of big, small with --model"),
    (400, "top_q is unknown", "is refused: change the option that is named"),
    (400, "maximum context length is 512", "do not fit the context of 'tiny'"),
    (429, "insufficient_quota: fill up", "is spent: fill it up"),
    (302, "elsewhere", "this is no chat endpoint"),
    (405, "method", "this is no chat endpoint"),
]


@pytest.mark.parametrize("status, message, remedy", STOPS)
def test_refusals_that_no_second_try_mends(status, message, remedy):
    """They stop the run at once and say what to do."""

    def answer(call):
        if call.path == "/v1/models":
            return Answer(200, b'{"data":[{"id":"big"},{"id":"small"}]}')
        return refused(status, message)

    with Loopback(lambda call: answer(call)).running() as server, pytest.raises(CalverifyError) as stopped:
        complete(server)
    assert remedy in str(stopped.value)
    assert message in str(stopped.value)
    assert isinstance(stopped.value, Refused) == (status == 400)


def test_wrong_key_is_told_from_none():
    with Loopback(lambda call: refused(401, "no")).running() as server, pytest.raises(CalverifyError) as stopped:
        complete(server, key="sk-x")
    assert "OPENAI_API_KEY is refused" in str(stopped.value)


def test_this_machine_is_asked_directly_and_others_through_the_proxy(tmp_path, monkeypatch):
    """The proxy that the environment names; it is told the whole address."""
    for name in ("no_proxy", "NO_PROXY", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with Loopback().running() as server:
        assert len(complete(server).completions) == 2
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{server.port}")
        assert len(complete(server, base_url="http://model.test/v1", key="k").completions) == 2
    assert [call.path for call in server.calls] == ["/v1/chat/completions", "http://model.test/v1/chat/completions"]


def test_server_that_is_not_there():
    server = Loopback()
    server.port = 9  # nothing listens there
    with pytest.raises(Passing, match=r"the connection to 127\.0\.0\.1:9 broke") as trouble:
        complete(server)
    assert not trouble.value.reached


def test_response_without_an_end_is_not_read_for_ever(monkeypatch):
    monkeypatch.setattr("calverify.sampling.endpoint.MOST_BYTES", 1000)
    with (
        Loopback(lambda call: Answer(200, b"x" * 5000)).running() as server,
        pytest.raises(Passing) as why,
    ):
        complete(server)
    assert "a response of more than" in str(why.value)


# ---------------------------------------------------------------- what an endpoint is


@pytest.mark.parametrize(
    "parts, why",
    [
        ({"base_url": "127.0.0.1:8000"}, "the base URL must be like"),
        ({"base_url": "ftp://127.0.0.1/v1"}, "the base URL must be like"),
        ({"base_url": "http://me:secret@127.0.0.1/v1"}, "holds a user name or a password"),
        ({"base_url": "https://api.example.com/v1"}, "needs a key: set OPENAI_API_KEY"),
        ({"base_url": "http://127.0.0.1.example.com/v1"}, "needs a key: set OPENAI_API_KEY"),
        ({"model": " "}, "name the model"),
        ({"grammar_field": "gbnf"}, "a grammar goes into one of"),
        ({"total_s": 0}, "must be above 0"),
    ],
)
def test_endpoints_that_cannot_be(parts, why):
    with pytest.raises(CalverifyError, match=why) as refusal:
        Endpoint(**{"model": "tiny", "base_url": "http://127.0.0.1:1/v1", **parts})
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "localhost", "[::1]"])
def test_this_machine_needs_no_key(host):
    assert Endpoint(model="tiny", base_url=f"http://{host}:1/v1").key is None


def test_missing_package_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "httpx2", None)
    with pytest.raises(CalverifyError, match=r"pip install 'calverify\[sample\]'"):
        Endpoint(model="tiny", base_url="http://127.0.0.1:1/v1")


def test_settings_make_the_same_endpoint_again():
    one = Endpoint(model="tiny", base_url="http://127.0.0.1:1/v1", label="T", total_s=3.0, one_by_one=True, key="k")
    two = Endpoint.from_settings(one.settings(), {})
    assert two.settings() == one.settings()
    assert two.key is None


def test_texts_of_two_places_differ():
    """Else the comparisons above could not see a candidate in the wrong place."""
    assert len({text_of(prompt, seed) for prompt in "ab" for seed in range(50)}) == 100
