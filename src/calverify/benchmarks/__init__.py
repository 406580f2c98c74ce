"""Benchmarks: data sets and generated suites as problems and keys, one file each."""

from calverify.benchmarks import identification, miniature
from calverify.benchmarks._item import BENCHMARKS, Benchmark, Corpus, Item

__all__ = ["BENCHMARKS", "Benchmark", "Corpus", "Item", "identification", "miniature"]
