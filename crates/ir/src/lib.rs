//! Typed, structured IR of freeloom: text form, verifier, reference interpreter.
