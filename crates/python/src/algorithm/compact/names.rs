//! The parameters of the three algorithms, and what tells the algorithms apart.

use freeloom_compute::{CompactRule, Operator};
use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::fastcall::{Given, Raw, Signature};

/// An algorithm.
pub(super) struct Algorithm {
    which: Which,
    /// First word of its keys.
    pub(super) word: u64,
    /// Inputs, outputs, counts, operators.
    pub(super) names: &'static [&'static str],
    /// How many of the names are inputs.
    pub(super) inputs: usize,
    /// How many are inputs, outputs or counts.
    pub(super) data: usize,
    /// How many counts there must be room for.
    pub(super) least_counts: u64,
    /// How many are written if there is room.
    pub(super) most_counts: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Select,
    Partition,
    Unique,
}

/// What a callable is for: it has the parameters of the algorithm and some of its own behind them.
#[derive(Clone, Copy)]
pub(super) enum Role {
    /// `compute_capability`
    Make,
    /// `num_items`, `stream`
    OneShot,
    /// `temp_storage`, `num_items`, `stream`
    Call,
}

const MAKE_TAIL: &[&str] = &["compute_capability"];
const ONE_SHOT_TAIL: &[&str] = &["num_items", "stream"];
const CALL_TAIL: &[&str] = &["temp_storage", "num_items", "stream"];

const SELECT_NAMES: &[&str] = &["d_in", "d_out", "d_num_selected_out", "cond"];
const PARTITION_NAMES: &[&str] = &[
    "d_in",
    "d_first_part_out",
    "d_second_part_out",
    "d_unselected_out",
    "d_num_selected_out",
    "select_first_part_op",
    "select_second_part_op",
];
const UNIQUE_NAMES: &[&str] =
    &["d_in_keys", "d_in_items", "d_out_keys", "d_out_items", "d_out_num_selected", "op"];

pub(super) static SELECT: Algorithm = Algorithm {
    which: Which::Select,
    word: 20,
    names: SELECT_NAMES,
    inputs: 1,
    data: 3,
    least_counts: 1,
    most_counts: 2,
};
pub(super) static PARTITION: Algorithm = Algorithm {
    which: Which::Partition,
    word: 21,
    names: PARTITION_NAMES,
    inputs: 1,
    data: 5,
    least_counts: 2,
    most_counts: 2,
};
pub(super) static UNIQUE: Algorithm = Algorithm {
    which: Which::Unique,
    word: 22,
    names: UNIQUE_NAMES,
    inputs: 2,
    data: 5,
    least_counts: 1,
    most_counts: 1,
};

/// A signature of the parameters `head` and `tail`, of which all but the last are required.
const fn signature<const N: usize>(
    callable: &'static str,
    head: &[&'static str],
    tail: &[&'static str],
) -> Signature<N> {
    let mut names = [""; N];
    let mut i = 0;
    while i < N {
        names[i] = if i < head.len() { head[i] } else { tail[i - head.len()] };
        i += 1;
    }
    Signature::new(callable, names, (1 << (N - 1)) - 1)
}

static MAKE_SELECT: Signature<5> = signature("make_select", SELECT_NAMES, MAKE_TAIL);
static ONE_SELECT: Signature<6> = signature("select", SELECT_NAMES, ONE_SHOT_TAIL);
static CALL_SELECT: Signature<7> = signature("select object", SELECT_NAMES, CALL_TAIL);
static MAKE_PARTITION: Signature<8> = signature("make_three_way_partition", PARTITION_NAMES, MAKE_TAIL);
static ONE_PARTITION: Signature<9> = signature("three_way_partition", PARTITION_NAMES, ONE_SHOT_TAIL);
static CALL_PARTITION: Signature<10> = signature("three_way_partition object", PARTITION_NAMES, CALL_TAIL);
static MAKE_UNIQUE: Signature<7> = signature("make_unique_by_key", UNIQUE_NAMES, MAKE_TAIL);
static ONE_UNIQUE: Signature<8> = signature("unique_by_key", UNIQUE_NAMES, ONE_SHOT_TAIL);
static CALL_UNIQUE: Signature<9> = signature("unique_by_key object", UNIQUE_NAMES, CALL_TAIL);

/// The values that were given: of all parameters, or of those of the algorithm alone.
pub(super) type Values<T> = SmallVec<[T; 10]>;
type Arg<'a, 'py> = Borrowed<'a, 'py, PyAny>;

impl Algorithm {
    /// The arguments of a call, in the order of the parameters.
    ///
    /// # Safety
    ///
    /// As for [`Signature::parse`].
    pub(super) unsafe fn parse<'a, 'py>(
        &self,
        role: Role,
        py: Python<'py>,
        raw: Raw,
    ) -> PyResult<Values<Option<Arg<'a, 'py>>>> {
        // SAFETY: by contract.
        unsafe {
            match (self.which, role) {
                (Which::Select, Role::Make) => list(MAKE_SELECT.parse(py, raw)),
                (Which::Select, Role::OneShot) => list(ONE_SELECT.parse(py, raw)),
                (Which::Select, Role::Call) => list(CALL_SELECT.parse(py, raw)),
                (Which::Partition, Role::Make) => list(MAKE_PARTITION.parse(py, raw)),
                (Which::Partition, Role::OneShot) => list(ONE_PARTITION.parse(py, raw)),
                (Which::Partition, Role::Call) => list(CALL_PARTITION.parse(py, raw)),
                (Which::Unique, Role::Make) => list(MAKE_UNIQUE.parse(py, raw)),
                (Which::Unique, Role::OneShot) => list(ONE_UNIQUE.parse(py, raw)),
                (Which::Unique, Role::Call) => list(CALL_UNIQUE.parse(py, raw)),
            }
        }
    }

    /// The rule with these operators.
    pub(super) fn rule(&self, mut ops: impl Iterator<Item = Operator>) -> Option<CompactRule> {
        Some(match self.which {
            Which::Select => CompactRule::Select(ops.next()?),
            Which::Partition => CompactRule::Partition(ops.next()?, ops.next()?),
            Which::Unique => CompactRule::Unique(ops.next()?),
        })
    }

    /// Are the outputs written while items of the first input may still be read?
    pub(super) fn looks_back(&self) -> bool {
        self.which == Which::Unique
    }
}

fn list<'a, 'py, const N: usize>(
    given: PyResult<Given<'a, 'py, N>>,
) -> PyResult<Values<Option<Arg<'a, 'py>>>> {
    Ok(given?.into_iter().collect())
}
