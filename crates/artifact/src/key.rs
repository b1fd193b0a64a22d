//! Keys of artifacts.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Names an artifact. Equal if all parts are: labels, contents and order.
///
/// ```
/// use freeloom_artifact::{Key, explain};
///
/// let key = |cpu: &str| Key::builder().part("ir", b"...").part("cpu", cpu.as_bytes()).finish();
/// assert_eq!(key("znver4"), key("znver4"));
/// assert_eq!(explain(&key("znver4"), &key("haswell")).as_deref(), Some("cpu differs"));
/// ```
#[derive(Clone)]
pub struct Key {
    digest: [u8; 32],
    /// What it was made of, for people: labels and short digests.
    parts: Arc<[Part]>,
}

#[derive(Clone, PartialEq, Eq)]
struct Part {
    label: &'static str,
    digest: [u8; 8],
}

/// Collects the parts of a [`Key`].
#[derive(Default)]
pub struct KeyBuilder {
    hasher: blake3::Hasher,
    parts: Vec<Part>,
}

impl KeyBuilder {
    /// Adds something that changes the artifact.
    pub fn part(mut self, label: &'static str, bytes: &[u8]) -> KeyBuilder {
        let content = blake3::hash(bytes);
        self.hasher.update(&(label.len() as u64).to_le_bytes());
        self.hasher.update(label.as_bytes());
        self.hasher.update(content.as_bytes());
        let mut digest = [0; 8];
        digest.copy_from_slice(&content.as_bytes()[..8]);
        self.parts.push(Part { label, digest });
        self
    }

    /// The key of all parts so far.
    pub fn finish(self) -> Key {
        Key { digest: self.hasher.finalize().into(), parts: self.parts.into() }
    }
}

impl Key {
    /// Starts a key.
    pub fn builder() -> KeyBuilder {
        KeyBuilder::default()
    }

    /// The digest of all parts.
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }
}

/// Why two keys differ: names the first part that does. `None` if they are equal.
pub fn explain(a: &Key, b: &Key) -> Option<String> {
    if a == b {
        return None;
    }
    let differing = a.parts.iter().zip(b.parts.iter()).find(|(x, y)| x != y);
    Some(match differing {
        Some((x, y)) if x.label == y.label => format!("{} differs", x.label),
        Some((x, y)) => format!("one has {} where the other has {}", x.label, y.label),
        None => {
            let longer = if a.parts.len() > b.parts.len() { a } else { b };
            let extra = longer.parts.get(a.parts.len().min(b.parts.len()));
            format!("only one has {}", extra.map_or("more parts", |part| part.label))
        }
    })
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.digest == other.digest
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest.hash(state);
    }
}

/// The digest in hexadecimal.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.digest.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({self}")?;
        self.parts.iter().try_for_each(|part| write!(f, ", {}", part.label))?;
        f.write_str(")")
    }
}

impl fmt::Debug for KeyBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.parts.iter().map(|part| part.label)).finish()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn key(parts: &[(&'static str, &str)]) -> Key {
        let add = |b: KeyBuilder, (label, text): &(&'static str, &str)| b.part(label, text.as_bytes());
        parts.iter().fold(Key::builder(), add).finish()
    }

    #[test]
    fn all_parts_count() {
        let base = key(&[("ir", "a"), ("cpu", "b")]);
        assert_eq!(base, key(&[("ir", "a"), ("cpu", "b")]));
        for other in [
            key(&[("ir", "ab"), ("cpu", "")]),
            key(&[("cpu", "b"), ("ir", "a")]),
            key(&[("ir", "a")]),
            key(&[("ir", "a"), ("cp", "ub")]),
            key(&[]),
        ] {
            assert_ne!(base, other);
        }
    }

    #[test]
    fn differences_are_explained() {
        let base = key(&[("ir", "a"), ("cpu", "b")]);
        let why = |other: &[(&'static str, &str)]| explain(&base, &key(other));
        assert_eq!(why(&[("ir", "a"), ("cpu", "b")]), None);
        assert_eq!(why(&[("ir", "a"), ("cpu", "c")]).as_deref(), Some("cpu differs"));
        assert_eq!(why(&[("ir", "x"), ("cpu", "c")]).as_deref(), Some("ir differs"));
        assert_eq!(why(&[("ir", "a")]).as_deref(), Some("only one has cpu"));
        let renamed = why(&[("ir", "a"), ("layout", "b")]);
        assert_eq!(renamed.as_deref(), Some("one has cpu where the other has layout"));
    }

    #[test]
    fn the_digest_does_not_depend_on_the_build() {
        let digest = key(&[("ir", "a")]).to_string();
        assert_eq!(digest.len(), 64);
        assert_eq!(digest, key(&[("ir", "a")]).to_string());
    }
}
