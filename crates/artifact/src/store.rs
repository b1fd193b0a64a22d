//! The seam to stores that outlive the process.

use crate::Key;

/// Keeps artifacts for later processes. A store never fails: what it cannot load is absent, and what it cannot
/// save is built again next time.
pub trait Store: Send + Sync {
    /// The artifact of that key, if it is here and intact.
    fn load(&self, key: &Key) -> Option<Vec<u8>>;

    /// Keeps an artifact.
    fn save(&self, key: &Key, artifact: &[u8]);
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoStore;

impl Store for NoStore {
    fn load(&self, _key: &Key) -> Option<Vec<u8>> {
        None
    }

    fn save(&self, _key: &Key, _artifact: &[u8]) {}
}
