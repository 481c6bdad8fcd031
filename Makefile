# Everything runs in .venv, which is made on first use; a fresh machine needs Python >= 3.11, git and make.
PYTHON ?= python3
REPO ?= .
SINCE ?= main
CHECK_S ?= 45
BIN := .venv/bin
STAMP := .venv/.installed
ATTACK_STAMP := .venv/attack/.installed

LINT := types types-darwin style layers types-win32
# on two cores: half of what the tests of processes do is waiting; tests/conftest.py says what begins first
PYTEST := $(BIN)/python -m pytest -n 4 --dist loadfile --no-loadscope-reorder

INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --progress-bar off
COMPILE := $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
  --custom-compile-command "make lock" $(LOCK)

.PHONY: help demo check test lint $(LINT) collected format bench eval eval-agents eval-languages eval-sweqa grammars faults attack properties queries figures dependencies audit docs workflows vscode lock release release-test clean
.DEFAULT_GOAL := help

help:
	@echo "make demo [REPO=path]  index a repository and ask it questions through a real MCP client"
	@echo "make test              everything that has to hold: format, lint, types, layers, docs, tests"
	@echo "make check             lint, and the tests nearest to what changed since main (SINCE=COMMIT): less than a minute"
	@echo "make bench             the figures, side by side with a bare parse (BENCH='--only index --json' to choose)"
	@echo "make eval              what search finds, with intervals and by token budget (EVAL='--data DIR --corpora DIR'; --help says more)"
	@echo "make eval-agents       25 questions with known answers through a real shim, beside grep and a peer (EVAL=--help)"
	@echo "make grammars          derives the queries of languages without a folder from their grammars and examples"
	@echo "make eval-languages    definitions and references of each language against universal-ctags and compilers (EVAL=--help)"
	@echo "make eval-sweqa        files that answer the questions of SWE-QA-Bench, within 2,000 tokens (EVAL=--help)"
	@echo "make dependencies      renew the table of what an installation brings, from fresh environments"
	@echo "make audit             compare what is locked with the known advisories (needs the service of the index)"
	@echo "make docs              renew the generated pages and build the site into site/, with every link checked"
	@echo "make figures           measure the figures of this release, those that ask for nothing from elsewhere, and renew their page (FIGURES=--help)"
	@echo "make attack            hold the document of HTTP to a daemon by schemathesis (ATTACK_SEED, ATTACK_EXAMPLES)"
	@echo "make workflows         lint what the public repository runs: .github"
	@echo "make vscode            build the extension for VS Code and run its tests (needs npm and its registry)"
	@echo "make lock              renew packaging/constraints*.txt after a change of dependencies (LOCK=--upgrade for the newest)"
	@echo "make release           every artefact of a release into dist/, from the commit that is checked out (RELEASE=--help)"
	@echo "make release-test      build it twice, compare the bytes, install every artefact and ask it a question"
	@echo "make lint | format | faults | properties | queries | clean"

# what make lock has locked, each file checked by its hash; then the sources, in editable form
$(STAMP): pyproject.toml packaging/constraints-dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "codeagentd needs Python >= 3.11; this is " + sys.version.split()[0] + " (set PYTHON=…)")'
	@echo "making .venv and installing into it what codeagentd and its tests need (0.9 GB, a minute or two)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python tests/harness/progress.py 5 $(INSTALL) --require-hashes --requirement packaging/constraints-dev.txt
	@$(INSTALL) --quiet --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q protocol shim daemon  # windows start a third sooner, also where Python is told not to write bytecode
	@touch $@

# an environment of its own: 27 packages, of which some want other versions than the tests
$(ATTACK_STAMP): $(STAMP) pyproject.toml
	@$(PYTHON) -m venv .venv/attack
	@$(BIN)/python tests/harness/progress.py 5 .venv/attack/bin/python -m pip install --disable-pip-version-check --progress-bar off \
	  $$($(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]["attack"], sep="\n")')
	@touch $@

demo: $(STAMP)
	@$(BIN)/python -m tests.demo "$(REPO)"

check: $(STAMP)
	@until=$$(($$(date +%s) + $(CHECK_S))) && $(MAKE) --no-print-directory -j 2 types style layers && \
	  tests=$$($(BIN)/python -m tests.harness.changed $(SINCE)) && if [ -z "$$tests" ]; then echo "nothing changed"; else \
	  $(PYTEST) -q -r fE -p tests.harness.time_budget --until $$until $$tests; fi

test: $(STAMP)
	@$(MAKE) --no-print-directory -j 2 $(LINT) collected
	$(PYTEST)

lint: $(STAMP)
	@$(MAKE) --no-print-directory -j 2 $(LINT)

# the steps of lint, for two at a time: the longest first. Each platform keeps a cache of its own, which another one's run would void
types: $(STAMP)
	$(BIN)/mypy

types-darwin: $(STAMP)
	$(BIN)/mypy --cache-dir .mypy_cache/darwin --platform darwin protocol shim daemon

types-win32: $(STAMP)
	$(BIN)/mypy --cache-dir .mypy_cache/win32 --platform win32 --exclude '/scan/watching/(inotify|inotify_backend)\.py$$|/speculation/(pid_namespace|isolation|command_runner|process)\.py$$' protocol shim daemon

style: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

layers: $(STAMP)
	$(BIN)/lint-imports

# compiles what the tests import once, before several processes would do it each for itself
collected: $(STAMP)
	@$(BIN)/python -m compileall -q protocol shim daemon tests
	@mkdir -p .pytest_cache && $(BIN)/python -m pytest --collect-only -q --no-header > .pytest_cache/collected 2>&1 || { tail -40 .pytest_cache/collected; exit 1; }

format: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(STAMP)
	@$(BIN)/python -m tests.bench $(BENCH)

eval: $(STAMP)
	@$(BIN)/python -m tests.eval $(EVAL)

# LANGUAGES="nim zig": those alone
grammars: $(STAMP)
	@$(BIN)/python -m tests.harness.generic_queries $(LANGUAGES)

eval-agents eval-languages eval-sweqa: eval-%: $(STAMP)
	@$(BIN)/python -m tests.eval.$* $(EVAL)

faults: $(STAMP)
	FUZZ_EXAMPLES=100 BROKEN_STATES=20 HISTORY_STEPS=5 $(BIN)/python -m pytest -m "" $(FAULTS) tests/faults \
	  tests/properties/test_tool_arguments.py tests/properties/test_broken_sources.py tests/properties/test_real_history.py

# ten times the examples of `make test`, other ones each time
properties: $(STAMP)
	FUZZ_EXAMPLES=120 BROKEN_STATES=10 BROKEN_SEED=$$(date +%j) HISTORY_STEPS=3 $(PYTEST) tests/properties

attack: $(ATTACK_STAMP)
	@$(BIN)/python -m tests.attack

queries: $(STAMP)
	GENERATED_QUERIES=10000 $(BIN)/python -m pytest tests/unit/tools/test_structural_search.py -k no_query_crashes

# installs into fresh environments, so it needs the index; PYTHONS="python3.11 python3.13" counts the packages of each
dependencies: $(STAMP)
	@$(BIN)/python -m tests.bench.installation $(PYTHONS)

# strict: a package that nobody can say anything about fails it, so that it fails where the service is out of reach
audit: $(STAMP)
	$(BIN)/python -m pip_audit --strict --progress-spinner off --disable-pip --require-hashes --requirement packaging/constraints-dev.txt

figures: $(STAMP)
	@$(BIN)/python -m tests.bench.releases $(FIGURES)
	@$(BIN)/python -m tests.harness.documents --write

workflows: $(STAMP)
	$(BIN)/actionlint
	$(BIN)/zizmor --offline --quiet --persona auditor .github

docs: $(STAMP)
	$(BIN)/python -m tests.harness.documents --write
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict  # --quiet would also pass over warnings
	@echo "open site/index.html"

# not a part of `make test`, which has to pass where npm has no registry; what is generated for it is tested there
vscode:
	cd editors/vscode && npm ci --no-audit --no-fund && npm run types && npm run build && npm test

# the versions and hashes that are installed, for every platform and version of Python; what is there stays (LOCK=--upgrade: the newest)
lock: $(STAMP)
	@$(COMPILE) --output-file packaging/constraints.txt
	@$(COMPILE) --output-file packaging/constraints-dev.txt --constraint packaging/constraints.txt --group dev --group docs --group release --group workflows

# every artefact, from the commit that is checked out (RELEASE='--only NAME,…', --list, --help)
release: $(STAMP)
	@$(BIN)/python packaging/release --out dist $(RELEASE)

# builds everything twice, compares the bytes, installs each artefact and asks it a question: half an hour, and the registries
release-test: $(STAMP)
	$(BIN)/python -m pytest -m "" tests/release

clean:
	rm -rf editors/vscode/node_modules editors/vscode/dist editors/vscode/out
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis dist build site
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
