//! A lock on a mutex that still works after another thread has panicked while it held it.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, even a *poisoned* one: one that a thread held when it panicked. So every holder must leave the
/// data valid at each step that can panic.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
