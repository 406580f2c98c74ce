"""What training runs on, imported when it is needed."""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from calverify.errors import CalverifyError

__all__ = ["library", "versions"]

LIBRARIES = ("torch", "transformers", "peft", "gguf", "safetensors", "numpy")


def library(name: str) -> Any:
    """A module of the extra `train`; where it is absent, what to install is said."""
    try:
        return import_module(name)
    except ImportError as error:
        raise CalverifyError(
            f"training runs on {', '.join(LIBRARIES[:4])}, and there is no {error.name or name} here: "
            "pip install 'calverify[train]'"
        ) from None


def versions() -> dict[str, str]:
    """The versions of what training runs on, as far as it is there."""
    found = {}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
