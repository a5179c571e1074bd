//! The decisions of a game so far, with the public position before each.
//!
//! Inference (`inference`, `evidence`) asks at each past decision what a style would have done there. The belief keeps
//! only the latest position, so the record is replayed once more. A record that the belief found inconsistent, or whose
//! sizes do not add up, does not get here.

use crate::evaluation::Afterstate;
use crate::record::GameRecord;
use crate::rules::{ACTIONS_A_TURN, Action, Cards, Game, MAX_PLAYERS, Track};

/// An action, and the public position before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decision {
    /// The position, without the hand of the seat that acted.
    pub before: Afterstate,
    pub action: Action,
    /// Cards that the action drew.
    pub drawn: u8,
    /// How many of the drawn cards were drawn after the last reshuffle of the game; all, if there was none.
    pub new: u8,
}

impl Decision {
    /// Whether the discards were shuffled to draw.
    pub fn reshuffles(&self) -> bool {
        self.drawn > self.before.pile
    }
}

/// The decisions of a record that keeps the rules, if `deal` cards were dealt to each player; none if
/// something does not fit.
pub(super) fn decisions(game: &Game, record: &GameRecord, deal: usize) -> Option<Vec<Decision>> {
    let dealt = u8::try_from(deal * game.players).ok()?;
    let mut sizes = [0; MAX_PLAYERS];
    sizes[..game.players].fill(deal as u8);
    let mut track = Track::start(&game.board, game.players, game.pirates);
    let mut discards = Cards::NONE;
    // A deal of more cards than the deck has does not fit.
    let mut pile = Cards::deck().total().checked_sub(dealt)?;
    let (mut last, mut taken) = (None, 0);
    let mut decisions = Vec::with_capacity(record.moves.len());
    for step in &record.moves {
        let seat = step.player;
        // The record does not mark the ends of turns: a turn goes on while the same player acts, up to three
        // actions.
        let goes_on = last == Some(seat) && taken < ACTIONS_A_TURN;
        (last, taken) = (Some(seat), if goes_on { taken } else { 0 });
        let (from, to) = (step.from, step.to);
        let action = if from < to {
            // A card that the record does not name has the symbol of the space it led to.
            let symbol = step.card.or_else(|| game.board.symbol(to))?;
            Action::Advance { from, to, symbol }
        } else {
            Action::Retreat { from, to }
        };
        let before = Afterstate {
            track,
            seat,
            hand: Cards::NONE,
            hand_sizes: sizes,
            discards,
            pile,
            draws: 0,
            actions_left: ACTIONS_A_TURN - taken,
        };
        taken += 1;
        let mut drawn = 0;
        match action {
            Action::Advance { symbol, .. } => {
                sizes[seat] = sizes[seat].checked_sub(1)?;
                discards = discards.with(symbol);
            }
            _ => {
                drawn = track.draws(to, pile, discards);
                // Between the last old card and the first new one the discards become the pile.
                if drawn > pile {
                    pile += discards.total();
                    discards = Cards::NONE;
                }
                pile -= drawn;
                sizes[seat] += drawn;
            }
        }
        // `Track::step` panics if no pirate of the player is there.
        if !track.pirates(seat).contains(&from) {
            return None;
        }
        track.step(seat, from, to);
        decisions.push(Decision {
            before,
            action,
            drawn,
            new: drawn,
        });
    }
    // Draws before the last reshuffle brought old cards, so none of theirs is new. The decision that reshuffled first
    // drew the rest of the old pile, `before.pile` cards.
    if let Some(last) = decisions.iter().rposition(Decision::reshuffles) {
        decisions[..last]
            .iter_mut()
            .for_each(|decision| decision.new = 0);
        decisions[last].new -= decisions[last].before.pile;
    }
    Some(decisions)
}
