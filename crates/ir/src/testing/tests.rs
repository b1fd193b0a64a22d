use proptest::prelude::*;

use super::{Config, arbitrary_args, arbitrary_module, arbitrary_scalar_module, arbitrary_type};
use crate::interp::Interp;
use crate::op::{BinaryOp, Const};
use crate::text::{parse_module, parse_type};
use crate::verify;

proptest! {
    #[test]
    fn modules_are_valid_and_survive_printing(seed: u64) {
        let module = arbitrary_module(seed);
        prop_assert_eq!(verify(&module), Ok(()));
        let text = module.to_string();
        let read = parse_module(&text).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        prop_assert_eq!(&read, &module, "{}", text);
        prop_assert_eq!(read.to_string(), text);
    }

    #[test]
    fn functions_survive_printing_alone(seed: u64) {
        for func in arbitrary_module(seed).funcs {
            let text = func.to_string();
            let read = parse_module(&text).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
            prop_assert_eq!(&read.funcs, &[func]);
        }
    }

    #[test]
    fn types_survive_printing(seed: u64) {
        let ty = arbitrary_type(seed);
        prop_assert_eq!(parse_type(&ty.to_string()), Ok(ty));
    }

    #[test]
    fn functions_run_to_their_end(seed: u64, exact: bool) {
        let (module, entry) = arbitrary_scalar_module(seed, &Config { exact, ..Config::default() });
        let args = arbitrary_args(module.func(entry), seed);
        let result = Interp::new(&module).call(entry, &args);
        let ty = module.func(entry).ret.clone();
        prop_assert!(matches!(&result, Ok(Some(d)) if ty.is_some_and(|ty| d.has_type(&ty))), "{result:?}\n{module}");
    }

    #[test]
    fn mutilated_text_does_no_harm(seed: u64, at: prop::sample::Index, to: prop::sample::Index, new in ".{0,3}") {
        let text: Vec<char> = arbitrary_module(seed).to_string().chars().collect();
        let (a, b) = (at.index(text.len()), to.index(text.len()));
        let mut damaged: String = text[..a.min(b)].iter().collect();
        damaged.push_str(&new);
        damaged.extend(&text[a.max(b)..]);
        if let Ok(module) = parse_module(&damaged) {
            let _ = verify(&module);
        }
    }

    #[test]
    fn f16_constants_are_rounded_to_nearest_even(v in -65500.0..65500.0f64, shrink in 0..40i32) {
        let v = v * 2f64.powi(-shrink);
        let near = Const::float(crate::Scalar::F16, v);
        let towards = |to: f64| {
            let to = Const::float(crate::Scalar::F16, to);
            crate::interp::scalar::binary(BinaryOp::NextAfter, near, to).map(Const::as_float)
        };
        let error = (near.as_float() - v).abs();
        for other in [towards(f64::INFINITY), towards(f64::NEG_INFINITY)].into_iter().flatten() {
            prop_assert!(error <= (other - v).abs(), "{v} became {near}");
        }
    }
}
