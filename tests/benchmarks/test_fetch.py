"""Fetching from a server on this machine: whole published files, or a clear refusal and nothing written."""

import threading
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from random import Random
from urllib.parse import urlsplit

import pytest

from calverify.benchmarks import BENCHMARKS, Benchmark, Corpus, Origin, Remote, _fetch, fetch, wanted
from calverify.errors import CalverifyError

TEXT = b'{"a": 1}\n' * 100


def packed(**members: bytes) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


class Server(ThreadingHTTPServer):
    """Answers each path with (status, headers, body), and remembers what was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.asked: list[str] = []

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        status, headers, body = self.server.answers.get(self.path, (404, {}, b"no"))
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as serving:
        thread = threading.Thread(target=serving.serve_forever, daemon=True)
        thread.start()
        yield serving
        serving.shutdown()
        thread.join()


def benchmark(*files: Remote) -> Benchmark:
    home = Origin(folder="words", size="1 file", licence="CC0", home="https://example.org/words", files=files)
    return Benchmark("words", "?", reader=lambda data, rng: Corpus(()), origin=home)


def plain(server: Server, body: bytes = TEXT, digest: bytes = TEXT, **answer) -> Benchmark:
    server.answers["/a.jsonl"] = (answer.get("status", 200), answer.get("headers", {}), body)
    return benchmark(Remote(f"{server.root}/a.jsonl", "words/a.jsonl", sha256(digest).hexdigest()))


def test_a_file_is_fetched_once(server, tmp_path):
    entry = plain(server)
    assert [there for _, _, there in wanted(entry, tmp_path)] == [False]
    assert list(fetch(entry, tmp_path)) == [("words/a.jsonl", True)]
    assert (tmp_path / "words" / "a.jsonl").read_bytes() == TEXT
    assert list(fetch(entry, tmp_path)) == [("words/a.jsonl", False)]
    assert [there for _, _, there in wanted(entry, tmp_path)] == [True]
    assert server.asked == ["/a.jsonl"]


def test_members_are_taken_out_of_an_archive(server, tmp_path):
    archive = packed(one=b"1", two=b"2", other=b"3")
    server.answers["/w.whl"] = (200, {}, archive)
    members = {name: (f"words/{name}", sha256(data).hexdigest()) for name, data in [("one", b"1"), ("two", b"2")]}
    entry = benchmark(Remote(f"{server.root}/w.whl", "w.whl", sha256(archive).hexdigest(), members))
    assert list(fetch(entry, tmp_path)) == [("words/one", True), ("words/two", True)]
    assert sorted(path.name for path in (tmp_path / "words").iterdir()) == ["one", "two"]
    (tmp_path / "words" / "one").unlink()
    assert list(fetch(entry, tmp_path)) == [("words/one", True), ("words/two", False)]


def test_a_redirect_is_followed(server, tmp_path):
    entry = plain(server, b"", status=302, headers={"Location": "/b.jsonl"})
    server.answers["/b.jsonl"] = (200, {}, TEXT)
    assert list(fetch(entry, tmp_path)) == [("words/a.jsonl", True)]


def refused(entry: Benchmark, folder, why: str) -> None:
    with pytest.raises(CalverifyError) as told:
        list(fetch(entry, folder))
    assert why in str(told.value), told.value
    assert not list(folder.rglob("*.jsonl*"))


BAD = [
    ("another file", {"body": b"<html>"}, "the sha256 is"),
    ("cut short", {"body": TEXT[:-1]}, "nothing was written"),
    ("not found", {"status": 404}, "answered 404; by hand: https://example.org/words, into words/"),
    ("an error", {"status": 500}, "answered 500"),
    ("a promise not kept", {"headers": {"Content-Length": "99999"}}, "cannot fetch from 127.0.0.1"),
    ("round and round", {"status": 302, "headers": {"Location": "/a.jsonl"}}, "cannot fetch from 127.0.0.1"),
]


@pytest.mark.parametrize("parts, why", [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_anything_else_is_refused(server, tmp_path, parts, why):
    refused(plain(server, **parts), tmp_path, why)


def test_too_large_is_refused_before_it_is_read_whole(server, tmp_path, monkeypatch):
    monkeypatch.setattr(_fetch, "MOST_BYTES", 500)
    refused(plain(server), tmp_path, "is over 500 bytes")


def test_archives_without_the_published_members_are_refused(server, tmp_path):
    for body, why in [(packed(one=b"1"), "'two'"), (packed(two=b"?"), "two is not the published file"), (TEXT, "zip")]:
        server.answers["/w.whl"] = (200, {}, body)
        members = {"two": ("words/two.jsonl", sha256(b"2").hexdigest())}
        refused(benchmark(Remote(f"{server.root}/w.whl", "w", sha256(body).hexdigest(), members)), tmp_path, why)


def test_a_bomb_in_an_archive_is_refused(server, tmp_path, monkeypatch):
    body = packed(two=bytes(100_000))
    monkeypatch.setattr(_fetch, "MOST_BYTES", 5_000)
    server.answers["/w.whl"] = (200, {}, body)
    members = {"two": ("words/two.jsonl", sha256(bytes(100_000)).hexdigest())}
    entry = benchmark(Remote(f"{server.root}/w.whl", "w", sha256(body).hexdigest(), members))
    refused(entry, tmp_path, "two is over 5,000 bytes when unpacked")


def test_a_file_of_ones_own_is_never_overwritten(server, tmp_path):
    entry = plain(server)
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "a.jsonl").write_bytes(b"mine")
    with pytest.raises(CalverifyError, match="is there, and is not the published file"):
        list(fetch(entry, tmp_path))
    assert (tmp_path / "words" / "a.jsonl").read_bytes() == b"mine"
    assert server.asked == []


def test_nobody_there_says_what_to_do(server, tmp_path):
    entry = plain(server)
    server.shutdown()
    server.server_close()
    refused(entry, tmp_path, "cannot fetch from 127.0.0.1 (is there a network?)")
    refused(entry, tmp_path, "by hand: https://example.org/words, into words/")


def test_nothing_comes_in_the_clear(server, tmp_path):
    entry = benchmark(Remote("http://192.0.2.1/a.jsonl", "words/a.jsonl", "0" * 64))
    with pytest.raises(CalverifyError, match="is not https"):
        _fetch._require_https("http://192.0.2.1/a.jsonl")
    refused(entry, tmp_path, "is not https")


def test_what_cannot_be_fetched_says_so(tmp_path):
    with pytest.raises(CalverifyError, match=r"words cannot be fetched; get it from https://example\.org/words"):
        list(fetch(benchmark(), tmp_path))
    with pytest.raises(CalverifyError, match="miniature cannot be fetched, for it is made from a seed"):
        list(wanted(BENCHMARKS["miniature"], tmp_path))


@pytest.mark.parametrize("name", [name for name, entry in BENCHMARKS.items() if entry.origin and entry.origin.files])
def test_every_address_is_https_and_pinned(name):
    origin = BENCHMARKS[name].origin
    for remote in origin.files:
        assert urlsplit(remote.url).scheme == "https"
        gives = dict(remote.members.values()) if remote.members else {remote.path: remote.sha256}
        for path, digest in [*gives.items(), (remote.path, remote.sha256)]:
            assert len(digest) == 64
            assert not path.startswith("/")
            assert ".." not in path
        assert all(path.startswith(f"{origin.folder}/") for path in gives)


@pytest.mark.network
@pytest.mark.parametrize("name", ["bnlearn", "clear"])
def test_the_published_files_are_where_they_were(name, tmp_path):
    """`pytest -m network`: what is fetched can be read."""
    from calverify.benchmarks import DataFolder

    assert all(fetched for _, fetched in fetch(BENCHMARKS[name], tmp_path))
    assert len(BENCHMARKS[name].build(Random(0), DataFolder(tmp_path)).items) == {"bnlearn": 410, "clear": 2_808}[name]
