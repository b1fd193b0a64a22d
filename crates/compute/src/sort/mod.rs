//! Sorts by the bits of the keys: of whole arrays, and of segments.
//!
//! No code is generated: keys are a few kinds of numbers, and values are moved without being looked at. A
//! value of four or eight bytes travels with its key; for others the position does, and the values are
//! gathered at the end.

mod image;
pub(crate) mod memory;
mod radix;
mod segments;

use freeloom_ir::Scalar;
use freeloom_runtime::Interrupt;

use crate::binding::ArrayBinding;
use crate::error::RunError;
use crate::plan::run_blocks;
use image::{Image, Key, digits};
use memory::{Items, Plain, Scratch};
use radix::{Buffers, Order};
pub use segments::segments;

/// Items of a block of a copy.
const BLOCK: usize = 32 * 1024;

/// The order in which keys are sorted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SortOrder {
    /// Smallest first.
    Ascending,
    /// Greatest first; equal keys stay in the order in which they are.
    Descending,
}

/// A sort by bits, ready to run. Free.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RadixSort {
    /// Type of the keys.
    pub key: Scalar,
    /// Bytes of a value, if there are values.
    pub value_size: Option<u64>,
    /// The order.
    pub order: SortOrder,
}

/// Keys or values of a sort: what is read and what is written.
#[derive(Clone, Copy, Debug)]
pub struct SortData<'a> {
    /// Read, and left as it is.
    pub input: &'a ArrayBinding,
    /// Written. May be the input itself, item for item, but not overlap it in any other way.
    pub output: &'a ArrayBinding,
}

/// What is sorted.
#[derive(Clone, Copy)]
enum Task<'a> {
    /// All items.
    Whole,
    /// Ranges apart from each other, in increasing order.
    Segments(&'a [(usize, usize)]),
}

impl RadixSort {
    /// Sorts `n` items by bits `begin .. end` of their keys.
    ///
    /// # Safety
    ///
    /// The bindings must describe memory that is valid during the call: the first `n` items of the inputs for
    /// reading, those of the outputs for writing. What is written must not be touched by anyone else
    /// meanwhile. There are values if and only if `value_size` says so.
    #[expect(unsafe_code, reason = "the caller vouches for the memory")]
    pub unsafe fn run(
        &self,
        keys: SortData<'_>,
        values: Option<SortData<'_>>,
        n: u64,
        (begin, end): (u32, u32),
        interrupt: &dyn Interrupt,
    ) -> Result<(), RunError> {
        // SAFETY: the caller's promise.
        unsafe { self.start(keys, values, n as usize, (begin, end), Task::Whole, interrupt) }
    }

    /// Sorts the items of each segment; items outside of segments are copied. Segments must lie inside of the
    /// `n` items, in increasing order and apart from each other.
    ///
    /// # Safety
    ///
    /// As for [`RadixSort::run`].
    #[expect(unsafe_code, reason = "the caller vouches for the memory")]
    pub unsafe fn run_segments(
        &self,
        keys: SortData<'_>,
        values: Option<SortData<'_>>,
        n: u64,
        segments: &[(usize, usize)],
        interrupt: &dyn Interrupt,
    ) -> Result<(), RunError> {
        let bounds = segments.iter().flat_map(|(lo, hi)| [*lo, *hi]);
        if !bounds.chain([n as usize]).is_sorted() {
            return Err(RunError::Mismatch("the order of the segments"));
        }
        // SAFETY: the caller's promise.
        unsafe {
            self.start(keys, values, n as usize, (0, self.key.bits()), Task::Segments(segments), interrupt)
        }
    }

    /// Bytes of scratch memory that a run over `n` items takes from the heap, about.
    pub fn temp_storage_bytes(&self, n: u64) -> u64 {
        let values = match self.value_size {
            None => 0,
            Some(4 | 8) => self.value_size.unwrap_or(0),
            Some(_) if n <= 1 << 32 => 12,
            Some(_) => 24,
        };
        if n == 0 { 0 } else { n * (self.key.size() + values) + (1 << 16) }
    }

    /// # Safety
    ///
    /// As for [`RadixSort::run`].
    #[expect(unsafe_code, reason = "the caller vouches for the memory")]
    unsafe fn start(
        &self,
        keys: SortData<'_>,
        values: Option<SortData<'_>>,
        n: usize,
        bits: (u32, u32),
        task: Task<'_>,
        interrupt: &dyn Interrupt,
    ) -> Result<(), RunError> {
        if n == 0 {
            return Ok(());
        }
        if bits.0 > bits.1 || bits.1 > self.key.bits() || values.is_some() != self.value_size.is_some() {
            return Err(RunError::Mismatch("the bits or values of a sort"));
        }
        // SAFETY: the caller's promise is that of `Items::new`; the passes give every item of a target to one
        // thread.
        let (keys_in, values_in) = unsafe {
            let size = self.value_size.unwrap_or(0);
            (ArrayPair::new(keys, self.key.size()), values.map(|v| ArrayPair::new(v, size)))
        };
        let run = Run { n, interrupt, task };
        match self.key.size() {
            1 => run.keys(&self.order_of::<u8>(bits), &keys_in, values_in.as_ref()),
            2 => run.keys(&self.order_of::<u16>(bits), &keys_in, values_in.as_ref()),
            4 => run.keys(&self.order_of::<u32>(bits), &keys_in, values_in.as_ref()),
            _ => run.keys(&self.order_of::<u64>(bits), &keys_in, values_in.as_ref()),
        }
    }

    fn order_of<K: Key>(&self, (begin, end): (u32, u32)) -> Order<K> {
        let below = |bit: u32| if bit >= 64 { u64::MAX } else { (1 << bit) - 1 };
        let mask = K::from_bits(below(end) & !below(begin));
        Order { image: Image::new(self.key, self.order), digits: digits(begin, end), mask }
    }
}

/// Input and output arrays.
struct ArrayPair<'a> {
    input: Items<'a>,
    output: Items<'a>,
}

impl<'a> ArrayPair<'a> {
    /// # Safety
    ///
    /// As for [`Items::new`], of both arrays.
    #[expect(unsafe_code, reason = "hands on the promise of the caller")]
    unsafe fn new(data: SortData<'a>, size: u64) -> ArrayPair<'a> {
        // SAFETY: by contract.
        unsafe { ArrayPair { input: Items::new(data.input, size), output: Items::new(data.output, size) } }
    }
}

/// A call under way.
struct Run<'a> {
    n: usize,
    interrupt: &'a dyn Interrupt,
    task: Task<'a>,
}

impl Run<'_> {
    fn keys<K: Key>(
        &self,
        order: &Order<K>,
        keys: &ArrayPair<'_>,
        values: Option<&ArrayPair<'_>>,
    ) -> Result<(), RunError> {
        self.with_flat::<K>(keys, |keys| match values {
            None => {
                let mut nothing = Scratch::<()>::new(0);
                let cells = nothing.cells();
                self.sort(order, keys, &Buffers { from: cells, to: cells, spare: cells })
            }
            Some(v) if v.input.size() == 4 => self.with_flat::<u32>(v, |v| self.sort(order, keys, v)),
            Some(v) if v.input.size() == 8 => self.with_flat::<u64>(v, |v| self.sort(order, keys, v)),
            Some(v) if u32::try_from(self.n).is_ok() => self.by_position::<K, u32>(order, keys, v),
            Some(v) => self.by_position::<K, u64>(order, keys, v),
        })
    }

    fn sort<K: Key, V: Plain>(
        &self,
        order: &Order<K>,
        keys: &Buffers<'_, K>,
        values: &Buffers<'_, V>,
    ) -> Result<(), RunError> {
        match self.task {
            Task::Whole => radix::sort(order, keys, values, self.n, self.interrupt),
            Task::Segments(list) => segments::sort(order, keys, values, self.n, list, self.interrupt),
        }
    }

    /// Calls `body` for each block of items.
    fn blocks(&self, body: impl Fn(usize, usize) + Sync) -> Result<(), RunError> {
        let n = self.n;
        run_blocks(n.div_ceil(BLOCK), self.interrupt, &|b| body(b * BLOCK, ((b + 1) * BLOCK).min(n)))
    }

    /// Calls `body` with the arrays if they are flat memory, else with copies.
    fn with_flat<T: Plain>(
        &self,
        arrays: &ArrayPair<'_>,
        body: impl FnOnce(&Buffers<'_, T>) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        let size = arrays.input.size();
        let (mut spare, mut from, mut to) = (Scratch::<T>::new(self.n), None, None);
        let spare = spare.cells();
        let from = match arrays.input.flat(self.n) {
            Some(cells) => cells,
            None => {
                let copy = from.insert(Scratch::new(self.n)).cells();
                let bytes = copy.bytes();
                self.blocks(|lo, hi| arrays.input.read(lo, hi, &bytes.sub(lo * size, hi * size)))?;
                copy
            }
        };
        match arrays.output.flat(self.n) {
            Some(to) => body(&Buffers { from, to, spare }),
            None => {
                let to = to.insert(Scratch::new(self.n)).cells();
                body(&Buffers { from, to, spare })?;
                let bytes = to.bytes();
                self.blocks(|lo, hi| arrays.output.write(lo, hi, &bytes.sub(lo * size, hi * size)))
            }
        }
    }

    /// Sorts the positions with the keys, then takes each value from its position.
    fn by_position<K: Key, P: Position>(
        &self,
        order: &Order<K>,
        keys: &Buffers<'_, K>,
        values: &ArrayPair<'_>,
    ) -> Result<(), RunError> {
        let [mut from, mut to, mut spare] = [(); 3].map(|()| Scratch::<P>::new(self.n));
        let positions = Buffers { from: from.cells(), to: to.cells(), spare: spare.cells() };
        self.blocks(|lo, hi| (lo..hi).for_each(|i| positions.from.set(i, P::of(i))))?;
        self.sort(order, keys, &positions)?;
        let gather = |output: &Items<'_>, input: &Items<'_>| {
            self.blocks(|lo, hi| (lo..hi).for_each(|i| output.take(i, input, positions.to.get(i).index())))
        };
        if !values.input.is_same(&values.output) {
            return gather(&values.output, &values.input);
        }
        let size = values.input.size();
        let mut copy = Scratch::<u8>::new(self.n * size);
        let copy = copy.cells();
        self.blocks(|lo, hi| values.input.read(lo, hi, &copy.sub(lo * size, hi * size)))?;
        gather(&values.output, &Items::packed(&copy, size))
    }
}

/// A position among the items.
trait Position: Plain {
    fn of(i: usize) -> Self;
    fn index(self) -> usize;
}

impl Position for u32 {
    fn of(i: usize) -> u32 {
        i as u32
    }

    fn index(self) -> usize {
        self as usize
    }
}

impl Position for u64 {
    fn of(i: usize) -> u64 {
        i as u64
    }

    fn index(self) -> usize {
        self as usize
    }
}
