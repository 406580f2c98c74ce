"""One task about sets against its oracle: every set judged, solved, proved and mended."""

from random import Random

from tests.agreement import all_sets_agree, set_is_mended, set_is_proved, sets_are_solved, some
from tests.problems import known


def set_task_agrees(task: str, kind: str, count: int) -> None:
    tried = 0
    for seed in range(count):
        rng = Random(f"{task} {kind} {seed}")
        drawn = known(rng, task, kind)
        tried += all_sets_agree(drawn)
        sets_are_solved(drawn)
        for names in [*some(rng, drawn.right, 4), *some(rng, drawn.wrong, 6), frozenset({"nowhere"})]:
            set_is_proved(drawn, names)
        for names in [*some(rng, drawn.right, 1), *some(rng, drawn.wrong, 2)]:
            set_is_mended(drawn, names)
    assert tried > 20 * count
