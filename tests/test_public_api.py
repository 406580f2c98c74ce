"""The public face is exactly what `__all__` says, holds the contract, and costs nothing to import."""

import subprocess
import sys

import calverify as cv

CONTRACT = {"Graph", "Problem", "Query", "check", "parse", "select", "separated", "solve", "verify"}

NEWLY_IMPORTED = """
import sys
before = set(sys.modules)
import calverify
tops = {name.partition(".")[0] for name in set(sys.modules) - before}
print(*sorted(tops - sys.stdlib_module_names - {"calverify"}))
"""


def test_contract_is_exported():
    assert CONTRACT - set(cv.__all__) == set()


def test_every_exported_name_exists():
    assert [name for name in cv.__all__ if not hasattr(cv, name)] == []


def test_every_name_is_exported_once():
    assert len(cv.__all__) == len(set(cv.__all__))


def test_nothing_public_is_left_out():
    """A name that can be reached is either in `__all__` or a room of the package."""
    reachable = {name for name in vars(cv) if not name.startswith("_")}
    rooms = {name for name in reachable if f"{cv.__name__}.{name}" in sys.modules}
    assert reachable - rooms - set(cv.__all__) == set()


def test_import_loads_the_standard_library_only():
    """So that it loads inside any trainer, worker or sandbox."""
    run = subprocess.run([sys.executable, "-c", NEWLY_IMPORTED], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []
