"""A reward model: a Hugging Face sequence classifier with one output, in this process, shown the trace alone or with
the problem as its context.

Rule 1: the model is pinned: one of the hub by the hash of a commit, a folder by the sha256 of its files.
Rule 2: weights are read as safetensors and no code comes with a model, so nothing that is downloaded runs.
Rule 3: one trace at a time, so that no trace's number depends on its neighbours'; none is cut to fit.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import Any

from calverify.archives import read_bytes
from calverify.errors import CalverifyError, Fault
from calverify.names import brief, listing
from calverify.sampling._request import Source
from calverify.sampling.scores._rating import Ask, Rating, Unit
from calverify.sampling.scores._shown import inert
from calverify.tasks import prompt

__all__ = ["CONTEXTS", "DTYPES", "REWARD_PROMPT", "Reward", "folder_digest"]

REWARD_PROMPT = "reward 1"
CONTEXTS = ("trace", "problem")
DTYPES = ("float32", "bfloat16", "float16")
COMMIT = re.compile(r"[0-9a-f]{40}")
NO_LIMIT = 10**9  # tokenizers without a limit claim one far above this


@dataclass(frozen=True, slots=True, kw_only=True)
class Reward:
    """`Reward.load("owner/name", revision="<commit>", context="problem")`."""

    model: str
    revision: str
    context: str
    dtype: str
    most_tokens: int | None
    _reader: Any = field(repr=False)
    _classifier: Any = field(repr=False)

    @classmethod
    def load(
        cls,
        model: str,
        *,
        revision: str | None = None,
        context: str = CONTEXTS[0],
        device: str = "cpu",
        dtype: str = DTYPES[0],
        longest: int | None = None,
    ) -> "Reward":
        """The model of that name or in that folder; of over `longest` tokens it is shown nothing."""
        if context not in CONTEXTS or dtype not in DTYPES:
            raise CalverifyError(f"the context is one of {', '.join(CONTEXTS)}, the dtype one of {', '.join(DTYPES)}")
        pinned = _pinned(model, revision)
        torch, transformers = _library("torch"), _library("transformers")
        local = Path(model).is_dir()
        where: Mapping[str, Any] = {} if local else {"revision": pinned}
        try:
            reader = transformers.AutoTokenizer.from_pretrained(model, **where)
            classifier, loading = transformers.AutoModelForSequenceClassification.from_pretrained(
                model, dtype=getattr(torch, dtype), use_safetensors=True, output_loading_info=True, **where
            )
            classifier = classifier.to(torch.device(device)).eval()
        except (OSError, ValueError, RuntimeError) as error:
            raise CalverifyError(f"cannot load the reward model {model}: {_first_line(error)}") from None
        if absent := sorted(loading["missing_keys"]):  # they would be drawn at random
            raise CalverifyError(f"{model} is no reward model: it has no weights for {listing(absent)}")
        if classifier.config.num_labels != 1:
            raise CalverifyError(
                f"{model} has {classifier.config.num_labels} outputs; a reward model has one, which is the reward"
            )
        limits = [longest, reader.model_max_length, getattr(classifier.config, "max_position_embeddings", None)]
        most = min((limit for limit in limits if limit is not None and limit < NO_LIMIT), default=None)
        name = Path(model).resolve().name if local else model
        return cls(
            model=name, revision=pinned, context=context, dtype=dtype, most_tokens=most,
            _reader=reader, _classifier=classifier,
        )  # fmt: skip

    @property
    def score(self) -> str:
        return "reward"

    @property
    def source(self) -> Source | None:
        return None

    def made(self) -> dict[str, Any]:
        settings = {"context": self.context, "dtype": self.dtype, "backend": f"transformers {self._version}"}
        limit = {} if self.most_tokens is None else {"max_length": self.most_tokens}
        return {
            "model": self.model,
            "revision": self.revision,
            "prompt_version": REWARD_PROMPT,
            "settings": {**settings, **limit},
        }

    @property
    def _version(self) -> str:
        return str(_library("transformers").__version__)

    async def rate(self, unit: Unit, ask: Ask) -> Rating:
        """The model's one output for the trace, as a number."""
        torch = _library("torch")
        tokens = self._tokens(unit)
        count = int(tokens["input_ids"].shape[-1])
        if self.most_tokens is not None and count > self.most_tokens:
            return Rating.of(Fault("reward", f"{count:,} tokens; the model reads {self.most_tokens:,}"))
        if not count:
            return Rating.of(Fault("reward", "there is nothing to read"))
        with torch.inference_mode():
            output = self._classifier(**tokens.to(self._classifier.device)).logits
        number = float(output.float().reshape(-1)[0])
        if not isfinite(number):
            return Rating.of(Fault("reward", f"the model gives {number}"), tokens=(count, 0))
        return Rating.of(number, tokens=(count, 0))

    def _tokens(self, unit: Unit) -> Any:
        """What the model reads: the trace; or the problem and the trace, as a chat where the model has a template."""
        trace = inert(unit.candidate.text)
        if self.context == "trace":
            return self._reader(trace, return_tensors="pt")
        asked = inert(prompt(unit.problem))
        if not self._reader.chat_template:
            return self._reader(asked, trace, return_tensors="pt")
        turns = [{"role": "user", "content": asked}, {"role": "assistant", "content": trace}]
        text = self._reader.apply_chat_template(turns, tokenize=False)
        return self._reader(text, return_tensors="pt", add_special_tokens=False)  # the template wrote them


def folder_digest(folder: Path) -> str:
    """The sha256 of a folder's files by name, as a revision: the same files give the same."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    lines = [f"{sha256(read_bytes(path)).hexdigest()}  {path.relative_to(folder).as_posix()}\n" for path in files]
    return f"sha256:{sha256(''.join(lines).encode('utf-8', 'backslashreplace')).hexdigest()}"


def _pinned(model: str, revision: str | None) -> str:
    """The revision that names these weights and no others."""
    folder = Path(model)
    if folder.is_dir():
        found = folder_digest(folder)
        if revision not in (None, found):
            raise CalverifyError(f"{model} is {found}, and not the revision {brief(revision)} that was asked for")
        return found
    if revision is None or not COMMIT.fullmatch(revision):
        raise CalverifyError(
            f"{model} is no folder here, so it is a model of the hub: pin it with --revision and the 40 digits of a "
            f"commit, not {brief(revision)}"
        )
    return revision


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise CalverifyError(
            f"a reward model runs on torch and transformers, and there is no {error.name or name} here: pip install "
            "torch transformers"
        ) from None


def _first_line(error: Exception) -> str:
    return brief(str(error).strip().partition("\n")[0]) if str(error).strip() else type(error).__name__
