//! A linear scorer for playouts: what depends on counts of cards alone is looked up, so that a card costs a few counts of bits and
//! not all its inputs.

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

/// Ranks of a suit, and so numbers of cards above or below one.
const RANKS: usize = 13;
/// Situations in which cards are played and not taken.
const PLAYED: [Situation; 3] = [Situation::Lead, Situation::Follow, Situation::Throw];

/// A linear scorer in a form that is quick to use, see [`Linear`](super::Linear).
///
/// The scores are those of the products up to rounding. Cards that are taken are few, and are scored by the products.
#[derive(Clone, Debug, PartialEq)]
pub struct Tabulated {
    played: [Tables; PLAYED.len()],
    take: Row,
}

/// What the inputs that a game defines are worth, see [`PolicySet::worth_of_game`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameWeights {
    pub inputs: [f32; CARD_INPUTS - OF_GAME],
    /// The first input once more, by the card's rank of 12.
    pub first_by_rank: f32,
}

/// What was counted of a card that may be played.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    pub card: Card,
    /// Its number among the legal ones.
    pub place: usize,
    /// How many higher cards of its suit others hold.
    pub higher: usize,
    /// Whether it would win the trick as it lies.
    pub wins: bool,
}

/// What cards are worth in one situation.
#[derive(Clone, Debug, PartialEq)]
struct Tables {
    row: Row,
    game: GameWeights,
    rank: [f32; RANKS],
    /// By the numbers of the others' cards of the suit above and below.
    others: [[f32; RANKS]; RANKS],
    /// The same of the own cards.
    own: [[f32; RANKS]; RANKS],
}

#[inline(always)]
fn when(is_so: bool, worth: f32) -> f32 {
    if is_so { worth } else { 0.0 }
}

/// So many cards, as inputs count them.
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
    fn new(row: &Row) -> Tables {
        let table = |of: &dyn Fn(usize, usize) -> f32| {
            std::array::from_fn(|above| std::array::from_fn(|below| of(above, below)))
        };
        let number = |cards: usize| few(cards as u32);
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
        let after = players - 1 - trick.len();
        let (last, left) = (f32::from(after == 0), own.len() as f32 / 13.0);
        let stake = f32::from(round.stake()) / 4.0;
        let best = trick.best(players);
        let mut later = Cards::EMPTY;
        for place in 1..=after.min(MAX_PLAYERS) {
            later = later | round.shown((seat + place) % players);
        }
        // By rank, whether the card wins or not, wins for certain, is the highest.
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
            let mut out = 0.0;
            for place in 1..=after.min(MAX_PLAYERS) {
                let lacks = round.out_of((seat + place) % players);
                out += f32::from(ranks(lacks, suit) & 1 != 0);
            }
            let of_suit =
                row[15] * out / 3.0 + row[17] * f32::from(later != 0) + row[SUIT + suit as usize];
            let length = few(own.count_ones());
            // Cards of the suit that the trick's highest beats, where it is of this suit; all of them if nothing is led.
            let (beaten, is_led) = match best {
                None => (0, true),
                Some(best) => ((2 << best.rank()) - 1, best.suit() == suit),
            };
            while cards != 0 && place < MAX_CHOICES {
                let rank = cards.trailing_zeros() as usize;
                let bit = 1 << rank;
                cards &= cards - 1;
                let (below, above) = (bit - 1, !((bit << 1) - 1));
                let higher = (others & above).count_ones() as usize;
                let lower = (others & below).count_ones() as usize;
                let own_above = own & above;
                let rest = own & !bit;
                let wins = is_led && bit & beaten == 0;
                let certain = wins && (after == 0 || higher == 0);
                let part = rank as f32 / 12.0;
                let mut score = of_suit
                    + self.rank[rank]
                    + self.others[higher][lower]
                    + self.own[own_above.count_ones() as usize]
                        [(own & below).count_ones() as usize]
                    + part
                        * (slope + when(higher == 0, row[RANK_BOSS]) + row[RANK_LENGTH] * length)
                    + when(later & above != 0, row[16]);
                if rest != 0 {
                    let low = rest.trailing_zeros();
                    let high = 31 - rest.leading_zeros();
                    score += row[18] * few((others >> low).count_ones())
                        + row[19] * few((others >> high).count_ones());
                }
                if wins {
                    score += winning
                        + part * winning_slope
                        + row[13] * few(higher as u32)
                        + row[WINS_LENGTH] * length;
                    if certain {
                        score += certainly + part * row[RANK_CERTAIN];
                    }
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
    /// By the weights of each situation.
    pub(crate) fn new<'a>(weights: impl Fn(Situation) -> &'a Row) -> Tabulated {
        Tabulated {
            played: PLAYED.map(|situation| Tables::new(weights(situation))),
            take: *weights(Situation::Take),
        }
    }

    /// The same as [`chances_of`](Tabulated::chances_of) where the inputs of the choice are known.
    #[inline(always)]
    pub(crate) fn chances(&self, inputs: &Inputs, round: &impl Round, legal: Cards) -> Chances {
        let tables = match inputs.situation {
            Situation::Take => return score_all(&self.take, &rows(inputs, legal)),
            played => &self.played[played as usize],
        };
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

    /// One of the legal cards of the player to act, by their chances.
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
