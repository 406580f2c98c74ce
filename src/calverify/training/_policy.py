"""The policy that is trained: a model's own weights with a LoRA on them, and how examples become tokens.

Rule 1: a model is a file of the runtime (.gguf), whose weights become floats here, or a folder of Hugging Face's shape.
Rule 2: weights are read as GGUF or safetensors and no code comes with a model, so nothing that is read runs.
"""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from calverify.archives import read_bytes
from calverify.errors import CalverifyError
from calverify.names import brief
from calverify.sampling import digest_of
from calverify.training._libraries import library
from calverify.training.examples import Example
from calverify.training.recipes import Recipe

__all__ = ["Encoded", "Policy", "encoded", "load_policy", "model_digest", "read_tokenizer"]

QUANTISED = ("hf_quantizer", "quantization_method", "is_quantized")  # what a model read from GGUF says of itself


@dataclass(frozen=True, slots=True)
class Encoded:
    """The tokens of an example: those from `start` on are to be learned."""

    tokens: tuple[int, ...]
    start: int


@dataclass(frozen=True, slots=True)
class Policy:
    """A model with an adapter: `adapted` is peft's, `body` and `head` are the parts of the model under it."""

    adapted: Any
    body: Any
    head: Any

    @property
    def config(self) -> Any:
        return self.adapted.config

    def trained(self) -> dict[str, Any]:
        """The parameters that are trained, by name."""
        return {name: value for name, value in self.adapted.named_parameters() if value.requires_grad}


def model_digest(model: Path) -> str:
    """The sha256 of a model: of its file, or of its folder's files by name."""
    if model.is_file():
        return digest_of(model)
    files = sorted(path for path in model.rglob("*") if path.is_file())
    if not files:
        raise CalverifyError(f"there is no model at {model}: name a .gguf file or a folder with config and weights")
    lines = [f"{sha256(read_bytes(path)).hexdigest()}  {path.relative_to(model).as_posix()}\n" for path in files]
    return sha256("".join(lines).encode("utf-8", "backslashreplace")).hexdigest()


def _where(model: Path) -> tuple[Path, dict[str, Any]]:
    """The folder that transformers is told, and what else."""
    return (model.parent, {"gguf_file": model.name}) if model.is_file() else (model, {})


def read_tokenizer(model: Path) -> Any:
    folder, more = _where(model)
    try:
        tokenizer = library("transformers").AutoTokenizer.from_pretrained(folder, **more)
    except (OSError, ValueError) as error:
        raise CalverifyError(f"cannot read the tokenizer of {model}: {brief(str(error))}") from None
    if tokenizer.chat_template is None or tokenizer.eos_token is None:
        raise CalverifyError(f"{model} has no chat template or no end of a turn: it is no model that is asked")
    return tokenizer


def load_policy(model: Path, recipe: Recipe, seed: int) -> Policy:
    """The model with a fresh adapter; the same seed gives the same numbers."""
    torch, peft = library("torch"), library("peft")
    folder, more = _where(model)
    bars = library("transformers.utils.logging")
    shown = bars.is_progress_bar_enabled()
    bars.disable_progress_bar()
    try:
        causal = library("transformers").AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, **more)
    except (OSError, ValueError) as error:
        raise CalverifyError(f"cannot load {model}: {brief(str(error))}") from None
    finally:
        (bars.enable_progress_bar if shown else bars.disable_progress_bar)()
    _forget_quantisation(causal)
    causal.config.use_cache = False
    causal.train()
    torch.manual_seed(seed)
    lora = peft.LoraConfig(
        r=recipe.rank, lora_alpha=recipe.alpha, target_modules=list(recipe.modules), task_type="CAUSAL_LM"
    )
    try:
        with warnings.catch_warnings():  # peft and transformers have words with each other about old names
            warnings.simplefilter("ignore", FutureWarning)
            adapted = peft.get_peft_model(causal, lora)
    except ValueError as error:
        raise CalverifyError(f"the recipe {recipe.name} does not fit {model}: {brief(str(error))}") from None
    return Policy(adapted, causal.get_decoder(), causal.get_output_embeddings())


def _forget_quantisation(causal: Any) -> None:
    """The weights are floats now; what says otherwise would send peft down another way."""
    for name in QUANTISED:
        if name in vars(causal):
            delattr(causal, name)
    if hasattr(causal.config, "quantization_config"):
        del causal.config.quantization_config


def encoded(examples: Iterable[Example], tokenizer: Any, longest: int) -> list[Encoded]:
    """The examples as tokens: the prompt as a user's turn in the model's own chat, the completion and its end."""
    found = []
    for example in examples:
        turn = [{"role": "user", "content": example.prompt}]
        shown = tokenizer.apply_chat_template(turn, add_generation_prompt=True, tokenize=False)
        before = tokenizer(shown, add_special_tokens=False)["input_ids"]
        after = tokenizer(example.completion + tokenizer.eos_token, add_special_tokens=False)["input_ids"]
        if len(before) + len(after) > longest:
            raise CalverifyError(
                f"the example of problem {example.problem!r} has {len(before) + len(after):,} tokens; the recipe takes "
                f"{longest:,}: leave it out"
            )
        found.append(Encoded((*before, *after), len(before)))
    return found
