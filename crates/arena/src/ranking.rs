//! Places of the players of a game, and their shares of the win. Referees compute both when a game ends.

/// Places from 1. A greater standing is better; equals share the mean of their places.
///
/// ```
/// assert_eq!(arena::ranking::places(&[3, 8, 3]), [2.5, 1.0, 2.5]);
/// ```
pub fn places<T: PartialOrd>(standings: &[T]) -> Vec<f64> {
    let place = |own: &T| {
        let ahead = standings.iter().filter(|other| *other > own).count();
        let equal = standings.iter().filter(|other| *other == own).count();
        ahead as f64 + (equal + 1) as f64 / 2.0
    };
    standings.iter().map(place).collect()
}

/// Each player's share of the win. Those with the best rank share it equally.
pub fn shares(ranks: &[f64]) -> Vec<f64> {
    let best = ranks.iter().copied().fold(f64::INFINITY, f64::min);
    let winners = ranks.iter().filter(|&&rank| rank == best).count();
    let share = |&rank: &f64| {
        if rank == best {
            1.0 / winners as f64
        } else {
            0.0
        }
    };
    ranks.iter().map(share).collect()
}
