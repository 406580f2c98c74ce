# Needs make and Python 3.11 or newer, nothing else: each target prepares .venv from the locks in requirements/.
# ARGS goes to the tool behind a target: make test ARGS="-k parse -x", make lock ARGS=--upgrade.

PYTHON ?= python3
ARGS ?=
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check
COMPILE = .venv-lock/bin/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
	--custom-compile-command "make lock" $(ARGS)

# The benchmark data lives beside the clone. A variable set by hand wins, and an empty one means "without data".
ifeq ($(origin CALVERIFY_DATA),undefined)
ifneq ($(wildcard ../shared/data/.),)
export CALVERIFY_DATA := $(shell cd ../shared/data && pwd)
endif
endif

.PHONY: help demo test test-all check format docs audit paper weights bench lock clean data-notice weights-notice python
.DEFAULT_GOAL := help

help:
	@echo "make demo      see it work: a small real model answers, the checker picks (under five minutes)"
	@echo "make test      the tests: offline, without a graphics card, minutes"
	@echo "make test-all  the tests, with the slow property tests"
	@echo "make check     format, lint, types and house rules, as CI does"
	@echo "make format    rewrite the code in our format"
	@echo "make docs      rewrite docs/reference from the code"
	@echo "make audit     rewrite docs/benchmark-audit.md from the benchmarks' data"
	@echo "make paper     rewrite the tables of records/ from the frozen pools (no model)"
	@echo "make weights   fetch the embedded model (98 MB, once), which some tests and the demo run"
	@echo "make bench     the benchmarks"
	@echo "make lock      renew requirements/*.txt after a change of pyproject.toml (ARGS=--upgrade for newer versions)"
	@echo "make clean     remove everything that make and the tools made"

demo: .venv/runtime.stamp
	@$(BIN)/calverify demo $(ARGS)

test: .venv/dev.stamp data-notice weights-notice
	$(BIN)/python -m pytest -n auto $(ARGS)

test-all: .venv/dev.stamp data-notice weights-notice
	$(BIN)/python -m pytest -n auto -m "not network and not gpu" $(ARGS)

check: .venv/dev.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_house_rules.py

format: .venv/dev.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: .venv/runtime.stamp
	$(BIN)/python docs/generate.py

audit: .venv/runtime.stamp data-notice
	$(BIN)/python docs/audit.py

paper: .venv/runtime.stamp
	@for study in records/*/study.toml; do \
		rm -f "$${study%study.toml}.reported" && $(BIN)/calverify run "$$study" $(ARGS) || exit 1; done

weights: .venv/runtime.stamp
	@$(BIN)/calverify model pull $(ARGS)

bench: .venv/bench.stamp data-notice
	$(BIN)/python -m bench $(ARGS)

lock: python
	@echo "calverify: resolving the locks"
	@$(PYTHON) -m venv .venv-lock
	@.venv-lock/bin/python -m pip install --quiet --quiet --disable-pip-version-check uv==0.13.8
	@$(COMPILE) --group build --extra all -o requirements/runtime.txt
	@$(COMPILE) --group dev --extra all -c requirements/runtime.txt -o requirements/dev.txt
	@$(COMPILE) --group dev --extra all --extra bench -c requirements/dev.txt -o requirements/bench.txt

clean:
	rm -rf .venv .venv-lock build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests bench -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

# One environment in three layers, each remade only when its lock or pyproject.toml changes.
.venv/runtime.stamp: requirements/runtime.txt pyproject.toml | python
	@echo "calverify: preparing .venv with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv .venv
	@echo "calverify: installing requirements/runtime.txt"
	@$(INSTALL) --require-hashes -r requirements/runtime.txt
	@$(INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

.venv/dev.stamp: requirements/dev.txt .venv/runtime.stamp
	@echo "calverify: installing requirements/dev.txt"
	@$(INSTALL) --require-hashes -r requirements/dev.txt
	@touch $@

.venv/bench.stamp: requirements/bench.txt .venv/dev.stamp
	@echo "calverify: installing requirements/bench.txt"
	@$(INSTALL) --require-hashes -r requirements/bench.txt
	@touch $@

python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "calverify needs Python 3.11 or newer, and '$(PYTHON)' is $$($(PYTHON) --version 2>&1 | head -n 1)." >&2; \
		echo "Name a newer one: make PYTHON=python3.12 ..." >&2; exit 1; }

data-notice:
	@test -n "$$CALVERIFY_DATA" || { \
		echo "******************************************************************************"; \
		echo "*** CALVERIFY_DATA IS NOT SET: WHATEVER READS THE BENCHMARK DATA IS SKIPPED ***"; \
		echo "******************************************************************************"; }

weights-notice: .venv/runtime.stamp
	@$(BIN)/calverify model ls --json | grep -q '"file": "' || { \
		echo "*********************************************************************************************"; \
		echo "*** THE EMBEDDED MODEL IS NOT HERE: TESTS THAT RUN IT ARE SKIPPED (make weights fetches it) ***"; \
		echo "*********************************************************************************************"; }
