# The commands of this project. `make help` lists them.

export LLVM_SYS_221_PREFIX ?= /usr/lib/llvm-22
# Where rustup puts cargo; a shell opened before `make setup` does not know it yet.
export PATH := $(PATH):$(or $(CARGO_HOME),$(HOME)/.cargo)/bin
# PyO3 asks an interpreter for its configuration even when only checking.
export PYO3_PYTHON ?= $(CURDIR)/.venv/bin/python

PYTHON := .venv/bin/python

.DEFAULT_GOAL := help
.PHONY: help setup build demo test lint format bench docs loom clean

help: ## List the commands
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "make %-8s %s\n", $$1, $$2 }'

setup: ## Install everything that building and testing need
	@scripts/setup.sh

build: setup ## Build the wheels and install them into .venv and .venv-ft
	@scripts/build.sh .venv .venv-ft

demo: ## Install, build and run the examples; ARGS="data.csv --column NAME" uses your own data
	@scripts/setup.sh --demo
	@scripts/build.sh .venv
	@$(PYTHON) -m freeloom info
	@$(PYTHON) examples/weather.py $(ARGS)

test: build ## Run every test: Rust, Python with the GIL, Python without it
	@scripts/test.sh

lint: build ## Check formatting, lints, types, and the stubs against the binary
	@scripts/lint.sh

format: ## Format Rust and Python sources
	cargo fmt --all
	$(PYTHON) -m ruff format .
	$(PYTHON) -m ruff check --fix-only .

bench: ## Measure against peers; writes docs/benchmarks and the table in README.md
	@scripts/setup.sh --demo
	@scripts/setup-venv.sh .venv-bench "$$(scripts/setup-python.sh)" scripts/requirements-bench.txt
	@scripts/build.sh .venv-bench
	@.venv-bench/bin/python -m benchmarks $(ARGS)

docs: setup ## Build the API documentation and check the links of the pages
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items
	$(PYTHON) scripts/check_links.py

loom: setup ## Check the concurrent protocols under every interleaving loom can reach
	RUSTFLAGS="--cfg loom" cargo test --target-dir target/loom --release \
		-p freeloom-artifact -p freeloom-runtime loom

clean: ## Remove what was built; environments stay
	cargo clean
	rm -rf dist
