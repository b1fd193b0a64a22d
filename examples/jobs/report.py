"""What a job hands back, and how it is printed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import TypeVar

T = TypeVar("T")

REPEATS = 7
HEADINGS = ("", "freeloom", "NumPy", "", "build", "run", "NumPy run")


@dataclass(frozen=True)
class Result:
    """A job's answer beside NumPy's, with times in seconds."""

    question: str
    answer: str
    reference: str
    agrees: bool
    build: float
    run: float
    reference_run: float

    def cells(self) -> tuple[str, ...]:
        times = (duration(self.build), duration(self.run), duration(self.reference_run))
        return (self.question, self.answer, self.reference, "same" if self.agrees else "DIFFERENT", *times)


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Runs `work` once: its value and the seconds it took."""
    start = perf_counter()
    value = work()
    return value, perf_counter() - start


def measured(work: Callable[[], T]) -> tuple[T, float]:
    """Runs `work` several times: its value and the median of the seconds it took."""
    value, first = timed(work)
    return value, median([first, *(timed(work)[1] for _ in range(REPEATS - 1))])


def duration(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.1f} µs"
    return f"{seconds * 1e3:.2f} ms"


def print_results(title: str, results: Sequence[Result]) -> None:
    rows = [HEADINGS, *(result.cells() for result in results)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADINGS))]
    print(f"\n{title}")
    for row in rows:
        words = [cell.ljust(width) for cell, width in zip(row[:4], widths[:4], strict=True)]
        times = [cell.rjust(width) for cell, width in zip(row[4:], widths[4:], strict=True)]
        print("  " + "  ".join(words + times))
