"""Where labels meet choices."""

from calverify.evaluation._seal import check_seal, is_revealed, reveal, seal

__all__ = ["check_seal", "is_revealed", "reveal", "seal"]
