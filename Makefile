# gramprobe: what a checkout can do. Every target sets up .venv by itself; `make help` lists them.

PYTHON      ?= python3
PHENOMENON  ?=
# Set here, so that a variable N, SEED, OUT or BALANCED of the shell is not taken for ours: they are given to make.
N    :=
SEED :=
OUT  :=
BALANCED :=

VENV := .venv
BIN  := $(VENV)/bin
PIP  := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt

# One stamp a set of packages. They stand in a chain, so that two pips never run at once under `make -j`.
CORE := $(VENV)/.installed-core
TEST := $(VENV)/.installed-test
DEV  := $(VENV)/.installed-dev
BENCH := $(VENV)/.installed-bench

ifneq ($(filter dataset,$(MAKECMDGOALS)),)
ifeq ($(strip $(PHENOMENON)),)
$(error Which dataset? Name a folder of grammars/: make dataset PHENOMENON=presupposition)
endif
endif

.DEFAULT_GOAL := help
.PHONY: help setup dataset test check bench accept

help:  ## this list
	@echo "make setup                             everything a contributor needs, in $(VENV)"
	@echo "make dataset PHENOMENON=presupposition [N=100] [SEED=0] [OUT=data] [BALANCED=1]"
	@echo "                                       build the datasets of a folder of grammars/"
	@echo "make test                              the tests"
	@echo "make check                             ruff and mypy"
	@echo "make bench                             the times and sizes that are promised, measured"
	@echo "make accept                            record the golden outputs anew; read the diff before you commit"
	@echo "PYTHON=python3.12 after any of them names the Python that makes $(VENV)."

setup: $(DEV)

dataset: $(CORE)
	$(BIN)/gramprobe build '$(PHENOMENON)' $(if $(N),--n '$(N)') $(if $(SEED),--seed '$(SEED)') $(if $(OUT),--out '$(OUT)') \
	  $(if $(filter-out 0 no false,$(BALANCED)),--balanced)

test: $(TEST)
	$(BIN)/python -m pytest

check: $(DEV)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: $(BENCH)
	$(BIN)/python scripts/bench.py

accept: $(TEST)
	$(BIN)/python -m pytest -q --accept tests/golden tests/errors

# A .venv of another Python version is made anew; one that was begun and not finished is finished.
$(CORE): pyproject.toml constraints.txt
	@command -v '$(PYTHON)' >/dev/null 2>&1 || { \
	  echo "gramprobe needs Python 3.11 or newer, and there is no $(PYTHON) here. Name one: make $(MAKECMDGOALS) PYTHON=python3.11" >&2; exit 1; }
	@'$(PYTHON)' -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "gramprobe needs Python 3.11 or newer, and $(PYTHON) is $$('$(PYTHON)' --version 2>&1). Name another: make $(MAKECMDGOALS) PYTHON=python3.11" >&2; exit 1; }
	@'$(PYTHON)' -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) cannot make a virtual environment: its venv module is missing. On Debian and Ubuntu: sudo apt install python3-venv" >&2; exit 1; }
	@'$(PYTHON)' -m venv $$( \
	  test "$$('$(PYTHON)' -c 'import sys; print(*sys.version_info[:2])')" = "$$($(BIN)/python -c 'import sys; print(*sys.version_info[:2])' 2>/dev/null)" \
	  || echo --clear) $(VENV)
	$(PIP) --editable .
	@$(BIN)/gramprobe list >/dev/null || true  # reads the shipped files once, so that the first command starts fast
	@touch $@

$(TEST): $(CORE)
	$(PIP) --editable '.[test]'
	@touch $@

$(DEV): $(TEST)
	$(PIP) --editable '.[test,dev]'
	@touch $@

$(BENCH): $(DEV)
	$(PIP) --editable '.[test,dev,bench]'
	@touch $@
