"""The committed records: real pools whose hashes hold, and tables that regenerate from them without a model."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from calverify.archives import read_archive
from calverify.evaluation import check_seal, is_revealed
from calverify.sampling import WEIGHTS
from calverify.studies import StudyFolder, read_plan
from tests.cli.conftest import Run, run

__all__ = ["Run", "run"]  # the command as a fixture

RECORDS = Path(__file__).parents[2] / "records"
STUDIES = sorted(path.parent for path in RECORDS.glob("*/study.toml"))
EIGHT = {"d_separation", "backdoor", "blocked_path", "cycle", "mediator", "intervention", "knights", "ate"}
MOST_BYTES = 3_000_000


@pytest.fixture(params=STUDIES, ids=lambda path: path.name)
def study(request, tmp_path):
    """A copy of a study's committed files, and nothing that a run leaves beside them."""
    folder = tmp_path / request.param.name
    for label in [policy.label for policy in read_plan(request.param / "study.toml").policies]:
        frozen = StudyFolder(request.param).frozen(label)
        shutil.copytree(frozen, folder / frozen.relative_to(request.param))
    for name in ("study.toml", "plan.json", "problems.jsonl", "keys.jsonl", "tables.md"):
        shutil.copy(request.param / name, folder / name)
    return folder


def test_there_are_records():
    """At least the miniature, and all of them together under three megabytes."""
    assert RECORDS / "miniature" in STUDIES
    files = [
        path for path in RECORDS.rglob("*") if path.is_file() and path.name not in ("report.html", "journal.jsonl")
    ]
    assert sum(path.stat().st_size for path in files) < MOST_BYTES


def test_tables_regenerate(study, run, monkeypatch):
    """`make paper` would change nothing; where it would, it is run and the change is looked at."""
    monkeypatch.setenv("CALVERIFY_CACHE", str(study / "no model here"))
    committed = (study / "tables.md").read_bytes()
    done = run("run", str(study / "study.toml"))
    assert (done.code, done.err) == (0, "")
    assert "sampling" not in done.out.partition("now ")[2]
    assert (study / "tables.md").read_bytes() == committed, "run `make paper`"


def test_hashes_hold(study):
    """Pools, problems and keys are byte for byte what was frozen, sealed, chosen from and revealed."""
    plan = read_plan(study / "study.toml")
    for policy in plan.policies:
        frozen = StudyFolder(study).frozen(policy.label)
        read_archive(frozen)
        check_seal(frozen, study / "keys.jsonl")
        assert is_revealed(frozen)


def test_what_the_miniature_is(run):
    """Real pools of the embedded model: its hash, the decoding, eight tasks, three seeds, eight candidates each."""
    archive = read_archive(RECORDS / "miniature" / "SmolLM2-135M-Instruct" / "frozen")
    manifest = archive.manifest
    assert WEIGHTS["smollm2-135m"].sha256 in manifest.model
    assert (manifest.quantisation, manifest.adapter) == ("Q4_1", None)
    assert manifest.sampling["decoding"] == "pinned"
    assert manifest.sampling["backend"].startswith("embedded ")
    assert "short" not in manifest.sampling
    assert manifest.command == "calverify run records/miniature/study.toml"
    assert len(archive.problems) >= 40
    tasks = Counter(problem.query.task for problem in archive.problems.values())
    assert set(tasks) == EIGHT
    assert max(tasks.values()) - min(tasks.values()) <= 1
    assert {(pool.seed, len(pool)) for pool in archive.pools} == {(seed, 8) for seed in range(3)}
    assert len(archive.pools) == 3 * len(archive.problems)
