//! Keys, single flight and the seam to artifact stores.
//!
//! * [`Key`] — names an artifact by everything that changes it, and explains why two differ
//! * [`Flight`] — builds each artifact of a process once, whoever asks
//! * [`Store`] — where artifacts live longer than the process
//!
//! Threads: everything is free. A completed entry is found without a lock.
#![forbid(unsafe_code)]

mod flight;
mod key;
mod map;
mod store;
mod sync;

pub use flight::{Flight, FlightError};
pub use key::{Key, KeyBuilder, explain};
pub use store::{NoStore, Store};
