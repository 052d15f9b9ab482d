"""Tests of the demo. Those under ``wholesale`` need the demo's settings: ``test_project`` runs them in a process of their own."""
