"""The host's own accounts, and two tools that need its surroundings."""
