"""The back office of a small wholesaler, with deskhand in it: a project to try and to copy from."""
