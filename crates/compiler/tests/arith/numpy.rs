//! Operators and functions give what NumPy and CPython give: types and values that
//! `tests/support/typing_table.py` has written down.

use crate::support::{Arg, Outcome, evaluate, parse_type, same};
use freeloom_compiler::ast::BinOp;
use freeloom_compiler::{Operand, Ty, arith};
use freeloom_ir::{Builder, Linkage};

const RULES: &str = include_str!("../../../../tests/data/typing-rules.txt");
const VALUES: &str = include_str!("../../../../tests/data/scalar-values.txt");

/// A `float64` is also a Python `float`, so that CPython answers for `complex` before NumPy is asked: the result
/// is then a Python `complex`. The compiler promotes as it does with the operands exchanged.
fn is_left_to_python(left: &str, right: &str) -> bool {
    (left, right) == ("complex", "float64")
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

fn operator(symbol: &str) -> BinOp {
    use BinOp::*;
    [Add, Sub, Mult, Div, FloorDiv, Mod, Pow, LShift, RShift, BitAnd, BitOr, BitXor]
        .into_iter()
        .find(|op| op.symbol() == symbol)
        .unwrap_or_else(|| panic!("no operator {symbol}"))
}

#[test]
fn result_types_are_those_of_numpy() {
    let mut wrong = Vec::new();
    assert_eq!(lines(RULES).count(), 12 * 17 * 17);
    for line in lines(RULES) {
        let [op, left, right, expected] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        if is_left_to_python(left, right) {
            continue;
        }
        let types = [parse_type(left), parse_type(right)];
        let params: Vec<_> = types.iter().map(Ty::storage).collect();
        let mut b = Builder::new("f", Linkage::Internal, &params, None);
        let [l, r] = [0, 1].map(|i| Operand::new(types[i].clone(), b.param(i)));
        let found = match arith::binary(&mut b, operator(op), &l, &r) {
            Ok(x) => arith::type_name(&x.ty),
            Err(_) => "!".to_owned(),
        };
        if found != expected {
            wrong.push(format!("{line}, not {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn results_are_those_of_numpy() {
    let mut wrong = Vec::new();
    for line in lines(VALUES) {
        let (call, expected) = line.split_once(" = ").unwrap_or_else(|| panic!("{line}"));
        let (call, ulps) = call.strip_prefix('~').map_or((call, 0), |call| (call, 8));
        let mut words = call.split(' ');
        let name = words.next().unwrap_or_default();
        let args: Vec<Arg> = words.map(crate::support::parse_arg).collect();
        for known in [false, true] {
            let found = evaluate(name, &args, known);
            // What is known is exact, and is refused where it must fit into 64 bits.
            let beyond =
                matches!(&found, Outcome::Refused(m) if known && m.ends_with("out of bounds for int64"));
            let wide = expected.strip_prefix("int:").is_some_and(|v| v.parse::<i64>().is_err());
            if !(same(&found, expected, ulps) || beyond && wide) {
                let found = match found {
                    Outcome::Value(ty, v) => crate::support::show(&ty, &v),
                    Outcome::Refused(message) => message,
                };
                wrong.push(format!("{line}, not {found}{}", if known { " (known)" } else { "" }));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
