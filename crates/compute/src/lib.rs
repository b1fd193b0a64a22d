//! Parallel algorithms over iterators and user operators.
