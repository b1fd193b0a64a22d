//! Tests of the library.
