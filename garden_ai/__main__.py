"""`python -m garden_ai` is the command `garden-ai`."""

from garden_ai.cli import main

main()
