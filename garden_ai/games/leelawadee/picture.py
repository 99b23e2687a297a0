"""Leelawadee as a picture."""
def picture(game, view):
    raise NotImplementedError
