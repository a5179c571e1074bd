//! The distilled scorer and habits as tables, for playouts. The part of a score that depends on counts of cards alone
//! is looked up, so that a card costs a few bit counts instead of all its inputs.
//!
//! A score is the sum of four parts: a table by rank; a table by the numbers of the others' cards of the suit above
//! and below the card; a table by the same numbers of the player's own cards; and the rest, which depends on the
//! trick. The inputs' numbers and names are those of [`Inputs`].

use super::rows::{
    LENGTH_LENGTH, MIDDLE_MIDDLE, RANK_BOSS, RANK_CERTAIN, RANK_GAME, RANK_LAST, RANK_LEFT,
    RANK_LENGTH, RANK_WINS, RANK_WINS_LAST, Row, SUIT, WINS_LAST, WINS_LENGTH, rows,
};
use super::{
    CARD_INPUTS, Chances, Inputs, MAX_CHOICES, OF_GAME, Situation, draw, score_all, soften,
};
use crate::{Card, Cards, MAX_PLAYERS, PolicySet, Round, Suit};
use engine::rng::Random;
use engine::simd::{self, Work};

/// Ranks of a suit. From 0 to 12 cards can be above or below a card, so tables have this many rows and columns.
const RANKS: usize = 13;
/// The situations in which cards are played and not taken, in the order of their numbers.
const PLAYED: [Situation; 3] = [Situation::Lead, Situation::Follow, Situation::Throw];

/// A linear scorer as tables, see [`Linear`](super::Linear).
///
/// Its scores are the sums of weights × inputs, up to rounding. Takes are scored by these sums themselves: 12
/// of the 64 actions of a round of Tricky Eights are takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Tabulated {
    played: [Tables; PLAYED.len()],
    take: Row,
}

/// The weights of the inputs that a game defines, see [`PolicySet::worth_of_game`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameWeights {
    pub inputs: [f32; CARD_INPUTS - OF_GAME],
    /// The weight of the first of these inputs times the card's rank, from 0 to 1.
    pub first_by_rank: f32,
}

/// The counts of a card that may be played, for the game's own inputs.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    pub card: Card,
    /// Its place among the legal cards.
    pub place: usize,
    /// How many higher cards of its suit others hold.
    pub higher: usize,
    /// Whether it would take the trick as it lies.
    pub wins: bool,
}

/// The tables of one situation.
#[derive(Clone, Debug, PartialEq)]
struct Tables {
    row: Row,
    game: GameWeights,
    /// By rank: input 0 and the square of *middle*.
    rank: [f32; RANKS],
    /// By how many of the others' cards of the suit are above and below the card.
    others: [[f32; RANKS]; RANKS],
    /// By how many own cards of the suit are above and below the card.
    own: [[f32; RANKS]; RANKS],
}

/// An input of 1 or 0, times its weight.
#[inline(always)]
fn when(is_so: bool, worth: f32) -> f32 {
    if is_so { worth } else { 0.0 }
}

/// A count of cards as an input: a quarter of it.
#[inline(always)]
fn few(cards: u32) -> f32 {
    cards as f32 * 0.25
}

/// The cards of a suit as bits by rank.
#[inline(always)]
fn ranks(cards: Cards, suit: Suit) -> u32 {
    cards.ranks_of(suit).into()
}

impl Tables {
    /// The tables of a linear scorer with a weight for each input of a card.
    fn new(row: &Row) -> Tables {
        // A table by two counts, those above and those below.
        let table = |of: &dyn Fn(usize, usize) -> f32| {
            std::array::from_fn(|above| std::array::from_fn(|below| of(above, below)))
        };
        let number = |cards: usize| few(cards as u32);
        // Inputs of the others' cards: 2 follow, 3 lower, 4 higher, 8 alone, 9 boss, 10 bottom, 22 second, 23
        // lower if it is the boss.
        let others = |above: usize, below: usize| {
            row[2] * number(above + below)
                + row[3] * number(below)
                + row[4] * number(above)
                + row[8] * f32::from(above + below == 0)
                + row[9] * f32::from(above == 0)
                + row[10] * f32::from(below == 0)
                + row[22] * f32::from(above == 1)
                + row[23] * f32::from(above == 0) * number(below)
        };
        // Inputs of the player's own cards: 1 length, 5 own below, 6 own above, 7 single, and length squared.
        let own = |above: usize, below: usize| {
            let length = number(above + below + 1);
            row[1] * length
                + row[5] * number(below)
                + row[6] * number(above)
                + row[7] * f32::from(above + below == 0)
                + row[LENGTH_LENGTH] * length * length
        };
        let mut game = [0.0; CARD_INPUTS - OF_GAME];
        game.copy_from_slice(&row[OF_GAME..CARD_INPUTS]);
        Tables {
            row: *row,
            game: GameWeights {
                inputs: game,
                first_by_rank: row[RANK_GAME],
            },
            rank: std::array::from_fn(|rank| {
                // Input 0, rank, and the square of its distance from the middle.
                let rank = rank as f32 / 12.0;
                let middle = 2.0 * rank - 1.0;
                row[0] * rank + row[MIDDLE_MIDDLE] * middle * middle
            }),
            others: table(&others),
            own: table(&own),
        }
    }

    /// The scores of the legal cards, in their order.
    #[inline(always)]
    fn scores(
        &self,
        round: &impl Round,
        legal: Cards,
        worth_of_game: impl Fn(&Counted) -> f32,
    ) -> Chances {
        let row = &self.row;
        let seat = round.to_act().unwrap_or(0);
        let (own, others) = (round.hand(seat), round.other_hands());
        let trick = round.trick();
        let players = round.players();
        // `last`, `left` and the stake as inputs count them; `after` players have still to play.
        let after = players - 1 - trick.len();
        let (last, left) = (f32::from(after == 0), own.len() as f32 / 13.0);
        let stake = f32::from(round.stake()) / 4.0;
        let best = trick.best(players);
        // Open cards of later players.
        let mut later = Cards::EMPTY;
        for place in 1..=after.min(MAX_PLAYERS) {
            later = later | round.shown((seat + place) % players);
        }
        // `slope` is the weight of rank for every card, `winning_slope` the additional one for a card that wins.
        // `winning` is added for a card that wins, `certainly` for one that wins for certain: inputs 11 wins, 12
        // certain, 20 and 21 their products with the stake.
        let slope = row[RANK_LAST] * last + row[RANK_LEFT] * left;
        let winning_slope = row[RANK_WINS] + row[RANK_WINS_LAST] * last;
        let winning = row[11] + row[20] * stake + row[WINS_LAST] * last;
        let certainly = row[12] + row[21] * stake;

        let mut scores = [0.0; MAX_CHOICES];
        let mut place = 0;
        for suit in Suit::ALL {
            let mut cards = ranks(legal, suit);
            if cards == 0 {
                continue;
            }
            let (own, others) = (ranks(own, suit), ranks(others, suit));
            let later = ranks(later, suit);
            // Common to all cards of the suit: 15 void, 17 an open card of a later player, and the suit itself.
            let mut out = 0.0;
            for place in 1..=after.min(MAX_PLAYERS) {
                let lacks = round.out_of((seat + place) % players);
                out += f32::from(ranks(lacks, suit) & 1 != 0);
            }
            let of_suit =
                row[15] * out / 3.0 + row[17] * f32::from(later != 0) + row[SUIT + suit as usize];
            let length = few(own.count_ones());
            // `beaten` holds the ranks up to the trick's best card. A card takes the trick if it is of the best
            // card's suit and above; every card does if nothing is led.
            let (beaten, is_led) = match best {
                None => (0, true),
                Some(best) => ((2 << best.rank()) - 1, best.suit() == suit),
            };
            while cards != 0 && place < MAX_CHOICES {
                // From the lowest rank up, one bit of the suit at a time.
                let rank = cards.trailing_zeros() as usize;
                let bit = 1 << rank;
                cards &= cards - 1;
                // Masks of the ranks below and above the card.
                let (below, above) = (bit - 1, !((bit << 1) - 1));
                let higher = (others & above).count_ones() as usize;
                let lower = (others & below).count_ones() as usize;
                let own_above = own & above;
                let rest = own & !bit;
                let wins = is_led && bit & beaten == 0;
                let certain = wins && (after == 0 || higher == 0);
                // The three tables, the suit's part, what grows with the rank (and with boss and length), and
                // 16, an open higher card of a later player.
                let part = rank as f32 / 12.0;
                let mut score = of_suit
                    + self.rank[rank]
                    + self.others[higher][lower]
                    + self.own[own_above.count_ones() as usize]
                        [(own & below).count_ones() as usize]
                    + part
                        * (slope + when(higher == 0, row[RANK_BOSS]) + row[RANK_LENGTH] * length)
                    + when(later & above != 0, row[16]);
                // 18 and 19: others' cards above the lowest and the highest own card that stays. Shifting by
                // the rank leaves the ranks from there on; the others do not hold that card itself.
                if rest != 0 {
                    let low = rest.trailing_zeros();
                    let high = 31 - rest.leading_zeros();
                    score += row[18] * few((others >> low).count_ones())
                        + row[19] * few((others >> high).count_ones());
                }
                // 11 wins, 13 higher if it wins, and the products of wins with rank and length; then 12
                // certain.
                if wins {
                    score += winning
                        + part * winning_slope
                        + row[13] * few(higher as u32)
                        + row[WINS_LENGTH] * length;
                    if certain {
                        score += certainly + part * row[RANK_CERTAIN];
                    }
                // 14, best loser: no higher own card of the suit would lose.
                } else if !is_led || own_above & beaten == 0 {
                    score += row[14];
                }
                let counted = Counted {
                    card: Card::new(suit, rank as u8),
                    place,
                    higher,
                    wins,
                };
                scores[place] = score + worth_of_game(&counted);
                place += 1;
            }
        }
        scores
    }
}

impl Tabulated {
    /// Tables of the weights of each situation.
    pub(crate) fn new<'a>(weights: impl Fn(Situation) -> &'a Row) -> Tabulated {
        Tabulated {
            played: PLAYED.map(|situation| Tables::new(weights(situation))),
            take: *weights(Situation::Take),
        }
    }

    /// As [`chances_of`](Tabulated::chances_of), where the inputs of the choice are known already.
    #[inline(always)]
    pub(crate) fn chances(&self, inputs: &Inputs, round: &impl Round, legal: Cards) -> Chances {
        let tables = match inputs.situation {
            Situation::Take => return score_all(&self.take, &rows(inputs, legal)),
            played => &self.played[played as usize],
        };
        // The game's inputs are there, so their part is summed rather than counted again.
        let worth = |counted: &Counted| inputs.worth_of_game(counted.place, &tables.game);
        let mut chances = tables.scores(round, legal, worth);
        soften(&mut chances, legal.len());
        chances
    }

    /// The chances of the legal cards of the player to act, in the cards' order.
    pub fn chances_of<P: PolicySet>(&self, round: &P::Round, legal: Cards) -> Chances {
        simd::run(ChancesOf::<P> {
            scorer: self,
            round,
            legal,
        })
    }

    /// Draws one of the legal cards of the player to act by their chances.
    #[inline]
    pub fn choose<P: PolicySet>(&self, round: &P::Round, legal: Cards, rng: &mut Random) -> Card {
        draw(&self.chances_of::<P>(round, legal), legal, rng)
    }
}

/// The work of [`Tabulated::chances_of`].
struct ChancesOf<'a, P: PolicySet> {
    scorer: &'a Tabulated,
    round: &'a P::Round,
    legal: Cards,
}

impl<P: PolicySet> Work for ChancesOf<'_, P> {
    type Output = Chances;

    #[inline(always)]
    fn run(self) -> Chances {
        // A situation's number is its place among the tables, since takes come last.
        let tables = match Situation::of(self.round, self.legal) {
            Situation::Take => {
                let inputs = Inputs::of::<P>(self.round, self.legal);
                return self.scorer.chances(&inputs, self.round, self.legal);
            }
            played => &self.scorer.played[played as usize],
        };
        let worth = P::worth_of_game(self.round, self.legal, &tables.game);
        let mut chances = tables.scores(self.round, self.legal, worth);
        soften(&mut chances, self.legal.len());
        chances
    }
}
