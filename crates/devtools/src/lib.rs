//! File-test runner and IR tools for freeloom's developers.
//!
//! * [`filetest`] — tests that are files: input, and beneath it what is expected

#![deny(unsafe_code)]

pub mod filetest;
