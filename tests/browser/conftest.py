"""One browser and one report for all tests of the page."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

from calverify.evaluation import Study
from calverify.reports import Plot, Table, page
from tests.browser.driver import NO_BROWSER, Browser, chromium, missing
from tests.browser.reports import chain, everything, hostile, simulated, write


class Made(NamedTuple):
    """A report and what it was made of."""

    path: Path
    studies: list[Study]
    tables: list[Table]
    plots: list[Plot]


@pytest.fixture(scope="session")
def browser(tmp_path_factory) -> Iterator[Browser]:
    if missing():
        pytest.skip(f"{NO_BROWSER}: {', '.join(missing())}")
    with chromium(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture(scope="session")
def made(tmp_path_factory) -> Made:
    """Two simulated policies, of which one was sealed, and pools written by hand to break the page."""
    half, fifth = Fraction(1, 2), Fraction(1, 5)
    studies = [simulated("fragmented", [half, fifth], 6), simulated("strong", [half + fifth], 3, seeds=2), hostile()]
    tables, plots = everything(studies, draws=20)
    whole = page(studies, tables, plots, logs=[chain(studies[0]), (), ()])
    return Made(write(whole, tmp_path_factory.mktemp("report")), studies, tables, plots)


@pytest.fixture
def report(browser, made) -> Browser:
    """The browser with the report open, on a desk, in the light, and nothing in its logs."""
    browser.size(1280, 900)
    browser.media()
    browser.open(made.path)
    browser.until("document.querySelector('#pool-rows tr')")
    browser.log()
    browser.asked_for()
    return browser
