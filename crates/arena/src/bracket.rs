//! Pairings of a single-elimination tournament: spreads the participants of a round over its matches.
//!
//! ```
//! assert_eq!(arena::bracket::spread(&[1, 2, 3, 4], 2), [[1, 4], [2, 3]]);
//! assert_eq!(arena::bracket::spread(&[1, 2, 3, 4, 5, 6, 7, 8], 2), [[1, 4, 5, 8], [2, 3, 6, 7]]);
//! ```

/// Spreads participants, sorted from the best, over `matches` matches, each sorted from the best.
/// They are dealt out forwards and backwards in turn. So in matches of two the best meets the
/// worst, and larger matches are about equally strong. The sizes of matches differ by at most one.
pub fn spread<T: Copy>(seeds: &[T], matches: usize) -> Vec<Vec<T>> {
    let mut spread = vec![Vec::new(); matches];
    // Every second turn runs backwards: 8 participants in 2 matches give 1 4 5 8 and 2 3 6 7.
    for (turn, part) in seeds.chunks(matches.max(1)).enumerate() {
        for (place, &seed) in part.iter().enumerate() {
            let place = match turn % 2 {
                0 => place,
                _ => matches - 1 - place,
            };
            spread[place].push(seed);
        }
    }
    spread
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_differ_by_one_at_most() {
        for participants in 1..40 {
            for matches in 1..=participants {
                let seeds: Vec<usize> = (0..participants).collect();
                let spread = spread(&seeds, matches);
                let sizes = spread.iter().map(Vec::len);
                assert!(sizes.clone().max() <= sizes.min().map(|least| least + 1));
                assert!(spread.iter().all(|one| one.is_sorted()));
                let mut all = spread.concat();
                all.sort_unstable();
                assert_eq!(all, seeds);
            }
        }
        assert_eq!(spread::<u8>(&[], 0), Vec::<Vec<u8>>::new());
    }
}
