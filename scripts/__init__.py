"""What ``make`` runs: Python's standard library only, so that a fresh machine needs nothing before the first command."""
