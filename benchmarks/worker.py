"""One build's side of `benchmarks/compare`: run by that build's interpreter, it measures the rows it is asked for.

It reads a line of JSON for each run, `{"row": NAME, "seconds": T, "run": N}` or `{"signature": true}`, and answers with one:
`{"figures": {...}}` or `{"signature": N}`. The first line it writes says which build it is and which rows it has, or what keeps
it from measuring. It must run with every build that is compared, so it asks nothing of them but `garden_ai.bench`.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def main() -> None:
    """Answers until the other side has no more questions."""
    try:
        from garden_ai import __version__, bench

        rows = {row.name: row for row in bench.rows()}
        prepare = {name: row.prepare for name, row in rows.items()}
    except (ImportError, AttributeError) as error:
        answer({"error": f"{type(error).__name__}: {error}"})
        return
    answer({"version": __version__, "file": bench.__file__, "rows": list(rows), "exact": [n for n, r in rows.items() if r.exact]})
    ready: dict[str, Any] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        if "row" in asked:
            name = asked["row"]
            if name not in ready:
                ready[name] = prepare[name](asked["seconds"])
            answer({"figures": ready[name](asked["run"])})
        else:
            answer({"signature": bench.signature()})


def answer(what: dict[str, Any]) -> None:
    """One line, at once."""
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    main()
