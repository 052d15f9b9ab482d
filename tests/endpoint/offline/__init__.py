"""Tests of the offline model's parts."""
