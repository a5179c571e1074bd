//! How many files and connections this process may have open, and who gets how many of them.

use tables::connections::PlaceLimits;

/// Files besides connections: the journal, its index, standard streams, the runtime's own.
const FILES: u64 = 40;
/// Connections of a team at a time, its port included: one, one that it replaces, and one that is refused.
const A_TEAM: u64 = 4;
/// The most places that strangers get at each kind of port, from one address and in all.
const MOST: PlaceLimits = PlaceLimits {
    per_address: 128,
    all: 256,
};

/// What is left for strangers when every team has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// Places at each kind of port: the web page, the test port, and for those who have not said yet who they
    /// are.
    pub strangers: PlaceLimits,
    /// Descriptors that are wanting, so that not every team may find a place.
    pub wanting: u64,
}

impl Budget {
    /// Shares out so many descriptors between the teams and the three kinds of ports for strangers.
    pub fn of(descriptors: u64, teams: u64) -> Budget {
        let needed = FILES + A_TEAM * teams;
        // A connection that was closed keeps its descriptor for a moment.
        let all = descriptors.saturating_sub(needed) / 2 / 3;
        let all = usize::try_from(all).unwrap_or(usize::MAX).min(MOST.all);
        Budget {
            strangers: PlaceLimits {
                per_address: MOST.per_address.min(all.div_ceil(2)).max(1),
                all: all.max(1),
            },
            wanting: needed.saturating_sub(descriptors),
        }
    }
}

/// Raises the limit of descriptors as far as this process may, and returns it.
pub(super) fn raised() -> u64 {
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
