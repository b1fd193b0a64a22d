"""Contenders for one piece of work, measured in turn so that a noisy machine is noisy for all of them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from statistics import median
from time import perf_counter, sleep

OURS = "freeloom"
COPY = "copy limit"
WARM_UPS = 2
SETTLE_SECONDS = 0.02


@dataclass(frozen=True)
class Row:
    """One line of the result: the same work done by each contender.

    A contender does the work once and returns the seconds it took, so that it decides what belongs to it.
    `yardsticks` are measured alongside but are not peers: limits of the machine, hand-written code.
    """

    name: str
    contenders: dict[str, Callable[[], float]]
    yardsticks: dict[str, Callable[[], float]] = field(default_factory=dict)
    rounds: int = 15
    note: str = ""


@dataclass(frozen=True)
class Outcome:
    """Seconds of each contender, one entry per round."""

    row: Row
    samples: dict[str, list[float]]

    def medians(self) -> dict[str, float]:
        return {name: median(values) for name, values in self.samples.items()}

    def best_peer(self) -> str:
        medians = self.medians()
        return min((name for name in self.row.contenders if name != OURS), key=medians.__getitem__)

    def ratio(self, other: str) -> float:
        """How many times faster freeloom is than `other`."""
        medians = self.medians()
        return medians[other] / medians[OURS]


def seconds(work: Callable[[], object]) -> Callable[[], float]:
    """A contender that times one call of `work`."""

    def run() -> float:
        start = perf_counter()
        work()
        return perf_counter() - start

    return run


def per_call(work: Callable[[], object], calls: int) -> Callable[[], float]:
    """A contender for work too short to time alone: the mean of `calls` calls in a row."""

    def run() -> float:
        repeat = range(calls)
        start = perf_counter()
        for _ in repeat:
            work()
        return (perf_counter() - start) / calls

    return run


def measure(row: Row) -> Outcome:
    entrants = list({**row.contenders, **row.yardsticks}.items())
    samples: dict[str, list[float]] = {name: [] for name, _ in entrants}
    order = Random(row.name)
    for turn in range(-WARM_UPS, row.rounds):
        # Another order each round: nobody always runs on the caches that the same rival left behind.
        order.shuffle(entrants)
        for name, run in entrants:
            # The threads of some peers spin for a while after their work, on a core that the next one needs;
            # and everybody is measured on the caches that its own last run left behind.
            sleep(SETTLE_SECONDS)
            run()
            elapsed = run()
            if turn >= 0:
                samples[name].append(elapsed)
    return Outcome(row, samples)
