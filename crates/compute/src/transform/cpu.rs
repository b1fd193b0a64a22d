//! The kernel of a transform: `transform(args, begin, end, unused)`.

use freeloom_ir::{Module, Rounds};

use crate::error::Built;
use crate::iter::{self, Iter, Open};
use crate::kernel::{Unit, Variant};
use crate::op::Op;

/// Emits the kernel for arrays of these layouts. The slots, in order: operator, inputs, output.
pub(super) fn emit(op: &Op, inputs: &[Iter], output: &Iter, variant: Variant) -> Built<Module> {
    let mut unit = Unit::new(variant);
    unit.kernel("transform", |cx| {
        let apply = op.open(cx);
        let inputs: Vec<Open> = inputs.iter().map(|i| Open::new(i, cx)).collect();
        let target = Open::new(output, cx);
        let bounds = (cx.begin(), cx.end());
        cx.for_range(bounds, Rounds::Parallel, |cx, i| {
            let items = inputs.iter().map(|input| iter::load(input, cx, i)).collect::<Built<Vec<_>>>()?;
            let result = apply.apply(cx, &items)?;
            let item = cx.convert(result, output.item(), "d_out")?;
            iter::store(&target, cx, i, item)
        })
    })?;
    Ok(unit.finish())
}
