//! Every operation on every scalar, over edge values, in a vectorised loop, against the interpreter.

use freeloom_cpu::{Code, Options, compile};
use freeloom_ir::interp::scalar;
use freeloom_ir::testing::{is_exact_binary, is_exact_unary};
use freeloom_ir::{BinaryOp, Builder, CmpOp, Const, Linkage, Module, Rounds, Scalar, Type, UnaryOp, Value};

/// Bits of values at which something changes.
fn edges(s: Scalar) -> Vec<Const> {
    if s == Scalar::Bool {
        return vec![Const::bool(false), Const::bool(true)];
    }
    if s.is_float() {
        let plain = [
            0.0,
            0.5,
            1.0,
            1.5,
            2.0,
            2.5,
            3.7,
            100.0,
            127.5,
            128.0,
            255.9,
            256.0,
            32768.0,
            65504.0,
            65519.9,
            65520.0,
            2147483648.0,
            4294967296.0,
            9223372036854775808.0,
            18446744073709551616.0,
            1e30,
            1e300,
            6e-8,
            2.9802322387695313e-8,
            2.980232238769532e-8,
            5.96e-8,
            1e-40,
            5e-324,
            0.1,
            1.0009765625,
            1.00048828125,
            1.000488281250001,
            f64::INFINITY,
            f64::NAN,
            f64::MAX,
            f64::MIN_POSITIVE,
        ];
        let both = plain.iter().flat_map(|x| [*x, -*x]);
        let mut all: Vec<Const> = both.map(|x| Const::float(s, x)).collect();
        all.push(Const { ty: s, bits: 1 });
        return all;
    }
    let bits = i128::from(s.bits());
    let least = 1i128 << (bits - 1);
    let near =
        [0, 1, 2, 3, 7, 8, 100, bits - 1, bits, bits + 1, least - 1, least, least + 1, 0x5a5a_5a5a_5a5a];
    near.iter().flat_map(|v| [*v, -*v]).map(|v| Const::int(s, v)).collect()
}

type Emit = Box<dyn Fn(&mut Builder, &[Value]) -> Value>;
type Expect = Box<dyn Fn(&[Const]) -> Const>;

/// One function over arrays: its operand types, its result type and what it computes.
struct Case {
    name: String,
    from: Scalar,
    arity: usize,
    to: Scalar,
    emit: Emit,
    expect: Expect,
    exact: bool,
}

/// `name(a: ptr, b: ptr, out: ptr, n: i64)`, elements 8 bytes apart so that all types look alike.
fn function(case: &Case) -> freeloom_ir::Func {
    let params = [Type::Ptr, Type::Ptr, Type::Ptr, Type::I64];
    let mut b = Builder::new(&case.name, Linkage::Export, &params, None);
    let (zero, n) = (b.i64(0), b.param(3));
    b.for_range(zero, n, Rounds::Parallel, |b, i| {
        let eight = b.i64(8);
        let offset = b.binary(BinaryOp::Mul, i, eight);
        let operands: Vec<Value> = (0..case.arity)
            .map(|k| {
                let at = b.ptr_add(b.param(k), offset);
                b.load(case.from.into(), at)
            })
            .collect();
        let result = (case.emit)(b, &operands);
        let at = b.ptr_add(b.param(2), offset);
        b.store(at, result);
    });
    b.ret(None);
    b.finish()
}

fn check(cases: Vec<Case>, options: &Options) {
    let mut module = Module::default();
    for case in &cases {
        module.push(function(case));
    }
    let code = Code::load(&compile(&module, options).unwrap()).unwrap();
    cases.iter().for_each(|case| check_case(case, &code));
}

fn check_case(case: &Case, code: &Code) {
    let values = edges(case.from);
    let second = if case.arity == 2 { values.clone() } else { values[..1].to_vec() };
    let pairs: Vec<[Const; 2]> = values.iter().flat_map(|a| second.iter().map(|b| [*a, *b])).collect();
    let [a, b] = [0, 1].map(|k| pairs.iter().map(|p| p[k].bits).collect::<Vec<u64>>());
    let mut out = vec![0u64; pairs.len()];
    let address = code.symbol(&case.name).unwrap();
    // SAFETY: `function` builds functions of this type.
    let f: extern "C" fn(*const u64, *const u64, *mut u64, i64) = unsafe { std::mem::transmute(address) };
    f(a.as_ptr(), b.as_ptr(), out.as_mut_ptr(), out.len() as i64);
    for (pair, bits) in pairs.iter().zip(out) {
        let (found, expected) = (Const { ty: case.to, bits }, (case.expect)(&pair[..case.arity]));
        let near = !case.exact && is_near(expected, found);
        let same = expected == found || expected.is_nan() && found.is_nan();
        assert!(same || near, "{} of {:?}: {found:?}, not {expected:?}", case.name, &pair[..case.arity]);
    }
}

/// Is it as close as two C libraries are?
fn is_near(a: Const, b: Const) -> bool {
    let (x, y) = (a.as_float(), b.as_float());
    let slack = if a.ty == Scalar::F64 {
        1e-14
    } else if a.ty == Scalar::F32 {
        1e-6
    } else {
        2e-3
    };
    x == y || (x - y).abs() <= slack * x.abs().max(y.abs()).max(f64::MIN_POSITIVE)
}

fn unary_cases() -> Vec<Case> {
    let all = UnaryOp::ALL.iter().flat_map(|op| Scalar::ALL.map(|s| (*op, s)));
    all.filter(|(op, s)| op.domain().contains(*s))
        .map(|(op, s)| Case {
            name: format!("{}_{}", op.name(), s.name()),
            from: s,
            arity: 1,
            to: s,
            emit: Box::new(move |b, v| b.unary(op, v[0])),
            expect: Box::new(move |v| scalar::unary(op, v[0]).unwrap()),
            exact: is_exact_unary(op),
        })
        .collect()
}

fn binary_cases() -> Vec<Case> {
    let all = BinaryOp::ALL.iter().flat_map(|op| Scalar::ALL.map(|s| (*op, s)));
    all.filter(|(op, s)| op.domain().contains(*s))
        .map(|(op, s)| Case {
            name: format!("{}_{}", op.name(), s.name()),
            from: s,
            arity: 2,
            to: s,
            emit: Box::new(move |b, v| b.binary(op, v[0], v[1])),
            expect: Box::new(move |v| scalar::binary(op, v[0], v[1]).unwrap()),
            exact: is_exact_binary(op),
        })
        .collect()
}

fn cmp_cases() -> Vec<Case> {
    let all = CmpOp::ALL.into_iter().flat_map(|op| Scalar::ALL.map(|s| (op, s)));
    all.map(|(op, s)| Case {
        name: format!("{}_{}", op.name(), s.name()),
        from: s,
        arity: 2,
        to: Scalar::Bool,
        emit: Box::new(move |b, v| b.cmp(op, v[0], v[1])),
        expect: Box::new(move |v| Const::bool(scalar::cmp(op, v[0], v[1]).unwrap())),
        exact: true,
    })
    .collect()
}

fn cast_cases() -> Vec<Case> {
    let all = Scalar::ALL.into_iter().flat_map(|from| Scalar::ALL.map(|to| (from, to)));
    all.filter(|(from, to)| from != to)
        .map(|(from, to)| Case {
            name: format!("{}_to_{}", from.name(), to.name()),
            from,
            arity: 1,
            to,
            emit: Box::new(move |b, v| b.cast(v[0], to)),
            expect: Box::new(move |v| scalar::cast(v[0], to)),
            exact: true,
        })
        .collect()
}

#[test]
fn unary_operations() {
    check(unary_cases(), &Options::default());
}

#[test]
fn binary_operations() {
    check(binary_cases(), &Options::default());
}

#[test]
fn comparisons() {
    check(cmp_cases(), &Options::default());
}

#[test]
fn conversions() {
    check(cast_cases(), &Options::default());
}

#[test]
fn a_portable_processor_gives_the_same() {
    let options = Options { cpu: freeloom_cpu::CpuTarget::named("x86-64-v3"), ..Options::default() };
    for cases in [unary_cases(), binary_cases(), cast_cases()] {
        check(cases, &options);
    }
}
