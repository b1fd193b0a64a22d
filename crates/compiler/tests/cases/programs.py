"""Prints random functions of two integers as cases for pyast.py: control flow in every combination.

``python3 programs.py SEED COUNT``
"""

import random
import sys

INTS = ["v0", "v1", "v2"]
FLOATS = ["f0", "f1"]


class Program:
    """One function being written."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.fresh = 0
        self.readable = ["a", "b", *INTS]

    def name(self, prefix: str) -> str:
        """A name used nowhere else."""
        self.fresh += 1
        return f"{prefix}{self.fresh}"

    def emit(self, depth: int, line: str) -> None:
        """Writes a line."""
        self.lines.append("    " * depth + line)

    def integer(self, depth: int = 2) -> str:
        """An integer expression."""
        r = self.rng
        if depth == 0 or r.random() < 0.3:
            return r.choice([*self.readable, str(r.randint(-4, 9))])
        x, y = self.integer(depth - 1), self.integer(depth - 1)
        return r.choice(
            [
                f"({x} + {y})",
                f"({x} - {y})",
                f"({x} * {y})",
                f"({x} // {r.choice([-3, 2, 5])})",
                f"({x} % {r.choice([-4, 3, 7])})",
                f"({x} if {self.condition(depth - 1)} else {y})",
                f"({x} and {y})",
                f"({x} or {y})",
                f"min({x}, {y})",
                f"abs({x})",
                f"({x}, {y})[{r.choice([0, 1, -1])}]",
            ]
        )

    def condition(self, depth: int = 1) -> str:
        """A truth value."""
        r = self.rng
        x, y = self.integer(depth), self.integer(max(depth - 1, 0))
        if depth == 0 or r.random() < 0.5:
            return f"{x} {r.choice(['<', '<=', '==', '!=', '>', '>='])} {y}"
        c, d = self.condition(depth - 1), self.condition(depth - 1)
        return r.choice(
            [f"({c} and {d})", f"({c} or {d})", f"not ({c})", f"{x} < {y} <= {self.integer(0)}", x]
        )

    def block(self, depth: int, budget: int, loop: bool) -> None:
        """A few statements."""
        for _ in range(self.rng.randint(1, 3)):
            self.statement(depth, budget, loop)

    def statement(self, depth: int, budget: int, loop: bool) -> None:
        """One statement."""
        r = self.rng
        simple = [self.assign, self.assign, self.swap, self.floating, self.walrus]
        compound = [
            self.if_,
            self.if_,
            self.while_,
            self.for_range,
            self.for_range,
            self.for_tuple,
            self.nested,
        ]
        choice = r.choice(simple if budget == 0 or r.random() < 0.4 else compound)
        if loop and r.random() < 0.15:
            self.emit(depth, f"if {self.condition()}:")
            self.emit(depth + 1, r.choice(["break", "continue"]))
        elif r.random() < 0.06:
            self.emit(depth, f"if {self.condition()}:")
            self.emit(depth + 1, f"return {self.integer()} % 9973")
        else:
            choice(depth, budget, loop)

    def assign(self, depth: int, *_: object) -> None:
        """An assignment of an integer, kept small."""
        target = self.rng.choice(INTS)
        if self.rng.random() < 0.4:
            self.emit(depth, f"{target} {self.rng.choice(['+=', '-=', '*='])} {self.integer(1)}")
            self.emit(depth, f"{target} %= 9973")
        else:
            self.emit(depth, f"{target} = {self.integer()} % 9973")

    def swap(self, depth: int, *_: object) -> None:
        """Tuple assignment."""
        x, y = self.rng.sample(INTS, 2)
        self.emit(depth, f"{x}, {y} = {y}, {x}")

    def floating(self, depth: int, *_: object) -> None:
        """An assignment of a float to a local that may have begun as an integer."""
        target, source = self.rng.choice(FLOATS), self.rng.choice(FLOATS)
        self.emit(depth, f"{target} = {source} * 0.5 + {self.integer(1)}")

    def walrus(self, depth: int, *_: object) -> None:
        """An assignment in a condition."""
        w = self.name("w")
        self.emit(depth, f"if ({w} := {self.integer()}) > 2 and {w} < 50:")
        self.emit(depth + 1, f"{self.rng.choice(INTS)} = {w} % 9973")

    def if_(self, depth: int, budget: int, loop: bool) -> None:
        """A branch."""
        self.emit(depth, f"if {self.condition()}:")
        self.block(depth + 1, budget - 1, loop)
        if self.rng.random() < 0.3:
            self.emit(depth, f"elif {self.condition()}:")
            self.block(depth + 1, budget - 1, loop)
        if self.rng.random() < 0.5:
            self.emit(depth, "else:")
            self.block(depth + 1, budget - 1, loop)

    def orelse(self, depth: int, budget: int, loop: bool) -> None:
        """Perhaps the ``else`` of a loop."""
        if self.rng.random() < 0.4:
            self.emit(depth, "else:")
            self.block(depth + 1, budget - 1, loop)

    def while_(self, depth: int, budget: int, loop: bool) -> None:
        """A loop that ends."""
        k = self.name("k")
        self.emit(depth, f"{k} = 0")
        if self.rng.random() < 0.3:
            self.emit(depth, "while True:")
            self.emit(depth + 1, f"if {k} > {self.rng.randint(1, 5)}:")
            self.emit(depth + 2, "break")
        else:
            self.emit(depth, f"while {k} < {self.rng.randint(1, 6)} and {self.condition()}:")
        self.emit(depth + 1, f"{k} += 1")
        self.block(depth + 1, budget - 1, True)
        self.orelse(depth, budget, loop)

    def for_range(self, depth: int, budget: int, loop: bool) -> None:
        """A counted loop."""
        r, i = self.rng, self.name("i")
        args = r.choice(
            [
                f"{self.integer(1)} % 7",
                str(r.randint(0, 4)),
                f"{r.randint(-3, 3)}, {self.integer(1)} % 6",
                f"{self.integer(1)} % 9, {r.randint(-5, 2)}, {r.choice([-3, -2, -1])}",
                f"{r.randint(-9, 0)}, {self.integer(1)} % 9, {r.choice([2, 3])}",
                f"{self.integer(0)} % 5, {self.integer(0)} % 9, {r.choice(INTS)} % 4 * 2 - 3",
            ]
        )
        self.emit(depth, f"for {i} in range({args}):")
        if r.random() < 0.2:
            self.emit(depth + 1, f"{i} += 1")
        self.emit(depth + 1, f"{r.choice(INTS)} += {i}")
        self.block(depth + 1, budget - 1, True)
        self.orelse(depth, budget, loop)

    def for_tuple(self, depth: int, budget: int, loop: bool) -> None:
        """A loop over a tuple."""
        t = self.name("t")
        items = ", ".join(self.integer(1) for _ in range(self.rng.randint(1, 3)))
        self.emit(depth, f"for {t} in ({items},):")
        self.emit(depth + 1, f"{self.rng.choice(INTS)} += {t}")
        self.block(depth + 1, budget - 1, True)
        self.orelse(depth, budget, loop)

    def nested(self, depth: int, budget: int, loop: bool) -> None:
        """A nested function with returns anywhere, and calls of it."""
        g = self.name("g")
        inner = Program(self.rng)
        inner.fresh = self.fresh
        inner.readable = ["p", "q", *INTS, "a"]
        inner.emit(depth, f"def {g}(p, q={self.integer(1)}):")
        inner.locals(depth + 1, "p", "q")
        inner.block(depth + 1, min(budget - 1, 2), False)
        inner.emit(depth + 1, f"return {inner.integer()} % 9973")
        self.lines += inner.lines
        self.fresh = inner.fresh
        self.emit(depth, f"{self.rng.choice(INTS)} = {g}({self.integer(1)}) + {g}({self.integer(1)}, 2)")
        self.emit(depth, f"{INTS[0]} %= 9973")

    def locals(self, depth: int, x: str, y: str) -> None:
        """First values of the locals."""
        self.emit(depth, f"v0 = {x} % 9973")
        self.emit(depth, f"v1 = {y} % 9973")
        self.emit(depth, "v2 = f0 = 1")
        self.emit(depth, "f1 = 2.5")


def main() -> None:
    """Prints the functions."""
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    for n in range(count):
        program = Program(random.Random(f"{seed}.{n}"))
        print("#: i64, i64")
        program.emit(0, f"def program_{n}(a, b):")
        program.locals(1, "a", "b")
        program.block(1, 3, False)
        program.block(1, 3, False)
        program.emit(1, "return v0 + 10000 * v1 + 100000000 * v2 + f0 + f1")
        print("\n".join(program.lines) + "\n\n")


main()
