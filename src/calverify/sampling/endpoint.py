"""Any OpenAI-compatible endpoint: vLLM, llama.cpp, Ollama, a hosted one.

Rule 1: the key goes into requests and nowhere else; no record, no message and no `repr` shows it.
Rule 2: what a second try may mend is asked again (`Passing`); every other refusal says what to do.
Rule 3: a connection carries one request at a time and is used again.  Each is a transport of its own, because one
pool for all would look through every connection for every request.
Rule 4: a response that is sent twice would be taken for the answer to the next request.  So a connection over which the
same bytes come twice in a row is not used again, and what came is not believed: it is asked for over another one.
"""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import import_module
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlsplit, urlunsplit

from calverify.archives import Manifest
from calverify.errors import CalverifyError
from calverify.names import brief
from calverify.records import read_fields
from calverify.sampling._request import Passing, Refused, Reply, Request
from calverify.sampling._wire import GRAMMAR_FIELDS, body_of, error_of, held_to, models_of, reply_of
from calverify.sampling.retry import wait_named

if TYPE_CHECKING:
    import httpx2

__all__ = ["OPENAI", "Endpoint", "is_loopback"]

OPENAI = "https://api.openai.com/v1"
MOST_BYTES = 1 << 26  # of one response
AGAIN = frozenset({408, 409, 425, 429})  # and every 5xx
OVERLOADED = frozenset({408, 425, 429})  # and every 5xx
CANNOT = frozenset({400, 413, 422})  # the request itself is refused
OTHER_LIMIT = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
TOO_LONG = ("context", "too long", "maximum length", "too many tokens")  # how endpoints say it
SPENT = ("insufficient_quota", "billing")  # a 429 that no waiting mends
ONE_ONLY = ("one completion choice",)  # how llama.cpp refused `n`, and with 500 at that


def is_loopback(url: str) -> bool:
    """Does the URL name this machine?"""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name
        return False


@dataclass(slots=True)
class _Lane:
    """One connection; `fit` until the same bytes have come over it twice in a row."""

    transport: "httpx2.AsyncHTTPTransport"
    fit: bool = True
    _last: bytes = b""

    def note(self, data: bytes) -> None:
        digest = sha256(data).digest()
        self.fit, self._last = digest != self._last, digest


@dataclass(slots=True, kw_only=True)
class Endpoint:
    """`Endpoint(model="m", base_url="http://127.0.0.1:8000/v1")`.

    `one_by_one` never asks for several choices in one call.  `grammar_field` is how the server takes a grammar.
    """

    model: str
    base_url: str = OPENAI
    key: str | None = field(default=None, repr=False)
    label: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    connect_s: float = 5.0
    total_s: float = 600.0
    one_by_one: bool = False
    grammar_field: str = "structured_outputs"
    _idle: "list[_Lane]" = field(default_factory=list, init=False, repr=False)
    _urls: "dict[str, httpx2.URL]" = field(default_factory=dict, init=False, repr=False)
    _tls: Any = field(default=None, init=False, repr=False)
    _alone: bool = field(default=False, init=False, repr=False)  # this endpoint refuses `n`
    _limit_field: str = field(default="max_tokens", init=False, repr=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise CalverifyError(f"the base URL must be like http://127.0.0.1:8000/v1, not {brief(self.base_url)}")
        if parts.username is not None or parts.password is not None:
            raise CalverifyError("the base URL holds a user name or a password; put the key into OPENAI_API_KEY")
        if not self.model.strip():
            raise CalverifyError("name the model: --model NAME")
        if self.grammar_field not in GRAMMAR_FIELDS:
            raise CalverifyError(
                f"a grammar goes into one of {', '.join(GRAMMAR_FIELDS)}, not {brief(self.grammar_field)}"
            )
        if not (self.connect_s > 0 and self.total_s > 0):
            raise CalverifyError("the seconds to connect and in total must be above 0")
        _check_installed()
        if self.key is None and not is_loopback(self.base_url):
            raise CalverifyError(f"{self.base_url} needs a key: set OPENAI_API_KEY (only this machine may go without)")

    @property
    def name(self) -> str:
        return self.label or self.model

    def manifest(self) -> Manifest:
        backend = f"endpoint {urlsplit(self.base_url).hostname}"
        return Manifest(self.name, model=self.model, sampling={"backend": backend})

    def settings(self) -> dict[str, Any]:
        names = ("model", "base_url", "label", "connect_s", "total_s", "one_by_one", "grammar_field")
        return {"kind": "endpoint", **{name: getattr(self, name) for name in names}}

    @classmethod
    def from_settings(cls, record: Mapping[str, Any], environment: Mapping[str, str]) -> "Endpoint":
        """The endpoint of a run's settings; the key comes from the environment."""
        kinds = {
            "kind": str, "model": str, "base_url": str, "label": str, "connect_s": int | float, "total_s": int | float,
            "one_by_one": bool, "grammar_field": str,
        }  # fmt: skip
        read = read_fields("endpoint", record, kinds, needed=("model", "base_url"))
        read.pop("kind", None)
        names = {"OPENAI_ORG_ID": "OpenAI-Organization", "OPENAI_PROJECT_ID": "OpenAI-Project"}
        headers = {header: environment[name] for name, header in names.items() if environment.get(name)}
        return cls(**read, key=environment.get("OPENAI_API_KEY") or None, headers=headers)

    async def complete(self, request: Request, want: int) -> Reply:
        """Up to `want` completions by one call; one, where this endpoint has refused to give several."""
        want = 1 if self.one_by_one or self._alone else want
        while True:
            body = body_of(request, self.model, want, self._limit_field, held_to(request, self.grammar_field))
            status, headers, data = await self._send("POST", "/chat/completions", body)
            if status == 200:
                return reply_of(data, want, request.parameters.decoding)
            said = error_of(data)
            if status in CANNOT and self._other_limit_wanted(said, request):
                continue
            if want > 1 and ((status in CANNOT and not _says(said, TOO_LONG)) or _says(said, ONE_ONLY)):
                reply = await self.complete(request, 1)  # does it refuse `n`, or the request?
                self._alone = True
                return reply
            await self._refuse(status, headers, said, request)

    def _other_limit_wanted(self, said: str, request: Request) -> bool:
        """Does the refusal name the other spelling of max_tokens?  Then it is used from here on."""
        other = OTHER_LIMIT[self._limit_field]
        if request.parameters.max_tokens is None or self._limit_field != "max_tokens" or other not in said:
            return False
        self._limit_field = other
        return True

    async def close(self) -> None:
        while self._idle:
            await self._idle.pop().transport.aclose()

    # ------------------------------------------------------------ refusals

    async def _refuse(self, status: int, headers: Mapping[str, str], said: str, request: Request) -> NoReturn:
        """Raise what a response other than 200 means."""
        spent = status == 429 and _says(said, SPENT)
        if (status in AGAIN or status >= 500) and not spent:
            overloaded = status in OVERLOADED or status >= 500
            wait_s = wait_named(headers, time.time())
            raise Passing(f"{self._host} says {status}: {said}", wait_s=wait_s, overloaded=overloaded)
        why = f"{await self._remedy(status, said, request)}; {self._host} says {status}: {said}"
        raise Refused(why) if status in CANNOT else CalverifyError(why)

    @property
    def _host(self) -> str:
        return urlsplit(self.base_url).netloc

    async def _remedy(self, status: int, said: str, request: Request) -> str:
        """What to do, in half a sentence."""
        if status == 429:
            return "the account behind OPENAI_API_KEY is spent: fill it up, then resume the run"
        if status in (401, 403):
            given = "is refused" if self.key else "is not set"
            return f"OPENAI_API_KEY {given}: set it to a key that may use {self.model!r} here"
        if status == 404:
            return f"nothing answers for the model {self.model!r} here: {await self._models()}"
        if status in CANNOT and _says(said, TOO_LONG):
            return (
                f"problem {request.problem.id!r} and its answer do not fit the context of {self.model!r}: lower "
                "--max-tokens, leave the problem out, or serve the model with a longer context"
            )
        if status in CANNOT:
            return f"the request for problem {request.problem.id!r} is refused: change the option that is named"
        return "this is no chat endpoint: check the base URL"

    async def _models(self) -> str:
        """What this endpoint serves, as far as it tells."""
        try:
            status, _, data = await self._send("GET", "/models", b"")
        except Passing:
            status, data = 0, b""
        names = models_of(data) if status == 200 else []
        return f"name one of {', '.join(names)} with --model" if names else "check --model and the base URL"

    # ------------------------------------------------------------ connections

    async def _send(self, method: str, path: str, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers and body; `Passing` where the connection fails or the time is up."""
        lane = self._idle.pop() if self._idle else _Lane(self._transport())
        got = await self._over(lane, self._request(method, path, body))
        if lane.fit or got[0] != 200:
            return got
        return await self._over(_Lane(self._transport()), self._request(method, path, body))

    async def _over(self, lane: "_Lane", request: "httpx2.Request") -> tuple[int, Mapping[str, str], bytes]:
        """The response over one connection, which is idle again or closed after it."""
        import httpx2

        whole = False
        try:
            async with asyncio.timeout(self.total_s):
                got = await _exchange(lane.transport, request)
            lane.note(got[2])
            whole = lane.fit
            return got
        except TimeoutError:
            raise Passing(f"{self._host} gave no answer within {self.total_s:g} s", overloaded=True) from None
        except httpx2.TimeoutException:
            why = f"{self._host} took no connection within {self.connect_s:g} s"
            raise Passing(why, overloaded=True, reached=False) from None
        except httpx2.UnsupportedProtocol as error:
            raise CalverifyError(f"{self._host}: {error}") from None
        except (httpx2.TransportError, httpx2.DecodingError) as error:
            if "CERTIFICATE_VERIFY_FAILED" in str(error):
                raise CalverifyError(
                    f"the certificate of {self._host} is not trusted here: name a file of those that are in "
                    f"SSL_CERT_FILE; {error}"
                ) from None
            why = f"the connection to {self._host} broke: {str(error) or type(error).__name__}"
            raise Passing(why, reached=not isinstance(error, httpx2.ConnectError)) from None
        finally:
            if whole:
                self._idle.append(lane)
            else:
                await asyncio.shield(lane.transport.aclose())

    def _request(self, method: str, path: str, body: bytes) -> "httpx2.Request":
        import httpx2

        if path not in self._urls:
            parts = urlsplit(self.base_url)
            self._urls[path] = httpx2.URL(urlunsplit(parts._replace(path=parts.path.rstrip("/") + path)))
        headers = {
            "authorization": f"Bearer {self.key or 'EMPTY'}",
            "accept": "application/json",
            "user-agent": "calverify",
            **({"content-type": "application/json"} if body else {}),
            **self.headers,
        }
        limits = {"connect": self.connect_s, "read": None, "write": None, "pool": None}  # the whole has its own
        return httpx2.Request(method, self._urls[path], content=body, headers=headers, extensions={"timeout": limits})

    def _transport(self) -> "httpx2.AsyncHTTPTransport":
        """A connection of its own, through the proxy that the environment names."""
        from urllib.request import getproxies, proxy_bypass

        import httpx2

        parts = urlsplit(self.base_url)
        if self._tls is None:
            self._tls = httpx2.create_ssl_context() if parts.scheme == "https" else False
        direct = is_loopback(self.base_url) or proxy_bypass(parts.hostname or "")
        proxy = None if direct else getproxies().get(parts.scheme)
        return httpx2.AsyncHTTPTransport(
            verify=self._tls, proxy=proxy, limits=httpx2.Limits(max_connections=1, keepalive_expiry=4)
        )


def _check_installed() -> None:
    try:
        import_module("httpx2")
    except ModuleNotFoundError:
        raise CalverifyError("asking an endpoint needs httpx2: pip install 'calverify[sample]'") from None


async def _exchange(
    transport: "httpx2.AsyncHTTPTransport", request: "httpx2.Request"
) -> tuple[int, Mapping[str, str], bytes]:
    response = await transport.handle_async_request(request)
    try:
        data = bytearray()
        async for part in response.aiter_bytes():
            data += part
            if len(data) > MOST_BYTES:
                raise Passing(f"a response of more than {MOST_BYTES >> 20} MiB")
    finally:
        await response.aclose()
    return response.status_code, response.headers, bytes(data)


def _says(said: str, any_of: tuple[str, ...]) -> bool:
    return any(words in said.lower() for words in any_of)
