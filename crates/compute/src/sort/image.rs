//! The order of keys: an unsigned number for each, in the order of the keys.

use freeloom_ir::Scalar;

use super::memory::Plain;
use crate::SortOrder;

/// A key as the bits it lies in memory as.
pub(crate) trait Key: Plain + Ord {
    /// From the low bits of a word.
    fn from_bits(bits: u64) -> Self;
    /// The key's place in the order.
    fn image(self, image: &Image<Self>) -> Self;
    /// Bits of an image.
    fn digit(self, digit: Digit) -> usize;
    /// All bits of an image that decide.
    fn and(self, mask: Self) -> Self;
}

/// How the order of a type is made that of unsigned numbers: signed ones get their top bit flipped, negative
/// floats all bits, so that −0 comes before +0 and NaNs lie at the ends by their sign.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Image<K> {
    float: K,
    top: K,
    flip: K,
}

/// Up to eight bits of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Digit {
    pub(crate) shift: u32,
    pub(crate) mask: u32,
}

impl<K: Key> Image<K> {
    pub(crate) fn new(key: Scalar, order: SortOrder) -> Image<K> {
        let (all, none) = (K::from_bits(u64::MAX), K::from_bits(0));
        let signed = key.is_signed() || key.is_float();
        Image {
            float: if key.is_float() { all } else { none },
            top: if signed { K::from_bits(1 << (key.bits() - 1)) } else { none },
            flip: if order == SortOrder::Descending { all } else { none },
        }
    }
}

macro_rules! keys {
    ($($unsigned:ident $signed:ident),*) => {$(
        impl Key for $unsigned {
            fn from_bits(bits: u64) -> Self {
                bits as $unsigned
            }

            #[inline(always)]
            fn image(self, image: &Image<Self>) -> Self {
                let sign = (self as $signed >> ($unsigned::BITS - 1)) as $unsigned;
                self ^ (sign & image.float | image.top) ^ image.flip
            }

            #[inline(always)]
            fn digit(self, digit: Digit) -> usize {
                (self >> digit.shift) as usize & digit.mask as usize
            }

            #[inline(always)]
            fn and(self, mask: Self) -> Self {
                self & mask
            }
        }
    )*};
}

keys!(u8 i8, u16 i16, u32 i32, u64 i64);

/// The digits of bits `begin .. end`, lowest first.
pub(crate) fn digits(begin: u32, end: u32) -> Vec<Digit> {
    let digit = |shift: u32| Digit { shift, mask: (1 << (end - shift).min(8)) - 1 };
    (begin..end).step_by(8).map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_in_order() {
        let image = Image::<u32>::new(Scalar::F32, SortOrder::Ascending);
        let keys = [-f32::NAN, f32::NEG_INFINITY, -1.5, -0.0, 0.0, 1e-40, 2.0, f32::INFINITY, f32::NAN];
        let images: Vec<u32> = keys
            .iter()
            .map(|k| k.abs().to_bits() | u32::from(k.is_sign_negative()) << 31)
            .map(|k| k.image(&image))
            .collect();
        assert!(images.is_sorted(), "{images:x?}");
        let image = Image::<u8>::new(Scalar::I8, SortOrder::Descending);
        assert!((-128i8..=127).map(|k| (k as u8).image(&image)).rev().is_sorted());
    }

    #[test]
    fn digits_cover_the_bits() {
        assert_eq!(digits(3, 14), [Digit { shift: 3, mask: 255 }, Digit { shift: 11, mask: 7 }]);
        assert_eq!(digits(5, 5), []);
        assert_eq!(digits(0, 64).len(), 8);
    }
}
