//! What is outside the language, and what to write instead.

use crate::arith::number::beyond_128_bits;
use crate::ast::ExprKind;
use crate::diagnostic::Refusal;

use super::frame::{Callee, Item, is_view};

/// A statement, by its `ast` class.
pub(super) fn stmt(class: &str) -> Refusal {
    let (what, hint) = match class {
        "Try" | "TryStar" => ("`try` is not supported", "compute a valid result for every input"),
        "Raise" => ("`raise` is not supported", "return a value that says so, such as `math.nan`"),
        "Assert" => ("`assert` is not supported", "check before the operator runs"),
        "With" | "AsyncWith" => ("`with` is not supported", "do it outside the operator"),
        "Import" | "ImportFrom" => {
            ("`import` inside the function is not supported", "import at module level")
        }
        "Global" => ("`global` is not supported", "return the new value instead of assigning a global"),
        "Nonlocal" => ("`nonlocal` is not supported", "return the new value and assign it where it is used"),
        "Delete" => ("`del` is not supported", "leave it out: locals need no clearing"),
        "ClassDef" => ("a class inside the function is not supported", "define the record at module level"),
        "Match" => ("`match` is not supported", "use `if` and `elif`"),
        "AsyncFor" | "AsyncFunctionDef" => ("`async` is not supported", "write a plain function"),
        "TypeAlias" => ("a type alias inside the function is not supported", "define it at module level"),
        _ => return Refusal::new(format!("the statement `{class}` is not supported")),
    };
    Refusal::new(what).hint(hint)
}

/// An expression, by its `ast` class.
pub(super) fn expr(class: &str) -> Refusal {
    let (what, hint) = match class {
        "List" => ("lists are not supported", "use a tuple"),
        "Dict" => ("dictionaries are not supported", "use a record type or a tuple"),
        "Set" => ("sets are not supported", "use a tuple"),
        "ListComp" | "SetComp" | "DictComp" | "GeneratorExp" => {
            ("comprehensions are not supported", "use a `for` loop over `range(…)`")
        }
        "JoinedStr" | "FormattedValue" | "TemplateStr" | "Interpolation" => {
            ("strings are not values of compiled functions", "format outside the operator")
        }
        "Starred" => ("`*` in a list of values is not supported", "write the values out"),
        "Slice" => ("slices are not supported", "index single elements"),
        "Await" => ("`await` is not supported", "write a plain function"),
        "Yield" | "YieldFrom" => ("`yield` is not supported", "return one value"),
        "Bytes" => ("bytes are not values of compiled functions", "use numbers"),
        "Ellipsis" => ("`…` is not supported", "give every index"),
        "Int" | "Constant" | "an int beyond 128 bits" => return beyond_128_bits(),
        _ => return Refusal::new(format!("the expression `{class}` is not supported")),
    };
    Refusal::new(what).hint(hint)
}

/// Why a function as a whole is refused.
pub(super) fn function(what: &str) -> Refusal {
    let hint = match what {
        "*args" | "**kwargs" => "name every parameter",
        "decorators" | "decorator" => "call the undecorated function",
        "async" | "yield" => "write a plain function that returns one value",
        _ => return Refusal::new(format!("{what} is not supported")),
    };
    Refusal::new(format!("a function with {what} is not supported")).hint(hint)
}

/// A free name that stands for something else.
pub(super) fn capture(name: &str, what: &str) -> Refusal {
    if what.ends_with("which is not defined") {
        return Refusal::new(format!("the name `{name}` is not defined"))
            .hint("names are looked up when the function is handed over: define it before");
    }
    if let (true, Some((object, attribute))) = (what.ends_with("which does not exist"), name.rsplit_once('.'))
    {
        return Refusal::new(format!("`{object}` has no attribute `{attribute}`"));
    }
    let hint = if what.contains("itself") || what.contains("recursive") {
        "write it as a loop"
    } else {
        "they can use numbers, tuples, records, NumPy arrays, Python functions, `math` and NumPy functions"
    };
    Refusal::new(format!("`{name}` is {what}, which compiled functions cannot use")).hint(hint)
}

/// Something that is not a value where one is needed.
pub(super) fn not_a_value(item: &Item<'_>) -> Refusal {
    match item {
        Item::Value(op) if is_view(op) => {
            let rank = match &op.ty {
                crate::Ty::Strong(freeloom_ir::Type::View(v)) => v.rank,
                _ => 1,
            };
            let index = match rank {
                0 => "()".to_owned(),
                n => (0..n).map(|i| format!("i{i}")).collect::<Vec<_>>().join(", "),
            };
            Refusal::new("a whole array is not a value of compiled functions")
                .hint(format!("read one element, as in `array[{index}]`"))
        }
        Item::Value(_) => Refusal::new("this is not a value"),
        Item::Callee(callee) => {
            let what = match callee {
                Callee::Closure(c) => format!("`{}` is a function", c.name),
                Callee::Function(f) => format!("`{}` is a function", f.name),
                Callee::Builtin(f) => format!("`{}` is a function", f.name),
                Callee::Type(_) => "this is a type".to_owned(),
            };
            Refusal::new(format!("{what}, not a value"))
                .hint("call it, or pass it to a function that calls it")
        }
        Item::None => Refusal::new("`None` is not a value of compiled functions").hint("use a number"),
        Item::Str => Refusal::new("strings are not values of compiled functions").hint("use numbers"),
    }
}

/// A name that cannot change what it stands for.
pub(super) fn rebound(name: &str, item: &Item<'_>) -> Refusal {
    let what = match item {
        Item::Value(_) => "an array",
        Item::Callee(_) => "a function",
        Item::None => "`None`",
        Item::Str => "a string",
    };
    Refusal::new(format!("`{name}` is bound to {what} and in another place too"))
        .hint(format!("a name that stands for {what} must be bound in one place only"))
}

/// Something that cannot be assigned.
pub(super) fn target(kind: &ExprKind) -> Refusal {
    match kind {
        ExprKind::Attribute(..) => {
            Refusal::new("fields of records cannot be assigned").hint("build a new record from the fields")
        }
        ExprKind::Subscript(..) => {
            Refusal::new("elements cannot be assigned").hint("return the value: the algorithm stores it")
        }
        ExprKind::Unsupported(class) if class == "Starred" => {
            Refusal::new("`*` in an assignment is not supported").hint("name every item")
        }
        ExprKind::Unsupported(class) if class == "List" => {
            Refusal::new("`[…]` as a target is not supported").hint("write `a, b = …`")
        }
        _ => Refusal::new("this cannot be assigned"),
    }
}
