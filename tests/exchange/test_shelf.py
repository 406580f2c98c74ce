"""The formats: each is known by its first record, and the table of the room says which there are."""

import re

import pytest

import calverify.exchange as room
from calverify.errors import CalverifyError
from calverify.exchange import READERS, WRITERS, detect, find_reader, find_writer
from tests.exchange.logs import FILES, LOGS, data_of, lines


@pytest.mark.parametrize("file, format", FILES.items())
def test_a_log_is_known(file, format):
    assert detect(data_of(file), file) == format


def test_every_log_is_read_by_some_test():
    assert {path.name for path in LOGS.iterdir()} == {"problems.jsonl", *FILES}


def test_the_table_says_what_there_is():
    """In the order in which formats are asked."""
    table = re.findall(r"^\| ([a-z-]+) +\| yes  \| (yes|-) ", room.__doc__, re.MULTILINE)
    assert table == [(name, "yes" if name in WRITERS else "-") for name in READERS]


def test_the_first_record_that_can_be_read_decides():
    assert detect(b"{\n" + lines([1], {"custom_id": "w1"}), "x.jsonl") == "openai-batch"


@pytest.mark.parametrize("data, why", [
    (lines({"b": 1, "a": 2}), r"x is in no format that is known: its first record has the keys \['a', 'b'\]; name its"),
    (b"", "x holds no record that can be read; name its format, one of inspect, lm-eval"),
    (b"nothing", "x holds no record that can be read"),
])  # fmt: skip
def test_what_is_not_known_is_refused(data, why):
    with pytest.raises(CalverifyError, match=why):
        detect(data, "x")


def test_names_that_are_none():
    with pytest.raises(CalverifyError, match="no format 'csv' can be read; there are inspect"):
        find_reader("csv")
    with pytest.raises(CalverifyError, match="no format 'verifiers' can be written; there are inspect"):
        find_writer("verifiers")
