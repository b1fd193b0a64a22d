"""Functions are found in their source, wherever they stand."""

import functools
import linecache
import sys
import textwrap

import numpy as np
import pytest

from freeloom import CompileError
from freeloom.compute import unary_transform


def at(op, x=3.0):
    out = np.zeros(1)
    unary_transform(d_in=np.array([x]), d_out=out, op=op, num_items=1)
    return out[0]


def run(text, tmp_path, name="written.py"):
    path = tmp_path / name
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    scope = {"np": np}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), scope)
    return scope


def test_several_lambdas_on_a_line():
    f, g, h = lambda x: x + 1, lambda x: x + 2, lambda x: (lambda y: y * 10)(x) + 3
    assert (at(f), at(g), at(h)) == (4, 5, 33)


def test_lambda_in_a_lambda():
    make = lambda k: lambda x: x + k  # noqa: E731
    assert at(make(5)) == 8
    assert at((lambda: lambda x: -x)()) == -3


def test_equal_lambdas_on_a_line():
    pair = [lambda x: x * 2, lambda x: x * 2]
    assert [at(f) for f in pair] == [6, 6]


def test_lambda_over_several_lines():
    f = lambda x: (  # noqa: E731
        # a comment
        (x + 1) * 2
    )
    assert at(f) == 8


def test_lambda_as_argument_and_default(tmp_path):
    def call(function=lambda x: x - 1):
        return at(function)

    assert call() == 2
    assert call(lambda x: x - 2) == 1
    assert at({"a": lambda x: x * 3}["a"]) == 9
    assert [at(f) for f in [lambda x, k=k: x + k for k in range(3)]] == [3, 4, 5]


def test_unicode_before_a_lambda():
    text, f = "größe 漢字 🙂", lambda x: x + len("é")
    assert text
    with pytest.raises(CompileError) as caught:
        at(f if False else lambda x: (x, "漢字", [x])[0])
    assert "[x]" in caught.value.text


def test_methods_as_plain_functions():
    class Holder:
        @staticmethod
        def static(x):
            return x + 1

        def method(self, x):
            return x

    assert at(Holder.static) == 4
    with pytest.raises(TypeError, match="op"):
        at(Holder().method)


def test_decorated_def():
    def mark(function):
        function.marked = True
        return function

    @mark
    @mark
    def op(x):
        return x + 1

    assert at(op) == 4


def test_wrapped_def_is_what_it_is_now():
    def wrap(function):
        @functools.wraps(function)
        def inner(x):
            return function(x) * 10

        return inner

    @wrap
    def op(x):
        return x + 1

    assert at(op) == 40


def test_docstring_comments_and_nesting():
    def op(x):
        """Doubles."""
        # and adds
        if x > 0:
            return x * 2
        return x

    assert at(op) == 6


def test_tabs_and_continuations(tmp_path):
    scope = run("if True:\n\tdef op(x):\n\t\ty = x + \\\n\t\t\t1\n\t\treturn y\n", tmp_path)
    assert at(scope["op"]) == 4


def test_windows_line_ends(tmp_path):
    path = tmp_path / "crlf.py"
    path.write_bytes(b"def op(x):\r\n    y = x + 1\r\n    return [y]\r\n")
    scope = {}
    exec(compile(path.read_bytes(), str(path), "exec"), scope)
    with pytest.raises(CompileError) as caught:
        at(scope["op"])
    assert (caught.value.lineno, caught.value.text) == (3, "    return [y]")


@pytest.mark.parametrize("text", ["op = lambda x: x + 1", "def op(x):\n    return x + 1\n"])
def test_no_source(text):
    scope = {}
    exec(text, scope)
    with pytest.raises(CompileError, match=r"source of .* is not available") as caught:
        at(scope["op"])
    assert "define it in a file" in caught.value.hint


def test_helper_without_source():
    scope = {}
    exec("def helper(x): return x", scope)
    helper = scope["helper"]
    with pytest.raises(CompileError, match="'helper', whose source is not available"):
        at(lambda x: helper(x))


def test_source_of_a_cell():
    # Notebooks and doctest put the text of their cells into linecache.
    name, text = "<cell 1>", "def op(x):\n    return x + 41\n"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope = {}
    exec(compile(text, name, "exec"), scope)
    assert at(scope["op"], 1.0) == 42


def test_changed_file(tmp_path):
    scope = run("def op(x):\n    return x + 1\n", tmp_path, "changed.py")
    (tmp_path / "changed.py").write_text("\n\ndef other(x):\n    return x\n", encoding="utf-8")
    with pytest.raises(CompileError, match="is not what was compiled"):
        at(scope["op"])
    linecache.checkcache(str(tmp_path / "changed.py"))
    broken = run("def op(x):\n    return x + 1\n", tmp_path, "broken.py")
    (tmp_path / "broken.py").write_text("def op(x:\n", encoding="utf-8")
    with pytest.raises(CompileError, match="is not what was compiled"):
        at(broken["op"])


def test_name_mangling_and_odd_names(tmp_path):
    scope = run("größe = 2\ndef ähnlich(été):\n    return été * größe\n", tmp_path)
    assert at(scope["ähnlich"]) == 6


def test_without_positions(tmp_path):
    import subprocess

    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent("""
        import numpy as np
        from freeloom.compute import unary_transform
        f, g = lambda x: x + 1, lambda x: x + 2
        for op, expected in ((f, 4), (g, 5)):
            out = np.zeros(1)
            unary_transform(d_in=np.array([3.0]), d_out=out, op=op, num_items=1)
            assert out[0] == expected
        """),
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-X", "no_debug_ranges", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["def", "lambda"])
def test_an_edit_that_keeps_the_lines(tmp_path, name):
    text = {"def": "def op(x):\n    return x + 1\n", "lambda": "op = lambda x: x + 1\n"}[name]
    scope = run(text, tmp_path, f"edited_{name}.py")
    (tmp_path / f"edited_{name}.py").write_text(text.replace("+ 1", "+ 2"), encoding="utf-8")
    with pytest.raises(CompileError, match="is not what was compiled"):
        at(scope["op"])


def test_an_edit_elsewhere_is_no_change(tmp_path):
    scope = run("def op(x):\n    return x + 1\ny = 1\n", tmp_path, "elsewhere.py")
    (tmp_path / "elsewhere.py").write_text("def op(x):\n    return x + 1\ny = 2\n", encoding="utf-8")
    assert at(scope["op"]) == 4
