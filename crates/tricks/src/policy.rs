//! Policies: quick ways to play, for playouts, for models of opponents and as baselines.

use super::network::{Counted, GameWeights, Inputs, Network};
use super::{Card, Cards, Pace, Round};
use engine::rng::{Random, below, shuffle};
use std::fmt::Debug;

/// A way to play that looks only at what the player to act knows.
pub trait Policy<R> {
    /// One of the `legal` cards, which are not empty.
    fn choose(&self, round: &R, legal: Cards, rng: &mut Random) -> Card;
}

/// The most policies by which opponents of a game are modelled, see [`PolicySet::OPPONENTS`].
pub const MOST_MODELS: usize = 3;

/// What parts of a search take, each in cards that a playout's policy plays in the same time (`cargo bench -p tricks --bench
/// costs`). With them a budget of nodes takes about the same time whatever the search does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// Weighing a choice of another player by the opponent types.
    pub weighing: f64,
    /// A card that the network plays in a playout.
    pub thinking: f64,
}

/// How a search plays those out who think about every card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Thinkers {
    /// By the network's likeness, the viewer too, and those who have habits by these.
    Network,
    /// By the policy of playouts; the others play a random card this often instead, since who thinks does what no rule foretells.
    Policy {
        /// Between 0 and 1.
        noise: f64,
    },
}

/// The built-in policies of a game, and what the search takes from them.
pub trait PolicySet:
    Policy<Self::Round> + Copy + Debug + PartialEq + Send + Sync + 'static
{
    type Round: Round;

    /// All policies with their names.
    const NAMED: &'static [(&'static str, Self)];
    /// The policies by which opponents are modelled, at most three. They draw no random numbers.
    const OPPONENTS: &'static [Self];
    /// The policy by which the search plays worlds out.
    const PLAYOUT: Self;
    /// How those who think are played out. This and the next are what was measured to be stronger.
    const THINKERS: Thinkers;
    /// From how many nodes on worlds are weighed by how well they explain what was done. With fewer, all are equally likely.
    const WEIGHING_FROM: f64;

    /// What a search is charged for beside rounds that are played out by the policy of playouts.
    const COSTS: Costs;

    /// How those play who think about every card, as far as it has been learnt.
    fn network() -> &'static Network;

    /// What the game adds to the network's inputs for the player to act, whose legal cards are in them already.
    fn inputs(round: &Self::Round, legal: Cards, inputs: &mut Inputs);

    /// What the inputs that the game defines are worth, where cards are played and not taken, for each of the legal cards of the
    /// player to act. A game in whose playouts networks play says so more quickly than by its inputs.
    #[inline(always)]
    fn worth_of_game<'a>(
        round: &'a Self::Round,
        legal: Cards,
        weights: &'a GameWeights,
    ) -> impl Fn(&Counted) -> f32 + 'a {
        let inputs = Inputs::of::<Self>(round, legal);
        move |counted| inputs.worth_of_game(counted.place, weights)
    }

    /// The value for a seat of points that a round has brought, by seat: a number to maximise, in points.
    fn points_value(points: &[f32], seat: usize) -> f32;

    /// What a round between so many players is like.
    fn pace(players: usize) -> Pace;

    /// The value of a finished round for a seat, whatever game it belongs to: a number to maximise, in points.
    fn value(round: &Self::Round, seat: usize) -> f32 {
        Self::points_value(&round.scores().map(f32::from)[..round.players()], seat)
    }

    /// The policy with a name.
    fn named(name: &str) -> Option<Self> {
        let mut named = Self::NAMED.iter();
        named.find(|(known, _)| *known == name).map(|named| named.1)
    }
}

/// The card with the highest score, the first of equals. There must be a card.
#[inline]
pub fn best_card(cards: Cards, score: impl Fn(Card) -> i32) -> Card {
    debug_assert!(!cards.is_empty());
    let mut best = (i32::MIN, Card::at(0));
    for card in cards {
        let score = score(card);
        if score > best.0 {
            best = (score, card);
        }
    }
    best.1
}

/// One of the cards, each with the same probability.
///
/// # Panics
/// If there is no card.
#[inline]
pub fn random_card(cards: Cards, rng: &mut Random) -> Card {
    let place = below(rng, cards.len());
    cards
        .into_iter()
        .nth(place)
        .unwrap_or_else(|| unreachable!())
}

/// The cards in random order.
pub fn shuffled(cards: Cards, rng: &mut Random) -> Vec<Card> {
    let mut cards: Vec<Card> = cards.into_iter().collect();
    shuffle(rng, &mut cards);
    cards
}
