"""The rules of the games, a file each. They know `rules.pxd` and no search."""
