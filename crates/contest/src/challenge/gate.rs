//! The hammering rule: attempts to connect must be some time apart.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

/// When everybody last tried to connect. Times are counted from any fixed moment.
#[derive(Clone, Debug)]
pub struct Gate<K> {
    wait: Duration,
    last: HashMap<K, Duration>,
}

impl<K: Eq + Hash> Gate<K> {
    /// A gate that wants so much time between attempts; the contest's is 5 s.
    pub fn new(wait: Duration) -> Gate<K> {
        Gate {
            wait,
            last: HashMap::new(),
        }
    }

    /// Whether an attempt is let in. One that is not starts the wait again.
    pub fn admit(&mut self, who: K, now: Duration) -> bool {
        let last = self.last.insert(who, now);
        last.is_none_or(|last| now.saturating_sub(last) >= self.wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn early_attempts_start_the_wait_again() {
        let mut gate = Gate::new(Duration::from_secs(5));
        let mut admit = |who, second| gate.admit(who, Duration::from_secs(second));
        assert!(admit('a', 0));
        assert!(!admit('a', 4));
        assert!(admit('b', 4), "others have their own wait");
        assert!(!admit('a', 8), "4 s after the attempt that was refused");
        assert!(admit('a', 13));
    }
}
