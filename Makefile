# Everything is done by scripts/ with nothing but Python's standard library. On a fresh machine: make demo, make test.
PYTHON ?= python3

.PHONY: demo test check race faults pins rules settings panel screenshot clean

demo: ## try it: http://127.0.0.1:8000/admin/; elsewhere: make demo at=8001
	@$(PYTHON) -m scripts.demo $(at)

test: ## all suites; some only: make test only="core sqlite"
	@$(PYTHON) -m scripts.suites $(only)

check: ## lint, format, types, imports, migrations, pins, panel
	@$(PYTHON) -m scripts.checks $(only)

race: ## many clicks on many cards at once, in several processes; prints the figures
	@$(PYTHON) -m scripts.race race

faults: ## kills, stops, deploys, lost databases at every point, 20 seeds, both databases; some only: make faults only="stopped"
	@$(PYTHON) -m scripts.race faults $(only)

pins: ## requirements/*.txt from pyproject.toml (needs uv)
	@$(PYTHON) -m scripts.pins

rules: ## docs/rules.md: moves what tests name by now
	@$(PYTHON) -m scripts.rules

settings: ## docs/settings.md from the code
	@$$($(PYTHON) -m scripts.environment) -m scripts.settings_table

panel: ## src/deskhand/static/deskhand/ from frontend/
	@$$($(PYTHON) -m scripts.environment) -m scripts.frontend build

screenshot: ## docs/panel*.png from the demo
	@$$($(PYTHON) -m scripts.environment) -m scripts.screenshot

clean: ## removes what the above made outside the repository's files
	@rm -rf .venv-* frontend/node_modules .mypy_cache .ruff_cache .hypothesis
