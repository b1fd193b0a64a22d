//! Levels of a histogram: where bins begin and end.

use freeloom_compute::Bins;
use freeloom_ir::{Const, Scalar, Type};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::dtype::Numbered;
use crate::init;

/// The levels of a call.
pub(super) struct Levels {
    pub(super) bins: Bins,
    /// Type of the bounds.
    pub(super) ty: Numbered,
}

/// What the three parameters are called.
pub(super) struct Names {
    pub(super) count: &'static str,
    pub(super) lower: &'static str,
    pub(super) upper: &'static str,
}

/// Of the object.
pub(super) const HOST: Names =
    Names { count: "h_num_output_levels", lower: "h_lower_level", upper: "h_upper_level" };
/// Of the one-shot function.
pub(super) const PLAIN: Names =
    Names { count: "num_output_levels", lower: "lower_level", upper: "upper_level" };

impl Levels {
    pub(super) fn read(
        count: &Bound<'_, PyAny>,
        lower: &Bound<'_, PyAny>,
        upper: &Bound<'_, PyAny>,
        names: &Names,
    ) -> PyResult<Levels> {
        let (levels, ty) = number(count, names.count)?;
        if !ty.ty.scalar().is_some_and(Scalar::is_int) {
            let text = format!("{} must be an integer, not {}", names.count, ty.ty);
            return Err(PyTypeError::new_err(text));
        }
        let (lower, lower_type) = number(lower, names.lower)?;
        let (upper, ty) = number(upper, names.upper)?;
        if lower_type.ty != ty.ty {
            let text = format!(
                "h_lower_level and h_upper_level must have the same dtype, not {} and {}",
                lower_type.ty, ty.ty
            );
            return Err(PyTypeError::new_err(text));
        }
        let count =
            u32::try_from(levels.as_int() - 1).ok().filter(|bins| (1..i32::MAX as u32).contains(bins));
        let Some(count) = count else {
            let text = format!("{} must be 2 to 2^31 - 1, but is {}", names.count, levels.as_int());
            return Err(PyValueError::new_err(text));
        };
        let (lower, upper) = (lower.as_float(), upper.as_float());
        if !(lower < upper && (upper - lower).is_finite()) {
            let text = format!(
                "{} must be less than {}, and both finite, but they are {lower} and {upper}",
                names.lower, names.upper
            );
            return Err(PyValueError::new_err(text));
        }
        Ok(Levels { bins: Bins { lower, upper, count }, ty })
    }
}

/// A real number: an array of one, a NumPy scalar, or a Python number, which becomes `int64` or `float64`.
fn number(object: &Bound<'_, PyAny>, name: &str) -> PyResult<(Const, Numbered)> {
    let init = init::read(object, name, || Ok(Type::BOOL))?;
    match init.ty.ty.scalar() {
        Some(ty) if ty != Scalar::Bool => {
            let mut bits = [0; 8];
            bits[..init.bytes.len()].copy_from_slice(&init.bytes);
            Ok((Const { ty, bits: u64::from_le_bytes(bits) }, init.ty))
        }
        _ => Err(PyTypeError::new_err(format!("{name} must be a real number, not {}", init.ty.ty))),
    }
}
