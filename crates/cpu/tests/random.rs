//! Random functions give what the interpreter gives, optimised or not.

use freeloom_cpu::{Code, Options, compile};
use freeloom_ir::testing::{Config, arbitrary_args, arbitrary_scalar_module};
use freeloom_ir::{BinaryOp, Builder, Const, Datum, FuncId, Interp, Linkage, Module, Scalar, Type};

const MODULES: u64 = 250;
const EVALUATIONS: u64 = 24;

type Entry = extern "C" fn(*const u64, *mut u64);

/// Adds `entry(args: ptr, result: ptr)`, which calls `f`: any signature can then be called from Rust.
fn with_entry(mut module: Module, f: FuncId) -> Module {
    module.funcs[f.0 as usize].linkage = Linkage::Internal;
    let func = module.func(f);
    let mut b = Builder::new("entry", Linkage::Export, &[Type::Ptr, Type::Ptr], None);
    let (args, result) = (b.param(0), b.param(1));
    let args = func.param_types().iter().enumerate().map(|(i, ty)| {
        let offset = b.i64(8 * i as i64);
        let at = b.ptr_add(args, offset);
        b.load(ty.clone(), at)
    });
    let args = args.collect();
    let value = b.call(&module, f, args);
    b.store(result, value);
    b.ret(None);
    module.push(b.finish());
    module
}

fn check(seed: u64, config: &Config, optimise: bool) {
    let (module, f) = arbitrary_scalar_module(seed, config);
    let object = compile(&with_entry(module.clone(), f), &Options { optimise, ..Options::default() })
        .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{module}"));
    let code = Code::load(&object).unwrap();
    // SAFETY: `with_entry` exports a function of this type.
    let entry: Entry = unsafe { std::mem::transmute(code.symbol("entry").unwrap()) };
    let ret = module.func(f).ret.as_ref().and_then(Type::scalar).unwrap();
    for round in 0..EVALUATIONS {
        let args = arbitrary_args(module.func(f), round);
        let expected = Interp::new(&module).call(f, &args).unwrap().unwrap();
        let bits: Vec<u64> = args.iter().map(|a| a.scalar().unwrap().bits).collect();
        let mut result = 0;
        entry(bits.as_ptr(), &mut result);
        let found = Datum::Scalar(Const { ty: ret, bits: result });
        assert!(expected.same(&found), "seed {seed}, {args:?}: {found}, not {expected}\n{module}");
    }
}

#[test]
fn optimised_code_agrees_with_the_interpreter() {
    (0..MODULES).for_each(|seed| check(seed, &Config::default(), true));
}

#[test]
fn plain_code_agrees_with_the_interpreter() {
    (0..MODULES).for_each(|seed| check(seed, &Config::default(), false));
}

#[test]
fn long_functions_agree_with_the_interpreter() {
    let config = Config { statements: 150, ..Config::default() };
    (1000..1040).for_each(|seed| check(seed, &config, true));
}

#[test]
fn modules_of_every_kind_compile() {
    for seed in 0..100 {
        let module = freeloom_ir::testing::arbitrary_module(seed);
        compile(&module, &Options::default()).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{module}"));
    }
}

#[test]
fn the_entry_passes_values_through() {
    let mut module = Module::default();
    let mut b = Builder::new("f", Linkage::Export, &[Type::I64, Type::F64], Some(Type::F64));
    let i = b.param(0);
    let (i, x) = (b.cast(i, Scalar::F64), b.param(1));
    let sum = b.binary(BinaryOp::Add, i, x);
    b.ret(Some(sum));
    let f = module.push(b.finish());
    let code = Code::load(&compile(&with_entry(module, f), &Options::default()).unwrap()).unwrap();
    // SAFETY: `with_entry` exports a function of this type.
    let entry: Entry = unsafe { std::mem::transmute(code.symbol("entry").unwrap()) };
    let mut result = 0;
    entry([2, 0.5f64.to_bits()].as_ptr(), &mut result);
    assert_eq!(f64::from_bits(result), 2.5);
}
