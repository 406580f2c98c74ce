"""A small archive with a record of every sort: supplied and constructed graphs, tables, stored scores, two seeds."""

import json
from pathlib import Path
from typing import Any

import calverify as cv
from calverify.archives import Manifest, freeze
from calverify.effects import SCM
from calverify.keys import Key, write_keys
from calverify.pools import Pool
from tests.drawn_pools import KINDS, PROBLEM
from tests.sheets import sheet_of
from tests.views import pool_of

QUERY = cv.Query("backdoor", ("X", "Y"))
OWN = cv.Problem("own", QUERY, text="Rain wets the grass.\u2028It is wet.", legend=("U", "X", "Y", "M", "P"))
TABLES = {"X": {"parents": [], "p": 0.5}, "Y": {"parents": ["X"], "p": [0.2, 0.7]}}
NUMERIC = cv.Problem("numeric", cv.Query("ate", ("X", "Y"), threshold=0), scm=SCM.from_json({"variables": TABLES}))
PROBLEMS = (PROBLEM, OWN, NUMERIC)
NAMES = ["said ['M']", "whole U", "silent", "said ['M']"]
RATED = [{"reward": 0.25, "judge": 7}, {"reward": None, "judge": 3}, {}, {"reward": -0.1}]
POOLS = (
    pool_of(PROBLEM, [KINDS[name].text for name in NAMES], RATED, seed=1),
    pool_of(PROBLEM, [KINDS["whole UP"].text, "naïve \u2028 \x85 \ud800 text"], seed=0),
    pool_of(OWN, [sheet_of(PROBLEM).text(), "ANSWER: {U}", ""]),
    pool_of(NUMERIC, ['STEP 5 [compute]: {"result": 0.5}\nSTEP 6 [answer]: {"answer": "yes"}\nANSWER: yes']),
    Pool("numeric", 7, ()),
)
MANIFEST = Manifest("base", model="a-model", sampling={"temperature": 0.8, "n": 8, "stop": ["\n\n"]}, command="by hand")
KEYS = [
    Key("w", published=["U"], strata={"slice": "confounded"}),
    Key("own", PROBLEM.graph),
    Key("numeric", cluster="c"),
]


def frozen(folder: Path, *, packed: bool = False) -> Path:
    freeze(folder, PROBLEMS, POOLS, MANIFEST, packed=packed)
    return folder


def keys_file(folder: Path) -> Path:
    path = folder / "keys.jsonl"
    write_keys(path, KEYS)
    return path


def lines_of(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]
