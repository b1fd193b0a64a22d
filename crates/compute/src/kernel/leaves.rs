//! Buffers of items of any type, one plane for each scalar of the item, so that loops over them vectorise.

use freeloom_ir::types::Leaf;
use freeloom_ir::{Type, Value};

use super::Cx;

/// Items with more scalars than this stay whole in memory.
const MAX_PLANES: usize = 16;

/// The layout of a buffer of `len` items.
pub(crate) struct Planes {
    ty: Type,
    /// Type and position of each plane; `None`: whole items.
    planes: Option<Vec<(Type, u64)>>,
    bytes: u64,
}

impl Planes {
    /// A layout for `len` items of `ty`.
    pub(crate) fn new(ty: &Type, len: u64) -> Planes {
        let leaves = ty.leaves();
        if leaves.len() > MAX_PLANES {
            return Planes { ty: ty.clone(), planes: None, bytes: ty.size() * len };
        }
        let mut at = 0u64;
        let planes = leaves
            .into_iter()
            .map(|(leaf, _)| {
                let ty = match leaf {
                    Leaf::Scalar(s) => Type::Scalar(s),
                    Leaf::Ptr => Type::Ptr,
                };
                let start = at;
                at = (at + ty.size() * len).next_multiple_of(64);
                (ty, start)
            })
            .collect();
        Planes { ty: ty.clone(), planes: Some(planes), bytes: at }
    }

    /// Bytes of the buffer.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.max(1)
    }

    /// Bytes of an item of each plane and where it begins, unless items stay whole.
    pub(crate) fn columns(&self) -> Option<Vec<(u64, u64)>> {
        let planes = self.planes.as_ref()?;
        Some(planes.iter().map(|(ty, start)| (ty.size(), *start)).collect())
    }

    /// Reads item `index`.
    pub(crate) fn load(&self, cx: &mut Cx<'_>, base: Value, index: Value) -> Value {
        let Some(planes) = &self.planes else {
            let ptr = cx.address(base, index, self.ty.size());
            return cx.b.load(self.ty.clone(), ptr);
        };
        let mut leaves = Vec::with_capacity(planes.len());
        for (ty, start) in planes {
            let ptr = plane_item(cx, base, index, ty, *start);
            leaves.push(cx.b.load(ty.clone(), ptr));
        }
        assemble(cx, &self.ty, &mut leaves.into_iter())
    }

    /// Writes item `index`.
    pub(crate) fn store(&self, cx: &mut Cx<'_>, base: Value, index: Value, value: Value) {
        let Some(planes) = &self.planes else {
            let ptr = cx.address(base, index, self.ty.size());
            return cx.b.store(ptr, value);
        };
        let mut leaves = Vec::with_capacity(planes.len());
        explode(cx, value, &mut leaves);
        for (leaf, (ty, start)) in leaves.into_iter().zip(planes) {
            let ptr = plane_item(cx, base, index, ty, *start);
            cx.b.store(ptr, leaf);
        }
    }
}

fn plane_item(cx: &mut Cx<'_>, base: Value, index: Value, ty: &Type, start: u64) -> Value {
    let offset = cx.scale(index, ty.size());
    let offset = cx.add_const(offset, start as i64);
    cx.b.ptr_add(base, offset)
}

/// The scalars of a value, in component order.
fn explode(cx: &mut Cx<'_>, value: Value, out: &mut Vec<Value>) {
    let count = cx.b.type_of(value).component_count();
    if matches!(cx.b.type_of(value), Type::Scalar(_) | Type::Ptr) {
        return out.push(value);
    }
    for i in 0..count {
        let part = cx.b.extract(value, i);
        explode(cx, part, out);
    }
}

/// The value made of these scalars.
fn assemble(cx: &mut Cx<'_>, ty: &Type, leaves: &mut std::vec::IntoIter<Value>) -> Value {
    if let (Type::Scalar(_) | Type::Ptr, Some(leaf)) = (ty, leaves.as_slice().first().copied()) {
        leaves.next();
        return leaf;
    }
    let parts = (0..ty.component_count())
        .filter_map(|i| ty.component(i))
        .map(|(part, _)| assemble(cx, &part, leaves))
        .collect();
    cx.b.make(ty.clone(), parts)
}
