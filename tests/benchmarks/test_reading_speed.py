"""All adapters together read the development data in under 20 seconds on one core."""

from random import Random
from time import process_time

import pytest

from calverify.benchmarks import BENCHMARKS, DataFolder

MOST_S = 20.0


@pytest.mark.property
def test_all_adapters_read_the_development_data_in_time(data_dir, capsys):
    """Prints what each took: `pytest -m property -s tests/benchmarks/test_reading_speed.py`."""
    data, took = DataFolder(data_dir), {}
    for name, entry in BENCHMARKS.items():
        if entry.reader is not None and (data_dir / entry.origin.folder).is_dir():
            start = process_time()
            items = entry.build(Random(f"{name} 0"), data).items
            took[name] = (process_time() - start, len(items))
            assert items, name
    with capsys.disabled():
        total = sum(seconds for seconds, _ in took.values())
        print("\n" + "\n".join(f"{name:<12} {seconds:6.2f} s  {n:>6,} items" for name, (seconds, n) in took.items()))
        print(f"{'all':<12} {total:6.2f} s, expected under {MOST_S:g} s")
    assert total < MOST_S
