"""Kills and races: what only several processes, or a dead one, can show."""
