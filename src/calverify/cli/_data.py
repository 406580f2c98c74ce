"""Where the benchmarks' data lies: an option, or the environment."""

import os

import click

from calverify.benchmarks import DataFolder

__all__ = ["VARIABLE", "data_option", "folder_of"]

VARIABLE = "CALVERIFY_DATA"

data_option = click.option(
    "--data", metavar="DIR", help=f"The folder that the benchmarks' data lies in; without it, what {VARIABLE} names."
)


def folder_of(data: str | None) -> DataFolder | None:
    """The folder of the option or of the environment; None where neither names one."""
    named = data or os.environ.get(VARIABLE)
    return DataFolder(named) if named else None
