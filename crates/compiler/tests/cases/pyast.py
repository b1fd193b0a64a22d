"""Reads files of test cases and prints them as JSON: syntax trees by CPython's own parser, captures resolved.

A case is a top-level function or lambda under a line ``#: [ir] TYPE, … [-> TYPE]``. Other top-level
definitions are what the cases capture: imports of math, cmath, operator and numpy, literals, functions, and

    limit = array("f64", 1)          a captured array of that rank
    Point = record(x="f32", y="f32") a record type
    thing = other("a socket")        something that cannot be compiled
"""

import ast
import builtins
import json
import math
import sys
from pathlib import Path
from typing import Any

Json = dict[str, Any]

SCALARS = {
    "bool_": "bool",
    "bool": "bool",
    **{f"int{n}": f"i{n}" for n in (8, 16, 32, 64)},
    **{f"uint{n}": f"u{n}" for n in (8, 16, 32, 64)},
    **{f"float{n}": f"f{n}" for n in (16, 32, 64)},
    "complex64": {"complex": "f32"},
    "complex128": {"complex": "f64"},
}
SHORT = {"bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64"}
LIBRARIES = {"math": "Math", "cmath": "CMath", "operator": "Operator", "numpy": "NumPy"}
CONSTANTS = {"pi": math.pi, "e": math.e, "tau": math.tau, "inf": math.inf, "nan": math.nan}


def span(node: ast.AST) -> list[int]:
    """Position of a node; of the header only for functions."""
    end_line, end_col = node.end_lineno, node.end_col_offset
    if isinstance(node, ast.FunctionDef):
        end_line, end_col = node.lineno, node.col_offset + len(f"def {node.name}")
    return [node.lineno, node.col_offset, end_line, end_col]


def expr(node: ast.expr) -> Json:
    """An expression."""
    return {"s": span(node), **expr_kind(node)}


def expr_kind(node: ast.expr) -> Json:
    """What the expression is."""
    match node:
        case ast.Constant(value):
            return constant(value)
        case ast.Name(name):
            return {"k": "Name", "name": name}
        case ast.Attribute(value, name):
            return {"k": "Attribute", "value": expr(value), "name": name}
        case ast.Subscript(value, index):
            return {"k": "Subscript", "value": expr(value), "index": expr(index)}
        case ast.Call(func, args, keywords):
            if any(k.arg is None for k in keywords):
                return {"k": "Unsupported", "class": "Starred"}
            kwargs = [[k.arg, expr(k.value)] for k in keywords]
            return {"k": "Call", "func": expr(func), "args": [expr(a) for a in args], "kwargs": kwargs}
        case ast.BinOp(left, op, right):
            return {"k": "Binary", "op": type(op).__name__, "left": expr(left), "right": expr(right)}
        case ast.UnaryOp(op, value):
            return {"k": "Unary", "op": type(op).__name__, "value": expr(value)}
        case ast.Compare(left, ops, rights):
            rest = [[type(o).__name__, expr(r)] for o, r in zip(ops, rights, strict=True)]
            return {"k": "Compare", "first": expr(left), "rest": rest}
        case ast.BoolOp(op, values):
            return {"k": "BoolChain", "op": type(op).__name__, "items": [expr(v) for v in values]}
        case ast.IfExp(test, then, other):
            return {"k": "Conditional", "test": expr(test), "then": expr(then), "else": expr(other)}
        case ast.Tuple(items):
            return {"k": "Tuple", "items": [expr(i) for i in items]}
        case ast.Lambda():
            return {"k": "Lambda", "def": function(node)}
        case ast.NamedExpr(ast.Name(name), value):
            return {"k": "Walrus", "name": name, "value": expr(value)}
        case _:
            return {"k": "Unsupported", "class": type(node).__name__}


def constant(value: object) -> Json:
    """A literal."""
    match value:
        case bool():
            return {"k": "Bool", "value": value}
        case int():
            return {"k": "Int", "value": str(value)}
        case float():
            return {"k": "Float", "value": repr(value)}
        case complex():
            return {"k": "Imaginary", "value": repr(value.imag)}
        case str():
            return {"k": "Str", "value": value}
        case None:
            return {"k": "None"}
        case _:
            return {"k": "Unsupported", "class": type(value).__name__.capitalize()}


def block(body: list[ast.stmt]) -> list[Json]:
    """Statements."""
    return [{"s": span(s), **stmt_kind(s)} for s in body]


def stmt_kind(node: ast.stmt) -> Json:
    """What the statement is."""
    match node:
        case ast.Assign(targets, value):
            return {"k": "Assign", "targets": [expr(t) for t in targets], "value": expr(value)}
        case ast.AugAssign(target, op, value):
            name = type(op).__name__
            return {"k": "AugAssign", "target": expr(target), "op": name, "value": expr(value)}
        case ast.AnnAssign(target, _, value):
            return {"k": "AnnAssign", "target": expr(target), "value": value and expr(value)}
        case ast.Return(value):
            return {"k": "Return", "value": value and expr(value)}
        case ast.If(test, body, orelse):
            return {"k": "If", "test": expr(test), "body": block(body), "else": block(orelse)}
        case ast.While(test, body, orelse):
            return {"k": "While", "test": expr(test), "body": block(body), "else": block(orelse)}
        case ast.For(target, iterable, body, orelse):
            parts = {"target": expr(target), "iter": expr(iterable)}
            return {"k": "For", **parts, "body": block(body), "else": block(orelse)}
        case ast.Break() | ast.Continue() | ast.Pass():
            return {"k": type(node).__name__}
        case ast.Expr(value):
            return {"k": "Expr", "value": expr(value)}
        case ast.FunctionDef():
            return {"k": "Def", "name": node.name, "def": function(node)}
        case _:
            return {"k": "Unsupported", "class": type(node).__name__}


def function(node: ast.FunctionDef | ast.Lambda) -> Json:
    """A function's parameters and body."""
    a = node.args
    positional = a.posonlyargs + a.args
    defaults = [None] * (len(positional) - len(a.defaults)) + a.defaults
    params = [
        {"name": p.arg, "default": d and expr(d), "kw": False}
        for p, d in zip(positional, defaults, strict=True)
    ]
    params += [
        {"name": p.arg, "default": d and expr(d), "kw": True}
        for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True)
    ]
    if isinstance(node, ast.Lambda):
        body = [{"s": span(node.body), "k": "Return", "value": expr(node.body)}]
    else:
        body = block(node.body)
    return {"s": span(node), "params": params, "body": body, "unsupported": unsupported(node)}


def unsupported(node: ast.FunctionDef | ast.Lambda) -> list[Any] | None:
    """Why a function is refused as a whole."""
    for what, star in (("*args", node.args.vararg), ("**kwargs", node.args.kwarg)):
        if star is not None:
            return [what, span(star)]
    decorators = getattr(node, "decorator_list", [])
    if decorators:
        return ["decorators", span(decorators[0])]
    return next(([("yield"), span(n)] for n in ast.walk(node) if isinstance(n, ast.Yield)), None)


class Module:
    """The top level of a file of cases."""

    def __init__(self, path: Path) -> None:
        self.text = path.read_text()
        self.lines = self.text.splitlines()
        self.tree = ast.parse(self.text)
        self.globals: dict[str, ast.AST | str] = {}
        self.slots: dict[str, int] = {}
        self.reading: list[str] = []
        for node in self.tree.body:
            self.define(node)

    def define(self, node: ast.stmt) -> None:
        """Notes a top-level name."""
        match node:
            case ast.Import(names):
                for alias in names:
                    self.globals[alias.asname or alias.name] = alias.name
            case ast.ImportFrom(module, names):
                for alias in names:
                    self.globals[alias.asname or alias.name] = f"{module}.{alias.name}"
            case ast.FunctionDef(name):
                self.globals[name] = node
            case ast.Assign([ast.Name(name)], value):
                self.globals[name] = value

    def cases(self) -> list[Json]:
        """The functions that have a header."""
        found = []
        for node in self.tree.body:
            header = self.lines[node.lineno - 2] if node.lineno > 1 else ""
            if not header.startswith("#: "):
                continue
            value = node.value if isinstance(node, ast.Assign) else node
            name = node.targets[0].id if isinstance(node, ast.Assign) else node.name
            found.append(
                {**self.header(header[3:]), "end": node.end_lineno, "function": self.read(name, value)}
            )
        return found

    def header(self, text: str) -> Json:
        """``[ir] TYPE, … [-> TYPE]``"""
        shows_ir = text.startswith("ir ") or text == "ir"
        args, _, ret = (text[2:] if shows_ir else text).partition("->")
        args = args.strip()
        types = ast.parse(f"({args},)" if args else "()", mode="eval").body.elts
        result = self.type(ast.parse(ret.strip(), mode="eval").body) if ret else None
        return {"ir": shows_ir, "args": [self.type(t) for t in types], "ret": result}

    def type(self, node: ast.expr) -> Any:
        """A type."""
        match node:
            case ast.Constant(str(text)):
                return self.type(ast.parse(text, mode="eval").body)
            case ast.Name(name) if name in SHORT:
                return name
            case ast.Name("c64"):
                return {"complex": "f32"}
            case ast.Name("c128"):
                return {"complex": "f64"}
            case ast.Name(name):
                return self.record(name, self.globals[name])
            case ast.Tuple(items):
                return {"tuple": [self.type(i) for i in items]}
            case ast.Subscript(elem, ast.Constant(n)):
                return {"array": [self.type(elem), n]}
        raise ValueError(ast.unparse(node))

    def record(self, name: str, node: Any) -> Json:
        """A record type."""
        return {"struct": [name, [[k.arg, self.type(k.value)] for k in node.keywords]]}

    def read(self, name: str, node: ast.FunctionDef | ast.Lambda) -> Json:
        """A top-level function with its captures."""
        self.reading.append(name)
        a = node.args
        positional = a.posonlyargs + a.args
        pairs = list(zip(positional[len(positional) - len(a.defaults) :], a.defaults, strict=True))
        pairs += [(p, d) for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d is not None]
        result = {
            "name": name,
            "first_line": node.lineno,
            "lines": self.lines[node.lineno - 1 : node.end_lineno],
            "def": function(node),
            "defaults": {p.arg: self.evaluate(d) for p, d in pairs},
            "captures": self.captures(node),
        }
        self.reading.pop()
        return result

    def captures(self, node: ast.AST) -> Json:
        """Every name and dotted path that the module or the built-ins know."""
        found = {}
        for n in ast.walk(node):
            path, at = [], n
            while isinstance(at, ast.Attribute):
                path.insert(0, at.attr)
                at = at.value
            if isinstance(at, ast.Name):
                capture = self.resolve(at.id, path)
                if capture is not None:
                    found[".".join([at.id, *path])] = capture
        return found

    def resolve(self, root: str, path: list[str]) -> Json | None:
        """What a path stands for."""
        if root in self.globals:
            target = self.globals[root]
            if isinstance(target, str):
                full = ".".join([target, *path]).split(".")
                return library(full[0], full[1]) if len(full) == 2 else module(full)
            return None if path else self.capture(root, target)
        if hasattr(builtins, root) and not path:
            return {"builtin": ["Builtins", root]}
        return None

    def capture(self, name: str, node: Any) -> Json:
        """What a top-level name of the file stands for."""
        match node:
            case ast.FunctionDef() | ast.Lambda():
                if name in self.reading:
                    return {"other": "a function that calls itself"}
                return {"function": self.read(name, node)}
            case ast.Call(ast.Name("array"), [ast.Constant(elem), ast.Constant(rank)]):
                slot = self.slots.setdefault(name, len(self.slots))
                return {"array": [slot, self.type(ast.parse(elem, mode="eval").body), rank]}
            case ast.Call(ast.Name("record")):
                return {"type": self.record(name, node)}
            case ast.Call(ast.Name("other"), [ast.Constant(what)]):
                return {"other": what}
        return self.evaluate(node)

    def evaluate(self, node: ast.expr) -> Json:
        """A literal, or a name of the module."""
        if isinstance(node, ast.Name):
            return self.resolve(node.id, [])
        return {"value": value(ast.literal_eval(node))}


def module(full: list[str]) -> Json | None:
    """A library by itself."""
    return {"other": f"the module {full[0]}"} if len(full) == 1 else None


def library(name: str, attribute: str) -> Json:
    """An attribute of a library."""
    if name == "numpy" and attribute in SCALARS:
        return {"type": SCALARS[attribute]}
    if attribute in CONSTANTS:
        return {"value": value(CONSTANTS[attribute])}
    return {"builtin": [LIBRARIES[name], attribute]}


def value(v: Any) -> Any:
    """A constant."""
    if isinstance(v, tuple):
        return {"tuple": [value(i) for i in v]}
    kind = constant(v)
    if isinstance(v, complex):
        return {"k": "Complex", "re": repr(v.real), "im": repr(v.imag)}
    return kind


def with_runs(module: Module, cases: list[Json]) -> list[Json]:
    """Adds what CPython computes: arguments, then the result as text."""
    namespace: dict[str, Any] = {}
    exec(module.text, namespace)
    pairs = [(0, 0), (1, -1), (3, 8), (-7, 2), (12, 5), (100, -40)]
    for case in cases:
        run = namespace[case["function"]["name"]]
        case["runs"] = [[list(pair), repr(float(run(*pair)))] for pair in pairs]
    return cases


def main() -> None:
    """Prints the cases of each file named, after ``--run`` with what CPython makes of them."""
    sys.setrecursionlimit(100_000)
    paths = [p for p in sys.argv[1:] if p != "--run"]
    found = []
    for module in map(Module, map(Path, paths)):
        cases = module.cases()
        if "--run" in sys.argv:
            cases = with_runs(module, cases)
        found.append(cases)
    json.dump(found, sys.stdout)


main()
