# gramprobe: what a checkout can do. Every target sets up what it needs by itself; `make help` lists them.

PYTHON      ?= python3
PHENOMENON  ?=
# Set here, so that a variable N, SEED, OUT or DESIGN of the shell is not taken for ours: they are given to make.
N    :=
SEED :=
OUT  :=
DESIGN :=
MINUTES :=
PYTHONS :=

VENV    := .venv
BIN     := $(VENV)/bin
OUTSIDE := .venv-outside

# One stamp a set of packages. They stand in a chain, so that two pips never run at once under `make -j`.
CORE   := $(VENV)/.installed-core
TEST   := $(VENV)/.installed-test
MODELS := $(VENV)/.installed-models
DEV    := $(VENV)/.installed-dev
BENCH  := $(VENV)/.installed-bench
# Programs that the tests compare with have an environment of their own: they are large, and gramprobe needs none.
OUTSIDE_STAMP := $(OUTSIDE)/.installed

# A word for the shell, whatever characters are in it.
quote = '$(subst ','\'',$(1))'

# The pip of an environment: $(call pip,DIR).
pip = $(1)/bin/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt

# $(call venv,DIR) makes an environment. One of another Python version is made anew; one that was begun and not
# finished is finished.
define venv
	@command -v $(call quote,$(PYTHON)) >/dev/null 2>&1 || { \
	  echo "gramprobe needs Python 3.11 or newer, and there is no $(PYTHON) here. Name one: make $(MAKECMDGOALS) PYTHON=python3.11" >&2; exit 1; }
	@$(call quote,$(PYTHON)) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "gramprobe needs Python 3.11 or newer, and $(PYTHON) is $$('$(PYTHON)' --version 2>&1). Name another: make $(MAKECMDGOALS) PYTHON=python3.11" >&2; exit 1; }
	@$(call quote,$(PYTHON)) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) cannot make a virtual environment: its venv module is missing. On Debian and Ubuntu: sudo apt install python3-venv" >&2; exit 1; }
	@$(call quote,$(PYTHON)) -m venv $$( \
	  test "$$('$(PYTHON)' -c 'import sys; print(*sys.version_info[:2])')" = "$$($(1)/bin/python -c 'import sys; print(*sys.version_info[:2])' 2>/dev/null)" \
	  || echo --clear) $(1)
endef

# How tests are dealt to the workers: `ByFile` of tests/conftest.py. The files with most dear tests begin.
PYTEST := -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder --quiet

# Compiled modules are kept whatever the shell says: each worker, and each program that a test starts, would else compile
# all of gramprobe anew.
export PYTHONDONTWRITEBYTECODE :=

# A command that measures writes its rows of this page (scripts/figures.py).
ROWS := FIGURES_PAGE=docs/benchmarks.md

ifneq ($(filter dataset,$(MAKECMDGOALS)),)
ifeq ($(strip $(PHENOMENON)),)
$(error Which dataset? Name a folder of grammars/: make dataset PHENOMENON=presupposition)
endif
endif

.DEFAULT_GOAL := help
.PHONY: help setup dataset models results test test-fast test-deep test-outside check docs site release-check bench bench-score bench-analysis bench-ray bench-builds bench-tests plausibility fuzz accept

help:  ## this list
	@echo "make setup                             everything a contributor needs, in $(VENV)"
	@echo "make dataset PHENOMENON=presupposition [N=100] [SEED=0] [OUT=data] [DESIGN=paper]"
	@echo "                                       build the datasets of a folder of grammars/"
	@echo "make models                            small models to score with, from packages, in models/ (5 minutes)"
	@echo "make results                           what those models score on the datasets: docs/results/"
	@echo "make test                              the tests, on all cores; GRAMPROBE_TEST_CACHE=DIR keeps verdicts there"
	@echo "make test-fast                         the tests that take less than a minute together"
	@echo "make test-deep                         laws in full size, and every paradigm where make test takes a few"
	@echo "make test-outside                      the tests that need other programs, in $(OUTSIDE)"
	@echo "make check                             ruff and mypy"
	@echo "make docs                              write the pages that are made from the code"
	@echo "make site                              the documentation as a site, in site/; links are checked"
	@echo "make release-check                     wheel and sdist, in dist/, installed bare and run with each Python"
	@echo "make bench                             all that is promised, measured: the table of docs/benchmarks.md"
	@echo "make bench-score                       its rows about language models, in $(OUTSIDE)"
	@echo "make bench-analysis                    its rows about a million rows: mixed model, study, report"
	@echo "make bench-ray                         its rows about Ray, in $(OUTSIDE)"
	@echo "make bench-builds BASE=CHECKOUT [RUNS=1]"
	@echo "                                       its rows about builds, beside a former release"
	@echo "make bench-tests                       its rows about the tests"
	@echo "make plausibility                      how likely the sentences are, for a model of English trigrams"
	@echo "make fuzz [MINUTES=5] [SEED=0]         spoilt inputs at random: no fault of ours, nothing slow, no lie accepted"
	@echo "make accept                            record the golden outputs anew; read the diff before you commit"
	@echo "PYTHON=python3.12 after any of them names the Python that makes the environment."

setup: $(DEV)

# The command is printed as a user would type it.
dataset: $(CORE)
	@set -- build $(call quote,$(PHENOMENON)) $(if $(N),--n $(call quote,$(N))) \
	  $(if $(SEED),--seed $(call quote,$(SEED))) $(if $(OUT),--out $(call quote,$(OUT))) \
	  $(if $(DESIGN),--design $(call quote,$(DESIGN))); \
	$(BIN)/python -c 'import shlex, sys; print(shlex.join(["gramprobe", *sys.argv[1:]]))' "$$@"; \
	$(BIN)/gramprobe "$$@"

# What is there already is left as it is.
models: $(MODELS)
	$(BIN)/python scripts/models.py

results: models
	$(BIN)/python scripts/results.py

test: $(TEST)
	$(BIN)/python $(PYTEST) -m "not (outside or deep)"

# What is parsed and decided is kept for the next loop, by hashes of all that it rests on; `make test` begins anew.
test-fast: export GRAMPROBE_TEST_CACHE ?= $(VENV)/.kept
test-fast: $(TEST)
	$(BIN)/python $(PYTEST) -m "not (slow or process or docs or outside or deep)"

# Hypothesis marks the laws.
test-deep: $(TEST)
	GRAMPROBE_TEST_PROFILE=full $(BIN)/python $(PYTEST) -m "(deep or hypothesis) and not outside"

test-outside: $(OUTSIDE_STAMP)
	GRAMPROBE_TEST_OUTSIDE=all $(OUTSIDE)/bin/python $(PYTEST) -m outside
	$(OUTSIDE)/bin/python $(PYTEST) examples/infersent/tests

check: $(DEV)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

docs: $(CORE)
	$(BIN)/python scripts/api_page.py
	$(BIN)/python scripts/english_page.py
	$(BIN)/python scripts/wrap_docs.py

site: $(DEV)
	$(BIN)/python scripts/site.py

# A Python that is not here is named: make release-check PYTHONS="/opt/python3.12/bin/python3 ..."
release-check: $(DEV)
	$(BIN)/python scripts/release_check.py $(foreach python,$(PYTHONS),--python $(call quote,$(python)))

# One after the other, whatever -j says: each measures, and writes its rows of the page.
bench: $(BENCH)
	$(ROWS) $(BIN)/python scripts/bench.py
	$(ROWS) $(BIN)/python scripts/count_trees.py
	$(MAKE) bench-analysis
	$(MAKE) bench-score
	$(MAKE) bench-ray
	$(MAKE) plausibility
	$(MAKE) bench-tests

# Beside minicons and lm-eval, which have an environment of their own.
bench-score: models $(OUTSIDE_STAMP) $(TEST)
	$(ROWS) $(OUTSIDE)/bin/python scripts/bench_score.py
	$(ROWS) $(BIN)/python scripts/bench_endpoint.py

bench-analysis: $(TEST)
	$(ROWS) $(BIN)/python scripts/bench_analysis.py

bench-ray: models $(OUTSIDE_STAMP)
	$(ROWS) $(OUTSIDE)/bin/python scripts/bench_ray.py --model models/minilm-l6-nli

# What a proof and a row cost, by what they cost in a checkout of a former release: make bench-builds BASE=../former;
# with RUNS=3 the least of three runs counts.
bench-builds: $(BENCH)
	$(ROWS) $(BIN)/python scripts/bench_builds.py $(BASE) --runs $(or $(RUNS),1)

bench-tests: $(TEST)
	$(ROWS) $(BIN)/python scripts/bench_tests.py

plausibility: $(DEV)
	$(ROWS) $(BIN)/python scripts/plausibility.py

fuzz: $(MODELS)
	$(BIN)/python scripts/fuzz.py --minutes $(call quote,$(or $(MINUTES),5)) --seed $(call quote,$(or $(SEED),0))

accept: $(TEST)
	$(BIN)/python -m pytest -q --accept tests/golden tests/errors

$(CORE): pyproject.toml constraints.txt
	$(call venv,$(VENV))
	$(call pip,$(VENV)) --editable .
	@$(BIN)/gramprobe list >/dev/null || true  # reads the shipped files once, so that the first command starts fast
	@touch $@

$(TEST): $(CORE)
	$(call pip,$(VENV)) --editable '.[test]'
	@touch $@

$(MODELS): $(TEST)
	$(call pip,$(VENV)) --editable '.[test,models]'
	@touch $@

$(DEV): $(MODELS)
	$(call pip,$(VENV)) --editable '.[test,models,dev]'
	@touch $@

$(BENCH): $(DEV)
	$(call pip,$(VENV)) --editable '.[test,models,dev,bench]'
	@touch $@

$(OUTSIDE_STAMP): pyproject.toml examples/infersent/pyproject.toml constraints.txt
	$(call venv,$(OUTSIDE))
	$(call pip,$(OUTSIDE)) --editable '.[test,outside]' --editable examples/infersent
	@touch $@
