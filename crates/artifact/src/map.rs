//! The map under a flight: lock-free reads and atomic changes of one entry.
//!
//! It is `papaya`: reads and writes never block, entries are freed when no reader can see them any more, and it
//! is maintained. (An immutable map behind an atomic pointer would copy all entries at each insertion.)

use std::hash::Hash;

#[cfg(not(loom))]
pub(crate) struct Map<K, T>(papaya::HashMap<K, T>);

#[cfg(not(loom))]
impl<K: Hash + Eq + Clone, T: Clone> Map<K, T> {
    pub(crate) fn new() -> Self {
        Map(papaya::HashMap::new())
    }

    pub(crate) fn get(&self, key: &K) -> Option<T> {
        self.0.pin().get(key).cloned()
    }

    /// Adds an entry unless there is one. Was it added?
    pub(crate) fn insert_new(&self, key: &K, value: T) -> bool {
        self.0.pin().try_insert(key.clone(), value).is_ok()
    }

    /// Replaces the entry if it is still the one that `is` recognises.
    pub(crate) fn replace_if(&self, key: &K, value: T, is: impl Fn(&T) -> bool) {
        self.0.pin().update(key.clone(), |old| if is(old) { value.clone() } else { old.clone() });
    }

    /// Removes the entry if it is still the one that `is` recognises.
    pub(crate) fn remove_if(&self, key: &K, is: impl Fn(&T) -> bool) {
        // An entry that is not recognised stays.
        let _ = self.0.pin().remove_if(key, |_, value| is(value));
    }

    pub(crate) fn clear(&self) {
        self.0.pin().clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// The same interface for loom, which cannot look into `papaya`; one lock stands for its atomicity.
#[cfg(loom)]
pub(crate) struct Map<K, T>(loom::sync::Mutex<std::collections::HashMap<K, T>>);

#[cfg(loom)]
impl<K: Hash + Eq + Clone, T: Clone> Map<K, T> {
    pub(crate) fn new() -> Self {
        Map(loom::sync::Mutex::new(std::collections::HashMap::new()))
    }

    pub(crate) fn get(&self, key: &K) -> Option<T> {
        self.0.lock().unwrap().get(key).cloned()
    }

    pub(crate) fn insert_new(&self, key: &K, value: T) -> bool {
        let mut map = self.0.lock().unwrap();
        let new = !map.contains_key(key);
        if new {
            map.insert(key.clone(), value);
        }
        new
    }

    pub(crate) fn replace_if(&self, key: &K, value: T, is: impl Fn(&T) -> bool) {
        if let Some(old) = self.0.lock().unwrap().get_mut(key)
            && is(old)
        {
            *old = value;
        }
    }

    pub(crate) fn remove_if(&self, key: &K, is: impl Fn(&T) -> bool) {
        let mut map = self.0.lock().unwrap();
        if map.get(key).is_some_and(is) {
            map.remove(key);
        }
    }

    pub(crate) fn clear(&self) {
        self.0.lock().unwrap().clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}
