//! Values of accepted challenges before the last three tricks, if both play their cards by the
//! blueprint.
//!
//! In an accepted challenge only the order of the cards is left to decide, and strategies from separate
//! trainings differ there by a few thousandths of a point. So the chances of every pair of hands are computed
//! once, by induction over the number of cards. [`Trick`](super::trick::Trick) then values an accepted offer by
//! a sum over the other's hands.
//!
//! The induction: let `W(n, d, h, g)` be the leader's chance to win with `n` cards each, `d` tricks
//! ahead, hand `h` against `g`. It is the mean, over the cards that both play, of the next level:
//! `W(n − 1, d + 1, …)` if the leader's card is higher, `W(n − 1, d, …)` if they are equal, and the
//! new leader's chance to lose, from `1 − d` tricks ahead, if it is lower.

use super::sets::{Sets, card, rank};
use challenge::equilibrium::Stakes;
use challenge::equilibrium::blueprint::Strategy;
use challenge::rules::{Card, Cards, Challenge, Decision, HAND_SIZE, PublicState, RANKS, Seat};
use rayon::prelude::*;

/// The hands that have values here, in the order of their sets. Up to three cards these are all sets: endgames give
/// every hand some weight. With more cards they are those that can be dealt or be left of a dealt hand.
struct Hands {
    /// By number of cards, the numbers of the hands' sets.
    sets: Vec<Vec<u16>>,
    /// By number of cards and the set's number, the place among these hands. That of a set without values means nothing.
    places: Vec<Vec<u16>>,
}

/// A card that a hand plays, its probability, and the place of the hand that is left.
#[derive(Clone, Copy)]
struct Step {
    rank: u8,
    to: u16,
    probability: f32,
}

/// For each hand, by its place, the cards that it may play.
type Steps = Vec<Vec<Step>>;

/// The leader's chances to win and to lose the challenge, by `leader's hand * hands + other's hand`.
type Chances = Vec<[f32; 2]>;

/// Payoffs of pairs of hands, stored in both orders: whichever player the sum runs over, it runs
/// along a line in memory, and hands without weight skip a whole line.
struct Pairs {
    /// Lines by the leader's hand, along the follower's.
    rows: Vec<f32>,
    /// Lines by the follower's hand, along the leader's.
    columns: Vec<f32>,
    /// The numbers of cards of the leader's hands and of the follower's.
    cards: [usize; 2],
}

/// The values of accepted challenges for the player that leads the trick: with four and five cards as payoffs,
/// with three as chances.
pub(super) struct Accepted {
    hands: Hands,
    /// By [`place`], before the leader plays; none where the situation cannot arise.
    leads: Vec<Option<Pairs>>,
    /// By [`place`] and the card led, before the follower plays.
    follows: Vec<Vec<Pairs>>,
    /// With three cards, by the tricks that the leader is ahead, from −2 on: the chance to win less that to
    /// lose.
    threes: Vec<Pairs>,
}

/// The number of cards that each player held before the trick, the leader, and the tricks that it is ahead.
pub(super) type State = (usize, Seat, i8);

/// The number of a situation with four or five cards, where the leader is ahead by −1 to 1 tricks: 0 to 11.
fn place((cards, leader, ahead): State) -> usize {
    (cards - 4) * 6 + leader * 3 + (ahead + 1) as usize
}

/// A public state of an accepted challenge, to ask the blueprint with. It stands for all states with the same
/// number of cards and difference of tricks. So all cards that were played get the rank 8, near the middle: the
/// blueprint remembers only the sum of the ranks that the opponent has played. The leader counts as the player that
/// offered, although the follower may have, and the blueprint tells the two cases apart: one table stands for both.
fn typical(cards: usize, ahead: i8, led: Option<Card>) -> PublicState {
    let mut public = PublicState::new(0);
    // As many cards of each player as tricks that were played.
    let gone = HAND_SIZE - cards;
    // Ranks count from 0 here, so this is the rank 8.
    let middle = card(7);
    for _ in 0..gone {
        public.played[0].insert(middle);
        public.played[1].insert(middle);
    }
    // Player 0 is ahead by `ahead` tricks; all other tricks count as ties.
    public.total_tricks = gone as u8;
    public.tricks = [ahead.max(0) as u8, (-ahead).max(0) as u8];
    public.challenge = Challenge::Accepted(0);
    public.table = led;
    public
}

/// The blueprint's card play in a public state, for all hands of `cards` cards.
fn steps(
    strategy: &Strategy,
    sets: &Sets,
    hands: &Hands,
    public: &PublicState,
    cards: usize,
) -> Steps {
    let of = |own: Cards| {
        let played = strategy.played(public, own);
        let mut steps: Vec<Step> = Vec::new();
        for (decision, probability) in played {
            let Decision::Play(card) = decision else {
                continue;
            };
            // Fewer steps make the induction faster.
            if probability <= 0.0 {
                continue;
            }
            let place = rank(card) as u8;
            // Decisions for the same card are one step.
            match steps.iter_mut().find(|step| step.rank == place) {
                Some(step) => step.probability += probability,
                None => steps.push(Step {
                    rank: place,
                    to: hands.place(own.without(card).unwrap_or_default()),
                    probability,
                }),
            }
        }
        steps
    };
    hands.of(sets, cards).map(of).collect()
}

impl Hands {
    /// Of four and five cards those for which `is_dealt` holds, of fewer all.
    fn new(sets: &Sets, is_dealt: impl Fn(Cards) -> bool) -> Hands {
        let numbered = |cards: usize| -> Vec<u16> {
            let all = (0..).zip(sets.all(cards));
            let held = all.filter(|(_, hand)| cards <= 3 || is_dealt(**hand));
            held.map(|(number, _)| number).collect()
        };
        let hands: Vec<Vec<u16>> = (0..=HAND_SIZE).map(numbered).collect();
        let places = hands.iter().enumerate().map(|(cards, hands)| {
            let mut places = vec![0; sets.count(cards)];
            for (place, &set) in (0..).zip(hands) {
                places[usize::from(set)] = place;
            }
            places
        });
        Hands {
            places: places.collect(),
            sets: hands,
        }
    }

    /// The hands of a size, each at its place.
    fn of(&self, sets: &Sets, cards: usize) -> impl Iterator<Item = Cards> {
        let all = sets.all(cards);
        self.sets[cards].iter().map(|&set| all[usize::from(set)])
    }

    /// The number of hands of a size.
    fn count(&self, cards: usize) -> usize {
        self.sets[cards].len()
    }

    /// The place of a hand that has values.
    fn place(&self, hand: Cards) -> u16 {
        self.places[hand.len()][Sets::number(hand)]
    }
}

/// The chances of all pairs of hands of one size.
struct Level {
    cards: usize,
    /// By the tricks that the leader is ahead, from −2 on.
    chances: Vec<Chances>,
}

impl Level {
    /// The chances of the player that leads the next trick, is `ahead` tricks ahead and holds the hand `leader`.
    fn pair(&self, ahead: i8, leader: usize, follower: usize, wide: usize) -> [f32; 2] {
        // A lead of more tricks than are left decides the challenge.
        if ahead.unsigned_abs() as usize > self.cards {
            return match ahead > 0 {
                true => [1.0, 0.0],
                false => [0.0, 1.0],
            };
        }
        // All tricks are played and nobody is ahead: a tie.
        if self.cards == 0 {
            return [0.0, 0.0];
        }
        self.chances[(ahead + 2) as usize][leader * wide + follower]
    }
}

/// The chances of the leader, which has played `led` and keeps the hand `kept`, against the cards that the
/// follower may play. `wide` is the number of hands of the size that both keep.
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
                // The follower wins the trick, leads the next and is `−ahead + 1` ahead; its win is
                // the old leader's loss.
                let [win, lose] = below.pair(1 - ahead, to, kept, wide);
                [lose, win]
            }
            // Nobody wins a trick of equal cards, and the leader leads again.
            std::cmp::Ordering::Equal => below.pair(ahead, kept, to, wide),
            std::cmp::Ordering::Greater => below.pair(ahead + 1, kept, to, wide),
        };
        sum[0] += step.probability * win;
        sum[1] += step.probability * lose;
    }
    sum
}

/// The numbers of tricks that the leader may be ahead with `cards` left: no more than were played, and no more
/// than are left, since more decides the challenge. With 5, 4, 3, 2 and 1 cards at most 0, 1, 2, 2 and 1.
fn aheads(cards: usize) -> std::ops::RangeInclusive<i8> {
    let most = (HAND_SIZE - cards).min(cards).min(2) as i8;
    -most..=most
}

impl Accepted {
    /// Computes the values for one hand game with the card play of its blueprint. Hands of four and five cards for
    /// which `is_dealt` does not hold get the value 0; where it holds for a hand, it holds for a part of it.
    pub fn new(
        strategy: &Strategy,
        sets: &Sets,
        stakes: &Stakes,
        is_dealt: impl Fn(Cards) -> bool,
    ) -> Accepted {
        let hands = Hands::new(sets, is_dealt);
        // Strategies of both players in this situation, once for all hands: a table of steps for
        // the leader, one for each led card for the follower.
        let follow_steps = |cards: usize, ahead: i8| -> Vec<Steps> {
            // The follower decides here, so the context is the follower's.
            let by_card = Card::all().map(|led| {
                let public = typical(cards, ahead, Some(led));
                steps(strategy, sets, &hands, &public, cards)
            });
            by_card.collect()
        };
        // With no cards left there is no table: the difference of tricks decides.
        let mut below = Level {
            cards: 0,
            chances: Vec::new(),
        };
        let mut leads: Vec<Option<Pairs>> = (0..12).map(|_| None).collect();
        let mut follows: Vec<Vec<Pairs>> = (0..12).map(|_| Vec::new()).collect();
        let mut threes = Vec::new();
        // From the last trick backwards; `below` is the level with one card less.
        for cards in 1..=HAND_SIZE {
            let (many, kept) = (hands.count(cards), hands.count(cards - 1));
            let mut level = Level {
                cards,
                chances: vec![Vec::new(); 5],
            };
            for ahead in aheads(cards) {
                let lead = steps(strategy, sets, &hands, &typical(cards, ahead, None), cards);
                let follow = follow_steps(cards, ahead);
                // Each pair of hands: the mean over the leader's cards, and for each over the
                // follower's.
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
                // With three cards the strengths of hands are wanted, not payoffs.
                if cards == 3 {
                    threes.push(Pairs::new(sets, &hands, [3, 3], |own, theirs| {
                        let [win, lose] = chances[own * many + theirs];
                        win - lose
                    }));
                }
                if cards >= 4 {
                    for leader in 0..2 {
                        // Player 0 leads the first trick.
                        if cards == 5 && leader == 1 {
                            continue;
                        }
                        // Chances do not depend on who opened, payoffs do.
                        let payoff = payoffs(stakes, leader);
                        // Hands of the leader in rows, of the follower in columns; a follower that
                        // answers has seen the led card, so these tables are by card.
                        let at = place((cards, leader, ahead));
                        leads[at] =
                            Some(Pairs::new(sets, &hands, [cards, cards], |own, theirs| {
                                payoff(chances[own * many + theirs])
                            }));
                        follows[at] = (0..RANKS as u8)
                            .map(|led| {
                                Pairs::new(sets, &hands, [cards - 1, cards], |kept_hand, theirs| {
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
            hands,
            leads,
            follows,
            threes,
        }
    }

    /// With three cards, for each of the leader's hands the chance to win less that to lose, summed over the
    /// other's hands with the weights `theirs`. The same for the other's hands if `of_leader` is false.
    pub fn three(&self, leader_ahead: i8, of_leader: bool, theirs: &[f32]) -> Vec<f32> {
        self.threes[(leader_ahead + 2) as usize].sums(&self.hands, of_leader, theirs)
    }

    /// Before a trick of an accepted challenge, the values of the leader's hands, summed over the other's hands
    /// with the weights `theirs`; those of the other's hands if `of_leader` is false. They are not multiplied by
    /// the number of ways to draw the own hand.
    pub fn lead(&self, at: State, of_leader: bool, theirs: &[f32]) -> Vec<f32> {
        match &self.leads[place(at)] {
            Some(pairs) => pairs.sums(&self.hands, of_leader, theirs),
            None => Vec::new(),
        }
    }

    /// As [`lead`](Accepted::lead) after the leader has led a card, so it holds one less.
    pub fn follow(&self, at: State, led: usize, of_leader: bool, theirs: &[f32]) -> Vec<f32> {
        self.follows[place(at)][led].sums(&self.hands, of_leader, theirs)
    }
}

/// The payoff of chances to win and to lose to the leader, above that of a tie. With `t` the
/// leader's chance to win the game after a tie, a win is worth `1 − t` and a loss `−t`: an accepted
/// challenge decides the game.
fn payoffs(stakes: &Stakes, leader: Seat) -> impl Fn([f32; 2]) -> f32 + Sync + use<> {
    let tie = if leader == 0 {
        stakes.tied
    } else {
        1.0 - stakes.tied
    };
    move |[win, lose]| win * (1.0 - tie) - lose * tie
}

impl Pairs {
    /// Tables of the payoffs `of` all pairs of hands of these numbers of cards, the leader's and the follower's. `of` is
    /// given the places of the leader's hand and the follower's.
    fn new(
        sets: &Sets,
        hands: &Hands,
        cards: [usize; 2],
        of: impl Fn(usize, usize) -> f32 + Sync,
    ) -> Pairs {
        // The factor for removed cards is part of the table, so that a sum over hands needs only
        // their own weights.
        let [own, theirs] = cards.map(|cards| hands.of(sets, cards).collect::<Vec<_>>());
        let (high, wide) = (own.len(), theirs.len());
        let rows: Vec<f32> = (0..high)
            .into_par_iter()
            .flat_map_iter(|h| {
                let (of, own, theirs) = (&of, &own, &theirs);
                (0..wide).map(move |g| of(h, g) * removal(own[h], theirs[g]))
            })
            .collect();
        let columns = (0..wide)
            .into_par_iter()
            // The transposed matrix.
            .flat_map_iter(|g| {
                let rows = &rows;
                (0..high).map(move |h| rows[h * wide + g])
            })
            .collect();
        Pairs {
            rows,
            columns,
            cards,
        }
    }

    /// For each hand of one player, the sum over the other's hands of weight and payoff. Payoffs
    /// are the leader's; the follower's have the other sign. Weights and sums are by the number of a hand's set.
    fn sums(&self, hands: &Hands, of_leader: bool, theirs: &[f32]) -> Vec<f32> {
        // Run over the other's hands and add whole lines: of the few hands with weight, each line
        // is read once.
        let [leader, follower] = self.cards;
        let (lines, own, other, sign) = match of_leader {
            true => (&self.columns, leader, follower, 1.0),
            false => (&self.rows, follower, leader, -1.0),
        };
        let mut sums = vec![0.0; hands.count(own)];
        for (line, &set) in lines.chunks_exact(sums.len()).zip(&hands.sets[other]) {
            let weight = theirs[usize::from(set)];
            if weight != 0.0 {
                let weight = sign * weight;
                for (sum, number) in sums.iter_mut().zip(line) {
                    *sum += weight * number;
                }
            }
        }
        let mut all = vec![0.0; hands.places[own].len()];
        for (sum, &set) in sums.iter().zip(&hands.sets[own]) {
            all[usize::from(set)] = *sum;
        }
        all
    }
}

/// The probability of two hands together, dealt from two whole packs, in units of the product of
/// their own probabilities: `Π falling(8 − own, theirs) / falling(8, theirs)` over the ranks. For
/// one card each of the same rank it is 7/8.
///
/// That is exact in the first trick. In the second, two cards are gone: if 7 of a rank are left and both hold one, the
/// factor is 6/7. To be exact there too, the tables would need a factor for each way to play the first trick.
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
