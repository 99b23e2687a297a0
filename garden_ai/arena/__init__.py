"""Matches between engines."""
