# Everything runs in .venv, made from PYTHON on first use. Nothing but Python and make is needed.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
JOBS ?= 2
BENCH ?= build/benchmarks.md
N ?= 10000
TEXTS := README.md CHANGELOG.md CONTRIBUTING.md docs src tests experiments examples benchmarks fuzz soak lint
SEED ?= 0

# The folder docs/ does not make the target up to date.
.PHONY: help demo test lint format docs coverage bench bench-quick bench-compare bench-large growth reproduce reproduce-quick study-peers report test-oldest test-kernels fuzz soak dist clean

help:  ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 17

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "pairspace needs Python 3.11 or newer: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable '.[test,lint]'
	touch $@

demo: $(VENV)/.ready  ## groups and a space from a few clicks, on the digits: tables and a picture
	mkdir -p build
	$(VENV)/bin/pairspace demo --output build/digits.png --force

# Each process with one thread of BLAS: with two on two cores they wait for each other. Each has
# half of the tests, so that few fixtures are made twice, and takes over some at the end.
PYTEST := OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(RUN) -m pytest --numprocesses $(JOBS) --dist worksteal

test: $(VENV)/.ready  ## all tests
	$(PYTEST)

coverage: $(VENV)/.ready  ## all tests, and which lines of src they run: build/coverage/index.html
	mkdir -p build
	$(PYTEST) --cov --cov-report html:build/coverage --cov-report json:build/coverage.json --cov-report term:skip-covered

lint: $(VENV)/.ready  ## format and lint checks, types, layers of imports, docstrings, spelling
	$(RUN) -m ruff format --check .
	$(RUN) -m ruff check .
	$(RUN) -m mypy
	$(VENV)/bin/lint-imports
	$(RUN) lint/docstrings.py
	$(VENV)/bin/codespell --dictionary - --dictionary lint/british.txt $(TEXTS)

format: $(VENV)/.ready  ## put the code into form
	$(RUN) -m ruff format .
	$(RUN) -m ruff check --fix .

# Libraries that need older versions of scikit-learn and SciPy than ours.
.venv-peers/.ready: benchmarks/peers.txt pyproject.toml
	$(PYTHON) -m venv .venv-peers
	.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check --requirement benchmarks/peers.txt --editable '.[experiments]'
	touch $@

$(VENV)/.docs: $(VENV)/.ready
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	touch $@

docs: $(VENV)/.docs  ## the documentation as a site, in build/docs: all links checked, warnings are errors
	$(RUN) -m sphinx --fail-on-warning --keep-going --nitpicky --quiet --jobs 2 docs build/docs
	$(RUN) lint/site.py build/docs
	@echo "Open build/docs/index.html"

bench: $(VENV)/.ready .venv-peers/.ready  ## benchmarks, against a floor and against other libraries, as a page (an hour)
	$(RUN) benchmarks/page.py --peers .venv-peers/bin/python --output $(BENCH)

bench-quick: $(VENV)/.ready  ## some of them, in a minute
	$(RUN) benchmarks/page.py --part quick --output build/benchmarks-quick.md

bench-compare: $(VENV)/.ready  ## the targets again, and what got slower since the last run by more than its noise
	$(RUN) benchmarks/targets.py --compare

growth: $(VENV)/.ready  ## time and memory of each method over rows and features: build/growth.md and build/growth.png
	mkdir -p build
	OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(RUN) benchmarks/growth.py $(if $(SECONDS),--seconds $(SECONDS)) --picture build/growth.png > build/growth.md

bench-large: $(VENV)/.ready  ## 20 GB on a disk (in FOLDER), sparse and wide data, 70,000 images (half an hour)
	$(RUN) benchmarks/page.py --part large $(if $(FOLDER),--folder $(FOLDER)) --output build/benchmarks-large.md

reproduce: $(VENV)/.ready  ## run the papers' tables and figures, all or TABLES="bwdr_table2 …"; goes on where it was
	$(RUN) -m experiments run $(TABLES) --jobs $(JOBS)

reproduce-quick: $(VENV)/.ready  ## the same on embedded data, in two minutes
	$(RUN) -m experiments run $(TABLES) --quick --jobs $(JOBS) --results build/quick
	$(RUN) -m experiments report $(TABLES) --results build/quick --output build/quick/pages
	@echo "Open build/quick/pages/papers/reproduction.md"

study-peers: .venv-peers/.ready  ## other libraries on the splits of our study and of AutoReducer, in an environment of their own
	.venv-peers/bin/python -m experiments run pairspace_peers
	.venv-peers/bin/python -m experiments run auto_reducer groups labelling --peers

report: $(VENV)/.ready  ## pages and pictures of the docs, from the results
	$(RUN) -m experiments report --output docs

test-oldest:  ## the tests with the lowest versions of the dependencies
	$(PYTHON) -m venv .venv-oldest
	.venv-oldest/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[test]' --constraint tests/oldest.txt
	.venv-oldest/bin/python -m pytest --numprocesses $(JOBS)

test-kernels: $(VENV)/.ready  ## the documentation's examples and the tests of iterations, with several kernels and threads of BLAS
	$(RUN) tests/kernels.py

fuzz: $(VENV)/.ready  ## random inputs: N=10000 of them, for SECONDS=…, by SEED=…; ONLY=… repeats some
	$(RUN) -m fuzz --cases $(N) --seed $(SEED) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(ONLY),--only $(ONLY))

soak: $(VENV)/.ready  ## three people on two pages of one answers file while faults happen: SECONDS=600, by SEED=…
	$(RUN) -m soak --seconds $(or $(SECONDS),600) --seed $(SEED)

$(VENV)/.dist: $(VENV)/.ready
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable '.[dist]'
	touch $@

dist: $(VENV)/.dist  ## the release: built, checked, and tried with each extra in an environment of its own
	$(RUN) release/check.py --jobs $(JOBS)

clean:  ## remove what the other targets made
	rm -rf docs/gallery docs/api/generated $(VENV) .venv-oldest .venv-peers build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
