//! Reads test cases through `pyast.py`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use freeloom_compiler::ast::{
    BinOp, BoolOp, CompareOp, Expr, ExprKind, Float, FunctionDef, Param, Span, Stmt, StmtKind, UnaryOp,
};
use freeloom_compiler::{ArrayCapture, Builtin, Capture, ConstValue, Function, Library, SourceFile};
use freeloom_ir::{Scalar, Type};
use serde_json::Value;

/// One case of a file.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) function: Function,
    pub(crate) args: Vec<Type>,
    pub(crate) ret: Option<Type>,
    pub(crate) shows_ir: bool,
    /// Last line of the function.
    pub(crate) end: usize,
    /// Integer arguments and what CPython computes.
    pub(crate) runs: Vec<(Vec<i64>, f64)>,
}

/// The cases of each file, with what CPython makes of them if `run`.
pub(crate) fn read(files: &[PathBuf], run: bool) -> Vec<Vec<Case>> {
    let mut args: Vec<OsString> = files.iter().map(Into::into).collect();
    args.extend(run.then(|| "--run".into()));
    let parsed: Value = serde_json::from_slice(&python("pyast.py", &args)).expect("JSON");
    let by_file = parsed.as_array().expect("a list").iter().zip(files);
    by_file.map(|(cases, file)| list(cases).iter().map(|c| case(c, file)).collect()).collect()
}

/// What a script of this folder prints.
pub(crate) fn python(script: &str, args: &[OsString]) -> Vec<u8> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(script);
    let output = Command::new("python3").arg(script).args(args).output().expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn case(v: &Value, file: &Path) -> Case {
    let filename = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    Case {
        function: function(&v["function"], &filename),
        args: list(&v["args"]).iter().map(ty).collect(),
        ret: Some(&v["ret"]).filter(|r| !r.is_null()).map(ty),
        shows_ir: v["ir"] == true,
        end: v["end"].as_u64().expect("a line") as usize,
        runs: list(&v["runs"]).iter().map(run).collect(),
    }
}

fn run(v: &Value) -> (Vec<i64>, f64) {
    let args = list(&v[0]).iter().map(|a| a.as_i64().expect("an integer"));
    (args.collect(), float(&v[1]).get())
}

fn list(v: &Value) -> &[Value] {
    v.as_array().map_or(&[], Vec::as_slice)
}

fn text(v: &Value) -> String {
    v.as_str().unwrap_or_else(|| panic!("not a string: {v}")).to_owned()
}

fn number(v: &Value) -> u32 {
    v.as_u64().unwrap_or_else(|| panic!("not a number: {v}")) as u32
}

fn span(v: &Value) -> Span {
    Span { line: number(&v[0]), col: number(&v[1]), end_line: number(&v[2]), end_col: number(&v[3]) }
}

fn ty(v: &Value) -> Type {
    if let Some(name) = v.as_str() {
        let scalar = Scalar::ALL.into_iter().find(|s| s.name() == name);
        return Type::Scalar(scalar.unwrap_or_else(|| panic!("no type {name}")));
    }
    if let Some(part) = v["complex"].as_str() {
        return if part == "f32" { Type::C64 } else { Type::C128 };
    }
    if let Some(items) = v["tuple"].as_array() {
        return Type::tuple(items.iter().map(ty));
    }
    if let Some(array) = v["array"].as_array() {
        return Type::array(ty(&array[0]), u64::from(number(&array[1])));
    }
    let fields = list(&v["struct"][1]).iter().map(|f| (text(&f[0]), ty(&f[1])));
    Type::aligned_struct(&text(&v["struct"][0]), fields)
}

fn function(v: &Value, filename: &str) -> Function {
    let source = SourceFile {
        filename: filename.to_owned(),
        first_line: number(&v["first_line"]),
        lines: list(&v["lines"]).iter().map(text).collect(),
    };
    Function {
        name: text(&v["name"]),
        source: Arc::new(source),
        def: def(&v["def"]),
        defaults: captures(&v["defaults"], filename),
        captures: captures(&v["captures"], filename),
    }
}

fn captures(v: &Value, filename: &str) -> BTreeMap<String, Capture> {
    let map = v.as_object().expect("an object");
    map.iter().map(|(name, c)| (name.clone(), capture(c, filename))).collect()
}

fn capture(v: &Value, filename: &str) -> Capture {
    let (kind, v) = v.as_object().and_then(|m| m.iter().next()).expect("one entry");
    match kind.as_str() {
        "value" => Capture::Value(constant(v)),
        "function" => Capture::Function(Arc::new(function(v, filename))),
        "builtin" => Capture::Builtin(Builtin { library: library(&text(&v[0])), name: text(&v[1]) }),
        "type" => Capture::Type(ty(v)),
        "array" => Capture::Array(ArrayCapture { slot: number(&v[0]), elem: ty(&v[1]), rank: number(&v[2]) }),
        _ => Capture::Unsupported(text(v)),
    }
}

fn library(name: &str) -> Library {
    match name {
        "Math" => Library::Math,
        "CMath" => Library::CMath,
        "NumPy" => Library::NumPy,
        "Operator" => Library::Operator,
        _ => Library::Builtins,
    }
}

fn float(v: &Value) -> Float {
    Float::from(text(v).parse::<f64>().expect("a float"))
}

fn constant(v: &Value) -> ConstValue {
    if let Some(items) = v["tuple"].as_array() {
        return ConstValue::Tuple(items.iter().map(constant).collect());
    }
    match text(&v["k"]).as_str() {
        "Bool" => ConstValue::Bool(v["value"] == true),
        "Int" => ConstValue::Int(text(&v["value"]).parse().expect("an integer")),
        "Float" => ConstValue::Float(float(&v["value"])),
        "Complex" => ConstValue::Complex(float(&v["re"]), float(&v["im"])),
        "Str" => ConstValue::Str(text(&v["value"])),
        _ => ConstValue::None,
    }
}

fn def(v: &Value) -> FunctionDef {
    let params = list(&v["params"]).iter().map(|p| Param {
        name: text(&p["name"]),
        default: optional(&p["default"]),
        keyword_only: p["kw"] == true,
    });
    let unsupported = v["unsupported"].as_array().map(|u| (text(&u[0]), span(&u[1])));
    FunctionDef { params: params.collect(), body: block(&v["body"]), unsupported, span: span(&v["s"]) }
}

fn block(v: &Value) -> Vec<Stmt> {
    list(v).iter().map(stmt).collect()
}

fn stmt(v: &Value) -> Stmt {
    let kind = match text(&v["k"]).as_str() {
        "Assign" => StmtKind::Assign(exprs(&v["targets"]), expr(&v["value"])),
        "AugAssign" => StmtKind::AugAssign(expr(&v["target"]), bin_op(&v["op"]), expr(&v["value"])),
        "AnnAssign" => StmtKind::AnnAssign(expr(&v["target"]), optional(&v["value"])),
        "Return" => StmtKind::Return(optional(&v["value"])),
        "If" => StmtKind::If(expr(&v["test"]), block(&v["body"]), block(&v["else"])),
        "While" => StmtKind::While(expr(&v["test"]), block(&v["body"]), block(&v["else"])),
        "For" => StmtKind::For(expr(&v["target"]), expr(&v["iter"]), block(&v["body"]), block(&v["else"])),
        "Break" => StmtKind::Break,
        "Continue" => StmtKind::Continue,
        "Pass" => StmtKind::Pass,
        "Expr" => StmtKind::Expr(expr(&v["value"])),
        "Def" => StmtKind::Def(text(&v["name"]), Box::new(def(&v["def"]))),
        _ => StmtKind::Unsupported(text(&v["class"])),
    };
    Stmt { kind, span: span(&v["s"]) }
}

fn optional(v: &Value) -> Option<Expr> {
    (!v.is_null()).then(|| expr(v))
}

fn exprs(v: &Value) -> Vec<Expr> {
    list(v).iter().map(expr).collect()
}

fn boxed(v: &Value) -> Box<Expr> {
    Box::new(expr(v))
}

fn expr(v: &Value) -> Expr {
    let kind = match text(&v["k"]).as_str() {
        "Int" => {
            let value = text(&v["value"]).parse();
            value.map_or_else(|_| ExprKind::Unsupported("Int".to_owned()), ExprKind::Int)
        }
        "Float" => ExprKind::Float(float(&v["value"])),
        "Imaginary" => ExprKind::Imaginary(float(&v["value"])),
        "Bool" => ExprKind::Bool(v["value"] == true),
        "None" => ExprKind::None,
        "Str" => ExprKind::Str(text(&v["value"])),
        "Name" => ExprKind::Name(text(&v["name"])),
        "Attribute" => ExprKind::Attribute(boxed(&v["value"]), text(&v["name"])),
        "Subscript" => ExprKind::Subscript(boxed(&v["value"]), boxed(&v["index"])),
        "Call" => {
            let kwargs = list(&v["kwargs"]).iter().map(|k| (text(&k[0]), expr(&k[1])));
            ExprKind::Call(boxed(&v["func"]), exprs(&v["args"]), kwargs.collect())
        }
        "Binary" => ExprKind::Binary(bin_op(&v["op"]), boxed(&v["left"]), boxed(&v["right"])),
        "Unary" => ExprKind::Unary(unary_op(&v["op"]), boxed(&v["value"])),
        "Compare" => {
            let rest = list(&v["rest"]).iter().map(|r| (compare_op(&r[0]), expr(&r[1])));
            ExprKind::Compare(boxed(&v["first"]), rest.collect())
        }
        "BoolChain" => {
            let op = if v["op"] == "And" { BoolOp::And } else { BoolOp::Or };
            ExprKind::BoolChain(op, exprs(&v["items"]))
        }
        "Conditional" => ExprKind::Conditional(boxed(&v["test"]), boxed(&v["then"]), boxed(&v["else"])),
        "Tuple" => ExprKind::Tuple(exprs(&v["items"])),
        "Lambda" => ExprKind::Lambda(Box::new(def(&v["def"]))),
        "Walrus" => ExprKind::Walrus(text(&v["name"]), boxed(&v["value"])),
        _ => ExprKind::Unsupported(text(&v["class"])),
    };
    Expr { kind, span: span(&v["s"]) }
}

fn bin_op(v: &Value) -> BinOp {
    use BinOp::*;
    named(v, &[Add, Sub, Mult, MatMult, Div, FloorDiv, Mod, Pow, LShift, RShift, BitAnd, BitOr, BitXor])
}

fn unary_op(v: &Value) -> UnaryOp {
    use UnaryOp::*;
    named(v, &[Not, Invert, UAdd, USub])
}

fn compare_op(v: &Value) -> CompareOp {
    use CompareOp::*;
    named(v, &[Eq, NotEq, Lt, LtE, Gt, GtE, Is, IsNot, In, NotIn])
}

fn named<T: Copy + std::fmt::Debug>(v: &Value, all: &[T]) -> T {
    let name = text(v);
    *all.iter().find(|op| format!("{op:?}") == name).unwrap_or_else(|| panic!("no operator {name}"))
}
