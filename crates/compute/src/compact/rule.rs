//! A rule with types.

use freeloom_ir::Type;

use super::CompactRule;
use crate::error::{BuildError, Built};
use crate::iter::Iter;
use crate::op::Op;

/// Names of the parameters of an algorithm, for messages.
pub(super) struct Names {
    pub(super) inputs: &'static [&'static str],
    pub(super) outputs: &'static [&'static str],
    pub(super) counts: &'static str,
    ops: &'static [&'static str],
}

static SELECT: Names =
    Names { inputs: &["d_in"], outputs: &["d_out"], counts: "d_num_selected_out", ops: &["cond"] };
static PARTITION: Names = Names {
    inputs: &["d_in"],
    outputs: &["d_first_part_out", "d_second_part_out", "d_unselected_out"],
    counts: "d_num_selected_out",
    ops: &["select_first_part_op", "select_second_part_op"],
};
static UNIQUE: Names = Names {
    inputs: &["d_in_keys", "d_in_items"],
    outputs: &["d_out_keys", "d_out_items"],
    counts: "d_out_num_selected",
    ops: &["op"],
};

/// Which algorithm it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Select,
    Partition,
    Unique,
}

impl Kind {
    pub(super) fn of(rule: &CompactRule) -> Kind {
        match rule {
            CompactRule::Select(_) => Kind::Select,
            CompactRule::Partition(..) => Kind::Partition,
            CompactRule::Unique(_) => Kind::Unique,
        }
    }

    pub(super) fn names(self) -> &'static Names {
        match self {
            Kind::Select => &SELECT,
            Kind::Partition => &PARTITION,
            Kind::Unique => &UNIQUE,
        }
    }

    /// Into how many sequences items are sorted.
    pub(super) fn parts(self) -> usize {
        match self {
            Kind::Select | Kind::Unique => 1,
            Kind::Partition => 3,
        }
    }
}

/// The operators, with results of type `bool`.
pub(super) fn ops(rule: &CompactRule, inputs: &[Iter]) -> Built<Vec<Op>> {
    let names = Kind::of(rule).names();
    let item = inputs[0].item();
    let (ops, params) = match rule {
        CompactRule::Select(op) => (vec![op], vec![item.clone()]),
        CompactRule::Partition(first, second) => (vec![first, second], vec![item.clone()]),
        CompactRule::Unique(op) => (vec![op], vec![item.clone(), item.clone()]),
    };
    let build = |(op, name): (_, &&str)| {
        Op::build(op, &params, Some(&Type::BOOL)).map_err(|e| match e {
            BuildError::Type(text) => BuildError::Type(format!("{name}: {text}")),
            other => other,
        })
    };
    ops.into_iter().zip(names.ops).map(build).collect()
}
