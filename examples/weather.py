"""Python operators on real tables: Seattle's weather and a year of flights from New York.

    python examples/weather.py
    python examples/weather.py data.csv --column NAME
    python examples/weather.py data.npy

Every answer stands beside one computed by NumPy alone. "build" is the time to compile the operators and the
algorithm around them, "run" that of a later call. The exit status is 1 if any answer differs.
"""

import argparse
import sys
from pathlib import Path

from jobs.convert import convert
from jobs.largest import largest
from jobs.moments import mean_and_variance
from jobs.report import Result, print_results
from jobs.spell import longest_spell
from jobs.tables import new_york_flights, read_file, seattle_weather


def weather() -> tuple[str, list[Result]]:
    table = seattle_weather()
    warmest, day = table.numbers("temp_max", "{date}")
    rain, rain_day = table.numbers("precipitation", "{date}")
    results = [
        *mean_and_variance("daily high, °C", warmest),
        *largest("daily high, °C", warmest, day),
        *longest_spell("longest dry spell, days", rain, 0.0, rain_day),
        *convert("daily high, °F", warmest, 1.8, 32.0),
    ]
    return f"Seattle, 2012 to 2015: {warmest.size:,} days", results


def flights() -> tuple[str, list[Result]]:
    table = new_york_flights()
    delay, flight = table.numbers("dep_delay", "{month}/{day} {carrier}{flight}")
    results = [
        *mean_and_variance("departure delay, min", delay),
        *largest("departure delay, min", delay, flight),
        *longest_spell("longest run on time, flights", delay, 0.0, flight),
        *convert("departure delay, hours", delay, 1.0 / 60.0, 0.0),
    ]
    return f"Flights from New York in 2013: {delay.size:,} departures", results


def own_data(path: Path, column: str | None, limit: float | None) -> tuple[str, list[Result]]:
    name, values, label = read_file(path, column)
    center, spread = float(values.mean()), float(values.std()) or 1.0
    limit = center if limit is None else limit
    results = [
        *mean_and_variance(name, values),
        *largest(name, values, label),
        *longest_spell(f"longest run of {name} <= {limit:g}", values, limit, label),
        *convert(f"{name}, standardised", values, 1.0 / spread, -center / spread),
    ]
    return f"{path.name}: {values.size:,} numbers", results


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", type=Path, nargs="?", help="your own .csv or .npy file")
    parser.add_argument("--column", help="the column of the .csv file")
    parser.add_argument(
        "--limit", type=float, help="runs of values up to this are sought (default: the mean)"
    )
    return parser.parse_args()


def main() -> int:
    options = arguments()
    if options.path is None:
        reports = [weather(), flights()]
    else:
        reports = [own_data(options.path, options.column, options.limit)]
    for title, results in reports:
        print_results(title, results)
    agree = all(result.agrees for _, results in reports for result in results)
    print("\nEvery answer agrees with NumPy." if agree else "\nSome answers DIFFER from NumPy.")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
