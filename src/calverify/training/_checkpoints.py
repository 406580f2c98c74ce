"""The folder of a training: what was asked, the loss of every step, and one checkpoint that is whole or not there.

Rule 1: a checkpoint is one file of safetensors, put in place by a rename, so a kill at any moment leaves the last one.
Rule 2: the losses behind the checkpoint are cut off when a training goes on, because those steps are made again.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calverify.archives import make_folder, read_bytes, write_atomically
from calverify.errors import CalverifyError
from calverify.records import json_line, located, read_lines, read_strict_json
from calverify.training._libraries import library
from calverify.training.examples import Example, read_examples

__all__ = ["TrainingFolder"]

SETTINGS, EXAMPLES, LOSSES, CHECKPOINT = "settings.json", "examples.jsonl", "losses.jsonl", "checkpoint.safetensors"
MANIFEST, PLOT, ADAPTER, GGUF = "manifest.json", "losses.svg", "adapter", "adapter.gguf"


@dataclass(frozen=True, slots=True)
class TrainingFolder:
    """Where everything of one training lies."""

    path: Path

    @classmethod
    def new(cls, path: Path, settings: dict[str, Any], examples: bytes) -> "TrainingFolder":
        """A new folder with what was asked in it; one that holds anything is refused."""
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise CalverifyError(f"{path} is not empty: name a new folder, or go on with calverify train sft --resume")
        make_folder(path)
        write_atomically(path / EXAMPLES, examples)
        write_atomically(path / SETTINGS, json_line(settings))
        return cls(path)

    def settings(self) -> dict[str, Any]:
        file = self.path / SETTINGS
        if not file.is_file():
            raise CalverifyError(f"{self.path} is no folder of a training: there is no {SETTINGS} in it")
        with located(str(file)):
            record = read_strict_json(read_bytes(file).decode("utf-8"))
        if not isinstance(record, dict):
            raise CalverifyError(f"{file} must hold a JSON object")
        return record

    def examples(self) -> list[Example]:
        return read_examples(read_bytes(self.path / EXAMPLES), str(self.path / EXAMPLES))

    # ------------------------------------------------------------ losses

    def losses(self) -> list[dict[str, Any]]:
        """The steps that were made, in order; a torn last line is no step."""
        file = self.path / LOSSES
        if not file.is_file():
            return []
        whole, _, _ = read_bytes(file).rpartition(b"\n")
        return [record for _, record in read_lines(whole + b"\n", str(file))] if whole else []

    def keep_losses(self, steps: int) -> None:
        """Cut off what was made behind a checkpoint of so many steps."""
        kept = b"".join(json_line(record) for record in self.losses()[:steps])
        write_atomically(self.path / LOSSES, kept)

    def add_loss(self, record: dict[str, Any]) -> None:
        with (self.path / LOSSES).open("ab") as file:
            file.write(json_line(record))

    # ------------------------------------------------------------ checkpoints

    def save(self, steps: int, tensors: dict[str, Any]) -> None:
        """Put a checkpoint in the place of the last one."""
        draft = self.path / f".{CHECKPOINT}.draft"
        library("safetensors.torch").save_file(tensors, draft, metadata={"steps": str(steps)})
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        draft.replace(self.path / CHECKPOINT)

    def saved(self) -> tuple[int, dict[str, Any]]:
        """How many steps the checkpoint holds, and its tensors; (0, {}) where there is none."""
        file = self.path / CHECKPOINT
        if not file.is_file():
            return 0, {}
        safetensors = library("safetensors")
        try:
            with safetensors.safe_open(file, framework="pt") as opened:
                steps = int(json.loads((opened.metadata() or {}).get("steps", "-1")))
                tensors = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118
        except (safetensors.SafetensorError, ValueError) as error:
            raise CalverifyError(f"{file} is damaged ({error}): remove it, and the training begins anew") from None
        return steps, tensors
