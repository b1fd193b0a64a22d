//! Memory of the interpreter.

use super::datum::Datum;
use super::{Trap, scalar};
use crate::op::Const;
use crate::types::Type;

const OFFSET_BITS: u32 = 40;
const MAX_ALLOCATION: u64 = 1 << 31;
const MAX_ALLOCATIONS: usize = 1 << 23;

#[derive(Debug, Default)]
pub(super) struct Memory {
    allocations: Vec<Allocation>,
}

#[derive(Debug, Default)]
struct Allocation {
    bytes: Vec<u8>,
    /// Which bytes hold something; empty if all do.
    written: Vec<bool>,
}

impl Memory {
    pub(super) fn alloc(&mut self, bytes: Vec<u8>) -> u64 {
        self.push(Allocation { bytes, written: Vec::new() })
    }

    pub(super) fn alloc_uninitialised(&mut self, size: u64) -> Result<u64, Trap> {
        if size > MAX_ALLOCATION || self.allocations.len() >= MAX_ALLOCATIONS {
            return Err(Trap::OutOfResources);
        }
        let size = size as usize;
        Ok(self.push(Allocation { bytes: vec![0; size], written: vec![false; size] }))
    }

    fn push(&mut self, allocation: Allocation) -> u64 {
        self.allocations.push(allocation);
        (self.allocations.len() as u64) << OFFSET_BITS
    }

    /// Ends an allocation: every later access to it is out of bounds.
    pub(super) fn free(&mut self, ptr: u64) {
        if let Some(allocation) = self.allocations.get_mut(number(ptr)) {
            *allocation = Allocation::default();
        }
    }

    pub(super) fn bytes(&self, ptr: u64) -> &[u8] {
        let bytes = self.allocations.get(number(ptr)).map(|a| a.bytes.as_slice()).unwrap_or_default();
        bytes.get(offset(ptr)..).unwrap_or_default()
    }

    pub(super) fn load(&self, ty: &Type, ptr: u64) -> Result<Datum, Trap> {
        match ty {
            Type::Scalar(s) => {
                let bits = self.load_bits(ptr, s.size())?;
                Ok(Datum::Scalar(scalar::from_memory(*s, bits)))
            }
            Type::Ptr => self.load_bits(ptr, 8).map(Datum::Ptr),
            Type::View(_) => Err(Trap::Invalid("a view in memory")),
            _ => components(ty)
                .map(|(ty, offset)| self.load(&ty, ptr.wrapping_add(offset)))
                .collect::<Result<_, _>>()
                .map(Datum::Aggregate),
        }
    }

    pub(super) fn store(&mut self, ty: &Type, ptr: u64, value: &Datum) -> Result<(), Trap> {
        match value {
            Datum::Scalar(Const { ty, bits }) => self.store_bits(ptr, *bits, ty.size()),
            Datum::Ptr(p) => self.store_bits(ptr, *p, 8),
            Datum::View(_) => Err(Trap::Invalid("a view in memory")),
            Datum::Aggregate(items) => components(ty)
                .zip(items)
                .try_for_each(|((ty, offset), item)| self.store(&ty, ptr.wrapping_add(offset), item)),
        }
    }

    fn load_bits(&self, ptr: u64, size: u64) -> Result<u64, Trap> {
        let (at, end) = (offset(ptr), offset(ptr) + size as usize);
        let allocation = self.allocations.get(number(ptr)).ok_or(Trap::OutOfBounds(ptr))?;
        let bytes = allocation.bytes.get(at..end).ok_or(Trap::OutOfBounds(ptr))?;
        if allocation.written.get(at..end).is_some_and(|w| w.contains(&false)) {
            return Err(Trap::Uninitialised(ptr));
        }
        Ok(bytes.iter().rev().fold(0, |bits, b| bits << 8 | u64::from(*b)))
    }

    fn store_bits(&mut self, ptr: u64, bits: u64, size: u64) -> Result<(), Trap> {
        let (at, end) = (offset(ptr), offset(ptr) + size as usize);
        let allocation = self.allocations.get_mut(number(ptr)).ok_or(Trap::OutOfBounds(ptr))?;
        let bytes = allocation.bytes.get_mut(at..end).ok_or(Trap::OutOfBounds(ptr))?;
        bytes.copy_from_slice(&bits.to_le_bytes()[..size as usize]);
        if let Some(written) = allocation.written.get_mut(at..end) {
            written.fill(true);
        }
        Ok(())
    }
}

/// Index of the allocation; out of range for address 0.
fn number(ptr: u64) -> usize {
    ((ptr >> OFFSET_BITS) as usize).wrapping_sub(1)
}

fn offset(ptr: u64) -> usize {
    (ptr & ((1 << OFFSET_BITS) - 1)) as usize
}

fn components(ty: &Type) -> impl Iterator<Item = (Type, u64)> + '_ {
    (0..ty.component_count()).map_while(|i| ty.component(i))
}
