//! The kernels of a histogram.
//!
//! * `bins(args, begin, end, out)` writes the bin of each sample as an `i32`; samples outside get the number
//!   of bins, one more than the last.
//! * `finish(args, 0, bins, counts)` converts the counts, `u64`, to the output's items.

use freeloom_ir::{BinaryOp, CmpOp, Module, Rounds, Scalar, Type};

use super::Bins;
use crate::error::Built;
use crate::iter::{self, Iter, Open};
use crate::kernel::{Cx, Unit, Variant};

/// Emits both kernels for arrays of these layouts. The slots, in order: samples, lower bound, upper bound,
/// width of all bins, number of bins as a float, bins per unit, number of bins as an integer, output.
pub(super) fn emit(samples: &Iter, output: &Iter, variant: Variant) -> Built<Module> {
    let mut unit = Unit::new(variant);
    unit.kernel("bins", |cx| bins(cx, samples))?;
    unit.kernel("finish", |cx| {
        Open::new(samples, cx);
        for ty in [Type::F64, Type::F64, Type::F64, Type::F64, Type::F64, Type::I64] {
            cx.slot(ty);
        }
        let target = Open::new(output, cx);
        let (bounds, counts) = ((cx.begin(), cx.end()), cx.scratch());
        cx.for_range(bounds, Rounds::Parallel, |cx, k| {
            let ptr = cx.address(counts, k, 8);
            let count = cx.b.load(Type::U64, ptr);
            let item = cx.convert(count, output.item(), "d_histogram")?;
            iter::store(&target, cx, k, item)
        })
    })?;
    Ok(unit.finish())
}

/// `floor((sample - lower) * bins / (upper - lower))` in `f64`: a division, so that samples that lie on an edge
/// fall to its right whenever the product is exact. Samples of few digits are multiplied with
/// [`bins_per_unit`] instead, which takes them to the same bins.
fn bins(cx: &mut Cx<'_>, samples: &Iter) -> Built<()> {
    let divides = !matches!(samples.item().scalar(), Some(s) if s.size() <= 2 || s == Scalar::F32);
    let samples = Open::new(samples, cx);
    let [lower, upper, width, factor, per_unit] = [(); 5].map(|()| cx.slot(Type::F64));
    let outside = cx.slot(Type::I64);
    let outside = cx.b.cast(outside, Scalar::I32);
    let one = cx.b.i64(1);
    let one = cx.b.cast(one, Scalar::I32);
    let last = cx.b.binary(BinaryOp::Sub, outside, one);
    let (begin, end, out) = (cx.begin(), cx.end(), cx.scratch());
    cx.for_range((begin, end), Rounds::Parallel, |cx, i| {
        let sample = iter::load(&samples, cx, i)?;
        let x = cx.convert(sample, &Type::F64, "d_samples")?;
        let from_lower = cx.b.binary(BinaryOp::Sub, x, lower);
        let place = if divides {
            let scaled = cx.b.binary(BinaryOp::Mul, from_lower, factor);
            cx.b.binary(BinaryOp::Div, scaled, width)
        } else {
            cx.b.binary(BinaryOp::Mul, from_lower, per_unit)
        };
        let bin = cx.b.cast(place, Scalar::I32);
        let bin = cx.b.binary(BinaryOp::Min, bin, last);
        // NaN is on neither side.
        let (above, below) = (cx.b.cmp(CmpOp::Ge, x, lower), cx.b.cmp(CmpOp::Lt, x, upper));
        let inside = cx.b.binary(BinaryOp::And, above, below);
        let bin = cx.b.select(inside, bin, outside);
        let at = cx.sub(i, begin);
        let ptr = cx.address(out, at, 4);
        cx.b.store(ptr, bin);
        Ok(())
    })
}

/// A factor that is too large by more than all roundings on the way to a bin could make up for: a sample on an
/// edge falls to its right. Samples of few digits on the other side are farther from the edge than that.
pub(super) fn bins_per_unit(bins: &Bins) -> f64 {
    f64::from(bins.count) / (bins.upper - bins.lower) * (1.0 + 4.0 * f64::EPSILON)
}
