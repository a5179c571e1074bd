//! How well a hand explains what its owner did.

use super::habit::Example;
use super::opponent_types::{HABIT, MODELS, NETWORK, PerType, TYPES, likelihoods_of_choice};
use super::player_belief::PlayerBelief;
use crate::network::{Chances, Inputs, Network, Tabulated};
use crate::{Card, Cards, Hands, MAX_PLAYERS, PolicySet, Round, View};
use engine::rng::{Random, stream};
use engine::simd::{self, Work};

/// An action of another player.
struct Choice<R> {
    card: Card,
    took: bool,
    round: R,
    /// All cards in hands before it.
    held: Cards,
}

/// The actions of every other player, the last one first.
pub struct Evidence<'b, R> {
    players: usize,
    choices: [Vec<Choice<R>>; MAX_PLAYERS],
    beliefs: &'b [PlayerBelief; MAX_PLAYERS],
    network: &'b Network,
}

impl<'b, R: Round> Evidence<'b, R> {
    /// What a viewer has seen the others do, and what it believes of each.
    pub fn new(
        view: &View<R>,
        beliefs: &'b [PlayerBelief; MAX_PLAYERS],
        network: &'b Network,
    ) -> Evidence<'b, R> {
        let mut held = view.seen().own() | view.seen().unseen();
        let mut choices: [Vec<Choice<R>>; MAX_PLAYERS] = Default::default();
        for past in view.history().iter().rev() {
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
            beliefs,
            network,
        }
    }

    /// How many choices of the others there were.
    pub fn choices(&self) -> usize {
        self.choices.iter().map(Vec::len).sum()
    }

    /// By type, the likelihood of what a player did if it now holds this hand.
    pub fn likelihoods<P: PolicySet<Round = R>>(&self, player: usize, hand: Cards) -> PerType {
        // The policies that model opponents draw no random numbers.
        let mut unused: Random = stream(0, 0);
        let habit = self.beliefs[player].habit.tabulated();
        let mut likelihoods = [1.0; TYPES];
        self.each_choice(player, hand, |round, legal, chosen| {
            let mut models = [0.0; MODELS];
            for (model, policy) in models.iter_mut().zip(P::OPPONENTS) {
                let agrees = policy.choose(round, legal, &mut unused) == chosen;
                *model = f64::from(u8::from(agrees));
            }
            let place = legal.into_iter().position(|card| card == chosen);
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

    /// What a player chose, and what it saw then, if it now holds this hand.
    pub(super) fn examples<P: PolicySet<Round = R>>(
        &self,
        player: usize,
        hand: Cards,
    ) -> Vec<Example> {
        let mut examples = Vec::new();
        self.each_choice(player, hand, |round, legal, chosen| {
            let inputs = Inputs::of::<P>(round, legal);
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

    /// Goes through a player's choices among several cards if it now holds this hand, the last one first: the round before it, the
    /// legal cards, and the one that was chosen.
    ///
    /// The hand is followed backwards through the player's actions: what was played goes back into
    /// it, what was taken leaves it. A policy may count the other cards but not know who has them, so
    /// that all of them are put into one other hand.
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
            if legal.len() >= 2 {
                each(&round, legal, choice.card);
            }
        }
    }

    /// The likelihood of what a player did under all types together.
    pub fn total(&self, player: usize, likelihoods: &PerType) -> f64 {
        let weights = self.beliefs[player].types.get();
        weights.iter().zip(likelihoods).map(|(w, l)| w * l).sum()
    }
}

/// The work of finding the chances of legal cards, in the cards' order: by the network, and by a habit.
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
        [
            self.network.chances(&inputs),
            self.habit.chances(&inputs, self.round, self.legal),
        ]
    }
}
