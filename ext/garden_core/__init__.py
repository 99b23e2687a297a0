"""The compiled half of garden-ai: rules of the games and searches over them, below the Python boundary.

`garden_core.rules` (cimport it) is the contract between the two; `garden_core.state` is what Python sees.
"""
