//! The standing of a game of several rounds, and each player's chance to win it.
//!
//! Far from the end of a game points are as good as chances; near it they are not: a leader wants the game to end, and who is
//! behind wants what seldom happens.
//!
//! *The model.* In the n rounds to come every total moves by the same mean and by a deviation of its own, whose standard
//! deviation is s √n; s is that of the difference of two players' points in a round, divided by √2, so that it holds
//! what their points have in common. Whoever is ahead then wins. If the deviations are taken to be of Gumbel's distribution,
//! which has the standard deviation b π/√6, the chances are a softmax of the totals divided by b (McFadden 1974). So
//! b = (√6/π) s √n. A game to a number of points ends after about n = d/g + 0.7 rounds, d being what the highest total has to go
//! and g what it gains in a round. s and g are measured. How well it foretells games the tests say.

use super::MAX_PLAYERS;
use engine::numerics;

/// Who wins a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wins {
    /// Who alone has the most points.
    Most,
    /// Who alone has the fewest points.
    Fewest,
}

/// When a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// After the first round with which somebody has so many points and somebody alone wins.
    AtPoints(u16),
    /// After so many rounds, the one under way among them; those who have done equally well share what there is to win.
    AfterRounds(u16),
}

/// A game as it stood before a round: what everybody at the table knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    pub wins: Wins,
    /// When it is over.
    pub ends: Ends,
    /// Players at the table.
    pub players: u8,
    /// The points of the rounds before, by seat.
    pub totals: [u16; MAX_PLAYERS],
}

/// What rounds of a game are like, measured where searches play among themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// The points of a player in a round in which nobody takes everything, on average.
    pub mean: f32,
    /// What the highest total gains in a round.
    pub gain: f32,
    /// The standard deviation of the difference of two players' points in a round, divided by √2.
    pub spread: f32,
    /// The points of a player who takes everything, and of each of the others.
    pub sweep: [f32; 2],
    /// The part of the points' value in what a round of a game is worth, at least. Chances alone are often the same in all playouts but
    /// a few, and then some hundreds of playouts choose badly.
    pub points: f32,
}

/// π/√6: a Gumbel distribution's scale is its standard deviation divided by it.
const GUMBEL: f32 = 1.282_549_8;

/// The round that ends a game to a number of points, as a part of the rounds to come: not all that it brings still counts.
const LAST: f32 = 0.7;

impl Standing {
    /// A game before a round. Totals that are too large to be true count as the largest there are.
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

    /// A seat's chance to win the game once the round has brought these points. It is 1 or 0 if that is the end of the game,
    /// unless several share it.
    #[inline]
    pub fn chance(&self, points: &[f32; MAX_PLAYERS], seat: usize, pace: &Pace) -> f32 {
        let players = usize::from(self.players);
        let sign = match self.wins {
            Wins::Most => 1.0,
            Wins::Fewest => -1.0,
        };
        // What is to be high.
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
        let winners = || heights.iter().filter(|&&height| height == best).count();
        let share = |winners: usize| match heights[seat] == best {
            true => 1.0 / winners as f32,
            false => 0.0,
        };
        let to_come = match self.ends {
            Ends::AfterRounds(rounds) if rounds <= 1 => return share(winners()),
            Ends::AfterRounds(rounds) => f32::from(rounds - 1),
            Ends::AtPoints(goal) => {
                let to_go = f32::from(goal) - highest_total;
                if to_go <= 0.0 && winners() == 1 {
                    return share(1);
                }
                to_go.max(0.0) / pace.gain + LAST
            }
        };
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
