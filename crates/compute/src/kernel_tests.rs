//! Kernels in the reference interpreter, which checks every access to memory.

use freeloom_ir::{Datum, FuncId, Interp, Module, Scalar, Type};

use crate::iter::Iter;
use crate::kernel::Variant;
use crate::op::Op;
use crate::scan::testing as scan;
use crate::{OpKind, Operator, ScanKind, reduce};

const I32: Type = Type::Scalar(Scalar::I32);

fn op(kind: OpKind) -> Op {
    Op::build(&Operator::Known(kind), &[I32, I32], Some(&I32)).unwrap()
}

fn words(items: &[i32]) -> Vec<u8> {
    items.iter().flat_map(|x| x.to_ne_bytes()).collect()
}

fn ints(bytes: &[u8]) -> Vec<i32> {
    bytes.chunks_exact(4).map(|b| i32::from_ne_bytes([b[0], b[1], b[2], b[3]])).collect()
}

/// Calls the exported function of that name.
fn call(interp: &mut Interp<'_>, module: &Module, name: &str, args: [Datum; 4]) {
    let id = module.funcs.iter().position(|f| f.name == name).unwrap();
    interp.call(FuncId(id as u32), &args).unwrap();
}

fn arguments(interp: &mut Interp<'_>, slots: &[u64]) -> u64 {
    let args = interp.alloc(vec![0; 8 * slots.len()]);
    for (i, slot) in slots.iter().enumerate() {
        interp.store(&Type::Ptr, args + 8 * i as u64, &Datum::Ptr(*slot)).unwrap();
    }
    args
}

/// `a - b` is neither associative nor commutative: the groups of the tree show.
fn tree_of_differences(items: &[i32]) -> i32 {
    match items {
        [x] => *x,
        _ => {
            let next: Vec<i32> = items.chunks(2).map(|p| if let [a, b] = p { a - b } else { p[0] }).collect();
            tree_of_differences(&next)
        }
    }
}

fn reduced(kind: OpKind, items: &[i32]) -> i32 {
    let (op, array) = (op(kind), Iter::Array(I32));
    let module = reduce::testing::emit(&op, &array, &I32, Variant::new());
    freeloom_ir::verify(&module).unwrap();
    let mut interp = Interp::new(&module);
    let input = interp.alloc(words(items));
    let output = interp.alloc(vec![0; 4]);
    let scratch = interp.alloc(vec![0; 8]);
    let args = arguments(&mut interp, &[input, output]);
    let n = items.len() as i64;
    let at = |p| Datum::Ptr(p);
    call(&mut interp, &module, "fold", [at(args), Datum::i64(0), Datum::i64(n), at(scratch)]);
    call(&mut interp, &module, "finish", [at(args), Datum::i64(0), Datum::i64(1), at(scratch)]);
    ints(interp.bytes(output))[0]
}

#[test]
fn folds_stay_in_bounds() {
    for n in [1usize, 2, 3, 63, 64, 65, 200, 1000] {
        let items: Vec<i32> = (0..n as i32).map(|i| i * i % 97).collect();
        assert_eq!(reduced(OpKind::Plus, &items), items.iter().sum::<i32>(), "{n}");
        assert_eq!(reduced(OpKind::Minus, &items), tree_of_differences(&items), "{n}");
    }
}

#[test]
fn a_block_of_a_scan_stays_in_bounds() {
    let (op, array) = (op(OpKind::Plus), Iter::Array(I32));
    let (module, strands) = scan::emit(&op, &array, &I32, ScanKind::Inclusive);
    freeloom_ir::verify(&module).unwrap();
    let mut interp = Interp::new(&module);
    interp.set_fuel(u64::MAX);
    let n = 128 * strands as i32;
    let items: Vec<i32> = (0..n).collect();
    let input = interp.alloc(words(&items));
    let output = interp.alloc(vec![0; 4 * n as usize]);
    let state = interp.alloc(vec![0; 8 * (1 + strands as usize)]);
    interp.store(&I32, state, &Datum::Scalar(freeloom_ir::Const::int(Scalar::I32, 1000))).unwrap();
    let args = arguments(&mut interp, &[input, output]);
    let n = i64::from(n);
    for name in ["sums", "chain", "scan"] {
        let args = [Datum::Ptr(args), Datum::i64(0), Datum::i64(n), Datum::Ptr(state)];
        call(&mut interp, &module, name, args);
    }
    let expected: Vec<i32> =
        items.iter().scan(1000, |sum, x| Some(*sum + x).inspect(|s| *sum = *s)).collect();
    assert_eq!(ints(interp.bytes(output)), expected);
}
