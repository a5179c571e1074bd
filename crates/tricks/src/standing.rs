//! The standing of a game of several rounds, and each player's chance to win it.
//!
//! Far from the end of a game points are as good as chances. Near the end they are not: a leader wants the game
//! to end, and a player who is behind wants results that are rare.
//!
//! *The model.* In the n rounds to come every total moves by the same mean plus a random deviation with the
//! standard deviation s √n, and the highest total wins (where points are bad, the lowest). Here s is the
//! standard deviation of the difference of two players' points in a round, divided by √2, which accounts for
//! the part that their points have in common. Let the deviations have Gumbel's distribution, whose standard
//! deviation is b π/√6 for the scale b.
//! Then the chances are the softmax of the totals divided by b (McFadden 1974), with
//!
//! b = (√6/π) s √n.
//!
//! A game to a number of points ends after about n = d/g + 0.7 rounds, where d is what the highest total lacks
//! and g what it gains in a round. s and g are measured; tests compare the chances with games played out.
//!
//! *Example.* Tricky Eights to 300 with the totals 264, 254, 254 and 244: d = 36, g = 6.75 and s = 4.8 give n =
//! 6.0 rounds and b = 9.2 points. The chances are 56 %, 19 %, 19 % and 6 %.

use super::MAX_PLAYERS;
use engine::numerics;

/// The condition for winning a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wins {
    /// The player who alone has the most points.
    Most,
    /// The player who alone has the fewest points.
    Fewest,
}

/// The condition for the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// After the first round in which a total reaches these points and one player alone wins.
    AtPoints(u16),
    /// After this number of rounds, the current one included. Players who have done equally well share the win.
    AfterRounds(u16),
}

/// A game as it stood before a round, which everybody at the table knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    pub wins: Wins,
    /// The condition for its end.
    pub ends: Ends,
    /// The number of players at the table.
    pub players: u8,
    /// By seat, the points of the rounds before.
    pub totals: [u16; MAX_PLAYERS],
}

/// The typical results of a game's rounds, measured where searches play among themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// A player's mean points in a round in which nobody takes everything.
    pub mean: f32,
    /// The mean gain of the highest total in a round.
    pub gain: f32,
    /// The standard deviation of the difference of two players' points in a round, divided by √2.
    pub spread: f32,
    /// The points of a player who takes everything, and of each other player then.
    pub sweep: [f32; 2],
    /// The least part of the points' value in the worth of a round, from 0 to 1. Chances alone are often equal
    /// in all playouts but a few, and then a search of some hundred playouts chooses badly by them.
    pub points: f32,
}

/// π/√6, the standard deviation of a Gumbel distribution with the scale 1.
const GUMBEL: f32 = 1.282_549_8;

/// How much the last round adds to the number of rounds to come. It is less than 1, since not all points of that round
/// come before the game is decided.
const LAST: f32 = 0.7;

impl Standing {
    /// The standing of a game before a round. Totals beyond 65,535 count as that.
    pub fn new(wins: Wins, ends: Ends, totals: &[u32]) -> Standing {
        let mut kept = [0; MAX_PLAYERS];
        for (kept, &total) in kept.iter_mut().zip(totals) {
            *kept = u16::try_from(total).unwrap_or(u16::MAX);
        }
        Standing {
            wins,
            ends,
            players: totals.len().min(MAX_PLAYERS) as u8,
            totals: kept,
        }
    }

    /// A seat's chance to win the game once the round has brought these points. If that ends the game, it is 1
    /// or 0, or an equal share among several winners.
    #[inline]
    pub fn chance(&self, points: &[f32; MAX_PLAYERS], seat: usize, pace: &Pace) -> f32 {
        let players = usize::from(self.players);
        let sign = match self.wins {
            Wins::Most => 1.0,
            Wins::Fewest => -1.0,
        };
        // Heights: totals with the sign that makes a high one good. The goal is reached by the highest total,
        // whoever wins.
        let mut heights = [0.0; MAX_PLAYERS];
        let mut highest_total = 0.0_f32;
        let mut best = f32::MIN;
        for place in 0..players {
            let total = f32::from(self.totals[place]) + points[place];
            highest_total = highest_total.max(total);
            heights[place] = sign * total;
            best = best.max(heights[place]);
        }
        let heights = &heights[..players];
        // Totals of rounds that were played are whole numbers, which floating point compares exactly.
        let winners = || heights.iter().filter(|&&height| height == best).count();
        let share = |winners: usize| match heights[seat] == best {
            true => 1.0 / winners as f32,
            false => 0.0,
        };
        let to_come = match self.ends {
            // The round just finished was the last one.
            Ends::AfterRounds(rounds) if rounds <= 1 => return share(winners()),
            Ends::AfterRounds(rounds) => f32::from(rounds - 1),
            Ends::AtPoints(goal) => {
                let to_go = f32::from(goal) - highest_total;
                // The game ends only with a single winner; else another round follows, here 0.7 of one.
                if to_go <= 0.0 && winners() == 1 {
                    return share(1);
                }
                to_go.max(0.0) / pace.gain + LAST
            }
        };
        // 1/b, and then the softmax for this seat: 1 / Σ e^((height - own height) / b).
        let scale = GUMBEL / (pace.spread * to_come.sqrt());
        let mut sum = 0.0;
        for height in heights {
            sum += numerics::exp((height - heights[seat]) * scale);
        }
        1.0 / sum
    }
}

#[cfg(test)]
#[path = "standing/tests.rs"]
mod tests;
