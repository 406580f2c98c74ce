"""Published files from where they are published, by https, and nothing that is not the published file.

Rule 1: a file is written whole, and only when its sha256 is the one that is known; whatever else comes is refused.
Rule 2: a file that is there already is left alone.  If it is another one (a part of the data, or one that was edited),
nothing is fetched in its place.
Rule 3: every failure says where the data can be had by hand, and where it has to lie.
"""

import zipfile
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from calverify.archives import make_folder, write_atomically
from calverify.benchmarks._data import MOST_BYTES
from calverify.benchmarks._item import Benchmark, Remote
from calverify.errors import CalverifyError

if TYPE_CHECKING:
    import httpx2

__all__ = ["fetch", "wanted"]

TIMEOUT_S = 30.0
MOST_REDIRECTS = 5
LOOPBACK = ("127.0.0.1", "::1", "localhost")


def wanted(entry: Benchmark, root: Path) -> Iterator[tuple[Remote, dict[str, str], bool]]:
    """Each remote file, what it gives (path and sha256), and whether all of that lies in the folder already."""
    if entry.origin is None or not entry.origin.files:
        where = f"; get it from {entry.origin.home}" if entry.origin is not None else ", for it is made from a seed"
        raise CalverifyError(f"{entry.name} cannot be fetched{where}")
    for remote in entry.origin.files:
        gives = dict(remote.members.values()) if remote.members else {remote.path: remote.sha256}
        present = [path for path, digest in gives.items() if _is_there(root / path, digest)]
        yield remote, gives, len(present) == len(gives)


def fetch(entry: Benchmark, root: Path) -> Iterator[tuple[str, bool]]:
    """Put each file into the folder, and tell its path and whether it had to be fetched."""
    plan = list(wanted(entry, root))
    try:
        import httpx2  # only fetching needs it
    except ModuleNotFoundError:
        raise CalverifyError("fetching needs httpx2: pip install 'calverify[sample]'") from None
    client = httpx2.Client(follow_redirects=True, max_redirects=MOST_REDIRECTS, timeout=TIMEOUT_S)
    with client:
        for remote, gives, present in plan:
            data = {} if present else _members(remote, _checked(remote, _got(client, remote, entry)))
            for path in gives:
                if path in data and not _is_there(root / path, gives[path]):
                    make_folder((root / path).parent)
                    write_atomically(root / path, data[path])
                    yield path, True
                else:
                    yield path, False


def _is_there(path: Path, digest: str) -> bool:
    """Does the file lie there?  Another one in its place is refused."""
    if not path.exists():
        return False
    try:
        found = sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise CalverifyError(f"cannot read {path}: {error.strerror or error}") from None
    if found != digest:
        raise CalverifyError(
            f"{path} is there, and is not the published file (its sha256 begins {found[:12]}, expected {digest[:12]}); "
            "name another folder with --data, or move it away"
        )
    return True


def _got(client: "httpx2.Client", remote: Remote, entry: Benchmark) -> bytes:
    """The bytes behind an address, as far as a file may be large."""
    import httpx2

    assert entry.origin is not None
    _require_https(remote.url)
    by_hand = f"by hand: {entry.origin.home}, into {entry.origin.folder}/"
    data = bytearray()
    try:
        with client.stream("GET", remote.url) as response:
            _require_https(str(response.url))
            if response.status_code != 200:
                raise CalverifyError(f"{remote.url} answered {response.status_code}; {by_hand}")
            for part in response.iter_bytes():
                data += part
                if len(data) > MOST_BYTES:
                    raise CalverifyError(f"{remote.url} is over {MOST_BYTES:,} bytes, which the published file is not")
    except httpx2.TimeoutException:
        raise CalverifyError(f"{urlsplit(remote.url).hostname} did not answer in {TIMEOUT_S:g} s; {by_hand}") from None
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        host = urlsplit(remote.url).hostname
        raise CalverifyError(f"cannot fetch from {host} (is there a network?): {error}; {by_hand}") from None
    return bytes(data)


def _require_https(url: str) -> None:
    """A redirect may lead elsewhere; nothing comes in the clear but from this machine."""
    parts = urlsplit(url)
    if parts.scheme != "https" and parts.hostname not in LOOPBACK:
        raise CalverifyError(f"{url} is not https, so anyone on the way could change it")


def _checked(remote: Remote, data: bytes) -> bytes:
    found = sha256(data).hexdigest()
    if found != remote.sha256:
        raise CalverifyError(
            f"{remote.url}: the sha256 is {found}, and that of the published file {remote.sha256}; nothing was written"
        )
    return data


def _members(remote: Remote, data: bytes) -> dict[str, bytes]:
    """What is to be written, by path; out of an archive, the members that are named, each checked too."""
    if not remote.members:
        return {remote.path: data}
    found = {}
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            for member, (path, digest) in remote.members.items():
                if archive.getinfo(member).file_size > MOST_BYTES:
                    raise CalverifyError(f"{remote.url}: {member} is over {MOST_BYTES:,} bytes when unpacked")
                found[path] = archive.read(member)
                if sha256(found[path]).hexdigest() != digest:
                    raise CalverifyError(f"{remote.url}: {member} is not the published file; nothing was written")
    except (zipfile.BadZipFile, KeyError) as error:
        raise CalverifyError(f"{remote.url}: no archive with the published files: {error}") from None
    return found
