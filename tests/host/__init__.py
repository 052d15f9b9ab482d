"""One host project that has all at once what hosts have (``OP10``): tests of it run in a pytest of their own, with its settings."""
