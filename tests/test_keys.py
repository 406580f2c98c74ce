"""Keys: another file and another type, read strictly, and known to few rooms."""

import subprocess
import sys

import pytest

import calverify as cv
from calverify.keys import Key, keys_digest, read_keys, write_keys
from tests.archives.frozen import KEYS

BLIND = ["calverify", "calverify.selectors", "calverify.archives", "calverify.archives.chooser", "calverify.formats"]


@pytest.mark.parametrize("name", ["keys.jsonl", "keys.jsonl.gz"])
def test_keys_come_back(tmp_path, name):
    write_keys(tmp_path / name, KEYS)
    assert read_keys(tmp_path / name) == {key.problem: key for key in KEYS}
    first = keys_digest(tmp_path / name)
    write_keys(tmp_path / name, KEYS)
    assert keys_digest(tmp_path / name) == first
    write_keys(tmp_path / name, KEYS[1:])
    assert keys_digest(tmp_path / name) != first


def test_a_problem_is_its_own_cluster_unless_one_is_named():
    assert Key("p").cluster == "p"
    assert Key("p", cluster="source").cluster == "source"
    assert Key.from_json({"problem": "p", "graph": None}) == Key("p")


@pytest.mark.parametrize(
    "text, why",
    [
        ('{"problem":"a"}\n{"problem":"a"}\n', r"keys\.jsonl, line 2: a second key of problem 'a'"),
        ('{"problem":"a"}\n{"prob', r"keys\.jsonl, line 2: the file ends in the middle of this record"),
        ('{"problem":"a","gold":1}\n', r"keys\.jsonl, line 1: key record carries 'gold'"),
        ('{"cluster":"a"}\n', "needs a field 'problem'"),
        ('{"problem":""}\n', "names its problem, and this one names none"),
        ('{"problem":"a","strata":{"slice":1}}\n', "the stratum 'slice' must be a text, not 1"),
        ('{"problem":"a","graph":{"nodes":["A"],"directed":[["A","A"]]}}\n', r"keys\.jsonl, line 1: "),
        ("\n", "line 1: the line is empty"),
    ],
)
def test_keys_that_are_none(tmp_path, text, why):
    (tmp_path / "keys.jsonl").write_text(text)
    with pytest.raises(cv.CalverifyError, match=why):
        read_keys(tmp_path / "keys.jsonl")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(cv.CalverifyError, match="cannot read the keys"):
        read_keys(tmp_path / "keys.jsonl")


def test_blind_rooms_load_no_keys():
    """Not even by a detour: with these rooms loaded, `calverify.keys` is not."""
    program = f"import sys, {', '.join(BLIND)}; print('calverify.keys' in sys.modules, 'subprocess' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == "False"
