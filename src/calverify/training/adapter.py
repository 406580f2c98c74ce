"""A LoRA of peft as the adapter file that llama.cpp loads.

Rule 1: llama.cpp keeps the rows of q and k in another order than transformers does (each head's two halves interleaved,
for its rotary positions), so their `lora_B` rows are put into that order; nothing else changes but names and precision.
Rule 2: what this file does not know (another architecture, a module that is no linear layer of a block) is refused.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calverify.errors import CalverifyError
from calverify.names import brief
from calverify.training._libraries import library

__all__ = ["Shape", "gguf_names", "write_gguf"]

MODULES = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
TENSOR = re.compile(r"base_model\.model\.model\.layers\.(\d++)\.((?:self_attn|mlp)\.[a-z]++_proj)\.lora_([AB])\.weight")
PERMUTED = ("attn_q", "attn_k")
ARCHITECTURES = ("llama",)


@dataclass(frozen=True, slots=True)
class Shape:
    """What llama.cpp has to know of the model under the adapter."""

    architecture: str
    heads: int
    key_heads: int

    def __post_init__(self) -> None:
        if self.architecture not in ARCHITECTURES:
            raise CalverifyError(
                f"adapters are written for {', '.join(ARCHITECTURES)}, not for {brief(self.architecture)}: its rows "
                "may be in another order"
            )

    @classmethod
    def of(cls, config: Any) -> "Shape":
        """The shape that a configuration of transformers tells."""
        return cls(config.model_type, config.num_attention_heads, config.num_key_value_heads)


def gguf_names(tensors: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """(name, module, tensor) in llama.cpp's names; a tensor that has none is refused."""
    for name, value in tensors.items():
        found = TENSOR.fullmatch(name)
        if found is None or found[2] not in MODULES:
            raise CalverifyError(f"an adapter file has no place for {brief(name)}")
        module = MODULES[found[2]]
        yield f"blk.{int(found[1])}.{module}.weight.lora_{found[3].lower()}", module, value


def write_gguf(path: Path, tensors: Mapping[str, Any], alpha: float, shape: Shape, name: str) -> None:
    """Write the adapter in half precision; `tensors` are peft's, as arrays or tensors of floats."""
    gguf, numpy = library("gguf"), library("numpy")
    draft = path.with_name(f".{path.name}.draft")
    writer = gguf.GGUFWriter(draft, shape.architecture)
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_name(name)
    writer.add_string(gguf.Keys.Adapter.TYPE, "lora")
    writer.add_float32(gguf.Keys.Adapter.LORA_ALPHA, float(alpha))
    heads = {"attn_q": shape.heads, "attn_k": shape.key_heads}
    for ours, module, value in sorted(gguf_names(tensors), key=lambda row: row[0]):
        rows = numpy.asarray(value, dtype=numpy.float32)
        if ours.endswith("_b") and module in PERMUTED:
            rows = _interleaved(rows, heads[module])
        writer.add_tensor(ours, numpy.ascontiguousarray(rows.astype(numpy.float16)))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    draft.replace(path)


def _interleaved(rows: Any, heads: int) -> Any:
    """The rows of each head, its first half and its second in turn: 0 1 2 3 -> 0 2 1 3."""
    count, width = rows.shape
    return rows.reshape(heads, 2, count // heads // 2, width).swapaxes(1, 2).reshape(count, width)
