# Everything a newcomer needs; only Python (3.11 or newer) and make have to be there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-rooms test-house test-slow lint bench galleries findings notebook schema clean

demo: $(VENV)/user  ## play the shipped experiment, a few minutes
	$(BIN)/tipoff run club_fight/beginner_tips

test: $(VENV)/dev lint  ## lint, types, and the ordinary tests, in two processes at a time
	$(MAKE) --jobs=2 --keep-going --output-sync=target test-rooms test-house

# Two halves that take about as long.
HOUSE := tests/fuzz/ tests/games/ tests/conformance/
ROOMS := $(filter-out $(HOUSE) tests/__pycache__/,$(wildcard tests/*/))

test-rooms: $(VENV)/dev  ## tests in folders: report, stats, check, cluster, faults, ...
	$(BIN)/python -m pytest $(ROOMS)

test-house: $(VENV)/dev  ## all other tests
	$(BIN)/python -m pytest $(HOUSE) tests/test_*.py

test-slow: $(VENV)/slow  ## the tests that take minutes
	$(BIN)/python -m pytest -m slow

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/dev  ## speed and memory, against the C++ loop; a few minutes
	$(BIN)/python -m tests.bench

galleries: $(VENV)/user  ## play all shipped experiments again
	for name in beginner_tips tip_strength tip_factorial all_clear best_short_advice skill_ladder; do $(BIN)/tipoff run club_fight/$$name || exit; done
	for name in bidding_styles playing_styles always_zero hook; do $(BIN)/tipoff run stiche_ansagen/$$name || exit; done

findings: $(VENV)/user  ## the page of answers, from the galleries
	$(BIN)/python -m sim.report.findings reports/FINDINGS.template.md > reports/FINDINGS.md

notebook: $(VENV)/slow  ## the shipped notebook, played again
	$(BIN)/python -m tests.notebook

schema: $(VENV)/user
	$(BIN)/python -m sim.config > configs/experiment.schema.json

clean:
	rm -rf $(VENV)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/user: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@ $(VENV)/user

$(VENV)/slow: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[dev,slow]'
	touch $@ $(VENV)/dev $(VENV)/user
