//! What a hand is worth by how it ends, less what a tie is worth.

use super::super::Stakes;
use crate::rules::Seat;

/// Payoffs of both players. They sum to 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Payoffs([Terms; 2]);

/// Payoffs of one player, by whether it has taken fewer tricks, as many, or more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    pub plain: [f32; 3],
    /// After an accepted one.
    pub challenged: [f32; 3],
}

impl Payoffs {
    /// Those of a hand with this opener.
    pub fn new(stakes: &Stakes, opener: Seat) -> Payoffs {
        let of = |accepted| {
            [Some(false), None, Some(true)].map(|won| stakes.outcome(won, accepted) - stakes.tied)
        };
        let opens = Terms {
            plain: of(false),
            challenged: of(true),
        };
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

    /// Those of a player.
    #[inline]
    pub fn of(&self, seat: Seat) -> &Terms {
        &self.0[seat]
    }
}

impl Terms {
    /// After an offer of this player is rejected.
    pub fn won(&self) -> f32 {
        self.plain[2]
    }

    /// After an offer of the other is rejected.
    pub fn lost(&self) -> f32 {
        self.plain[0]
    }
}

/// One of three payoffs, by how many tricks a player is ahead.
#[inline(always)]
pub(super) fn by_tricks(payoffs: &[f32; 3], ahead: i8) -> f32 {
    payoffs[(ahead.signum() + 1) as usize]
}

/// Tricks that player 0 is ahead after a trick of which the leader's card beats the other's (1), equals it (0)
/// or loses to it (-1); and who leads the next one.
pub(super) fn after_trick(ahead: i8, lead: Seat, result: i8) -> (i8, Seat) {
    let by_leader = if lead == 0 { result } else { -result };
    (ahead + by_leader, if result < 0 { 1 - lead } else { lead })
}

/// How the leader's card compares with the other's.
#[inline(always)]
pub(super) fn result(led: usize, followed: usize) -> i8 {
    led.cmp(&followed) as i8
}

/// Tricks a player is ahead, from player 0's.
#[inline(always)]
pub(super) fn seen_by(seat: Seat, ahead: i8) -> i8 {
    if seat == 0 { ahead } else { -ahead }
}
