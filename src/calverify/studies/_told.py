"""What a study will cost, before it begins, and what the checker changed, when it is done."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from calverify.evaluation import Study, Unit
from calverify.problem import Problem
from calverify.sampling import open_run
from calverify.studies._folder import StudyFolder
from calverify.studies._plan import Plan, Policy
from calverify.tasks import prompt

__all__ = ["Ahead", "Changed", "ahead_of", "changed_by"]

CHARACTERS_A_TOKEN = 4  # roughly, before anything is counted


@dataclass(frozen=True, slots=True)
class Ahead:
    """What a policy still has to do: candidates of how many, tokens read at most, written at most, and their price.

    None where nobody set a limit or named a price.
    """

    missing: int
    total: int
    read: int
    written: int | None
    cost: Fraction | None


def ahead_of(plan: Plan, folder: StudyFolder, policy: Policy, problems: Sequence[Problem]) -> Ahead:
    """What this policy will ask for from here on."""
    settings = policy.settings
    pools = len(settings.seeds)
    total = len(problems) * pools * settings.k
    missing = total
    if folder.is_frozen(policy.label):
        missing = 0
    elif (folder.run(policy.label) / "run.json").is_file():
        missing = total - open_run(folder.run(policy.label)).tally()[0].done
    characters = sum(len(prompt(problem)) for problem in problems) * pools * settings.k if missing else 0
    read = characters // CHARACTERS_A_TOKEN * missing // total
    limit = settings.parameters.max_tokens
    written = None if limit is None else missing * limit
    cost = None
    if settings.prices is not None:
        cost = (read * settings.prices[0] + (written or 0) * settings.prices[1]) / 1_000_000
    return Ahead(missing, total, read, written, cost)


@dataclass(frozen=True, slots=True)
class Changed:
    """Pools in which voting and checking disagree about being right.

    `repaired`: voting is wrong and checking right, `lost` the other way round; `hopeless`: no candidate is right.
    `example` is the first repaired pool, else None.
    """

    units: int
    repaired: int
    lost: int
    hopeless: int
    example: Unit | None


def changed_by(study: Study, vote: str = "plurality", checker: str = "calver") -> Changed:
    """What picking by the checker changed in the choices of the vote."""
    repaired = [unit for unit in study.units if unit.right(checker) and not unit.right(vote)]
    lost = sum(unit.right(vote) and not unit.right(checker) for unit in study.units)
    hopeless = sum(not unit.covered for unit in study.units)
    return Changed(len(study.units), len(repaired), lost, hopeless, repaired[0] if repaired else None)
