"""What the documents show is run: Python blocks of the pages, and the examples."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

# Programs and processes of their own: many at once would test the machine.
pytestmark = pytest.mark.parallel_threads(1)

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks() -> list:
    found = [
        (page, number, text)
        for page in PAGES
        for number, text in enumerate(BLOCK.findall(page.read_text(encoding="utf-8")), 1)
    ]
    return [pytest.param(text, id=f"{page.name}-{number}") for page, number, text in found]


@pytest.mark.parametrize("text", blocks())
def test_python_blocks_run(text, tmp_path):
    # From a file: operators are compiled from their source, which code in a string does not have.
    program = tmp_path / "block.py"
    program.write_text(text, encoding="utf-8")
    runpy.run_path(str(program))


def run_example(*arguments) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "examples" / "weather.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)


def test_example_agrees_with_numpy():
    done = run_example()
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("same") == 10
    assert "Every answer agrees with NumPy." in done.stdout


def test_example_reads_a_csv_column(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("day,level\nMon,3.5\nTue,\nWed,1.25\nThu,0.5\n", encoding="utf-8")
    done = run_example(path, "--column", "level")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mine.csv: 3 numbers" in done.stdout
    assert done.stdout.count("same") == 5


def test_example_reads_an_npy_file(tmp_path):
    path = tmp_path / "mine.npy"
    np.save(path, np.arange(12, dtype=np.int16).reshape(3, 4))
    done = run_example(path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mine.npy: 12 numbers" in done.stdout


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        ("a,b\n1,2\n", ["--column", "c"], "there is no column 'c'; there are: a, b"),
        ("a,b\n1,2\n", [], "which column? --column takes one of: a, b"),
        ("a,b\nx,y\n", ["--column", "a"], "column 'a' holds no numbers"),
        ("", ["--column", "a"], "the file is empty"),
    ],
)
def test_example_explains_bad_input(tmp_path, content, arguments, message):
    path = tmp_path / "bad.csv"
    path.write_text(content, encoding="utf-8")
    done = run_example(path, *arguments)
    assert done.returncode == 1
    assert message in done.stderr
