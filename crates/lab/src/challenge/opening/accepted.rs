//! What accepted challenges are worth before the last three tricks, if both play their cards by the blueprint.
//!
//! In an accepted challenge only the order of the cards is left to decide, and strategies that were trained apart differ
//! there by a few thousandths of a point. So the chances of every pair of hands are computed once, by induction over the
//! cards that are left, and a challenge is worth a sum over the other's hands.

use super::sets::{Sets, card, rank};
use challenge::equilibrium::Stakes;
use challenge::equilibrium::blueprint::Strategy;
use challenge::rules::{Card, Cards, Challenge, Decision, HAND_SIZE, PublicState, RANKS, Seat};
use rayon::prelude::*;

/// A card that is played with a probability, and the number of what is kept.
#[derive(Clone, Copy)]
struct Step {
    rank: u8,
    to: u16,
    probability: f32,
}

type Steps = Vec<Vec<Step>>;

/// Chances of the leader to win and to lose, for each of its hands one of each of the other's.
type Chances = Vec<[f32; 2]>;

/// Payoffs of pairs of hands in both orders, so that the sum over few hands of either player runs over the other's.
struct Pairs {
    /// By the leader's hand.
    rows: Vec<f32>,
    columns: Vec<f32>,
    /// How many hands the follower has.
    wide: usize,
    /// How many the leader has.
    high: usize,
}

/// What accepted challenges are worth to the leader, for four and five cards.
pub(super) struct Accepted {
    leads: Vec<Option<Pairs>>,
    /// By [`place`] and the card led.
    follows: Vec<Vec<Pairs>>,
    /// With three cards, by how far the leader is ahead from -2 on: chances to win less those to lose.
    threes: Vec<Pairs>,
}

/// The cards that both held before the trick, who leads, and how far the leader is ahead.
pub(super) type State = (usize, Seat, i8);

/// The number of a situation with four or five cards.
fn place((cards, leader, ahead): State) -> usize {
    (cards - 4) * 6 + leader * 3 + (ahead + 1) as usize
}

/// A situation of an accepted challenge with typical cards played.
fn typical(cards: usize, ahead: i8, led: Option<Card>) -> PublicState {
    let mut public = PublicState::new(0);
    let gone = HAND_SIZE - cards;
    let middle = card(7);
    for _ in 0..gone {
        public.played[0].insert(middle);
        public.played[1].insert(middle);
    }
    public.total_tricks = gone as u8;
    public.tricks = [ahead.max(0) as u8, (-ahead).max(0) as u8];
    public.challenge = Challenge::Accepted(0);
    public.table = led;
    public
}

fn steps(strategy: &Strategy, sets: &Sets, public: &PublicState, cards: usize) -> Steps {
    let of = |&own: &Cards| {
        let played = strategy.played(public, own);
        let mut steps: Vec<Step> = Vec::new();
        for (decision, probability) in played {
            let Decision::Play(card) = decision else {
                continue;
            };
            if probability <= 0.0 {
                continue;
            }
            let place = rank(card) as u8;
            match steps.iter_mut().find(|step| step.rank == place) {
                Some(step) => step.probability += probability,
                None => steps.push(Step {
                    rank: place,
                    to: Sets::number(own.without(card).unwrap_or_default()) as u16,
                    probability,
                }),
            }
        }
        steps
    };
    sets.all(cards).iter().map(of).collect()
}

/// Everything of one number of cards.
struct Level {
    cards: usize,
    /// By how far the leader is ahead, from -2 on.
    chances: Vec<Chances>,
}

impl Level {
    /// The chances after a trick; who is `ahead` leads.
    fn pair(&self, ahead: i8, leader: usize, follower: usize, wide: usize) -> [f32; 2] {
        if ahead.unsigned_abs() as usize > self.cards {
            return match ahead > 0 {
                true => [1.0, 0.0],
                false => [0.0, 1.0],
            };
        }
        if self.cards == 0 {
            return [0.0, 0.0];
        }
        self.chances[(ahead + 2) as usize][leader * wide + follower]
    }
}

/// The chances of the leader who has played `led` and keeps a hand.
fn followed(
    below: &Level,
    wide: usize,
    ahead: i8,
    led: u8,
    kept: usize,
    steps: &[Step],
) -> [f32; 2] {
    let mut sum = [0.0; 2];
    for step in steps {
        let to = usize::from(step.to);
        let [win, lose] = match led.cmp(&step.rank) {
            std::cmp::Ordering::Less => {
                let [win, lose] = below.pair(1 - ahead, to, kept, wide);
                [lose, win]
            }
            std::cmp::Ordering::Equal => below.pair(ahead, kept, to, wide),
            std::cmp::Ordering::Greater => below.pair(ahead + 1, kept, to, wide),
        };
        sum[0] += step.probability * win;
        sum[1] += step.probability * lose;
    }
    sum
}

/// Ahead by as many tricks as can be with so many cards left, at most two: more is certain.
fn aheads(cards: usize) -> std::ops::RangeInclusive<i8> {
    let most = (HAND_SIZE - cards).min(cards).min(2) as i8;
    -most..=most
}

impl Accepted {
    /// For one hand game, with the card play of its blueprint.
    pub fn new(strategy: &Strategy, sets: &Sets, stakes: &Stakes) -> Accepted {
        let follow_steps = |cards: usize, ahead: i8| -> Vec<Steps> {
            // The context is the follower's.
            let by_card = Card::all().map(|led| {
                let mut public = typical(cards, ahead, Some(led));
                public.lead = 0;
                steps(strategy, sets, &public, cards)
            });
            by_card.collect()
        };
        let mut below = Level {
            cards: 0,
            chances: Vec::new(),
        };
        let mut leads: Vec<Option<Pairs>> = (0..12).map(|_| None).collect();
        let mut follows: Vec<Vec<Pairs>> = (0..12).map(|_| Vec::new()).collect();
        let mut threes = Vec::new();
        for cards in 1..=HAND_SIZE {
            let (many, kept) = (sets.all(cards).len(), sets.all(cards - 1).len());
            let mut level = Level {
                cards,
                chances: vec![Vec::new(); 5],
            };
            for ahead in aheads(cards) {
                let lead = steps(strategy, sets, &typical(cards, ahead, None), cards);
                let follow = follow_steps(cards, ahead);
                let chances: Chances = lead
                    .par_iter()
                    .flat_map_iter(|own| {
                        let (below, follow) = (&below, &follow);
                        (0..many).map(move |theirs| {
                            let mut sum = [0.0; 2];
                            for step in own {
                                let steps = &follow[usize::from(step.rank)][theirs];
                                let [win, lose] =
                                    followed(below, kept, ahead, step.rank, step.to.into(), steps);
                                sum[0] += step.probability * win;
                                sum[1] += step.probability * lose;
                            }
                            sum
                        })
                    })
                    .collect();
                if cards == 3 {
                    threes.push(Pairs::new(sets, 3, 3, |own, theirs| {
                        let [win, lose] = chances[own * many + theirs];
                        win - lose
                    }));
                }
                if cards >= 4 {
                    for leader in 0..2 {
                        if cards == 5 && leader == 1 {
                            continue;
                        }
                        let payoff = payoffs(stakes, leader);
                        let at = place((cards, leader, ahead));
                        leads[at] = Some(Pairs::new(sets, cards, cards, |own, theirs| {
                            payoff(chances[own * many + theirs])
                        }));
                        follows[at] = (0..RANKS as u8)
                            .map(|led| {
                                Pairs::new(sets, cards - 1, cards, |kept_hand, theirs| {
                                    let steps = &follow[usize::from(led)][theirs];
                                    payoff(followed(&below, kept, ahead, led, kept_hand, steps))
                                })
                            })
                            .collect();
                    }
                }
                level.chances[(ahead + 2) as usize] = chances;
            }
            below = level;
        }
        Accepted {
            leads,
            follows,
            threes,
        }
    }

    /// With three cards the chances of the leader's hands to win less those to lose, against these hands of the other; or
    /// those of the other's.
    pub fn three(&self, leader_ahead: i8, of_leader: bool, theirs: &[f32]) -> Vec<f32> {
        self.threes[(leader_ahead + 2) as usize].sums(of_leader, theirs)
    }

    /// The values of the leader's hands in an accepted challenge whose next trick it leads, against these hands of the
    /// other, without the ways to draw the own ones; or those of the other's, if `of_leader` is not set.
    pub fn lead(&self, at: State, of_leader: bool, theirs: &[f32]) -> Vec<f32> {
        match &self.leads[place(at)] {
            Some(pairs) => pairs.sums(of_leader, theirs),
            None => Vec::new(),
        }
    }

    /// The same where the leader has led a card, and keeps one less.
    pub fn follow(&self, at: State, led: usize, of_leader: bool, theirs: &[f32]) -> Vec<f32> {
        self.follows[place(at)][led].sums(of_leader, theirs)
    }
}

/// What chances to win and to lose are worth to the leader, less what a tie is worth.
fn payoffs(stakes: &Stakes, leader: Seat) -> impl Fn([f32; 2]) -> f32 + Sync + use<> {
    let tie = if leader == 0 {
        stakes.tied
    } else {
        1.0 - stakes.tied
    };
    move |[win, lose]| win * (1.0 - tie) - lose * tie
}

impl Pairs {
    fn new(
        sets: &Sets,
        leader: usize,
        follower: usize,
        of: impl Fn(usize, usize) -> f32 + Sync,
    ) -> Pairs {
        let (own, theirs) = (sets.all(leader), sets.all(follower));
        let (high, wide) = (own.len(), theirs.len());
        let rows: Vec<f32> = (0..high)
            .into_par_iter()
            .flat_map_iter(|h| {
                let of = &of;
                (0..wide).map(move |g| of(h, g) * removal(own[h], theirs[g]))
            })
            .collect();
        let columns = (0..wide)
            .into_par_iter()
            .flat_map_iter(|g| {
                let rows = &rows;
                (0..high).map(move |h| rows[h * wide + g])
            })
            .collect();
        Pairs {
            rows,
            columns,
            wide,
            high,
        }
    }

    fn sums(&self, of_leader: bool, theirs: &[f32]) -> Vec<f32> {
        let (lines, len, sign) = match of_leader {
            true => (&self.columns, self.high, 1.0),
            false => (&self.rows, self.wide, -1.0),
        };
        let mut sums = vec![0.0; len];
        for (line, &weight) in lines.chunks_exact(len).zip(theirs) {
            if weight != 0.0 {
                let weight = sign * weight;
                for (sum, number) in sums.iter_mut().zip(line) {
                    *sum += weight * number;
                }
            }
        }
        sums
    }
}

/// How much less likely two hands are together than apart, dealt from two whole packs.
fn removal(one: Cards, other: Cards) -> f32 {
    let mut factor = 1.0;
    for card in one.ranks() {
        let (own, theirs) = (one.count(card), other.count(card));
        for taken in 0..theirs {
            factor *= f32::from(8u8.saturating_sub(own + taken)) / f32::from(8 - taken);
        }
    }
    factor
}
