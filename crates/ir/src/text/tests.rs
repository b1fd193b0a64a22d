use super::{parse_const, parse_module, parse_type};
use crate::op::Const;
use crate::types::Scalar;

fn error(text: &str) -> String {
    parse_module(text).expect_err("a mistake").to_string()
}

#[test]
fn constants_are_printed_without_loss() {
    let cases = [
        (Scalar::F64, 0.1f64.to_bits(), "0.1"),
        (Scalar::F64, 5e-324f64.to_bits(), "5e-324"),
        (Scalar::F64, (-0.0f64).to_bits(), "-0.0"),
        (Scalar::F32, 0.1f32.to_bits().into(), "0.1"),
        (Scalar::F32, f32::NEG_INFINITY.to_bits().into(), "-inf"),
        (Scalar::F32, 0x7fc0_0000, "nan"),
        (Scalar::F32, 0xffc0_0001, "0xffc00001"),
        (Scalar::F16, 0x2e66, "0.099975586"),
        (Scalar::F16, 0x7c01, "0x7c01"),
        (Scalar::I8, 0x80, "-128"),
        (Scalar::U64, u64::MAX, "18446744073709551615"),
        (Scalar::U8, 0x1ff, "0x1ff"),
        (Scalar::Bool, 1, "true"),
        (Scalar::Bool, 2, "0x2"),
    ];
    for (ty, bits, text) in cases {
        let c = Const { ty, bits };
        assert_eq!(c.to_string(), text);
        assert_eq!(parse_const(ty, text), Some(c), "{text}");
    }
}

#[test]
fn every_bit_pattern_of_f16_survives() {
    for bits in 0..=u64::from(u16::MAX) {
        let c = Const { ty: Scalar::F16, bits };
        assert_eq!(parse_const(Scalar::F16, &c.to_string()), Some(c));
    }
}

#[test]
fn constants_out_of_range_are_refused() {
    assert_eq!(parse_const(Scalar::I8, "128"), None);
    assert_eq!(parse_const(Scalar::U8, "-1"), None);
    assert_eq!(parse_const(Scalar::I64, "1.0"), None);
    assert_eq!(parse_const(Scalar::Bool, "1"), None);
}

#[test]
fn mistakes_are_located() {
    assert_eq!(error("func \"f\"() {\n  nothing\n}"), "2:3: no statement starts with `nothing`");
    assert_eq!(error("func \"f"), "1:6: a name without its closing quote");
    assert_eq!(error("func \"größe\"() -> i3 {}"), "1:19: no type is called `i3`");
    assert_eq!(error("func \"f\"() {"), "1:13: expected a statement");
    assert_eq!(error("func @1 \"f\"() {}"), "1:6: this is function @0");
}

#[test]
fn nesting_is_bounded() {
    let blocks = format!("func \"f\"() {{ {}", "loop { ".repeat(100_000));
    assert!(error(&blocks).ends_with("blocks nested too deeply"));
    let types = parse_type(&"(".repeat(100_000)).expect_err("too deep");
    assert_eq!(types.message, "a type nested too deeply");
}

#[test]
fn values_must_leave_no_gap() {
    assert!(error("func \"f\"() { %4000000000 = const i8 1 }").contains("no value is called %0"));
}

#[test]
fn names_and_layouts_of_records_are_kept() {
    let text = "struct \"a \\\"b\\\"\\n\"[12, 4]{\"größe\"@8: i32, \"\"@0: (f32, [3 x u8])}";
    assert_eq!(parse_type(text).map(|ty| ty.to_string()), Ok(text.to_owned()));
}
