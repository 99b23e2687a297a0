"""Writes tests/perft/ and tests/playthroughs/ anew: `python tests/playthroughs/make.py [GAME ...]`.

Only after a change that means to change the rules, the keys or the random draws; say so in the commit.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import battery


def main(names: list[str]) -> None:
    cases = battery.cases()
    for name in names or sorted({case.name for case in cases}):
        own = [case for case in cases if case.name == name]
        perft = [entry for case in own for entry in battery.perft_entries(case)]
        battery.write_lines(battery.PERFT / f"{name}.json", perft)
        played = [battery.playthrough(case, seed) for case in own for seed in (1, 2)]
        battery.write_lines(battery.PLAYTHROUGHS / f"{name}.json", played)
        print(f"{name}: {len(perft)} counts, {len(played)} games")


if __name__ == "__main__":
    main(sys.argv[1:])
