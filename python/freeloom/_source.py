"""From a function object to its syntax and its declared types.

The only user of `ast` and `inspect`; imported when the first Python function is compiled.
"""

import __future__

import ast
import functools
import linecache
import threading
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import TypeAlias

from freeloom.errors import CompileError

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Found: TypeAlias = tuple[Function, str, int, list[str]]
Place: TypeAlias = tuple[int, int]

_FILES_REMEMBERED = 16
_files: dict[str, tuple[list[str], "_Parsed"]] = {}
# `from __future__` statements may stand in another cell of a session: they are remembered by the code only.
_FUTURE = 0
for _name in __future__.all_feature_names:
    _FUTURE |= getattr(__future__, _name).compiler_flag
# CPython 3.11 counts the depth of a tree per interpreter: two threads that convert trees at once may fail.
_lock = threading.Lock()


def find(function: FunctionType) -> Found:
    """The node of a function, its file, and the lines it stands in with the number of the first.

    Raises `CompileError` if the source is not available or not the one that was compiled.
    """
    code = function.__code__
    lines = _lines(code, function)
    if not lines:
        raise _no_source(function)
    try:
        parsed = _parse(code.co_filename, lines)
        candidates = parsed.functions.get(code.co_firstlineno, [])
        matching = [node for node in candidates if _fits(node, code)]
        if not matching:
            raise _changed(function)
        node = _choose(matching, code, function)
        if not _is_compiled_from(code, node, parsed.tree):
            raise _changed(function)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise _changed(function) from error
    first = node.lineno
    last = node.end_lineno or first
    return node, code.co_filename, first, [line.rstrip("\r\n") for line in lines[first - 1 : last]]


def _lines(code: CodeType, function: FunctionType) -> list[str]:
    lines = linecache.getlines(code.co_filename, function.__globals__)
    # From 3.13 on, Python keeps what was typed or given by `-c` by code object: its names are not unique.
    typed = getattr(linecache, "_getlines_from_code", None)
    if not lines and typed is not None and code.co_filename.startswith("<"):
        lines = typed(code)
    return lines


class _Parsed:
    """A file: its tree, and its functions by the line CPython gives them."""

    def __init__(self, text: str) -> None:
        self.tree = ast.parse(text)
        self.functions: dict[int, list[Function]] = {}
        for node in _function_nodes(self.tree):
            self.functions.setdefault(_first_line(node), []).append(node)


def _parse(filename: str, lines: list[str]) -> _Parsed:
    """Parsed once while the lines stay the same."""
    known = _files.get(filename)
    if known is not None and (known[0] is lines or known[0] == lines):
        return known[1]
    with _lock:
        parsed = _Parsed("".join(lines))
        while len(_files) >= _FILES_REMEMBERED:
            _files.pop(next(iter(_files)))
        _files[filename] = (lines, parsed)
    return parsed


def _function_nodes(tree: ast.AST) -> Iterator[Function]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield node


def _first_line(node: Function) -> int:
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _fits(node: Function, code: CodeType) -> bool:
    """Could this node be what the code was compiled from?"""
    name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
    args = node.args
    names = [a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    names += [a.arg for a in (args.vararg, args.kwarg) if a is not None]
    return name == code.co_name and tuple(names) == code.co_varnames[: len(names)] and _contains(node, code)


def _extent(code: CodeType) -> tuple[Place, Place] | None:
    """First and last place of the code's instructions. Without positions (`-X no_debug_ranges`): nothing."""
    starts: list[Place] = []
    ends: list[Place] = []
    for line, end_line, column, end_column in code.co_positions():
        # Instructions of no expression have an empty range or no columns at all.
        if line is None or end_line is None or column is None or end_column is None:
            continue
        if (line, column) != (end_line, end_column):
            starts.append((line, column))
            ends.append((end_line, end_column))
    return (min(starts), max(ends)) if starts else None


def _contains(node: Function, code: CodeType) -> bool:
    extent = _extent(code)
    if extent is None:
        return True
    start = (node.lineno, node.col_offset)
    end = (node.end_lineno or node.lineno, node.end_col_offset or 0)
    return start <= extent[0] and extent[1] <= end


def _choose(nodes: list[Function], code: CodeType, function: FunctionType) -> Function:
    """Of several that contain the code, the innermost; without positions, the one that compiles to it."""
    if len(nodes) == 1:
        return nodes[0]
    if _extent(code) is not None:
        return max(nodes, key=lambda node: (node.lineno, node.col_offset))
    same = [node for node in nodes if isinstance(node, ast.Lambda) and _compiles_to(node, code)]
    if not same or len({ast.dump(node) for node in same}) > 1:
        message = "several functions begin on this line and cannot be told apart"
        raise _error(function, message, "write each on a line of its own")
    return same[0]


def _is_compiled_from(code: CodeType, node: Function, tree: ast.Module) -> bool:
    """Does the text still compile to the code?"""
    names = (*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars)
    if not all(name.isidentifier() for name in names if not name.startswith(".")):
        return True  # Rewritten by a tool, as pytest does with assertions: the text tells nothing.
    outer = _module_code(tree, code.co_filename, code.co_flags & _FUTURE | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    extent = _extent(code)
    inner = (c for c in _codes(outer) if c.co_firstlineno == code.co_firstlineno and _fits(node, c))
    return any(c == code or (_extent(c) == extent and _is_same(c, code)) for c in inner)


@functools.lru_cache(_FILES_REMEMBERED)
def _module_code(tree: ast.Module, filename: str, flags: int) -> CodeType:
    # All of it: how attributes of a name are read depends on whether the module imports the name.
    with _lock:
        code: CodeType = compile(tree, filename, "exec", flags, dont_inherit=True)
    return code


def _codes(outer: CodeType) -> Iterator[CodeType]:
    for constant in outer.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _is_same(a: CodeType, b: CodeType) -> bool:
    """Equal but for places: those may be left out when a file is compiled."""
    return _content(a) == _content(b)


def _content(code: CodeType) -> tuple[object, ...]:
    names = (code.co_name, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return (names, code.co_code, tuple(_constant(c) for c in code.co_consts))


def _constant(constant: object) -> object:
    """Equal for equal constants only: `1`, `1.0` and `True` are not, nor are `0.0` and `-0.0`."""
    if isinstance(constant, CodeType):
        return _content(constant)
    if isinstance(constant, tuple):
        return tuple(_constant(c) for c in constant)
    if isinstance(constant, frozenset):
        return frozenset(_constant(c) for c in constant)
    return (type(constant), repr(constant))


def _compiles_to(node: ast.Lambda, code: CodeType) -> bool:
    with _lock:
        outer = compile(ast.Expression(node), code.co_filename, "eval")
    inner = next(constant for constant in outer.co_consts if isinstance(constant, CodeType))
    return inner.co_code == code.co_code and inner.co_consts == code.co_consts


def _error(function: FunctionType, message: str, hint: str) -> CompileError:
    code = function.__code__
    text = f'{message}\n  File "{code.co_filename}", line {code.co_firstlineno}, in {function.__qualname__}'
    place = (code.co_firstlineno, 0, code.co_firstlineno, 0)
    return CompileError(f"{text}\n  hint: {hint}", code.co_filename, place, None, hint)


def _no_source(function: FunctionType) -> CompileError:
    message = f"the source of '{function.__qualname__}' is not available"
    hint = (
        "define it in a file or a notebook cell: functions are compiled from source, which exec does not keep"
        ", nor do the prompt and -c before Python 3.13"
    )
    return _error(function, message, hint)


def _changed(function: FunctionType) -> CompileError:
    message = f"the source of '{function.__qualname__}' is not what was compiled"
    return _error(function, message, "the file has changed since it was imported: reload the module")


def annotation(function: FunctionType, of_result: bool) -> object:
    """The declared type of the result, or of the first parameter; `None` if there is none to be had."""
    annotations = getattr(function, "__annotations__", None)
    if not annotations:
        return None
    code = function.__code__
    name = "return" if of_result else next(iter(code.co_varnames[: code.co_argcount]), None)
    declared = annotations.get(name)
    return _evaluate(declared, function) if isinstance(declared, str) else declared


def _evaluate(text: str, function: FunctionType) -> object:
    """A string annotation as an object; one that means nothing here counts as absent."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    names = {}
    for name, cell in cells:
        try:
            names[name] = cell.cell_contents
        except ValueError:
            continue
    try:
        return eval(text, function.__globals__, names)
    except Exception:
        return None
