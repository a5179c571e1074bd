//! The network's inputs: numbers that the player to act can count, and nothing that only others know.
//!
//! Every input is of the order of 1: a count of cards is divided by 4, a rank by 12, the stake by 4. *Others*
//! are all hands but the player's own, taken together. *Later* players are those who still have to play to the
//! trick. The inputs of a card:
//!
//! | input | meaning |
//! |---|---|
//! | 0 | *rank*: from 0 for a two to 1 for an ace |
//! | 1 | *length*: own cards of its suit, this one included |
//! | 2 | *follow*: others' cards of its suit |
//! | 3, 4 | *lower*, *higher*: others' cards of its suit below and above it |
//! | 5, 6 | *own below*, *own above*: own cards of its suit below and above it |
//! | 7 | *single*: no other own card of its suit |
//! | 8 | *alone*: others have no card of its suit |
//! | 9, 10 | *boss*, *bottom*: others have no card of its suit above it, none below it |
//! | 11 | *wins*: it would take the trick as it lies; every lead would |
//! | 12 | *certain*: it wins, and later players cannot beat it |
//! | 13 | *higher* if it wins |
//! | 14 | *best loser*: it loses, and no higher own card of its suit would |
//! | 15 | *void*: later players who are known to have none of its suit, in thirds |
//! | 16, 17 | a later player has shown a card of its suit above it, any card of its suit |
//! | 18, 19 | others' cards above the lowest and above the highest own card that stays in the suit |
//! | 20, 21 | the stake if it wins, if it is certain to win |
//! | 22 | *second*: others have exactly one card of its suit above it |
//! | 23 | *lower* if it is the boss |
//! | 24 to 39 | the game's own inputs |
//!
//! Shared inputs: 0 how much of the hand is left, 1 players at the table, 2 later players, 3 the stake, 4 own
//! bosses, 5 suits in the hand, 6 to 15 the game's own.

use super::{CARD_INPUTS, GameWeights, MAX_CHOICES, SHARED_INPUTS, Situation};
use crate::{Cards, MAX_PLAYERS, PolicySet, Round, Suit};
use arrayvec::ArrayVec;

/// The version of the inputs' meaning. A network that was trained with another version cannot be used.
pub const LAYOUT_VERSION: u32 = 1;

/// The first of a card's inputs that a game defines.
pub(crate) const OF_GAME: usize = 24;
/// The first of the shared inputs that a game defines.
const SHARED_OF_GAME: usize = 6;

/// The inputs of a choice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    /// The situation of the player to act.
    pub situation: Situation,
    /// The inputs that all cards of the choice share.
    pub shared: [f32; SHARED_INPUTS],
    cards: ArrayVec<[f32; CARD_INPUTS], MAX_CHOICES>,
}

/// A count of cards as an input: a quarter of it.
#[inline(always)]
fn few(cards: Cards) -> f32 {
    cards.len() as f32 * 0.25
}

impl Inputs {
    /// The inputs of a choice of the player to act, whose legal cards these are.
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

    /// The part of a card's score that the game's own inputs give by these weights.
    #[inline(always)]
    pub(crate) fn worth_of_game(&self, card: usize, weights: &GameWeights) -> f32 {
        let inputs = &self.cards[card];
        let by_rank = weights.first_by_rank * inputs[0] * inputs[OF_GAME];
        let both = weights.inputs.iter().zip(&inputs[OF_GAME..]);
        both.fold(by_rank, |sum, (weight, input)| sum + weight * input)
    }

    /// The inputs of a card that its game defines.
    #[inline(always)]
    pub fn of_game(&mut self, card: usize) -> &mut [f32; CARD_INPUTS - OF_GAME] {
        self.cards[card]
            .last_chunk_mut()
            .unwrap_or_else(|| unreachable!())
    }

    /// The shared inputs that the game defines.
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
        // Players who have still to play after this one.
        let after = players - 1 - trick.len();
        // Takes are no trick: nothing is beaten by a card that is taken.
        let best = if round.taking() {
            None
        } else {
            trick.best(players)
        };
        self.situation = Situation::of(round, legal);
        let stake = f32::from(round.stake());
        // Shared inputs: hand left, players (0 at a table of four), later players, stake.
        self.shared[0] = own.len() as f32 / 13.0;
        self.shared[1] = players as f32 / 4.0 - 1.0;
        self.shared[2] = after as f32 / 3.0;
        self.shared[3] = stake / 4.0;
        // Bosses: own cards that take their trick if they are led now and everybody follows.
        let bosses = own
            .into_iter()
            .filter(|&card| (others & Cards::above(card)).is_empty());
        self.shared[4] = bosses.count() as f32 * 0.25;
        let suits = Suit::ALL.map(|suit| !(own & Cards::suit(suit)).is_empty());
        self.shared[5] = suits.into_iter().filter(|&held| held).count() as f32 / 4.0;

        // How many later players have shown to be void in each suit, in thirds, and which open cards they hold.
        let mut out = [0.0; 4];
        let mut later = Cards::EMPTY;
        for place in 1..=after.min(MAX_PLAYERS) {
            let other = (seat + place) % players;
            later = later | round.shown(other);
            let lacks = round.out_of(other);
            for (out, suit) in out.iter_mut().zip(Suit::ALL) {
                // `out_of` holds whole suits, so one card of the suit stands for it.
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
            // 0 rank, 1 length, 2 follow, 3 lower, 4 higher, 5 own below, 6 own above.
            inputs[0] = f32::from(card.rank()) / 12.0;
            inputs[1] = few(own & suit);
            inputs[2] = few(follow);
            inputs[3] = few(lower);
            inputs[4] = few(higher);
            inputs[5] = few(mine_below);
            inputs[6] = few(mine_above);
            // 7 single, 8 alone, 9 boss, 10 bottom.
            inputs[7] = f32::from(rest.is_empty());
            inputs[8] = f32::from(follow.is_empty());
            inputs[9] = f32::from(boss);
            inputs[10] = f32::from(lower.is_empty());
            // 11 wins, 12 certain, 13 higher if it wins: the cards that may still beat it.
            inputs[11] = f32::from(wins);
            inputs[12] = f32::from(certain);
            inputs[13] = if wins { few(higher) } else { 0.0 };
            // 14, best loser: the highest card of its suit that the player can get rid of without taking the trick.
            // A card of a suit that was not led cannot take the trick. All such cards count, since `Cards::below(best)`
            // has no card of their suit.
            inputs[14] = f32::from(
                best.is_some_and(|best| !wins && (mine_above & Cards::below(best)).is_empty()),
            );
            // 15 void; 16 and 17 open cards of later players above it, of its suit.
            inputs[15] = hidden_out;
            inputs[16] = f32::from(!(later & above).is_empty());
            inputs[17] = f32::from(!(later & suit).is_empty());
            // 18 and 19: how good the cards that stay behind in the suit are for losing a trick, or for winning
            // one.
            inputs[18] = rest
                .first_of(card.suit())
                .map_or(0.0, |low| few(others & Cards::above(low)));
            inputs[19] = rest
                .last_of(card.suit())
                .map_or(0.0, |high| few(others & Cards::above(high)));
            // 20 and 21: products with the stake, which a linear function of the inputs could not form.
            inputs[20] = if wins { stake / 4.0 } else { 0.0 };
            inputs[21] = if certain { stake / 4.0 } else { 0.0 };
            // 22 second; 23 lower if it is the boss: the cards that its lead would draw.
            inputs[22] = f32::from(higher.len() == 1);
            inputs[23] = if boss { few(lower) } else { 0.0 };
            self.cards.push(inputs);
        }
    }
}

#[cfg(test)]
impl Inputs {
    /// Random inputs of a choice among some cards.
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
