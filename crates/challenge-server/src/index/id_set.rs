//! A set of games' numbers, which are mostly consecutive.

use std::collections::BTreeMap;

/// A set of numbers, stored as disjoint ranges that do not touch. A journal's numbers need few ranges,
/// however many games it has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdSet {
    /// The last number of each range by its first.
    ranges: BTreeMap<u64, u64>,
}

impl IdSet {
    /// Whether a number is in it.
    pub fn contains(&self, id: u64) -> bool {
        let before = self.ranges.range(..=id).next_back();
        before.is_some_and(|(_, &last)| id <= last)
    }

    /// Adds a number. Returns whether it was new.
    pub fn insert(&mut self, id: u64) -> bool {
        if self.contains(id) {
            return false;
        }
        // Joins the range that ends just before and the one that begins just after: {1..3, 5..6} and 4 give
        // {1..6}.
        let mut range = (id, id);
        if let Some((&first, &last)) = self.ranges.range(..id).next_back()
            && last + 1 == id
        {
            range.0 = first;
        }
        // The range is removed here and inserted again below, from its new first number.
        if let Some(next) = id.checked_add(1)
            && let Some(last) = self.ranges.remove(&next)
        {
            range.1 = last;
        }
        self.ranges.insert(range.0, range.1);
        true
    }

    /// Its ranges, each with its first and its last number, in order.
    pub fn ranges(&self) -> impl Iterator<Item = (u64, u64)> {
        self.ranges.iter().map(|(&first, &last)| (first, last))
    }
}

impl FromIterator<(u64, u64)> for IdSet {
    /// Takes ranges as [`ranges`](IdSet::ranges) returns them: disjoint, with gaps between them.
    fn from_iter<T: IntoIterator<Item = (u64, u64)>>(ranges: T) -> IdSet {
        IdSet {
            ranges: ranges.into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::rng::{below, stream};
    use std::collections::BTreeSet;

    #[test]
    fn it_is_a_set() {
        let mut rng = stream(1, 0);
        let (mut ids, mut all) = (IdSet::default(), BTreeSet::new());
        for _ in 0..500 {
            let id = below(&mut rng, 300) as u64;
            assert_eq!(ids.insert(id), all.insert(id));
        }
        assert!((0..300).all(|id| ids.contains(id) == all.contains(&id)));
        let ranges: Vec<(u64, u64)> = ids.ranges().collect();
        assert!(ranges.windows(2).all(|two| two[0].1 + 1 < two[1].0));
        assert_eq!(ranges.into_iter().collect::<IdSet>(), ids);
    }

    #[test]
    fn numbers_that_follow_one_another_are_one_range() {
        let mut ids = IdSet::default();
        for id in [3, 1, 2, u64::MAX, 0] {
            assert!(ids.insert(id));
        }
        let ranges: Vec<(u64, u64)> = ids.ranges().collect();
        assert_eq!(ranges, [(0, 3), (u64::MAX, u64::MAX)]);
    }
}
