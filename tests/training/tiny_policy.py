"""A tiny causal model with random weights and a chat template, built where torch is; skipped loudly elsewhere."""

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import NO_TRAINING

TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
SPECIAL = ["<|unk|>", "<|im_start|>", "<|im_end|>"]


def needs_training() -> None:
    if any(find_spec(name) is None for name in ("torch", "transformers", "peft", "gguf")):
        pytest.skip(NO_TRAINING)


def tiny_policy(folder: Path, texts: Iterable[str]) -> Path:
    """Two layers of width 32 with grouped keys, and a tokenizer of the characters of `texts`."""
    needs_training()
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    letters = sorted({letter for text in [*texts, "<|im_start|>userassistant\n"] for letter in text})
    vocabulary = {word: place for place, word in enumerate([*SPECIAL, *letters])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token=SPECIAL[0]))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer.decoder = decoders.Fuse()
    reader = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token=SPECIAL[0], eos_token=SPECIAL[2], additional_special_tokens=SPECIAL[1:]
    )
    reader.chat_template = TEMPLATE
    config = LlamaConfig(
        vocab_size=len(vocabulary), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=4096, tie_word_embeddings=True, eos_token_id=2,
    )  # fmt: skip
    torch.manual_seed(0)
    folder.mkdir()
    LlamaForCausalLM(config).save_pretrained(folder)
    reader.save_pretrained(folder)
    return folder
