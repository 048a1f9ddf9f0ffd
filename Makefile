# Two commands are all a user needs: make play, make test.

CARGO ?= cargo

.PHONY: play test fmt lint check bench golden wire

## Build and play: for now in the terminal, the learning scenario of Destruction of Army Group Center.
play:
	$(CARGO) run --release --quiet --package grognard -- play

## All that must hold.
test: lint
	$(CARGO) test --workspace --quiet
	$(CARGO) run --quiet --package grognard -- check
	$(CARGO) run --quiet --package grognard -- conformance

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --quiet -- --deny warnings
	RUSTDOCFLAGS="--deny warnings" $(CARGO) doc --workspace --no-deps --document-private-items --quiet

## Speed: random play, and the board's primitives beside their oracles.
bench:
	$(CARGO) run --release --quiet --package grognard -- bench

## Write the golden playthroughs anew, to be reviewed as a diff.
golden:
	GROGNARD_BLESS=1 $(CARGO) test --workspace --quiet golden

## Write the TypeScript types of the wire anew.
wire:
	GROGNARD_BLESS=1 $(CARGO) test --package server --quiet wire

fmt:
	$(CARGO) fmt --all
