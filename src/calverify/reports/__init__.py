"""Reports: every table and figure of an evaluation, one file each, and what prints them.

The import list below is the table of contents; the file name is the registered name, with a dash for an underscore.
Reading order: `_table` (cells, tables, plots), `_shelf` (what a report is), `_units` (what all of them count), the
reports, and the renderers, which alone round.
"""

from calverify.reports._csv import csv_text
from calverify.reports._json import json_text
from calverify.reports._latex import latex
from calverify.reports._markdown import markdown
from calverify.reports._page import page
from calverify.reports._shelf import EXPLORATION, HEADLINE, REPORTS, Options, Report, find_report, make_report, report
from calverify.reports._table import Cell, Number, Plot, Points, PValue, Series, Share, Table
from calverify.reports._text import text

# In the order of the paper, in which they are listed and printed.
# isort: off
from calverify.reports.policies import policies
from calverify.reports.same_pool import same_pool
from calverify.reports.k_curve import k_curve
from calverify.reports.tasks import tasks
from calverify.reports.fragmentation import fragmentation
from calverify.reports.ties import ties
from calverify.reports.admission import admission
from calverify.reports.components import components
from calverify.reports.quality import quality
from calverify.reports.margins import margins
from calverify.reports.corruption import corruption
from calverify.reports.adversarial import adversarial
from calverify.reports.majority_hurts import majority_hurts
from calverify.reports.crossover import crossover
from calverify.reports.filters import filters
from calverify.reports.recovery import recovery
from calverify.reports.theory import theory
# isort: on

RENDERERS = {"text": text, "markdown": markdown, "csv": csv_text, "latex": latex, "json": json_text}

__all__ = [
    "EXPLORATION",
    "HEADLINE",
    "RENDERERS",
    "REPORTS",
    "Cell",
    "Number",
    "Options",
    "PValue",
    "Plot",
    "Points",
    "Report",
    "Series",
    "Share",
    "Table",
    "admission",
    "adversarial",
    "components",
    "corruption",
    "crossover",
    "csv_text",
    "filters",
    "find_report",
    "fragmentation",
    "json_text",
    "k_curve",
    "latex",
    "majority_hurts",
    "make_report",
    "margins",
    "markdown",
    "page",
    "policies",
    "quality",
    "recovery",
    "report",
    "same_pool",
    "tasks",
    "text",
    "theory",
    "ties",
]
