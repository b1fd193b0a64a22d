//! Constants as text, without their type.

use std::fmt;

use crate::op::Const;
use crate::types::Scalar;

/// The value alone: `true`, `-3`, `0.5`, `inf`, `nan`, or all bits in hexadecimal where decimals would lose some.
impl fmt::Display for Const {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.decimal();
        match parse_decimal(self.ty, &text) {
            Some(c) if c == *self => f.write_str(&text),
            _ => write!(f, "{:#x}", self.bits),
        }
    }
}

impl Const {
    fn decimal(self) -> String {
        match self.ty {
            Scalar::Bool => (self.bits != 0).to_string(),
            Scalar::F64 => float_text(&self.as_float()),
            s if s.is_float() => float_text(&(self.as_float() as f32)),
            _ => self.as_int().to_string(),
        }
    }
}

/// Shortest digits that read back as the same number.
fn float_text(v: &impl fmt::Debug) -> String {
    format!("{v:?}").to_ascii_lowercase()
}

/// The constant of a type that `text` writes, as printed by `Display`.
pub fn parse_const(ty: Scalar, text: &str) -> Option<Const> {
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok().map(|bits| Const { ty, bits }),
        None => parse_decimal(ty, text),
    }
}

fn parse_decimal(ty: Scalar, text: &str) -> Option<Const> {
    match ty {
        Scalar::Bool => match text {
            "true" => Some(Const::bool(true)),
            "false" => Some(Const::bool(false)),
            _ => None,
        },
        Scalar::F32 => text.parse::<f32>().ok().map(|v| Const { ty, bits: v.to_bits().into() }),
        Scalar::F16 | Scalar::F64 => text.parse().ok().map(|v| Const::float(ty, v)),
        _ => {
            let v: i128 = text.parse().ok()?;
            let c = Const::int(ty, v);
            (c.as_int() == v).then_some(c)
        }
    }
}
