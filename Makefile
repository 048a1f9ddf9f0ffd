# Two commands are all a user needs: make play, make test.

CARGO ?= cargo
NPM ?= npm
TARGET := $(abspath $(or $(CARGO_TARGET_DIR),target))
CLIENT := web/dist/index.html
CLIENT_SOURCES := $(shell find web/src web/public -type f) web/index.html web/vite.config.ts web/tsconfig.json

.PHONY: play test test-browser test-python wheel client fmt lint bench bench-python instructions load golden wire mutants

## Build the client and the program, and play in the browser.
play: client
	$(CARGO) run --release --quiet --package grognard

## All that must hold.
test: lint client
	$(CARGO) test --workspace --quiet
	$(CARGO) run --quiet --profile test --package grognard -- check
	$(CARGO) run --quiet --profile test --package grognard -- conformance
	$(MAKE) test-browser
	$(MAKE) test-python

## The client in a real Chromium against the real server.
test-browser: client
	$(CARGO) build --quiet --profile test --package grognard
	cd web && $(NPM) run lint && GROGNARD_BIN=$(TARGET)/debug/grognard $(NPM) test

## The wheel of the Python package. PROFILE=dev takes what the tests have built of other people's libraries.
PROFILE ?= release
PYTHON ?= python3
VENV := $(TARGET)/python-build
wheel:
	test -x $(VENV)/bin/maturin || ($(PYTHON) -m venv $(VENV) && $(VENV)/bin/pip install --quiet "maturin>=1.9,<2")
	rm -rf $(TARGET)/wheels
	cd crates/python && $(VENV)/bin/maturin build --quiet --profile $(PROFILE) --out $(TARGET)/wheels

## The wheel in a fresh virtual environment, and its tests: environments, clusters, the same games everywhere.
test-python:
	$(CARGO) build --quiet --profile test --package grognard
	$(MAKE) wheel PROFILE=dev
	rm -rf $(TARGET)/python-test
	$(PYTHON) -m venv $(TARGET)/python-test
	$(TARGET)/python-test/bin/pip install --quiet "$$(ls $(TARGET)/wheels/*.whl)[rl,ray,rllib,test]"
	cd crates/python/tests && GROGNARD_BIN=$(TARGET)/debug/grognard $(TARGET)/python-test/bin/python -m pytest -q

## The speed of the Python package beside Rust alone, as ratios in one run.
bench-python: wheel
	$(VENV)/bin/pip install --quiet --force-reinstall $(TARGET)/wheels/*.whl
	$(VENV)/bin/python -m grognard.bench

## The client, which the program carries inside.
client: $(CLIENT)

web/node_modules: web/package-lock.json
	cd web && $(NPM) ci --no-audit --no-fund
	touch $@

$(CLIENT): web/node_modules $(CLIENT_SOURCES)
	cd web && $(NPM) run build

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --quiet -- --deny warnings
	RUSTDOCFLAGS="--deny warnings" $(CARGO) doc --workspace --no-deps --document-private-items --quiet

## Speed: random play, and the board's primitives beside their oracles.
bench:
	$(CARGO) run --release --quiet --package grognard -- bench

## Instructions a decision of random play, for every scenario (wants valgrind).
instructions:
	$(CARGO) build --release --quiet --package grognard
	tools/instructions $(TARGET)/release/grognard

## 200 games with 400 sockets, killed in the middle.
load:
	$(CARGO) build --release --quiet --package grognard
	$(CARGO) run --release --quiet --package server --example load -- --bin $(TARGET)/release/grognard

## Write the golden playthroughs anew, to be reviewed as a diff.
golden:
	GROGNARD_BLESS=1 $(CARGO) test --workspace --quiet golden

## Change the rules and tables of a rulebook in small ways and list what no test notices: make mutants BOOK=dagc.
## MUTANTS="--code 0 --data 0" tries every change instead of some drawn by lot; docs/testing.md.
BOOK ?= mini dagc bug bite barbarossa
mutants:
	$(CARGO) build --quiet --package mutants
	for book in $(BOOK); do $(TARGET)/debug/mutants $$book --least 95 $(MUTANTS) || exit 1; done

## Write the TypeScript types of the wire anew.
wire:
	GROGNARD_BLESS=1 $(CARGO) test --package server --quiet wire

fmt:
	$(CARGO) fmt --all
