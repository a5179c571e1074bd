//! What the network sees of a choice: what the player to act can count, and nothing that only others know.

use super::{CARD_INPUTS, GameWeights, MAX_CHOICES, SHARED_INPUTS, Situation};
use crate::{Cards, MAX_PLAYERS, PolicySet, Round, Suit};
use arrayvec::ArrayVec;

/// The version of what inputs mean: a network is of no use with others.
pub const LAYOUT_VERSION: u32 = 1;

/// The first of a card's inputs that a game defines.
pub(crate) const OF_GAME: usize = 24;
/// The first of the shared inputs that a game defines.
const SHARED_OF_GAME: usize = 6;

/// The inputs of a choice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    /// What the player is about to do.
    pub situation: Situation,
    /// What is the same for all cards.
    pub shared: [f32; SHARED_INPUTS],
    cards: ArrayVec<[f32; CARD_INPUTS], MAX_CHOICES>,
}

/// A number that is small for every count that occurs.
#[inline(always)]
fn few(cards: Cards) -> f32 {
    cards.len() as f32 * 0.25
}

impl Inputs {
    /// What the player to act, whose cards `legal` are, sees of its choice.
    #[inline(always)]
    pub fn of<P: PolicySet>(round: &P::Round, legal: Cards) -> Inputs {
        let mut inputs = Inputs::default();
        inputs.fill(round, legal);
        P::inputs(round, legal, &mut inputs);
        inputs
    }

    /// The number of cards.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.cards.len()
    }

    /// Whether there is no card.
    pub fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }

    /// The inputs of the cards.
    #[inline(always)]
    pub fn cards(&self) -> &[[f32; CARD_INPUTS]] {
        &self.cards
    }

    /// What the inputs of a card that its game defines are worth by these weights.
    #[inline(always)]
    pub(crate) fn worth_of_game(&self, card: usize, weights: &GameWeights) -> f32 {
        let inputs = &self.cards[card];
        let by_rank = weights.first_by_rank * inputs[0] * inputs[OF_GAME];
        let both = weights.inputs.iter().zip(&inputs[OF_GAME..]);
        both.fold(by_rank, |sum, (weight, input)| sum + weight * input)
    }

    /// Those of a card that its game defines.
    #[inline(always)]
    pub fn of_game(&mut self, card: usize) -> &mut [f32; CARD_INPUTS - OF_GAME] {
        self.cards[card]
            .last_chunk_mut()
            .unwrap_or_else(|| unreachable!())
    }

    /// Those shared by all cards that the game defines.
    #[inline(always)]
    pub fn shared_of_game(&mut self) -> &mut [f32; SHARED_INPUTS - SHARED_OF_GAME] {
        self.shared
            .last_chunk_mut()
            .unwrap_or_else(|| unreachable!())
    }

    /// Fills in what all trick-taking games have in common, for the player to act and its legal cards.
    #[inline(always)]
    pub(super) fn fill(&mut self, round: &impl Round, legal: Cards) {
        let seat = round.to_act().unwrap_or(0);
        let (own, others) = (round.hand(seat), round.other_hands());
        let trick = round.trick();
        let players = round.players();
        let after = players - 1 - trick.len();
        let best = if round.taking() {
            None
        } else {
            trick.best(players)
        };
        self.situation = Situation::of(round, legal);
        let stake = f32::from(round.stake());
        self.shared[0] = own.len() as f32 / 13.0;
        self.shared[1] = players as f32 / 4.0 - 1.0;
        self.shared[2] = after as f32 / 3.0;
        self.shared[3] = stake / 4.0;
        let bosses = own
            .into_iter()
            .filter(|&card| (others & Cards::above(card)).is_empty());
        self.shared[4] = bosses.count() as f32 * 0.25;
        let suits = Suit::ALL.map(|suit| !(own & Cards::suit(suit)).is_empty());
        self.shared[5] = suits.into_iter().filter(|&held| held).count() as f32 / 4.0;

        // Of those who play to this trick later: who has shown to be out of a suit, and what they have shown to hold.
        let mut out = [0.0; 4];
        let mut later = Cards::EMPTY;
        for place in 1..=after.min(MAX_PLAYERS) {
            let other = (seat + place) % players;
            later = later | round.shown(other);
            let lacks = round.out_of(other);
            for (out, suit) in out.iter_mut().zip(Suit::ALL) {
                *out += f32::from(lacks.contains(crate::Card::new(suit, 0))) / 3.0;
            }
        }
        for card in legal.into_iter().take(MAX_CHOICES) {
            let mut inputs = [0.0; CARD_INPUTS];
            let suit = Cards::suit(card.suit());
            let (above, below) = (Cards::above(card), Cards::below(card));
            let (higher, lower) = (others & above, others & below);
            let follow = higher | lower;
            let (mine_above, mine_below) = (own & above, own & below);
            let rest = mine_above | mine_below;
            let wins = best.is_none_or(|best| Cards::above(best).contains(card));
            let certain = wins && (after == 0 || higher.is_empty());
            let boss = higher.is_empty();
            let hidden_out = out[card.suit() as usize];
            inputs[0] = f32::from(card.rank()) / 12.0;
            inputs[1] = few(own & suit);
            inputs[2] = few(follow);
            inputs[3] = few(lower);
            inputs[4] = few(higher);
            inputs[5] = few(mine_below);
            inputs[6] = few(mine_above);
            inputs[7] = f32::from(rest.is_empty());
            inputs[8] = f32::from(follow.is_empty());
            inputs[9] = f32::from(boss);
            inputs[10] = f32::from(lower.is_empty());
            inputs[11] = f32::from(wins);
            inputs[12] = f32::from(certain);
            inputs[13] = if wins { few(higher) } else { 0.0 };
            inputs[14] = f32::from(
                best.is_some_and(|best| !wins && (mine_above & Cards::below(best)).is_empty()),
            );
            inputs[15] = hidden_out;
            inputs[16] = f32::from(!(later & above).is_empty());
            inputs[17] = f32::from(!(later & suit).is_empty());
            // How good what stays behind in the suit is for losing a trick, or for winning one.
            inputs[18] = rest
                .first_of(card.suit())
                .map_or(0.0, |low| few(others & Cards::above(low)));
            inputs[19] = rest
                .last_of(card.suit())
                .map_or(0.0, |high| few(others & Cards::above(high)));
            inputs[20] = if wins { stake / 4.0 } else { 0.0 };
            inputs[21] = if certain { stake / 4.0 } else { 0.0 };
            inputs[22] = f32::from(higher.len() == 1);
            inputs[23] = if boss { few(lower) } else { 0.0 };
            self.cards.push(inputs);
        }
    }
}

#[cfg(test)]
impl Inputs {
    /// Random inputs of so many cards.
    pub(super) fn sample(cards: usize, rng: &mut engine::rng::Random) -> Inputs {
        let mut inputs = Inputs::default();
        inputs.cards.extend((0..cards).map(|_| [0.0; CARD_INPUTS]));
        let all = inputs.cards.iter_mut().flatten().chain(&mut inputs.shared);
        for input in all {
            *input = engine::rng::unit(rng) as f32;
        }
        inputs
    }
}
