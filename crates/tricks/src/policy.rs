//! Policies: quick ways to play, for playouts, as models of opponents, and as baselines.

use super::network::{Counted, GameWeights, Inputs, Network};
use super::{Card, Cards, Decision, Pace, Player, Round, View};
use engine::rng::{Random, below, shuffle};
use std::fmt::Debug;

/// A way to play that looks only at what the player to act may know.
pub trait Policy<R> {
    /// One of the `legal` cards, which are not empty.
    fn choose(&self, round: &R, legal: Cards, rng: &mut Random) -> Card;
}

/// The most policies that can model the opponents in a game, see [`PolicySet::OPPONENTS`].
pub const MOST_MODELS: usize = 3;

/// The prices of a search's parts, each in cards that the playout's policy plays in the same time. `cargo bench
/// -p tricks --bench costs` measures them. With them a budget of nodes takes about the same time whatever the
/// search does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// Weighing one choice of another player by all opponent types.
    pub weighing: f64,
    /// One card that a linear scorer plays in a playout.
    pub thinking: f64,
}

/// How a search plays out the players who think about every card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Thinkers {
    /// Thinking players and the viewer follow the network's distilled scorer; players with learnt habits follow
    /// those.
    Network,
    /// Thinking players and those with learnt habits follow the policy of playouts with this noise, since no rule
    /// predicts them exactly. The viewer follows the same policy with another noise.
    Policy {
        /// The probability of a random card, from 0 to 1.
        noise: f64,
    },
}

/// The built-in policies of a game, and everything else that the search needs to know about the game.
pub trait PolicySet:
    Policy<Self::Round> + Copy + Debug + PartialEq + Send + Sync + 'static
{
    type Round: Round;

    /// All policies, with the names that command lines use.
    const NAMED: &'static [(&'static str, Self)];
    /// The policies that model opponents: at least one, at most three. They draw no random numbers.
    const OPPONENTS: &'static [Self];
    /// The policy that plays worlds out in a search.
    const PLAYOUT: Self;
    /// How thinking players are played out. This and the next were chosen by matches, see
    /// `docs/measurements/tricks.md`.
    const THINKERS: Thinkers;
    /// The number of nodes from which worlds are weighed by how well they explain the others' actions. With
    /// fewer, all worlds are equally likely.
    const WEIGHING_FROM: f64;

    /// The prices of what a search does beside playing rounds out by the policy.
    const COSTS: Costs;

    /// The network that has learnt to choose as players who think.
    fn network() -> &'static Network;

    /// Fills in the inputs that the game adds to the network's, for the player to act. The inputs that all games share
    /// are filled in already, with a row for each legal card.
    fn inputs(round: &Self::Round, legal: Cards, inputs: &mut Inputs);

    /// The part of each legal card's score that comes from the game's own inputs, if cards are played and not taken.
    /// The default makes the inputs. A game whose playouts use the network's distilled scorer overrides it with a
    /// quicker computation.
    #[inline(always)]
    fn worth_of_game<'a>(
        round: &'a Self::Round,
        legal: Cards,
        weights: &'a GameWeights,
    ) -> impl Fn(&Counted) -> f32 + 'a {
        // The default makes all inputs, and sums the game's part of them.
        let inputs = Inputs::of::<Self>(round, legal);
        move |counted| inputs.worth_of_game(counted.place, weights)
    }

    /// The value for a seat of a round with these points by seat: a number to maximise, in points.
    fn points_value(points: &[f32], seat: usize) -> f32;

    /// The typical results of a round between this number of players.
    fn pace(players: usize) -> Pace;

    /// The value of a finished round for a seat, whatever game it belongs to: a number to maximise, in points.
    fn value(round: &Self::Round, seat: usize) -> f32 {
        Self::points_value(&round.scores().map(f32::from)[..round.players()], seat)
    }

    /// [`Player::search`]. A game's own crate has it without type parameters, so that the search is compiled there and
    /// once: compiled by each crate that asks a player, it took half of the time that those need.
    fn search(
        player: &Player<Self>,
        view: &View<Self::Round>,
        among: Cards,
        rng: &mut Random,
    ) -> Option<Decision>;

    /// [`Player::update`], for the same reason.
    fn update(player: &mut Player<Self>, view: &View<Self::Round>);

    /// The policy with this name, if there is one.
    fn named(name: &str) -> Option<Self> {
        let mut named = Self::NAMED.iter();
        named.find(|(known, _)| *known == name).map(|named| named.1)
    }
}

/// The card with the highest score, the first of equals. There must be a card.
#[inline]
pub fn best_card(cards: Cards, score: impl Fn(Card) -> i32) -> Card {
    debug_assert!(!cards.is_empty());
    // Starting below every score makes the first card the best so far.
    let mut best = (i32::MIN, Card::at(0));
    for card in cards {
        let score = score(card);
        if score > best.0 {
            best = (score, card);
        }
    }
    best.1
}

/// Draws one of the cards, all with the same probability.
///
/// # Panics
/// If there is no card.
#[inline]
pub fn random_card(cards: Cards, rng: &mut Random) -> Card {
    // The place is below the number of cards, so there is a card at it.
    let place = below(rng, cards.len());
    cards
        .into_iter()
        .nth(place)
        .unwrap_or_else(|| unreachable!())
}

/// The cards in a random order, all equally likely.
pub fn shuffled(cards: Cards, rng: &mut Random) -> Vec<Card> {
    let mut cards: Vec<Card> = cards.into_iter().collect();
    shuffle(rng, &mut cards);
    cards
}
