"""The form of a Leelawadee position."""
EXAMPLE: dict = {}
def state_schema() -> dict:
    return {}
