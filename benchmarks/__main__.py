"""python -m benchmarks [ROW …] [--items N] [--no-write]"""

import argparse
from pathlib import Path

from . import machine, report
from .measure import measure
from .rows import ROWS

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "benchmarks"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks", description="Measure freeloom against its peers.")
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"any of: {', '.join(ROWS)} (default: all)")
    parser.add_argument("--items", type=int, default=2**24, help="items per array (default: 2^24)")
    parser.add_argument("--no-write", action="store_true", help="print only; leave the pages alone")
    options = parser.parse_args()
    if unknown := set(options.rows) - set(ROWS):
        parser.error(f"no such row: {', '.join(sorted(unknown))}")
    return options


def main() -> None:
    options = arguments()
    outcomes = []
    for name in options.rows or ROWS:
        print(f"measuring {name} …", flush=True)
        outcomes.append(measure(ROWS[name](options.items)))
    text = report.table(outcomes)
    print(f"\n{text}")
    # A part of the rows, or other sizes, must not replace the published figures.
    if not options.no_write and not options.rows and options.items == 2**24:
        PAGES.mkdir(parents=True, exist_ok=True)
        about = machine.describe()
        (PAGES / "cpu.md").write_text(report.page(outcomes, about, options.items), encoding="utf-8")
        (PAGES / "cpu.json").write_text(report.as_json(outcomes, about, options.items), encoding="utf-8")
        report.replace_section(ROOT / "README.md", text)


if __name__ == "__main__":
    main()
