"""CLEAR's development rows about identification: the key says whether the effect can be identified, and so do we.

A yes comes with an estimand that equals the effect in an enumerated model, a no with a hedge and two models.
"""

from collections import Counter

import pytest

from calverify.docalculus._hedge import Hedge
from calverify.docalculus._identify import Estimand, identify
from calverify.docalculus._witness import two_models
from tests.clear_rows import Row, rows_of
from tests.docalculus.effects import Asked, equals
from tests.oracles import effects_by_truncation, hedges, id_algorithm
from tests.oracles.two_models import distribution, effects

ROWS = 60


def asked_in(row: Row) -> Asked:
    treatment, outcome = row.query.targets
    return Asked(row.graph, frozenset({outcome}), frozenset({treatment}))


def identification_rows(data_dir) -> list[Row]:
    return [row for row in rows_of(data_dir) if row.query.task == "identifiable"]


def test_every_row_is_here_and_both_answers_occur(data_dir):
    keys = Counter(row.published for row in identification_rows(data_dir))
    assert sum(keys.values()) == ROWS
    assert set(keys) == {"Yes.", "No."}


def test_every_published_answer_is_ours_and_the_printed_algorithms(data_dir):
    for row in identification_rows(data_dir):
        asked = asked_in(row)
        expected = row.published == "Yes."
        assert isinstance(identify(*asked), Estimand) == expected, (row.uid, row.sid, str(asked))
        assert id_algorithm.is_identified(id_algorithm.mixed(asked.graph), *asked[1:3]) == expected, (row.uid, row.sid)


@pytest.mark.parametrize("most", [11, pytest.param(99, marks=pytest.mark.property)])
def test_every_yes_is_shown_by_an_estimand(data_dir, most):
    """Enumerating a model takes time that doubles with every node and every latent, so there is a `most` of both."""
    shown = 0
    for row in identification_rows(data_dir):
        asked = asked_in(row)
        said = identify(*asked)
        if isinstance(said, Estimand) and len(row.graph.nodes) + len(row.graph.bidirected) <= most:
            assert equals(said.expression, asked, effects_by_truncation.random_model(asked.graph, row.uid)), row.uid
            shown += 1
    assert shown >= 15


def test_every_no_is_shown_by_a_hedge_and_two_models(data_dir):
    for row in identification_rows(data_dir):
        asked = asked_in(row)
        said = identify(*asked)
        if not isinstance(said, Hedge):
            continue
        assert hedges.faults(asked.graph, said.to_json(), asked.outcomes, asked.treatments) == [], row.uid
        first, second = (model.to_json() for model in two_models(asked.graph, said))
        names = [node["name"] for node in first["nodes"]]
        assert distribution(first, {}, names) == distribution(second, {}, names), row.uid
        y, x = sorted(asked.outcomes), sorted(asked.treatments)
        assert effects(first, y, x) != effects(second, y, x), row.uid
