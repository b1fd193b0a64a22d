//! No source, however deep or large, overflows the stack or the memory: it is refused.

use std::collections::BTreeMap;
use std::sync::Arc;

use freeloom_compiler::ast::{
    BinOp, BoolOp, Expr, ExprKind, FunctionDef, Param, Span, Stmt, StmtKind, UnaryOp,
};
use freeloom_compiler::{Capture, CompileError, Compiled, Function, SourceFile, as_single_op, compile};
use freeloom_ir::{BinaryOp, Type};

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::default() }
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: Span::default() }
}

fn name(name: &str) -> Expr {
    expr(ExprKind::Name(name.to_owned()))
}

fn binary(op: BinOp, a: Expr, b: Expr) -> Expr {
    expr(ExprKind::Binary(op, Box::new(a), Box::new(b)))
}

fn function(params: &[&str], body: Vec<Stmt>) -> Function {
    let params = params.iter().map(|p| Param { name: (*p).to_owned(), default: None, keyword_only: false });
    Function {
        name: "f".to_owned(),
        source: Arc::new(SourceFile::default()),
        def: FunctionDef { params: params.collect(), body, unsupported: None, span: Span::default() },
        defaults: BTreeMap::new(),
        captures: BTreeMap::new(),
    }
}

fn returning(e: Expr) -> Function {
    function(&["x"], vec![stmt(StmtKind::Return(Some(e)))])
}

fn compile_one(f: &Function) -> Result<Compiled, CompileError> {
    compile(f, &[Type::I64], None)
}

/// Runs on the stack of an ordinary thread, and frees the syntax on a larger one.
fn on_small_stack<T: Send + 'static>(make: fn() -> Function, test: fn(&Function) -> T) -> T {
    let outer = std::thread::Builder::new().stack_size(64 << 20).spawn(move || {
        let f = make();
        std::thread::scope(|s| {
            let inner = std::thread::Builder::new().stack_size(2 << 20).spawn_scoped(s, || test(&f));
            inner.expect("a thread").join().expect("no overflow")
        })
    });
    outer.expect("a thread").join().expect("no overflow")
}

fn repeated(n: usize, wrap: fn(Expr) -> Expr) -> Function {
    returning((0..n).fold(name("x"), |e, _| wrap(e)))
}

fn negated(e: Expr) -> Expr {
    expr(ExprKind::Unary(UnaryOp::USub, Box::new(e)))
}

fn chosen(e: Expr) -> Expr {
    let chain = expr(ExprKind::BoolChain(BoolOp::And, vec![name("x"), e]));
    expr(ExprKind::Conditional(Box::new(name("x")), Box::new(chain), Box::new(name("x"))))
}

fn added_on_the_right(e: Expr) -> Expr {
    binary(BinOp::Add, name("x"), e)
}

fn added_on_the_left(e: Expr) -> Expr {
    binary(BinOp::Add, e, name("x"))
}

fn in_lambda(e: Expr) -> Expr {
    let body = vec![stmt(StmtKind::Return(Some(e)))];
    let def = FunctionDef { params: Vec::new(), body, unsupported: None, span: Span::default() };
    let lambda = expr(ExprKind::Lambda(Box::new(def)));
    expr(ExprKind::Call(Box::new(lambda), Vec::new(), Vec::new()))
}

fn nested_ifs(n: usize) -> Function {
    let inner = vec![stmt(StmtKind::Return(Some(name("x"))))];
    let body = (0..n).fold(inner, |body, _| vec![stmt(StmtKind::If(name("x"), body.clone(), body))]);
    function(&["x"], body)
}

fn message(f: &Function) -> String {
    match compile_one(f) {
        Ok(_) => String::new(),
        Err(e) => e.refusal.message,
    }
}

const TOO_DEEP: &str = "this is nested too deeply";

#[test]
fn deep_expressions_are_refused() {
    assert_eq!(on_small_stack(|| repeated(10_000, negated), message), TOO_DEEP);
    assert_eq!(on_small_stack(|| repeated(10_000, chosen), message), TOO_DEEP);
    assert_eq!(on_small_stack(|| repeated(10_000, added_on_the_right), message), TOO_DEEP);
    assert_eq!(on_small_stack(|| repeated(10_000, in_lambda), message), TOO_DEEP);
}

#[test]
fn depth_within_the_limit_fits_on_a_small_stack() {
    assert_eq!(on_small_stack(|| repeated(90, negated), message), "");
    assert_eq!(on_small_stack(|| repeated(40, chosen), message), "");
    assert_eq!(on_small_stack(|| repeated(30, in_lambda), message), "");
}

#[test]
fn long_sums_are_not_deep() {
    assert_eq!(on_small_stack(|| repeated(10_000, added_on_the_left), message), "");
}

/// `f0 = lambda: x`, `f1 = lambda: f0() * …` and so on; returns the last one's value.
fn chain(n: usize, combine: fn(Expr) -> Expr) -> Function {
    let lambda = |e: Expr| {
        let body = vec![stmt(StmtKind::Return(Some(e)))];
        let def = FunctionDef { params: Vec::new(), body, unsupported: None, span: Span::default() };
        expr(ExprKind::Lambda(Box::new(def)))
    };
    let call = |n: usize| expr(ExprKind::Call(Box::new(name(&format!("f{n}"))), Vec::new(), Vec::new()));
    let assign = |n: usize, e: Expr| stmt(StmtKind::Assign(vec![name(&format!("f{n}"))], lambda(e)));
    let mut body = vec![assign(0, name("x"))];
    body.extend((0..n).map(|i| assign(i + 1, combine(call(i)))));
    body.push(stmt(StmtKind::Return(Some(call(n)))));
    function(&["x"], body)
}

#[test]
fn code_that_multiplies_is_refused() {
    let twice = || chain(40, |call| binary(BinOp::Mult, call.clone(), call));
    let error = on_small_stack(twice, message);
    assert!(error.starts_with("the function becomes too large"), "{error}");
}

#[test]
fn long_chains_of_calls_are_refused() {
    assert_eq!(on_small_stack(|| chain(45, negated), message), "");
    assert_eq!(on_small_stack(|| chain(1000, negated), message), TOO_DEEP);
}

#[test]
fn nested_branches_within_the_limit_compile() {
    assert_eq!(message(&nested_ifs(10)), "");
}

#[test]
fn unknown_attribute_paths_do_not_panic() {
    let mut f = returning(expr(ExprKind::Attribute(Box::new(name("np")), "sin".to_owned())));
    f.captures.insert("np".to_owned(), Capture::Unsupported("a module".to_owned()));
    assert_eq!(message(&f), "`np` is a module, which compiled functions cannot use");
}

#[test]
fn single_operations_are_recognised() {
    let op = |a: &str, op: BinOp, b: &str| {
        let body = vec![stmt(StmtKind::Return(Some(binary(op, name(a), name(b)))))];
        let compiled = compile(&function(&["a", "b"], body), &[Type::F32, Type::F32], None);
        as_single_op(&compiled.expect("compiles"))
    };
    assert_eq!(op("a", BinOp::Add, "b"), Some(BinaryOp::Add));
    assert_eq!(op("b", BinOp::Mult, "a"), Some(BinaryOp::Mul));
    assert_eq!(op("a", BinOp::Sub, "b"), None);
    assert_eq!(op("a", BinOp::Add, "a"), None);
}

#[test]
fn large_types_are_refused() {
    let f = returning(name("x"));
    assert!(compile(&f, &[Type::array(Type::F64, 64)], None).is_ok());
    let error = compile(&f, &[Type::array(Type::F64, 65)], None).expect_err("too large");
    assert!(error.refusal.message.contains("of 65 numbers is too large"), "{error}");
}
