"""A tiny host project for tests: orders of customers, and what a tool may say about them."""
