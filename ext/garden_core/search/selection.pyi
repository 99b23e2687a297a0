"""The tables behind `selection.pxd`: nothing of it is for Python."""
