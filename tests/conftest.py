"""What every test shares: the same input gives the same output, and a test skipped for want is never a quiet one."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.browser.driver import NO_BROWSER

# The default draws the same examples on every run, so a red build is red everywhere.
# `make test ARGS=--hypothesis-profile=explore` looks for new ones, and remembers what it found.
settings.register_profile("repeatable", deadline=None, derandomize=True, database=None)
settings.register_profile("explore", deadline=None, max_examples=2_000)
settings.load_profile("repeatable")

NO_DATA = "CALVERIFY_DATA is not set"
NO_FOLDER = "CALVERIFY_DATA holds no folder of"
NO_TORCH = "torch and transformers are not installed"
NO_TRAINING = "torch, transformers, peft and gguf are not installed"
WANTS = {
    "BENCHMARK DATA ABSENT": NO_DATA,
    "DATA OF ONE BENCHMARK ABSENT": NO_FOLDER,
    "NO REWARD MODEL RAN": NO_TORCH,
    "NOTHING WAS TRAINED": NO_TRAINING,
    "NO BROWSER OPENED THE PAGE": NO_BROWSER,
}


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of benchmark data; a test that asks for it is skipped, loudly, where there is none."""
    named = os.environ.get("CALVERIFY_DATA")
    if not named:
        pytest.skip(NO_DATA)
    folder = Path(named)
    if not folder.is_dir():
        pytest.fail(f"CALVERIFY_DATA is {named!r}, which is not a folder")
    return folder


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in capitals how much of the suite did not run, and for want of what."""
    for title, why in WANTS.items():
        skipped = [report for report in terminalreporter.stats.get("skipped", []) if why in str(report.longrepr)]
        if skipped:
            tests = "1 TEST WAS" if len(skipped) == 1 else f"{len(skipped)} TESTS WERE"
            terminalreporter.section(title, sep="!", red=True, bold=True)
            terminalreporter.line(f"{tests} SKIPPED BECAUSE {why}".upper(), red=True, bold=True)
