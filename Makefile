# hupai: `make run` shows it at work, `make test` tests it. Both make .venv themselves.
.DELETE_ON_ERROR:
.PHONY: help run test slow check format bench fuzz faces samples rules dist bill train-env test-train clean

# The first interpreter that is new enough; `make PYTHON=/path/to/python3.12 run` overrides it.
ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(firstword $(foreach p,python3 python3.14 python3.13 python3.12 python3.11,\
            $(shell $(p) -c '$(ENOUGH)' >/dev/null 2>&1 && echo $(p))))
PIP := -m pip --disable-pip-version-check --no-input install --quiet --retries 5

PY := .venv/bin/python
# What pytest is given, for example `make test ARGS="tests/scorer -k kong"`.
ARGS ?=

help:
	@echo "make run         read the sample picture: receipt, payments, overlay"
	@echo "make test        the tests        make check   format, lint, types"
	@echo "make slow        the same tests at full counts"
	@echo "make bench       figures of speed and accuracy (nothing else should be running)"
	@echo "make fuzz        the fuzzers, ten minutes an area (MINUTES=10 ARGS=ledger)"
	@echo "make faces       draw the product's own tile pictures into kiosk/web/tiles"
	@echo "make samples     draw the sample pictures again"
	@echo "make rules       write docs/rules-*.md from the rule tables"
	@echo "make dist        wheel and source distribution in dist/"
	@echo "make bill        what hupai is made of: packaging/sbom.cdx.json and licences.md"
	@echo "make train-env   .venv-train with torch; make test-train runs the training smoke test"

run: .venv/installed
	.venv/bin/hupai demo --out out

test: .venv/installed-dev
	$(PY) -m pytest $(ARGS)

slow: .venv/installed-dev
	HUPAI_SLOW=1 $(PY) -m pytest $(ARGS)

check: .venv/installed-dev
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy

format: .venv/installed-dev
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .

# Every module of tests/bench is one area and prints its own figures: `make bench AREA=scorer`.
AREA ?= $(filter-out __init__,$(basename $(notdir $(wildcard tests/bench/*.py))))
bench: .venv/installed-dev
	@set -e; for area in $(AREA); do echo "== $$area"; $(PY) -m tests.bench.$$area; done

# Everything that comes from outside, spoilt in every way, for MINUTES in each area.
MINUTES ?= 10
fuzz: .venv/installed-dev
	$(PY) -m tests.fuzz --minutes $(MINUTES) $(ARGS) 2>/dev/null

faces: .venv/installed
	$(PY) -m datasets.product_faces kiosk/web/tiles

samples: .venv/installed
	$(PY) -m kiosk.samples tests/data/sample-labels.json

rules: .venv/installed
	.venv/bin/hupai rules document --out docs

dist: .venv/installed-dev
	$(PY) -m build --no-isolation --outdir dist .

bill: .venv/installed-dev
	$(PY) -m tests.release.bill

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "hupai needs Python 3.11 or newer; none was found."; exit 1; }
	@$(PYTHON) -m venv .venv || { rm -rf .venv; \
	  echo "Python cannot make an environment here; on Debian: apt install python3-venv"; exit 1; }

.venv/installed: pyproject.toml | .venv/bin/python
	$(PY) $(PIP) --editable .
	@$(call settle-opencv,$(PY))
	@touch $@

# pymahjonggb, the independent scorer, comes as source: where nothing can compile it, its tests skip.
.venv/installed-dev: pyproject.toml .venv/installed
	$(PY) $(PIP) --editable '.[dev]'
	@$(PY) $(PIP) --editable '.[oracle]' 2>/dev/null \
	  || echo "pymahjonggb was not built (is a C++ compiler here?); its tests will be skipped."
	@$(call settle-opencv,$(PY))
	@touch $@

# opencv-python links to desktop libraries (libGL, glib). Where the machine lacks them, the same
# release without windows takes its place; both own the folder cv2, so the first must go first.
define settle-opencv
$(1) -c 'import cv2' 2>/dev/null || { \
  echo "The desktop libraries of OpenCV are missing; taking opencv-python-headless instead."; \
  $(1) -m pip uninstall --quiet --yes opencv-python opencv-python-headless 2>/dev/null; \
  $(1) $(PIP) opencv-python-headless && $(1) -c 'import cv2'; }
endef

train-env: .venv-train/installed

.venv-train/installed: pyproject.toml
	@test -n "$(PYTHON)" || { echo "hupai needs Python 3.11 or newer; none was found."; exit 1; }
	$(PYTHON) -m venv .venv-train
	.venv-train/bin/python $(PIP) --editable '.[dev,train]'
	@$(call settle-opencv,.venv-train/bin/python)
	@touch $@

test-train: .venv-train/installed
	HUPAI_REQUIRE=torch .venv-train/bin/python -m pytest tests/training $(ARGS)

clean:
	rm -rf .venv build dist out *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './.venv*' -prune -exec rm -rf {} +
