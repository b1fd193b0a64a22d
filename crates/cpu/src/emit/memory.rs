//! Loads, stores, views, addresses, stack memory, and aggregates taken apart and put together.

use inkwell::IntPredicate;
use inkwell::values::{BasicValue, InstructionValue};

use super::types::{component_leaves, leaf_count};
use super::*;
use ir::types::Leaf;

/// Up to how many elements a run-time index becomes a chain of selects; more go through the stack.
const SELECT_LIMIT: usize = 8;

impl<'c, 'm> Emitter<'c, 'm> {
    pub(super) fn load(&self, ty: &Type, ptr: PointerValue<'c>) -> Result<Leaves<'c>> {
        self.load_with(ty, ptr, |i| self.tag_access(i))
    }

    fn load_with(
        &self,
        ty: &Type,
        ptr: PointerValue<'c>,
        tag: impl Fn(InstructionValue<'c>) -> Result<()>,
    ) -> Result<Leaves<'c>> {
        let leaves = ty.leaves();
        leaves
            .into_iter()
            .map(|(leaf, offset)| self.load_leaf(leaf, self.offset(ptr, offset)?, &tag))
            .collect()
    }

    fn load_leaf(
        &self,
        leaf: Leaf,
        ptr: PointerValue<'c>,
        tag: &impl Fn(InstructionValue<'c>) -> Result<()>,
    ) -> Result<BasicValueEnum<'c>> {
        let loaded = self.b.build_load(self.memory_type(leaf), ptr, "")?;
        if let Some(inst) = loaded.as_instruction_value() {
            unaligned(inst)?;
            tag(inst)?;
        }
        self.memory_to_leaf(leaf, loaded)
    }

    pub(super) fn store(&self, ty: &Type, ptr: PointerValue<'c>, value: &Leaves<'c>) -> Result<()> {
        for ((leaf, offset), v) in ty.leaves().into_iter().zip(value.iter()) {
            let at = self.offset(ptr, offset)?;
            let inst = self.b.build_store(at, self.leaf_to_memory(leaf, *v)?)?;
            unaligned(inst)?;
            self.tag_access(inst)?;
        }
        Ok(())
    }

    pub(super) fn view_load(&self, frame: &Frame<'c, 'm>, view: Value, idx: &[Value]) -> Result<Leaves<'c>> {
        let Type::View(ty) = frame.ty(view) else { return Err(invalid("a view was expected")) };
        let leaves = frame.leaves(view)?;
        let mut at: PointerValue<'c> = leaves[0].try_into().map_err(|_| invalid("a view has no base"))?;
        for (axis, i) in idx.iter().enumerate() {
            let stride = as_int(leaves[1 + ty.rank as usize + axis])?;
            at = self.ptr_add(at, self.b.build_int_mul(frame.int(*i)?, stride, "")?)?;
        }
        let kind = self.context.get_kind_id("invariant.load");
        let empty = self.context.metadata_node(&[]);
        self.load_with(&ty.elem, at, |inst| {
            self.tag_access(inst)?;
            inst.set_metadata(empty, kind).map_err(|e| CpuError::Llvm(e.to_string()))
        })
    }

    pub(super) fn ptr_add(&self, ptr: PointerValue<'c>, bytes: IntValue<'c>) -> Result<PointerValue<'c>> {
        let byte = self.context.i8_type();
        // SAFETY: one index over a scalar type is a well-formed address computation, which reads no memory.
        Ok(unsafe { self.b.build_gep(byte, ptr, &[bytes], "") }?)
    }

    /// The address of a part of what lies at `ptr`.
    fn offset(&self, ptr: PointerValue<'c>, bytes: u64) -> Result<PointerValue<'c>> {
        if bytes == 0 {
            return Ok(ptr);
        }
        let (byte, bytes) = (self.context.i8_type(), self.context.i64_type().const_int(bytes, false));
        // SAFETY: as in `ptr_add`; the whole value lies in one allocation, so the address is in bounds.
        Ok(unsafe { self.b.build_in_bounds_gep(byte, ptr, &[bytes], "") }?)
    }

    /// Memory in the frame of the LLVM function, whatever block is being emitted.
    pub(super) fn stack_bytes(&self, frame: &Frame<'c, 'm>, bytes: u64) -> Result<PointerValue<'c>> {
        let ty = self.context.i8_type().array_type(
            u32::try_from(bytes.max(1))
                .map_err(|_| CpuError::Unsupported(format!("{bytes} bytes of stack memory")))?,
        );
        let slot = self.in_entry(frame, |b| b.build_alloca(ty, ""))?;
        let inst = slot.as_instruction().ok_or_else(|| invalid("an alloca was expected"))?;
        inst.set_alignment(64).map_err(|e| CpuError::Llvm(e.to_string()))?;
        Ok(slot)
    }

    /// Fresh slots for a value of that type.
    pub(super) fn slots(&self, frame: &Frame<'c, 'm>, ty: &Type) -> Result<Slots<'c>> {
        let leaves = ty.leaves();
        let slot = |leaf| self.in_entry(frame, |b| b.build_alloca(self.leaf_type(leaf), ""));
        leaves.into_iter().map(|(leaf, _)| slot(leaf)).collect()
    }

    pub(super) fn read_slots(&self, ty: &Type, slots: &Slots<'c>) -> Result<Leaves<'c>> {
        let leaves = ty.leaves().into_iter().zip(slots.iter());
        leaves.map(|((leaf, _), slot)| Ok(self.b.build_load(self.leaf_type(leaf), *slot, "")?)).collect()
    }

    pub(super) fn write_slots(&self, slots: &Slots<'c>, value: &Leaves<'c>) -> Result<()> {
        for (slot, v) in slots.iter().zip(value.iter()) {
            self.b.build_store(*slot, *v)?;
        }
        Ok(())
    }

    pub(super) fn in_entry<R, E>(
        &self,
        frame: &Frame<'c, 'm>,
        f: impl FnOnce(&Builder<'c>) -> Result<R, E>,
    ) -> Result<R>
    where
        CpuError: From<E>,
    {
        let here = self.b.get_insert_block();
        self.b.position_at_end(frame.entry);
        let result = f(&self.b)?;
        if let Some(block) = here {
            self.b.position_at_end(block);
        }
        Ok(result)
    }

    pub(super) fn make(&self, frame: &Frame<'c, 'm>, items: &[Value]) -> Result<Leaves<'c>> {
        let mut leaves = Vec::new();
        for item in items {
            leaves.extend_from_slice(&frame.leaves(*item)?);
        }
        Ok(leaves.into())
    }

    pub(super) fn extract(&self, frame: &Frame<'c, 'm>, a: Value, index: usize) -> Result<Leaves<'c>> {
        let range = component_leaves(frame.ty(a), index)?;
        frame.leaves(a)?.get(range).map(Into::into).ok_or_else(|| invalid("a component is missing"))
    }

    pub(super) fn index(&self, frame: &Frame<'c, 'm>, a: Value, index: Value) -> Result<Leaves<'c>> {
        let ty = frame.ty(a);
        let (elem, _) = ty.component(0).ok_or_else(|| invalid(format!("{ty} has no components")))?;
        let (all, at) = (frame.leaves(a)?, frame.int(index)?);
        let (count, width) = (ty.component_count(), leaf_count(&elem));
        if count <= SELECT_LIMIT {
            return (0..width).map(|leaf| self.select_chain(&all, width, leaf, at)).collect();
        }
        self.index_on_stack(frame, &elem, count, &all, at)
    }

    fn select_chain(
        &self,
        all: &[BasicValueEnum<'c>],
        width: usize,
        leaf: usize,
        at: IntValue<'c>,
    ) -> Result<BasicValueEnum<'c>> {
        let mut chosen = *all.get(leaf).ok_or_else(|| invalid("an index into nothing"))?;
        for (i, v) in all.iter().skip(leaf).step_by(width).enumerate().skip(1) {
            let here = at.get_type().const_int(i as u64, false);
            let is_here = self.b.build_int_compare(IntPredicate::EQ, at, here, "")?;
            chosen = self.b.build_select(is_here, *v, chosen, "")?;
        }
        Ok(chosen)
    }

    /// The aggregate is spilled. These accesses carry no access group: every round of a loop shares the slot.
    fn index_on_stack(
        &self,
        frame: &Frame<'c, 'm>,
        elem: &Type,
        count: usize,
        all: &Leaves<'c>,
        at: IntValue<'c>,
    ) -> Result<Leaves<'c>> {
        let i64 = self.context.i64_type();
        let slot = self.stack_bytes(frame, elem.size() * count as u64)?;
        let width = leaf_count(elem);
        for (i, item) in all.chunks(width.max(1)).enumerate() {
            for ((leaf, offset), v) in elem.leaves().into_iter().zip(item) {
                let place = self.offset(slot, elem.size() * i as u64 + offset)?;
                unaligned(self.b.build_store(place, self.leaf_to_memory(leaf, *v)?)?)?;
            }
        }
        let bytes = self.b.build_int_mul(at, i64.const_int(elem.size(), false), "")?;
        self.load_with(elem, self.ptr_add(slot, bytes)?, |_| Ok(()))
    }
}

fn unaligned(inst: InstructionValue<'_>) -> Result<()> {
    inst.set_alignment(1).map_err(|e| CpuError::Llvm(e.to_string()))
}
