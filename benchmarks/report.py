"""Outcomes as Markdown and JSON, and the table in the README."""

import json
from collections.abc import Sequence
from pathlib import Path

from .measure import COPY, OURS, Outcome

HEADINGS = ("work", "freeloom", "best peer", "freeloom against it", "others and limits")
BEGIN, END = "<!-- benchmarks: begin -->", "<!-- benchmarks: end -->"


def duration(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def cells(outcome: Outcome) -> tuple[str, ...]:
    medians = outcome.medians()
    best = outcome.best_peer()
    rest = sorted((name for name in medians if name not in (OURS, best)), key=medians.__getitem__)
    others = ", ".join(f"{name} {duration(medians[name])}" for name in rest)
    ratio = f"**{outcome.ratio(best):.2f}x**"
    return (outcome.row.name, duration(medians[OURS]), f"{best} {duration(medians[best])}", ratio, others)


def table(outcomes: Sequence[Outcome]) -> str:
    rows = [HEADINGS, ("---", "---:", "---:", "---:", "---"), *(cells(outcome) for outcome in outcomes)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def page(outcomes: Sequence[Outcome], machine: dict[str, str], count: int) -> str:
    notes = [f"* {outcome.row.name}: {outcome.row.note}" for outcome in outcomes if outcome.row.note]
    lines = [
        "# CPU benchmarks",
        "",
        "Written by `make bench`. All contenders of a row are measured in turn in one process, and their",
        "medians are compared: 2.00x means that freeloom took half the time.",
        f"Arrays have {count:,} items unless the row says otherwise. “{COPY}” is a copy by all cores that",
        "moves as many bytes as the row must read and write at least.",
        "",
        *(f"* {key}: {value}" for key, value in machine.items()),
        "",
        table(outcomes),
        "",
        *notes,
    ]
    return "\n".join(lines).rstrip() + "\n"


def as_json(outcomes: Sequence[Outcome], machine: dict[str, str], count: int) -> str:
    rows = [
        {
            "work": outcome.row.name,
            "medians": outcome.medians(),
            "yardsticks": list(outcome.row.yardsticks),
            "samples": outcome.samples,
        }
        for outcome in outcomes
    ]
    return json.dumps({"machine": machine, "items": count, "unit": "seconds", "rows": rows}, indent=1) + "\n"


def replace_section(readme: Path, text: str) -> None:
    before, begin, rest = readme.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{readme} has no section between {BEGIN} and {END}")
    readme.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")
