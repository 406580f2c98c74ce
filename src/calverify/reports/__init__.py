"""Reports: every table and figure of an evaluation, one file each, and what prints them."""

from calverify.reports._table import Cell, Number, Plot, Points, PValue, Series, Share, Table

__all__ = ["Cell", "Number", "PValue", "Plot", "Points", "Series", "Share", "Table"]
