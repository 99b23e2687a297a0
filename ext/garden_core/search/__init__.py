"""The searches, a file each. They know `rules.pxd` and no game."""
