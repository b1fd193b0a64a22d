//! CPU back end: IR to LLVM to object code, loaded in process.
