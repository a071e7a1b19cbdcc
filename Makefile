# Needs git, make and Python 3.11 or newer with venv and pip; everything else goes into .venv.

PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.DEFAULT_GOAL := help
.PHONY: help run test bench proto clean

help:  ## say what can be made
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST)

run: .venv/installed  ## start the service
	@$(BIN)/truthsayer serve

test: .venv/installed-test  ## run everything that CI runs, and time each part
	@$(BIN)/python .ci/parts

bench: .venv/installed-bench  ## run the benchmarks
	@$(BIN)/python -m tests.bench

proto: .venv/installed-test  ## generate truthsayer/v1 from proto/ anew
	@$(BIN)/python .ci/proto --write

clean:  ## remove the environment and the caches
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist

# The marks say which extras are installed; they age with the files that name the versions.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	@$(PYTHON) -m venv .venv

.venv/installed: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing"
	@$(INSTALL) --editable .
	@touch $@

.venv/installed-test: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing with what the tests need"
	@$(INSTALL) --editable '.[test]'
	@touch $@ .venv/installed

.venv/installed-bench: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing with what the benchmarks need"
	@$(INSTALL) --editable '.[test,bench]'
	@touch $@ .venv/installed-test .venv/installed
