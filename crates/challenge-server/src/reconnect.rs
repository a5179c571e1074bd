//! The rule against reconnecting too often: attempts to connect must be some time apart. The acceptor applies it
//! to teams and addresses, `contest::challenge::pairing::remote` to programs.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

/// With this many remembered clients, those whose wait is over are forgotten.
const REMEMBERED: usize = 4096;

/// When each client last tried to connect. Times are counted from any fixed moment.
#[derive(Clone, Debug)]
pub struct ReconnectLimiter<K> {
    wait: Duration,
    last: HashMap<K, Duration>,
}

impl<K: Eq + Hash> ReconnectLimiter<K> {
    /// A limiter with this time between attempts; the contest's is 5 s.
    pub fn new(wait: Duration) -> ReconnectLimiter<K> {
        ReconnectLimiter {
            wait,
            last: HashMap::new(),
        }
    }

    /// Whether an attempt is admitted. A refused attempt restarts the wait, so a client that hammers
    /// never gets in.
    pub fn admit(&mut self, client: K, now: Duration) -> bool {
        // Memory stays bounded against clients that come from many addresses.
        if self.last.len() >= REMEMBERED {
            let wait = self.wait;
            self.last.retain(|_, last| now.saturating_sub(*last) < wait);
        }
        // A refused attempt is recorded too: that restarts the wait.
        let last = self.last.insert(client, now);
        last.is_none_or(|last| now.saturating_sub(last) >= self.wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn early_attempts_restart_the_wait() {
        let mut limiter = ReconnectLimiter::new(Duration::from_secs(5));
        let mut admit = |client, second| limiter.admit(client, Duration::from_secs(second));
        assert!(admit('a', 0));
        assert!(!admit('a', 4));
        assert!(admit('b', 4), "others have their own wait");
        assert!(!admit('a', 8), "4 s after the attempt that was refused");
        assert!(admit('a', 13));
    }

    #[test]
    fn clients_that_may_connect_are_forgotten() {
        let mut limiter = ReconnectLimiter::new(Duration::from_secs(5));
        for client in 0..REMEMBERED {
            let second = if client < 10 { 2 } else { 1 };
            assert!(limiter.admit(client, Duration::from_secs(second)));
        }
        assert!(limiter.admit(REMEMBERED, Duration::from_secs(6)));
        assert_eq!(limiter.last.len(), 11, "ten still have to wait");
        assert!(!limiter.admit(0, Duration::from_secs(6)));
    }
}
