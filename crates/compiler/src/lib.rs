//! Python syntax as plain data to typed IR.
