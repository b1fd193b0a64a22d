//! The native module of the freeloom Python package.
