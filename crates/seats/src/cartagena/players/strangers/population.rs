//! A population of simple players. Each game draws one of three kinds and its weights, so that nobody can fit a
//! model to a single opponent.
//!
//! - A *hoarder* collects cards until it has many, then runs home.
//! - A *sprinter* runs as soon as it has a few.
//! - A *blocker* runs early too, and takes care to leave the next player nothing: no two pirates to retreat to, and no
//!   row of occupied spaces to jump over.
//!
//! Each takes the action with the highest sum, in spaces:
//!
//! ```text
//! card · (cards drawn − cards played) + spaces gone + rear · (share of the way that the pirate still had to go)
//!   + home · (pirates brought onto the boat) − offer · (cards the next player can draw) − lift · (its mean jump)
//! ```
//!
//! A player runs once it has `enough` cards or as many as it seems to need, and once another player has fewer than
//! `alarm` spaces to go. Then a card costs nothing to play. Cards beyond those that seem needed count nothing when they
//! are drawn.

use super::{best, best_draw, cards_needed, legal_or_pass};
use cartagena::evaluation::Afterstate;
use cartagena::player::{Player, Question};
use cartagena::rules::{Action, Symbol, Track};
use engine::rng::{self, Random};

/// A member of the population, drawn from a seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Population {
    card: f32,
    rear: f32,
    home: f32,
    offer: f32,
    lift: f32,
    enough: u8,
    alarm: u32,
}

impl Population {
    /// Draws a kind, all three with the same chance, and then its weights.
    pub fn new(mut rng: Random) -> Population {
        let kind = rng::below(&mut rng, 3);
        let mut between = |low: f32, high: f32| low + (high - low) * rng::unit(&mut rng) as f32;
        // The ranges of a card's value and of `enough`, by kind: hoarder, sprinter, blocker.
        let (card, enough) = [
            ((7.0, 11.0), (12.0, 23.0)),
            ((2.0, 6.0), (4.0, 10.0)),
            ((5.0, 9.0), (8.0, 17.0)),
        ][kind];
        let blocks = f32::from(u8::from(kind == 2));
        Population {
            card: between(card.0, card.1),
            enough: between(enough.0, enough.1) as u8,
            rear: between(0.0, 6.0),
            home: between(0.0, 8.0),
            offer: blocks * between(1.0, 5.0),
            lift: blocks * between(0.3, 1.2),
            alarm: between(40.0, 80.0) as u32,
        }
    }

    /// The value of an action that leads from `before` on, in spaces.
    fn value(&self, question: &Question, before: &Afterstate, runs: bool, action: Action) -> f32 {
        let after = before.then(action);
        let (seat, boat) = (before.seat, before.track.boat());
        let own = match action {
            Action::Advance { from, to, .. } => {
                let home = f32::from(u8::from(to == boat)) * self.home;
                let rear = self.rear * f32::from(boat - from) / f32::from(boat);
                let card = if runs { 0.0 } else { self.card };
                f32::from(to - from) + rear + home - card
            }
            Action::Retreat { from, to } => {
                let home = f32::from(u8::from(from == boat)) * self.home;
                let held = f32::from(before.hand.total());
                let lacks = (cards_needed(&before.track, seat) - held).max(0.0);
                self.card * f32::from(after.draws).min(lacks) - f32::from(from - to) - home
            }
            Action::Pass => 0.0,
        };
        let next = (seat + 1) % question.game.players;
        let offer = self.offer * f32::from(best_draw(&after.track, next));
        own - offer - self.lift * mean_jump(question, &after.track, next)
    }

    /// Whether the player runs home now.
    fn runs(&self, question: &Question) -> bool {
        let view = question.view;
        let mut others = (0..question.game.players).filter(|&player| player != view.seat);
        let held = view.hand.total();
        held >= self.enough
            || f32::from(held) >= cards_needed(&view.track, view.seat)
            || others.any(|player| view.track.pips(player) < self.alarm)
    }
}

/// The spaces that the rearmost pirate of a player would go by a card, on average over the symbols.
fn mean_jump(question: &Question, track: &Track, player: usize) -> f32 {
    let from = track.pirates(player)[0];
    if from == track.boat() {
        return 0.0;
    }
    let board = &question.game.board;
    let jumps = Symbol::ALL.map(|symbol| f32::from(track.advance(board, from, symbol) - from));
    jumps.iter().sum::<f32>() / jumps.len() as f32
}

impl Player for Population {
    fn choose(&mut self, question: &Question) -> Action {
        let runs = self.runs(question);
        let before = Afterstate::before_view(question.view);
        best(&legal_or_pass(question), |action| {
            self.value(question, &before, runs, action)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seeds give all three kinds, and only blockers care about the next player.
    #[test]
    fn a_seed_draws_a_member() {
        let members: Vec<Population> = (0..60)
            .map(|seed| Population::new(rng::stream(seed, 0)))
            .collect();
        let blockers = members.iter().filter(|one| one.offer > 0.0).count();
        let early = members.iter().filter(|one| one.enough < 12).count();
        assert!((8..40).contains(&blockers) && (15..50).contains(&early));
        assert!(
            members
                .iter()
                .all(|one| (one.offer > 0.0) == (one.lift > 0.0))
        );
        assert_ne!(members[0], members[1]);
    }
}
