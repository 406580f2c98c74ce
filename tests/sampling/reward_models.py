"""A tiny reward model with random weights, built where torch and transformers are; skipped loudly elsewhere."""

from importlib.util import find_spec
from pathlib import Path
from string import ascii_lowercase

import pytest

from tests.conftest import NO_TORCH

VOCABULARY = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    *ascii_lowercase,
    *(f"##{c}" for c in ascii_lowercase),
]


def tiny_reward_model(folder: Path, outputs: int = 1, head: bool = True, positions: int = 4096) -> Path:
    """A sequence classifier of two small layers, saved with its tokenizer."""
    if find_spec("torch") is None or find_spec("transformers") is None:
        pytest.skip(NO_TORCH)
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertModel, BertTokenizer
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    folder.mkdir()
    words = folder / "vocab.txt"
    words.write_text("\n".join(VOCABULARY) + "\n", encoding="utf-8")
    config = BertConfig(
        vocab_size=len(VOCABULARY), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=positions, num_labels=outputs,
    )  # fmt: skip
    torch.manual_seed(0)
    model = (BertForSequenceClassification if head else BertModel)(config)
    model.save_pretrained(folder)
    BertTokenizer(str(words), model_max_length=positions).save_pretrained(folder)
    return folder
