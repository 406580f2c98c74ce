"""Studies: units, prefixes, choices made here or before, outcomes, and sealed folders."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

import calverify as cv
from calverify.archives import freeze, read_archive, select_blind
from calverify.evaluation import (
    COVERAGE,
    Outcome,
    outcomes_bytes,
    outcomes_of,
    read_outcomes,
    read_study,
    reveal,
    seal,
    study_of,
)
from calverify.keys import Key, write_keys
from calverify.sampling import SimulatedPolicy
from tests.evaluation.studies import GRAPH, QUERY, by_hand, keys_of, simulated, study
from tests.sheets import sheet_of

POLICY = SimulatedPolicy(right=(Fraction(1, 2), Fraction(1, 10)), wrong=(Fraction(1, 2), Fraction(1, 2)))
PROBLEM = cv.Problem("p", QUERY, GRAPH)
RIGHT, WRONG = (sheet_of(PROBLEM, frozenset({name})).text() for name in "UM")


def test_choices_are_those_of_select():
    archive = simulated(POLICY, 6, 8, seeds=2)
    found = study_of(archive, keys_of(archive))
    assert [(unit.problem, unit.seed) for unit in found.units] == [(pool.problem, pool.seed) for pool in archive.pools]
    for unit, pool in zip(found.units, archive.pools, strict=True):
        problem = archive.problems[pool.problem]
        assert unit.choices["calver"] == cv.select(problem, pool.texts).index
        assert unit.verdicts == tuple(cv.verify(problem, text) for text in pool.texts)
        assert unit.correct == tuple(
            v.answer is not None and cv.check(GRAPH, QUERY, v.answer).valid for v in unit.verdicts
        )
    assert "reward" not in found.selectors  # no candidate has that score


def test_the_oracle_is_right_wherever_anybody_is():
    found = study(POLICY, 20, 4)
    for unit in found.units:
        assert unit.right(COVERAGE) == any(unit.correct[i] for i in range(4) if unit.verdicts[i].admissible)
        assert all(unit.right(COVERAGE) for name in found.selectors if unit.right(name))
    assert 0 < sum(found.right(COVERAGE)) < 20


def test_a_right_answer_that_cannot_be_picked_covers_nothing():
    """Without a slot header the trace is not admissible; it stands with admission "all"."""
    bare = "ANSWER: {U}"
    (unit,) = by_hand(PROBLEM, [[WRONG, bare]]).units
    assert (unit.correct, unit.covered, unit.index(COVERAGE)) == ((False, True), False, None)
    everyone = replace(unit, admission="all")
    assert (everyone.stands, everyone.covered, everyone.index(COVERAGE)) == ((True, True), True, 1)


def test_nothing_picked_is_not_right():
    found = by_hand(PROBLEM, [["nothing to read"], [RIGHT]])
    assert found.right("calver") == (False, True)
    assert [unit.index("calver") for unit in found.units] == [None, 0]
    with pytest.raises(cv.CalverifyError, match="'sorcery' chose nothing in this study; there are "):
        found.right("sorcery")


def test_undetermined_is_counted_apart():
    unit, _ = by_hand(PROBLEM, [[RIGHT], [WRONG]]).units
    found = by_hand(PROBLEM, [[RIGHT], [WRONG]]).only([replace(unit, correct=(None,)), unit])
    assert found.right("calver") == (False, True)
    assert found.undetermined("calver") == 1
    assert [outcome.correct for outcome in outcomes_of(found) if outcome.selector == "calver"] == [None, True]


@pytest.mark.parametrize("k", [1, 3, 8])
def test_a_prefix_is_the_study_of_the_prefixes(k):
    archive = simulated(POLICY, 5, 8, seeds=2)
    whole, cut = study_of(archive, keys_of(archive)), study_of(archive.prefix(k), keys_of(archive))
    assert whole.prefix(k) == cut
    assert (whole.size, cut.size) == (8, k)
    if k == 1:
        assert len({cut.right(name) for name in ("first", "plurality", "calver")}) == 1


def test_a_pool_with_fewer_candidates_is_not_padded():
    with pytest.raises(cv.RecordError, match="has 2 candidates, not 3"):
        by_hand(PROBLEM, [[RIGHT, WRONG]]).prefix(3)


def test_strata_and_clusters_come_from_problem_and_key():
    (unit,) = by_hand(PROBLEM, [[RIGHT]], Key("p", cluster="tale 7", strata={"slice": "confounded"})).units
    assert unit.cluster == "tale 7"
    assert unit.strata == {"task": "backdoor", "form": "find_one", "graph": "dag", "slice": "confounded"}


def test_outcomes_are_written_and_read(tmp_path):
    found = study(POLICY, 3, 4, seeds=2)
    outcomes = outcomes_of(found)
    assert [(o.problem, o.seed, o.selector) for o in outcomes] == [
        (unit.problem, unit.seed, name) for unit, name in product(found.units, found.selectors)
    ]
    file = tmp_path / "outcomes.jsonl"
    file.write_bytes(outcomes_bytes(outcomes))
    assert read_outcomes(file) == outcomes
    file.write_bytes(outcomes_bytes(outcomes) + b'{"problem": "p0", "gold": 1}\n')
    with pytest.raises(cv.LeakError, match=rf"outcomes.jsonl, line {len(outcomes) + 1}"):
        read_outcomes(file)
    assert Outcome.from_json(outcomes[0].to_json()) == outcomes[0]


# ---------------------------------------------------------------- on the disk


@pytest.fixture
def frozen(tmp_path):
    """A frozen folder, and keys beside it."""
    archive = simulated(POLICY, 4, 4)
    freeze(tmp_path / "frozen", archive.problems.values(), archive.pools, archive.manifest)
    write_keys(tmp_path / "keys.jsonl", keys_of(archive).values())
    return tmp_path / "frozen", tmp_path / "keys.jsonl"


def test_a_folder_that_nobody_chose_from_is_chosen_from_here(frozen):
    folder, keys = frozen
    archive = read_archive(folder)
    assert read_study(folder, keys).units == study_of(archive, keys_of(archive)).units


def test_a_sealed_folder_is_graded_after_the_reveal(frozen):
    folder, keys = frozen
    seal(folder, keys)
    with pytest.raises(cv.CalverifyError, match="is sealed; calverify reveal"):
        read_study(folder, keys)
    choices = select_blind(folder, ["calver", "first"], admission="all")
    with pytest.raises(cv.CalverifyError, match="is sealed; calverify reveal"):
        read_study(folder, keys)
    reveal(folder, keys)
    found = read_study(folder, keys)
    assert found.selectors == ("calver", "first")
    assert {unit.admission for unit in found.units} == {"all"}
    made = {(c.problem, c.seed, c.selector): c.index for c in choices}
    assert made == {(u.problem, u.seed, name): u.choices[name] for u in found.units for name in found.selectors}
    assert read_study(folder, keys, ["first"]).selectors == ("first",)
    with pytest.raises(cv.RecordError, match="medoid made no choice from the pool of 'p0', seed 0"):
        read_study(folder, keys, ["medoid"])


def test_what_changed_after_the_reveal_is_refused(frozen):
    folder, keys = frozen
    seal(folder, keys)
    select_blind(folder, ["calver"])
    reveal(folder, keys)
    keys.write_bytes(keys.read_bytes() + b"\n")
    with pytest.raises(cv.CalverifyError, match="keys"):
        read_study(folder, keys)
