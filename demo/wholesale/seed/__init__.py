"""Invented, believable rows for the demo: the same ones for the same day and seed."""
