//! Fork-join scheduler and run-time state.
