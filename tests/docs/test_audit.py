"""docs/benchmark-audit.md says what the audit of the development data finds."""

import importlib.util
from pathlib import Path

import pytest

from calverify.benchmarks import BENCHMARKS, DataFolder

DOCS = Path(__file__).parents[2] / "docs"
QUICK = ("clear", "memkk")
FROM_DATA = [name for name, entry in BENCHMARKS.items() if entry.reader is not None]
EACH = [name if name in QUICK else pytest.param(name, marks=pytest.mark.property) for name in FROM_DATA]


@pytest.fixture(scope="module")
def audit():
    """docs/audit.py as a module."""
    spec = importlib.util.spec_from_file_location("docs_audit", DOCS / "audit.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", EACH)
def test_the_page_is_up_to_date(audit, data_dir, name):
    """`make audit` would change nothing of this benchmark."""
    found = audit.findings(name, DataFolder(data_dir))
    text = audit.PAGE.read_text("utf-8")
    if found:
        assert audit.section(name, found) in text, "run `make audit`"
        assert f"| [{name}](#{name}) | {' | '.join(audit.counts(audit.total(found)))} |" in text, "run `make audit`"
    else:
        assert f"## {name}" not in text


def test_every_benchmark_with_data_is_on_the_page(audit):
    """Or has no keys to audit, as a test above says where the data is."""
    text = audit.PAGE.read_text("utf-8")
    assert [name for name in QUICK if f"\n## {name}\n" not in text] == []
    assert text.startswith(audit.NOTE)
