//! Keys of the per-thread wrapper caches: everything that decides a wrapper, as a few words.
//!
//! Types and Python functions enter as numbers given by the interners below. A number is never given twice,
//! so a key made before [`clear`] can only miss.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use freeloom_compiler::Function;
use freeloom_ir::{Scalar, Type};
use smallvec::SmallVec;

/// A list of words; equal lists mean equal wrappers.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Key(SmallVec<[u64; 16]>);

impl Key {
    pub(crate) fn push(&mut self, word: u64) {
        self.0.push(word);
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.0
    }

    /// A hash that fits a small Python `int`.
    pub(crate) fn digest(&self) -> i64 {
        const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
        let mixed =
            self.0.iter().fold(self.0.len() as u64, |h, w| (h.rotate_left(5) ^ w).wrapping_mul(FACTOR));
        (mixed >> 2) as i64
    }
}

/// Waiting for the lock needs no care of Python: whoever holds it calls nothing that could wait in turn.
struct Interner<T>(LazyLock<Mutex<HashMap<T, u64>>>);

/// Numbers below belong to scalars and complex types.
static NEXT: AtomicU64 = AtomicU64::new(64);
static TYPES: Interner<Type> = Interner(LazyLock::new(Mutex::default));
static FUNCTIONS: Interner<Arc<Function>> = Interner(LazyLock::new(Mutex::default));

impl<T: Hash + Eq + Clone> Interner<T> {
    fn number(&self, value: &T) -> u64 {
        let mut map = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = map.get(value) {
            return *number;
        }
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        map.insert(value.clone(), number);
        number
    }

    fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// The number of a type. Takes a lock unless it is a scalar or complex.
pub(crate) fn type_number(ty: &Type) -> u64 {
    match ty {
        Type::Scalar(s) => *s as u64 + 1,
        Type::Complex(Scalar::F32) => 20,
        Type::Complex(_) => 21,
        _ => TYPES.number(ty),
    }
}

/// The number of a function: that of every function of equal content.
pub(crate) fn function_number(function: &Arc<Function>) -> u64 {
    FUNCTIONS.number(function)
}

/// Forgets every type and function.
pub(crate) fn clear() {
    TYPES.clear();
    FUNCTIONS.clear();
}
