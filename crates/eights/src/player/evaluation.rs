//! The value of a finished round.

use crate::rules::{GAME, POINTS, SEATS, winner};
use engine::numerics::softmax;
use std::f32::consts::LN_2;

/// The lead with which a seat is taken to be twice as likely to win a game that nobody has won yet.
const LEAD: f32 = 5.0;

/// The value for a seat of a round with these scores of the game before it and these points in it:
/// the points, or if the round can end the game the probability to win it, as points of a whole round.
pub(super) fn value(before: [u32; SEATS], points: [u8; SEATS], seat: usize) -> f32 {
    let most = before.into_iter().max().unwrap_or(0);
    if most + u32::from(POINTS) < GAME {
        return f32::from(points[seat]);
    }
    let totals = std::array::from_fn(|seat| before[seat] + u32::from(points[seat]));
    f32::from(POINTS) * win_probability(totals, seat)
}

/// The probability of a seat to win a game with these scores.
fn win_probability(totals: [u32; SEATS], seat: usize) -> f32 {
    if let Some(winner) = winner(&totals) {
        return f32::from(u8::from(winner == seat));
    }
    let mut probabilities = totals.map(|total| total as f32 * (LN_2 / LEAD));
    softmax(&mut probabilities, SEATS);
    probabilities[seat]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deciding_round_is_worth_the_game() {
        let ended = |scores, points| [0, 1, 2].map(|seat| value(scores, points, seat));
        assert_eq!(ended([200, 270, 0, 0], [3, 20, 2, 0]), [3.0, 20.0, 2.0]);
        assert_eq!(ended([290, 280, 0, 0], [5, 20, 0, 0]), [0.0, 25.0, 0.0]);
        let [first, second, third] = ended([290, 280, 280, 0], [9, 15, 1, 0]);
        assert!(first > second && second > third && third > 0.0 && first < 25.0);
    }
}
