"""Where candidates come from.

`simulated` draws them from a known distribution, so that theory and tables can be checked on pools of known truth.
Reading order: `_familiar` (wrong answers), `_damage` (malformed traces), `simulated`.
"""

from calverify.sampling._damage import DAMAGES
from calverify.sampling._familiar import familiar_errors, valid_answers
from calverify.sampling.simulated import Kind, SimulatedPolicy

__all__ = ["DAMAGES", "Kind", "SimulatedPolicy", "familiar_errors", "valid_answers"]
