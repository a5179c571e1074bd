//! The value of a hand by how it ends, minus the value of a tie.
//!
//! Values are chances to win the game. With ties at 0, both players' payoffs sum to 0, so one player's values are
//! the other's with the sign turned.

use super::super::Stakes;
use crate::rules::Seat;

/// Payoffs of both players, by seat. They sum to 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Payoffs([Terms; 2]);

/// Payoffs of one player. Each array is indexed by whether it has taken fewer tricks than the other, as many, or
/// more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    /// Payoffs without a challenge: a point, or none.
    pub plain: [f32; 3],
    /// After an accepted challenge: the winner of the hand wins the game.
    pub challenged: [f32; 3],
}

impl Payoffs {
    /// The payoffs of a hand with these stakes, which are the opener's, and this opener.
    pub fn new(stakes: &Stakes, opener: Seat) -> Payoffs {
        // In the order of the arrays: the opener loses, ties, wins.
        let of = |accepted| {
            [Some(false), None, Some(true)].map(|won| stakes.outcome(won, accepted) - stakes.tied)
        };
        let opens = Terms {
            plain: of(false),
            challenged: of(true),
        };
        // For the other player a win is the opener's loss: the order and the signs turn.
        let against = |payoffs: [f32; 3]| [-payoffs[2], -payoffs[1], -payoffs[0]];
        let other = Terms {
            plain: against(opens.plain),
            challenged: against(opens.challenged),
        };
        Payoffs(if opener == 0 {
            [opens, other]
        } else {
            [other, opens]
        })
    }

    /// The payoffs of one player.
    #[inline]
    pub fn of(&self, seat: Seat) -> &Terms {
        &self.0[seat]
    }
}

impl Terms {
    /// The payoff after the other has rejected this player's offer: a point won.
    pub fn won(&self) -> f32 {
        self.plain[2]
    }

    /// The payoff after this player has rejected the other's offer: a point lost.
    pub fn lost(&self) -> f32 {
        self.plain[0]
    }
}

/// Picks one of three payoffs by how many tricks the player is ahead at the end.
#[inline(always)]
pub(super) fn by_tricks(payoffs: &[f32; 3], ahead: i8) -> f32 {
    // Only who has more tricks counts, not by how many.
    payoffs[(ahead.signum() + 1) as usize]
}

/// How many tricks player 0 is ahead after a trick, and who leads the next one. `result` is 1 if the leader's card
/// beats the other's, 0 if they are equal, −1 if it loses. The winner leads; after a tied trick the same player
/// leads again.
pub(super) fn after_trick(ahead: i8, lead: Seat, result: i8) -> (i8, Seat) {
    // From the leader's side to player 0's.
    let by_leader = if lead == 0 { result } else { -result };
    (ahead + by_leader, if result < 0 { 1 - lead } else { lead })
}

/// How the leader's card compares with the other's: 1 higher, 0 equal, −1 lower.
#[inline(always)]
pub(super) fn result(led: usize, followed: usize) -> i8 {
    // `Ordering` has the values −1, 0 and 1.
    led.cmp(&followed) as i8
}

/// How many tricks a player is ahead, from how many player 0 is.
#[inline(always)]
pub(super) fn seen_by(seat: Seat, ahead: i8) -> i8 {
    if seat == 0 { ahead } else { -ahead }
}
