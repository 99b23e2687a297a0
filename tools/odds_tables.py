"""The table of calibrated odds for a page that `document.py` makes, from what `tools/calibrate` kept in benchmarks/results."""

from __future__ import annotations

from tables import RESULTS, results, table

from garden_ai.games import definition

HEADER = (
    "game", "players", "games", "positions", "error as searched", "error of what `hint` says", "95% interval", "of perfect odds",
    "offset", "slope", "optimism", "plot",
)


def odds() -> str:
    """A line for every game and number of players that was measured, and what made the figures."""
    found = [results(file.stem, "after") for file in sorted(RESULTS.glob("calibration-*.json"))]
    if not found:
        return "Not yet measured."
    rows = []
    for one in found:
        before, after, correction = one["before"], one["after"], one["correction"]
        low, high = after["interval"]
        rows.append([
            definition(one["game"]).title, f"{one['players']}", f"{one['games']:,}", f"{before['positions']:,}",
            f"{before['error']:.3f}", f"{after['error']:.3f}", f"{low:.3f}-{high:.3f}", f"{after['by_chance']:.3f}",
            *(f"{correction[name]:.2f}" for name in ("offset", "slope", "optimism")),
            f"[plot](images/calibration-{one['game']}-{one['players']}.svg)",
        ])
    made_by = "\n".join(f"- `{one['command']}`: {one['date']}, commit {one['commit']}" for one in found)
    return f"{table(HEADER, rows)}\n\nMade by\n\n{made_by}"
