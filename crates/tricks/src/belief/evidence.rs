//! The likelihood of a player's actions, given the hand that it is supposed to hold. `Worlds` weighs hands by it, and
//! `learning` learns from it.

use super::habit::Example;
use super::opponent_types::{HABIT, MODELS, NETWORK, PerType, TYPES, likelihoods_of_choice};
use super::player_belief::PlayerBelief;
use crate::network::{Chances, Inputs, Network, Tabulated};
use crate::{Card, Cards, Hands, MAX_PLAYERS, PolicySet, Round, View};
use engine::rng::{Random, stream};
use engine::simd::{self, Work};

/// An action of another player, with the round before it.
struct Choice<R> {
    card: Card,
    took: bool,
    round: R,
    /// All cards in hands before it, the viewer's included.
    held: Cards,
}

/// The actions of every other player, the latest first.
pub struct Evidence<'b, R> {
    players: usize,
    choices: [Vec<Choice<R>>; MAX_PLAYERS],
    beliefs: &'b [PlayerBelief; MAX_PLAYERS],
    network: &'b Network,
}

impl<'b, R: Round> Evidence<'b, R> {
    /// Collects the others' actions from a view; `beliefs` has how each player probably plays.
    pub fn new(
        view: &View<R>,
        beliefs: &'b [PlayerBelief; MAX_PLAYERS],
        network: &'b Network,
    ) -> Evidence<'b, R> {
        // The cards in all hands together are public. Walking backwards undoes each action: a card that was
        // played goes back into a hand, a card that was taken goes back to the pool.
        let mut held = view.seen().own() | view.seen().unseen();
        let mut choices: [Vec<Choice<R>>; MAX_PLAYERS] = Default::default();
        for past in view.history().iter().rev() {
            if past.took {
                held.remove(past.card);
            } else {
                held.insert(past.card);
            }
            // The viewer's own choices say nothing about hidden cards.
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
            beliefs,
            network,
        }
    }

    /// The number of the others' actions, forced ones included.
    pub fn choices(&self) -> usize {
        self.choices.iter().map(Vec::len).sum()
    }

    /// By type, the likelihood of a player's actions if it now holds this hand: the product over its choices of
    ///
    /// noise / n + (1 - noise) × P(card chosen | model, hand), with n legal cards.
    ///
    /// A policy gives its card the probability 1. For example, after two choices among three cards each, a
    /// policy with noise 0.3 that agrees with one of them has the likelihood 0.8 × 0.1.
    pub fn likelihoods<P: PolicySet<Round = R>>(&self, player: usize, hand: Cards) -> PerType {
        // The modelling policies draw no random numbers, so this generator is never asked.
        let mut unused: Random = stream(0, 0);
        let habit = self.beliefs[player].habit.tabulated();
        let mut likelihoods = [1.0; TYPES];
        self.each_choice(player, hand, |round, legal, chosen| {
            // A game with fewer policies than models leaves 0 for the rest; no type of those has a weight.
            let mut models = [0.0; MODELS];
            for (model, policy) in models.iter_mut().zip(P::OPPONENTS) {
                let agrees = policy.choose(round, legal, &mut unused) == chosen;
                *model = f64::from(u8::from(agrees));
            }
            // A card that the supposed hand could not play has no place, and the probability 0.
            let place = legal.into_iter().position(|card| card == chosen);
            // The network and the habit need the same inputs, which are computed once.
            let chances = simd::run(ChancesOf::<P> {
                network: self.network,
                habit,
                round,
                legal,
            });
            let [thinking, by_habit] =
                chances.map(|chances| place.map_or(0.0, |place| f64::from(chances[place])));
            models[HABIT] = by_habit;
            models[NETWORK] = thinking;
            let factors = likelihoods_of_choice(models, legal.len());
            for (likelihood, factor) in likelihoods.iter_mut().zip(factors) {
                *likelihood *= factor;
            }
        });
        likelihoods
    }

    /// A player's choices among several cards if it now holds this hand, each with the inputs it had then.
    pub(super) fn examples<P: PolicySet<Round = R>>(
        &self,
        player: usize,
        hand: Cards,
    ) -> Vec<Example> {
        let mut examples = Vec::new();
        self.each_choice(player, hand, |round, legal, chosen| {
            let inputs = Inputs::of::<P>(round, legal);
            // A card that the supposed hand could not play teaches nothing.
            if let Some(chosen) = legal.into_iter().position(|card| card == chosen) {
                examples.push(Example {
                    inputs,
                    legal,
                    chosen,
                });
            }
        });
        examples
    }

    /// Calls `each` with a player's choices among several cards if it now holds this hand, the latest first:
    /// the round before the choice, the legal cards, and the card chosen.
    ///
    /// The hand is followed backwards: a card played goes back into it, a card taken leaves it. All other cards
    /// go into one other hand, because a policy may count them but must not know who holds which.
    fn each_choice(&self, player: usize, hand: Cards, mut each: impl FnMut(&R, Cards, Card)) {
        let mut hand = hand;
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
            // A forced card is equally likely under every type.
            if legal.len() >= 2 {
                each(&round, legal, choice.card);
            }
        }
    }

    /// The likelihood of a player's actions over all types: Σ P(type) × likelihood under the type.
    pub fn total(&self, player: usize, likelihoods: &PerType) -> f64 {
        let weights = self.beliefs[player].types.get();
        weights.iter().zip(likelihoods).map(|(w, l)| w * l).sum()
    }
}

/// The chances of the legal cards, in the cards' order: by the network, and by a habit.
struct ChancesOf<'a, P: PolicySet> {
    network: &'a Network,
    habit: &'a Tabulated,
    round: &'a P::Round,
    legal: Cards,
}

impl<P: PolicySet> Work for ChancesOf<'_, P> {
    type Output = [Chances; 2];

    #[inline(always)]
    fn run(self) -> [Chances; 2] {
        let inputs = Inputs::of::<P>(self.round, self.legal);
        // The whole network is asked here: it predicts choices better than its distilled scorer, which is for playouts.
        [
            self.network.chances(&inputs),
            self.habit.chances(&inputs, self.round, self.legal),
        ]
    }
}
