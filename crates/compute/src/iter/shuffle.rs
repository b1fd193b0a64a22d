//! A permutation of `0 .. n` for every `n`, without a table.
//!
//! A Feistel network permutes the numbers of as many bits as `n - 1` has: in each round one part of the bits is
//! changed by a function of the other part, which can be undone whatever the function is. What falls outside
//! of `0 .. n` is permuted again: the walk stays on its cycle, so it returns to the range, and no two walks
//! end at one number. At least half of the numbers are in range, so a walk has fewer than two steps on average.

use freeloom_ir::{BinaryOp, CmpOp, Const, Scalar, Stmt, Type, Value};

use super::array::fail_outside;
use crate::kernel::{Args, Cx};

/// Rounds of the network.
const ROUNDS: usize = 6;
/// Odd numbers without a pattern.
const FACTORS: [u64; 2] = [0xD6E8_FEB8_6659_FD93, 0xA5A3_564E_27F8_865B];

/// A shuffle opened in a kernel.
pub(crate) struct Shuffle {
    offset: Value,
    len: Value,
    /// Bits of the low part.
    low_bits: Value,
    low_mask: Value,
    high_mask: Value,
    keys: [Value; ROUNDS],
}

/// Writes the slots of a shuffle.
pub(super) fn pack(len: u64, seed: u64, offset: i64, args: &mut Args) {
    let bits = u64::BITS - len.saturating_sub(1).leading_zeros();
    let high = bits / 2;
    let low = bits - high;
    args.push_signed(offset);
    args.push(len);
    args.push(u64::from(low));
    args.push((1 << low) - 1);
    args.push((1 << high) - 1);
    // The length takes part, so that shuffles of different lengths have nothing to do with each other.
    let mut state = seed ^ mix(len);
    for _ in 0..ROUNDS {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        args.push(mix(state));
    }
}

/// The finaliser of `SplitMix64`.
fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

impl Shuffle {
    /// Reads the slots of a shuffle.
    pub(super) fn open(cx: &mut Cx<'_>) -> Shuffle {
        let u64 = || Type::Scalar(Scalar::U64);
        Shuffle {
            offset: cx.slot(Type::I64),
            len: cx.slot(u64()),
            low_bits: cx.slot(u64()),
            low_mask: cx.slot(u64()),
            high_mask: cx.slot(u64()),
            keys: std::array::from_fn(|_| cx.slot(u64())),
        }
    }

    /// Item `index`; the run fails if there is none.
    pub(super) fn item(&self, cx: &mut Cx<'_>, index: Value) -> Value {
        let position = cx.add(index, self.offset);
        fail_outside(cx, position, self.len);
        let start = cx.b.cast(position, Scalar::U64);
        let walk = cx.var("walk", start);
        cx.b.open_block();
        let before = cx.b.get(walk);
        let after = self.step(cx, before);
        cx.b.set(walk, after);
        let is_inside = cx.b.cmp(CmpOp::Lt, after, self.len);
        cx.b.if_else(is_inside, |b| b.push(Stmt::Break), |_| {});
        let body = cx.b.close_block();
        cx.b.push(Stmt::Loop(body));
        let item = cx.b.get(walk);
        cx.b.cast(item, Scalar::I64)
    }

    /// One pass through the network.
    fn step(&self, cx: &mut Cx<'_>, x: Value) -> Value {
        let mut high = cx.b.binary(BinaryOp::Shr, x, self.low_bits);
        let mut low = cx.b.binary(BinaryOp::And, x, self.low_mask);
        for (round, key) in self.keys.iter().enumerate() {
            let (from, to, mask) = match round % 2 {
                0 => (low, &mut high, self.high_mask),
                _ => (high, &mut low, self.low_mask),
            };
            let change = scramble(cx, from, *key);
            let change = cx.b.binary(BinaryOp::And, change, mask);
            *to = cx.b.binary(BinaryOp::Xor, *to, change);
        }
        let high = cx.b.binary(BinaryOp::Shl, high, self.low_bits);
        cx.b.binary(BinaryOp::Or, high, low)
    }
}

/// Thirty-two bits of which each depends on every bit of `x` and `key`.
fn scramble(cx: &mut Cx<'_>, x: Value, key: Value) -> Value {
    let half = cx.b.constant(Const::int(Scalar::U64, 32));
    let mut x = cx.b.binary(BinaryOp::Xor, x, key);
    for factor in FACTORS {
        let factor = cx.b.constant(Const::int(Scalar::U64, i128::from(factor)));
        let product = cx.b.binary(BinaryOp::Mul, x, factor);
        let upper = cx.b.binary(BinaryOp::Shr, product, half);
        x = cx.b.binary(BinaryOp::Xor, product, upper);
    }
    cx.b.binary(BinaryOp::Shr, x, half)
}
