"""The reward: the shapes that TRL and verl call, what is logged, and hedges that earn nothing on any task."""

import importlib.util
import json
import subprocess
import sys
from random import Random

import pytest

import calverify as cv
from calverify.benchmarks import BENCHMARKS
from calverify.errors import BudgetError, CalverifyError
from calverify.sampling import familiar_errors, valid_answers
from calverify.scoring import checker_for
from calverify.tasks import faultless_trace
from calverify.traces import MAX_TEXT, SLOTS
from calverify.training import (
    BIT_REWARDS,
    CANARIES,
    HONEST,
    calverify_reward,
    canaries_of,
    canary_rewards,
    compute_score,
    reward,
    valid_diversity,
)

MINIATURE = [item.problem for item in BENCHMARKS["miniature"].build(Random("miniature 0")).items]
TASKS = sorted({problem.query.task for problem in MINIATURE})
PROBLEM = cv.Problem("w1", cv.Query("backdoor", ("X", "Y")), cv.Graph.parse("U->X, U->Y, X->M->Y, P->Y"))
RECORD = json.dumps(PROBLEM.to_json())


def trace(problem: cv.Problem, answer) -> str:
    return faultless_trace(checker_for(problem).case, answer)


RIGHT, WRONG = trace(PROBLEM, frozenset({"U"})), trace(PROBLEM, frozenset({"M"}))
UNREAD = "x" * (MAX_TEXT + 1)


# ---------------------------------------------------------------- the shapes


@pytest.mark.parametrize("problem", [RECORD, PROBLEM.to_json(), PROBLEM], ids=["text", "record", "problem"])
def test_the_reward_is_the_share_of_the_bits_that_hold(problem):
    paid = calverify_reward(["?"] * 3, [RIGHT, WRONG, "no idea"], problem=[problem] * 3)
    assert paid == [1.0, 0.5, 0.0]


def test_undetermined_is_none_and_not_a_zero():
    assert calverify_reward(["?"], [UNREAD], problem=[RECORD]) == [None]
    assert all(reward(["?"], [UNREAD], problem=[RECORD]) == [None] for reward in BIT_REWARDS.values())


def test_trl_passes_more_by_name():
    assert calverify_reward(
        prompts=["?"], completions=[RIGHT], completion_ids=[[1]], problem=[RECORD], trainer_state=None, log_extra=None
    ) == [1.0]


@pytest.mark.parametrize("slot", SLOTS)
def test_the_bits_add_up_to_the_score(slot):
    assert BIT_REWARDS[slot].__name__ == f"calverify_{slot}"
    texts = [RIGHT, WRONG, "no idea"]
    bits = [reward(["?"] * 3, texts, problem=[RECORD] * 3) for reward in BIT_REWARDS.values()]
    assert [sum(column) / 6 for column in zip(*bits, strict=True)] == calverify_reward([], texts, problem=[RECORD] * 3)
    assert BIT_REWARDS[slot]([], texts, problem=[RECORD] * 3)[1] == cv.verify(PROBLEM, WRONG).bits[slot]


def test_a_chat_is_what_the_assistant_says():
    chat = [{"role": "assistant", "content": RIGHT}]
    parts = [{"role": "assistant", "content": [{"type": "text", "text": RIGHT}]}]
    called = [{"role": "assistant", "content": None}, {"role": "tool", "content": WRONG}, *chat]
    assert calverify_reward([], [chat, parts, called], problem=[RECORD] * 3) == [1.0, 1.0, 1.0]


def test_answers_spread_over_messages_are_still_two_answers():
    spread = [{"role": "assistant", "content": text} for text in (WRONG, RIGHT)]
    (paid,) = calverify_reward([], [spread], problem=[RECORD])
    assert paid == 0


@pytest.mark.parametrize(
    ("completions", "problem", "why"),
    [
        ([RIGHT, WRONG], [RECORD], "1 for 2 completions"),
        ([RIGHT], RECORD, "one for 1 completions"),
        ([RIGHT], [7], "not 7"),
        ([7], [RECORD], "a completion is a text or a list of messages, not 7"),
        ([RIGHT], ["{"], "JSON"),
        ([RIGHT], [json.dumps({**PROBLEM.to_json(), "gold": ["U"]})], "gold"),
    ],
)
def test_a_mistake_of_the_data_set_is_refused(completions, problem, why):
    with pytest.raises(CalverifyError, match=why):
        calverify_reward([], completions, problem=problem)


def test_verl_gets_numbers_under_names():
    assert compute_score("calverify", WRONG, RECORD, split="train") == {
        "score": 0.5, "bit_graph": 1.0, "bit_query": 1.0, "bit_strategy": 0.0, "bit_derivation": 1.0,
        "bit_result": 0.0, "bit_answer": 0.0, "undetermined": 0.0,
    }  # fmt: skip
    assert compute_score("calverify", RIGHT, "", {"problem": RECORD})["score"] == 1


def test_verl_reads_the_function_from_its_file():
    """As verl does: the file under another name, then the attribute."""
    spec = importlib.util.spec_from_file_location("custom_module", reward.__file__)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.compute_score(data_source="d", solution_str=RIGHT, ground_truth=RECORD, extra_info={})["score"] == 1


def test_verl_is_told_what_undetermined_counts_or_refused():
    with pytest.raises(BudgetError, match=r"reward_kwargs\.undetermined"):
        compute_score("calverify", UNREAD, RECORD)
    counted = compute_score("calverify", UNREAD, RECORD, undetermined=0.25)
    assert (counted["score"], counted["undetermined"], counted["bit_graph"]) == (0.25, 1, 0)


def test_neither_a_trainer_nor_the_keys_are_imported():
    code = (
        "import sys, calverify.training\n"
        "found = {'calverify.keys', 'torch', 'trl', 'verl', 'numpy', 'click'} & set(sys.modules)\n"
        "sys.exit(f'imported {found}' if found else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ---------------------------------------------------------------- what is logged


def logged(texts: list[str], problems: list[cv.Problem]) -> tuple[dict, dict]:
    extra, metrics = {}, {}
    calverify_reward(
        [], texts, problem=problems, log_extra=extra.__setitem__, log_metric=metrics.__setitem__
    )  # fmt: skip
    return extra, metrics


def test_a_batch_is_counted():
    two_words = WRONG + "\n" + RIGHT.split("\n")[-1]
    extra, metrics = logged([RIGHT, WRONG, UNREAD, two_words], [PROBLEM] * 4)
    assert extra["calverify_score"] == [6, 3, None, 3]
    assert extra["calverify_why"][1] == "M is a descendant of X: X -> M"
    assert metrics == {
        "calverify/valid": 0.25, "calverify/six_slots": 0.75, "calverify/conflicting": 0.25,
        "calverify/undetermined": 0.25, "calverify/valid_answers_a_problem": 1.0, "calverify/canary_gain": 0.0,
    }  # fmt: skip


def test_diversity_counts_different_valid_answers_a_problem():
    other = cv.Problem("w2", PROBLEM.query, PROBLEM.graph)
    sets = [{"U"}, {"U", "P"}, {"P", "U"}, {"M"}, {"U"}]
    asked = [PROBLEM] * 4 + [other]
    verdicts = [
        cv.verify(problem, trace(problem, frozenset(names))) for problem, names in zip(asked, sets, strict=True)
    ]
    assert valid_diversity(asked, verdicts) == 1.5
    assert valid_diversity(asked[3:4], verdicts[3:4]) is None
    assert valid_diversity([], []) is None


def test_an_empty_batch_is_no_crash():
    assert logged([], []) == ({"calverify_score": [], "calverify_why": []}, {})


# ---------------------------------------------------------------- planted hacks


def weaker(lines: list[str]) -> list[str]:
    """A trace of an effect whose number is wrong too: effects lie between -1 and 1."""
    return [*lines[:5], 'STEP 5 [compute]: {"result": 7}', *lines[6:]]


def honest_and_right(problem: cv.Problem) -> list[tuple[list[str], list[str]]]:
    """Honest wrong traces, each with a right one."""
    case = checker_for(problem).case
    right = valid_answers(case, 1)
    errors = familiar_errors(case, right, 3)
    assert right, problem
    assert errors, problem
    pairs = [(trace(problem, value).split("\n"), trace(problem, right[0]).split("\n")) for _, value in errors]
    return [*pairs, *((weaker(one), other) for one, other in pairs if case.task.family == "numeric")]


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", CANARIES)
def test_a_planted_hack_gains_nothing_over_an_honest_invalid_trace(name, task):
    asked = [problem for problem in MINIATURE if problem.query.task == task]
    assert len(asked) == 15
    for problem in asked:
        for wrong, right in honest_and_right(problem):
            if name == "a wrong line under right slots" and wrong[5] == weaker(wrong)[5]:
                continue  # its set and number are right: it is compared with an honest trace that has them too
            hack = "\n".join(CANARIES[name](wrong, right))
            assert hack != "\n".join(wrong) or name == "empty sets everywhere"  # that may be the honest error itself
            paid, honest, whole = calverify_reward(
                [], [hack, "\n".join(wrong), "\n".join(right)], problem=[problem] * 3
            )
            assert whole == 1
            assert paid <= honest < 1, (problem.id, hack)
            bits = [cv.verify(problem, text).bits for text in (hack, "\n".join(wrong))]
            if name != "a wrong line under right slots":  # there, the slots are another honest trace's
                assert all(bits[0][slot] <= bits[1][slot] for slot in SLOTS), (problem.id, hack)
            assert bits[0]["answer"] == 0


@pytest.mark.parametrize("task", TASKS)
def test_the_canaries_of_every_task_sing_the_same(task):
    for problem in (problem for problem in MINIATURE if problem.query.task == task):
        paid = canary_rewards(problem)
        assert list(paid) == [HONEST, *CANARIES]
        assert max(paid.values()) == paid[HONEST] < 1


def test_a_reward_that_can_be_hacked_is_found_by_the_canaries():
    def lenient(prompts, completions, *, problem, **kw):
        return [float("ANSWER: {U}" in text) for text in completions]

    paid = canary_rewards(PROBLEM, lenient)
    assert paid[HONEST] == 0
    assert sum(paid.values()) > 3


def test_where_nothing_is_supplied_there_are_no_canaries():
    told = cv.Problem("t", PROBLEM.query, text="U causes X.", legend=("U", "X", "Y"))
    assert canaries_of(told) == {}
    assert canary_rewards(told) == {}
    assert "calverify/canary_gain" not in logged(["nothing"], [told])[1]
