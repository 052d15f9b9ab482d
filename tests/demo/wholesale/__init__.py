"""Tests that run with ``--ds=demo.settings``."""
