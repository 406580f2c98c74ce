"""The corpus is the contract: each text lies beside the parts of its trace.

`valid` holds harmless variations, `invalid` what costs a slot; a fault's `why` is how its sentence begins.
"""

import json
from pathlib import Path

import pytest

from calverify.traces import parse

CORPUS = Path(__file__).parents[1] / "corpus" / "traces"
ROWS = sorted(CORPUS.glob("*/*.txt"))
LONGEST_WHY = 300


def _row(path: Path) -> tuple[str, dict]:
    """The text, byte for byte (line breaks are part of it), and what is expected of it."""
    return path.read_bytes().decode(), json.loads(path.with_suffix(".json").read_bytes())


def test_every_text_has_its_expectation_and_no_expectation_stands_alone():
    assert [path.with_suffix(".json") for path in ROWS] == sorted(CORPUS.glob("*/*.json"))
    assert {path.parent.name for path in ROWS} == {"valid", "invalid"}
    for path in ROWS:
        assert (path.parent.name == "invalid") == bool(_row(path)[1]["faults"]), path


@pytest.mark.parametrize("path", ROWS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_corpus(path):
    text, expected = _row(path)
    found = parse(text).to_json()
    begins = [fault["why"] for fault in expected.pop("faults")]
    faults = found.pop("faults")
    expected["undetermined"] = None
    assert found == expected
    assert json.dumps(found, sort_keys=True) == json.dumps(expected, sort_keys=True)  # 1, 1.0 and true are three values
    assert len(faults) == len(begins)
    for fault, begin in zip(faults, begins, strict=True):
        assert fault["why"].startswith(begin)
        assert len(fault["why"]) <= LONGEST_WHY
