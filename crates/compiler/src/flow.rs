//! Definite assignment: which locals have certainly been assigned at a point of the program.

use std::collections::BTreeSet;

/// What is known at one point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Flow<'f> {
    /// No execution comes here.
    Unreachable,
    /// Every execution that comes here has assigned these names.
    Assigned(BTreeSet<&'f str>),
}

impl<'f> Flow<'f> {
    /// The start of a function.
    pub(crate) fn start() -> Flow<'f> {
        Flow::Assigned(BTreeSet::new())
    }

    /// Can an execution come here?
    pub(crate) fn is_reachable(&self) -> bool {
        matches!(self, Flow::Assigned(_))
    }

    /// Records an assignment.
    pub(crate) fn assign(&mut self, name: &'f str) {
        if let Flow::Assigned(names) = self {
            names.insert(name);
        }
    }

    /// Is the name assigned on every path?
    pub(crate) fn is_assigned(&self, name: &str) -> bool {
        match self {
            Flow::Unreachable => true,
            Flow::Assigned(names) => names.contains(name),
        }
    }

    /// The point where two paths meet.
    #[must_use]
    pub(crate) fn join(self, other: &Flow<'f>) -> Flow<'f> {
        match (self, other) {
            (Flow::Unreachable, other) => other.clone(),
            (this, Flow::Unreachable) => this,
            (Flow::Assigned(mut names), Flow::Assigned(others)) => {
                names.retain(|n| others.contains(n));
                Flow::Assigned(names)
            }
        }
    }

    /// Takes the state and leaves `Unreachable`: what a jump does.
    pub(crate) fn leave(&mut self) -> Flow<'f> {
        std::mem::replace(self, Flow::Unreachable)
    }
}

#[cfg(test)]
mod tests {
    use super::Flow;

    #[test]
    fn a_name_assigned_on_one_path_only_is_not_assigned_after_it() {
        let mut a = Flow::start();
        a.assign("x");
        a.assign("y");
        let mut b = Flow::start();
        b.assign("y");
        let met = a.join(&b);
        assert!(met.is_assigned("y"));
        assert!(!met.is_assigned("x"));
    }

    #[test]
    fn a_path_that_has_left_does_not_count() {
        let mut a = Flow::start();
        a.assign("x");
        let mut left = Flow::start();
        assert!(left.leave().is_reachable());
        assert!(a.join(&left).is_assigned("x"));
    }
}
