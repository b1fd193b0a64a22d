//! Memory of sorts: items one after another, and arrays of any layout. The only module of the folder that
//! touches memory by address.
#![expect(unsafe_code, reason = "arrays of a call are addresses whose validity its caller vouches for")]

use std::marker::PhantomData;

use crate::binding::{ArrayBinding, Dims};

/// Values that any bytes stand for.
pub(crate) trait Plain: Copy + Default + Send + Sync + 'static {}
impl Plain for () {}
impl Plain for u8 {}
impl Plain for u16 {}
impl Plain for u32 {}
impl Plain for u64 {}

/// Items one after another, of any alignment, shared by the threads of a run.
#[derive(Clone, Copy)]
pub(crate) struct Cells<'a, T> {
    ptr: *mut T,
    len: usize,
    _memory: PhantomData<&'a T>,
}

// SAFETY: whoever made the cells vouched for their use by all threads of a run.
unsafe impl<T: Plain> Send for Cells<'_, T> {}
// SAFETY: as for `Send`.
unsafe impl<T: Plain> Sync for Cells<'_, T> {}

impl<'a, T: Plain> Cells<'a, T> {
    /// # Safety
    ///
    /// `len` items at `ptr` must be valid for reading during `'a`, and for writing if they are written. The
    /// algorithm that uses the cells must not let two threads touch one item at a time if one of them writes.
    pub(crate) unsafe fn new(ptr: usize, len: usize) -> Cells<'a, T> {
        Cells { ptr: ptr as *mut T, len, _memory: PhantomData }
    }

    /// Address of the first item.
    pub(crate) fn address(&self) -> usize {
        self.ptr as usize
    }

    /// Items `lo .. hi`.
    pub(crate) fn sub(&self, lo: usize, hi: usize) -> Cells<'a, T> {
        assert!(lo <= hi && hi <= self.len);
        // SAFETY: the range lies inside of the items.
        Cells { ptr: unsafe { self.ptr.add(lo) }, len: hi - lo, _memory: PhantomData }
    }

    /// Reads items `lo .. hi` in turn.
    #[inline(always)]
    pub(crate) fn items(&self, lo: usize, hi: usize) -> impl Iterator<Item = T> + use<'a, T> {
        let part = self.sub(lo, hi);
        // SAFETY: the index is below the length; the memory is valid by the contract of `new`.
        (0..part.len).map(move |i| unsafe { part.ptr.add(i).read_unaligned() })
    }

    /// Item `i`.
    #[inline(always)]
    pub(crate) fn get(&self, i: usize) -> T {
        assert!(i < self.len);
        // SAFETY: the index was checked; the memory is valid by the contract of `new`.
        unsafe { self.ptr.add(i).read_unaligned() }
    }

    /// Writes item `i`.
    #[inline(always)]
    pub(crate) fn set(&self, i: usize, value: T) {
        assert!(i < self.len);
        // SAFETY: as for `get`; nobody else touches the item by the contract of `new`.
        unsafe { self.ptr.add(i).write_unaligned(value) }
    }

    /// Writes consecutive items from `at` on.
    #[inline(always)]
    pub(crate) fn write(&self, at: usize, items: &[T]) {
        assert!(at <= self.len && items.len() <= self.len - at);
        // SAFETY: the range was checked; `items` is a borrow, so that it is not the memory that is written.
        unsafe {
            let to = self.ptr.add(at).cast::<u8>();
            std::ptr::copy_nonoverlapping(items.as_ptr().cast::<u8>(), to, size_of_val(items));
        }
    }

    /// Items from an address that is a multiple of 64 to item 0.
    pub(crate) fn skew(&self) -> usize {
        self.address() % STREAMED / size_of::<T>().max(1)
    }

    /// As [`Cells::write`], of 64 bytes past the caches, if they are aligned. [`order_streams`] ends that.
    #[inline(always)]
    pub(crate) fn stream(&self, at: usize, items: &[T]) {
        assert!(at <= self.len && items.len() <= self.len - at);
        #[cfg(target_arch = "x86_64")]
        if size_of_val(items) == STREAMED && (self.address() + at * size_of::<T>()).is_multiple_of(STREAMED) {
            use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
            let from = items.as_ptr().cast::<__m128i>();
            // SAFETY: the range was checked, and its address is a multiple of 16; SSE2 is part of x86-64.
            unsafe {
                let to = self.ptr.add(at).cast::<__m128i>();
                for i in 0..STREAMED / 16 {
                    _mm_stream_si128(to.add(i), _mm_loadu_si128(from.add(i)));
                }
            }
            return;
        }
        self.write(at, items);
    }

    /// The same memory as bytes.
    pub(crate) fn bytes(&self) -> Cells<'a, u8> {
        Cells { ptr: self.ptr.cast(), len: self.len * size_of::<T>(), _memory: PhantomData }
    }

    /// Copies items `lo .. hi` to the same places of `to`, which is other memory or the same.
    pub(crate) fn copy_to(&self, to: &Cells<'_, T>, lo: usize, hi: usize) {
        let (from, to) = (self.sub(lo, hi), to.sub(lo, hi));
        // SAFETY: both ranges were checked; `copy` allows them to be the same.
        unsafe { std::ptr::copy(from.ptr.cast::<u8>(), to.ptr.cast::<u8>(), from.len * size_of::<T>()) }
    }
}

/// Bytes that go past the caches at a time.
const STREAMED: usize = 64;

/// Makes what this thread has streamed visible to threads that it synchronises with.
pub(crate) fn order_streams() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of x86-64.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

/// Memory of a run's own.
pub(crate) struct Scratch<T>(Vec<T>);

impl<T: Plain> Scratch<T> {
    /// Room for `len` items, whatever is in it.
    pub(crate) fn new(len: usize) -> Scratch<T> {
        Scratch(Vec::with_capacity(len))
    }

    /// The items. Each is written before it is read.
    pub(crate) fn cells(&mut self) -> Cells<'_, T> {
        let len = if size_of::<T>() == 0 { usize::MAX } else { self.0.capacity() };
        // SAFETY: the memory belongs to this object, which is borrowed exclusively.
        unsafe { Cells::new(self.0.as_mut_ptr() as usize, len) }
    }
}

/// An array of any layout.
#[derive(Clone)]
pub(crate) struct Items<'a> {
    ptr: usize,
    size: usize,
    shape: Dims,
    strides: Dims,
    _memory: PhantomData<&'a u8>,
}

impl<'a> Items<'a> {
    /// # Safety
    ///
    /// As for [`Cells::new`], for the first items of the array that the algorithm is given the number of.
    pub(crate) unsafe fn new(array: &'a ArrayBinding, size: u64) -> Items<'a> {
        let (shape, strides) = (array.shape.clone(), array.strides.clone());
        Items { ptr: array.ptr, size: size as usize, shape, strides, _memory: PhantomData }
    }

    /// Items of `size` bytes, one after another.
    pub(crate) fn packed(bytes: &Cells<'a, u8>, size: usize) -> Items<'a> {
        let (shape, strides) =
            (Dims::from_slice(&[(bytes.len / size.max(1)) as i64]), Dims::from_slice(&[size as i64]));
        Items { ptr: bytes.address(), size, shape, strides, _memory: PhantomData }
    }

    /// Bytes of an item.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The first `len` items, if they lie one after another.
    pub(crate) fn flat<T: Plain>(&self, len: usize) -> Option<Cells<'a, T>> {
        let address = self.flat_address().filter(|_| size_of::<T>() == self.size)?;
        // SAFETY: by the contract of `new`.
        Some(unsafe { Cells::new(address, len) })
    }

    /// Where the items lie, if they lie one after another.
    pub(crate) fn flat_address(&self) -> Option<usize> {
        let mut step = self.size as i64;
        for (length, stride) in self.shape.iter().zip(&self.strides).rev() {
            if *length != 1 && *stride != step {
                return None;
            }
            step *= *length;
        }
        Some(self.ptr)
    }

    /// Is item `i` of both the same memory, for every `i`?
    pub(crate) fn is_same(&self, other: &Items<'_>) -> bool {
        self.ptr == other.ptr && self.strides == other.strides && self.shape.get(1..) == other.shape.get(1..)
    }

    /// Address of item `i`, in C order.
    fn address(&self, i: usize) -> usize {
        let mut rest = i as i64;
        let mut at = 0i64;
        for (axis, (length, stride)) in self.shape.iter().zip(&self.strides).enumerate().rev() {
            let here = if axis == 0 { rest } else { rest % *length };
            rest = if axis == 0 { 0 } else { rest / *length };
            at += here * *stride;
        }
        self.ptr.wrapping_add_signed(at as isize)
    }

    /// Copies items `lo .. hi` into `to`, whose item 0 is item `lo`.
    pub(crate) fn read(&self, lo: usize, hi: usize, to: &Cells<'_, u8>) {
        assert!((hi - lo) * self.size <= to.len);
        // SAFETY: the item is one of the array's; the target was checked.
        (lo..hi)
            .for_each(|i| unsafe { copy(self.address(i), to.address() + (i - lo) * self.size, self.size) });
    }

    /// Copies items from `from`, whose item 0 is item `lo`, to items `lo .. hi`.
    pub(crate) fn write(&self, lo: usize, hi: usize, from: &Cells<'_, u8>) {
        assert!((hi - lo) * self.size <= from.len);
        // SAFETY: as for `read`.
        (lo..hi)
            .for_each(|i| unsafe { copy(from.address() + (i - lo) * self.size, self.address(i), self.size) });
    }

    /// Item `to` becomes item `at` of `from`.
    pub(crate) fn take(&self, to: usize, from: &Items<'_>, at: usize) {
        assert!(self.size == from.size);
        // SAFETY: both items are their array's, by the contract of `new`.
        unsafe { copy(from.address(at), self.address(to), self.size) }
    }
}

/// # Safety
///
/// `size` bytes must be valid at both addresses.
#[inline(always)]
unsafe fn copy(from: usize, to: usize, size: usize) {
    let (from, to) = (from as *const u8, to as *mut u8);
    // SAFETY: by contract; `copy` allows the ranges to be the same.
    unsafe {
        match size {
            1 => to.write(from.read()),
            2 => to.cast::<u16>().write_unaligned(from.cast::<u16>().read_unaligned()),
            4 => to.cast::<u32>().write_unaligned(from.cast::<u32>().read_unaligned()),
            8 => to.cast::<u64>().write_unaligned(from.cast::<u64>().read_unaligned()),
            16 => to.cast::<u128>().write_unaligned(from.cast::<u128>().read_unaligned()),
            _ => std::ptr::copy(from, to, size),
        }
    }
}
