//! The process's limit of open files (descriptors), and how many of them teams and strangers get. The acceptor and
//! the web page limit their connections by it.

use tables::connections::PlaceLimits;

/// Files besides connections: the journal, its index, standard streams, and the runtime's.
const FILES: u64 = 40;
/// Descriptors of a team: the listener of its port, its current connection, one that this replaces, and one that is
/// refused.
const A_TEAM: u64 = 4;
/// The most places that strangers get at each kind of port, from one address and in all.
const MOST: PlaceLimits = PlaceLimits {
    per_address: 128,
    all: 256,
};

/// Descriptors that remain for strangers after every team has its share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Places at each kind of port: the web page, the test port, and for clients that have not identified
    /// themselves yet.
    pub strangers: PlaceLimits,
    /// How many descriptors are missing. If it is not 0, some teams may be unable to connect.
    pub wanting: u64,
}

impl Budget {
    /// Divides `descriptors` among the teams and the three kinds of ports for strangers. Teams come
    /// first. With 1,024 descriptors and 50 teams, 240 are reserved, and each kind of port gets (1024 − 240)
    /// / 2 / 3 = 130 places.
    pub fn of(descriptors: u64, teams: u64) -> Budget {
        let needed = FILES + A_TEAM * teams;
        // Halved, as a connection that was closed keeps its descriptor for a moment; then three kinds of
        // ports.
        let all = descriptors.saturating_sub(needed) / 2 / 3;
        let all = usize::try_from(all).unwrap_or(usize::MAX).min(MOST.all);
        Budget {
            strangers: PlaceLimits {
                // Half of all places at most, so that one address cannot take them all.
                per_address: MOST.per_address.min(all.div_ceil(2)).max(1),
                all: all.max(1),
            },
            wanting: needed.saturating_sub(descriptors),
        }
    }
}

/// Raises the limit of descriptors as far as this process may, and returns it.
pub fn raised() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limits = getrlimit(Resource::Nofile);
    let most = Rlimit {
        current: limits.maximum,
        maximum: limits.maximum,
    };
    let raised = setrlimit(Resource::Nofile, most).map_or(limits.current, |()| limits.maximum);
    raised.unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn teams_come_first() {
        let plenty = Budget::of(1 << 20, 100);
        assert_eq!((plenty.strangers, plenty.wanting), (MOST, 0));
        let usual = Budget::of(1024, 100);
        assert!(FILES + 100 * A_TEAM + 2 * 3 * usual.strangers.all as u64 <= 1024);
        assert!(usual.strangers.all > 90 && usual.wanting == 0, "{usual:?}");
        let few = Budget::of(256, 100);
        assert_eq!((few.strangers.all, few.wanting), (1, 184));
    }

    #[test]
    fn the_limit_is_raised_once() {
        assert_eq!(raised(), raised());
    }
}
