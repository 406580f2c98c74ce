"""Adapter files: names and order of rows by the slow definition, and the runtime's own words beside transformers'."""

from dataclasses import replace
from pathlib import Path

import pytest

from calverify.errors import CalverifyError
from calverify.training import Shape, gguf_names, write_gguf
from calverify.training._policy import load_policy, read_tokenizer
from calverify.training.recipes import MINIATURE
from tests.sampling.weights import real_weights
from tests.training.tiny_policy import needs_training

LLAMA = Shape("llama", 4, 2)
PLACE = "base_model.model.model.layers.{}.{}.lora_{}.weight"


def test_every_tensor_of_a_block_has_a_name():
    tensors = {PLACE.format(7, module, half): None for module in ("self_attn.o_proj", "mlp.up_proj") for half in "AB"}
    assert [name for name, _, _ in gguf_names(tensors)] == [
        "blk.7.attn_output.weight.lora_a",
        "blk.7.attn_output.weight.lora_b",
        "blk.7.ffn_up.weight.lora_a",
        "blk.7.ffn_up.weight.lora_b",
    ]


NOWHERE = [
    "x",
    "base_model.model.lm_head.lora_A.weight",
    PLACE.format(0, "self_attn.q_proj", "C"),
    PLACE.format(0, "mlp.router_proj", "A"),
]


@pytest.mark.parametrize("name", NOWHERE)
def test_a_tensor_without_a_place_is_refused(name):
    with pytest.raises(CalverifyError, match="no place for"):
        list(gguf_names({name: None}))


def test_another_architecture_is_refused():
    with pytest.raises(CalverifyError, match="not for 'qwen2'"):
        Shape("qwen2", 4, 2)


def slowly(rows: list[list[float]], heads: int) -> list[list[float]]:
    """Each head by itself: its first half's rows and its second half's, in turn."""
    size = len(rows) // heads
    found = []
    for head in range(heads):
        own = rows[head * size : (head + 1) * size]
        for first, second in zip(own[: size // 2], own[size // 2 :], strict=True):
            found += [first, second]
    return found


def test_what_is_written_is_what_a_reader_finds(tmp_path):
    needs_training()
    import gguf
    import numpy as np

    rng = np.random.default_rng(0)
    sizes = {"self_attn.q_proj": 16, "self_attn.k_proj": 8, "self_attn.v_proj": 8}
    tensors = {PLACE.format(0, module, "B"): rng.normal(size=(rows, 2)) for module, rows in sizes.items()}
    tensors |= {PLACE.format(0, module, "A"): rng.normal(size=(2, 16)) for module in sizes}
    file = tmp_path / "adapter.gguf"
    write_gguf(file, tensors, 8, LLAMA, "tiny")
    reader = gguf.GGUFReader(file)
    found = {tensor.name: np.array(tensor.data).tolist() for tensor in reader.tensors}

    def half(name: str) -> list[list[float]]:
        return tensors[name].astype(np.float16).tolist()

    assert found == {
        **{f"blk.0.attn_{one}.weight.lora_a": half(PLACE.format(0, f"self_attn.{one}_proj", "A")) for one in "qkv"},
        "blk.0.attn_q.weight.lora_b": slowly(half(PLACE.format(0, "self_attn.q_proj", "B")), 4),
        "blk.0.attn_k.weight.lora_b": slowly(half(PLACE.format(0, "self_attn.k_proj", "B")), 2),
        "blk.0.attn_v.weight.lora_b": half(PLACE.format(0, "self_attn.v_proj", "B")),
    }
    fields = {name: reader.fields[name].contents() for name in ("adapter.type", "adapter.lora.alpha", "general.type")}
    assert fields == {"adapter.type": "lora", "adapter.lora.alpha": 8.0, "general.type": "adapter"}
    again = tmp_path / "again.gguf"
    write_gguf(again, tensors, 8, LLAMA, "tiny")
    assert again.read_bytes() == file.read_bytes()


# ---------------------------------------------------------------- beside the runtime

ASKED = "Name three colours."
TOP = 20


def runtime_logs(weights: Path, adapter: Path | None) -> dict[int, float]:
    """The log-probabilities of the likeliest first tokens, as the runtime gives them."""
    from calverify.sampling._runtime import Setup, started

    body = {"messages": [{"role": "user", "content": ASKED}], "max_tokens": 1, "temperature": 0, "logprobs": True,
            "top_logprobs": TOP}  # fmt: skip
    reply = started(Setup("m", weights, adapter, 1, 256)).handle_chat_completions(body)
    told = reply["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
    return {row["id"]: row["logprob"] for row in told}


def test_the_runtime_computes_what_transformers_does(tmp_path):
    """Not exactly: the runtime multiplies quantised numbers.  With q and k in the other order it is another model."""
    needs_training()
    weights = real_weights()
    import torch

    torch.set_num_threads(1)
    policy = load_policy(weights, replace(MINIATURE, dtype="float32"), seed=0)
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for name, value in policy.trained().items():
            if "lora_B" in name:  # a fresh adapter changes nothing, and this one much
                value.copy_(torch.randn(value.shape, generator=generator) * 0.15)
    tokenizer = read_tokenizer(weights)
    turn = [{"role": "user", "content": ASKED}]
    shown = tokenizer.apply_chat_template(turn, add_generation_prompt=True, tokenize=False)
    tokens = tokenizer(shown, add_special_tokens=False, return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        adapted = torch.log_softmax(policy.adapted(input_ids=tokens).logits[0, -1], dim=-1)
        with policy.adapted.disable_adapter():
            plain = torch.log_softmax(policy.adapted(input_ids=tokens).logits[0, -1], dim=-1)
    tensors = {name.replace(".default", ""): value.detach().numpy() for name, value in policy.trained().items()}
    right, wrong = tmp_path / "right.gguf", tmp_path / "wrong.gguf"
    write_gguf(right, tensors, MINIATURE.alpha, Shape.of(policy.config), "right")
    write_gguf(wrong, tensors, MINIATURE.alpha, Shape("llama", 1, 1), "wrong")

    def apart(logs: dict[int, float], model: torch.Tensor) -> float:
        """The mean difference over the tokens that the runtime finds likeliest."""
        assert len(logs) == TOP
        return sum(abs(value - float(model[token])) for token, value in logs.items()) / TOP

    unadapted = runtime_logs(weights, None)
    noise = apart(unadapted, plain)
    assert max(noise, apart(runtime_logs(weights, right), adapted)) < 0.25
    assert apart(unadapted, adapted) > 1  # had the adapter been left out
    assert apart(runtime_logs(weights, wrong), adapted) > 0.7  # had the rows been left where they were
