//! How well a hand explains what its owner did.

use super::super::{Card, Cards, Hands, MAX_PLAYERS, Policy, Round, View};
use super::KINDS;
use super::hypotheses::{Hypotheses, Kinds, Repertoire, shares};
use engine::rng::{Random, stream};

/// A choice of the past.
struct Choice<R> {
    card: Card,
    took: bool,
    round: R,
    /// All cards in hands before it.
    held: Cards,
}

/// The choices of every other player, the last one first.
pub struct Evidence<R> {
    players: usize,
    choices: [Vec<Choice<R>>; MAX_PLAYERS],
    weights: [Kinds; MAX_PLAYERS],
}

impl<R: Round> Evidence<R> {
    /// What a viewer has seen the others do, and what it believes of each.
    pub fn new<V: View<Round = R>>(view: &V, table: &[Hypotheses; MAX_PLAYERS]) -> Evidence<R> {
        let mut held = view.seen().own() | view.seen().unseen();
        let mut choices: [Vec<Choice<R>>; MAX_PLAYERS] = Default::default();
        for past in view.past().iter().rev() {
            if past.took {
                held.remove(past.card);
            } else {
                held.insert(past.card);
            }
            if past.seat != view.seat() {
                choices[past.seat].push(Choice {
                    card: past.card,
                    took: past.took,
                    round: past.round.clone(),
                    held,
                });
            }
        }
        Evidence {
            players: view.round().players(),
            choices,
            weights: table.map(|hypotheses| *hypotheses.weights()),
        }
    }

    /// Nothing seen.
    pub fn none(players: usize) -> Evidence<R> {
        Evidence {
            players,
            choices: Default::default(),
            weights: [*Hypotheses::default().weights(); MAX_PLAYERS],
        }
    }

    /// How likely each hypothesis makes what a player did, if it now holds this hand.
    pub fn of<P: Repertoire + Policy<R>>(&self, player: usize, hand: Cards) -> Kinds {
        // The policies of a repertoire draw nothing.
        let mut random: Random = stream(0, 0);
        let mut hand = hand;
        let mut likelihoods = [1.0; KINDS];
        for choice in &self.choices[player] {
            if choice.took {
                hand.remove(choice.card);
            } else {
                hand.insert(choice.card);
            }
            let mut hands = Hands::default();
            hands[player] = hand;
            hands[(player + 1) % self.players] = choice.held - hand;
            let round = choice.round.with_hands(&hands);
            let legal = round.legal();
            if legal.len() < 2 {
                continue;
            }
            let chosen =
                P::POLICIES.map(|policy| policy.choose(&round, legal, &mut random) == choice.card);
            let shares = shares(chosen, legal.len());
            for (likelihood, share) in likelihoods.iter_mut().zip(shares) {
                *likelihood *= share;
            }
        }
        likelihoods
    }

    /// The likelihood of what a player did under all hypotheses together.
    pub fn total(&self, player: usize, likelihoods: &Kinds) -> f64 {
        let weights = &self.weights[player];
        weights.iter().zip(likelihoods).map(|(w, l)| w * l).sum()
    }
}
