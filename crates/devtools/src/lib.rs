//! File-test runner and IR tools for freeloom's developers.
