//! Best responses in the last tricks of hands that a strategy plays against itself: histories are sampled,
//! and everything after them is exact.

use super::{BestResponse, Node, Reach, Walk};
use challenge::equilibrium::blueprint::{probability_of, sample};
use challenge::rules::{Card, Cards, Decision, HAND_SIZE, PublicState, Seat};
use engine::rng::{Random, shuffle, unit};

/// A history up to some tricks before the end: each decision with what was public before it.
struct Played {
    steps: Vec<(PublicState, Decision)>,
    public: PublicState,
}

impl BestResponse<'_> {
    /// What best responses in the last tricks win more than the strategy itself in one hand that it plays against
    /// itself, on average over both seats, in chances to win the game; nothing where the hand is over before. The
    /// mean over many hands is the exploitability in so many tricks.
    pub fn sampled_gain(&self, last_tricks: usize, rng: &mut Random) -> f64 {
        let Some(played) = self.play(last_tricks, rng) else {
            return 0.0;
        };
        let ranges = [0, 1].map(|seat| self.range(&played, seat));
        let gains = [0, 1].map(|seat: Seat| {
            let (own, theirs) = (&ranges[seat], &ranges[1 - seat]);
            let node = Node::new(played.public, self.deck);
            let value = |last_tricks| {
                let walk = Walk {
                    game: self,
                    best: seat,
                    last_tricks,
                    walked: &|| (),
                };
                (walk.values(&node, theirs), walk.ended(&node, theirs, 1.0))
            };
            let sum = |values: &[f64]| -> f64 {
                own.iter()
                    .map(|&(hand, reach)| reach * values[usize::from(hand)])
                    .sum()
            };
            let (itself, weights) = value(0);
            (sum(&value(last_tricks).0) - sum(&itself)) / sum(&weights)
        });
        (gains[0] + gains[1]) / 2.0
    }

    /// Deals and plays a hand to the lead of one of its last tricks; none if it is over before.
    fn play(&self, tricks: usize, rng: &mut Random) -> Option<Played> {
        let mut order: Vec<Card> = self.deck.iter().collect();
        shuffle(rng, &mut order);
        let hand = |from: usize| {
            order[from..from + HAND_SIZE]
                .iter()
                .copied()
                .collect::<Cards>()
        };
        let mut cards = [hand(0), hand(HAND_SIZE)];
        let (mut public, mut steps) = (PublicState::new(0), Vec::new());
        while public.tricks_left() > tricks || public.table.is_some() {
            let seat = public.to_act();
            let decision = sample(
                &self.strategy.decisions(&public, cards[seat]),
                unit(rng) as f32,
            )?;
            if let Decision::Play(card) = decision {
                cards[seat].remove(card);
            }
            steps.push((public, decision));
            public = public.after(decision);
            let settled = !public.must_answer() && public.settled().is_some();
            if public.is_over() || (settled && self.strategy.settles()) {
                return None;
            }
        }
        Some(Played { steps, public })
    }

    /// How likely a player that may hold each hand has been dealt its cards and has played so.
    fn range(&self, played: &Played, seat: Seat) -> Reach {
        let size = played.public.tricks_left();
        let hands = self.tables.all(size).iter().enumerate();
        let reach = |left: Cards| -> f64 {
            let dealt = left.plus(played.public.played[seat]);
            let orders = dealt
                .ranks()
                .map(|card| -> f64 { (1..=dealt.count(card)).map(f64::from).product() });
            let mut reach = 1.0 / orders.product::<f64>();
            let mut held = left;
            for (public, decision) in played.steps.iter().rev() {
                if public.to_act() != seat {
                    continue;
                }
                if let Decision::Play(card) = decision {
                    held.insert(*card);
                }
                let chosen = self.strategy.decisions(public, held);
                reach *= f64::from(probability_of(&chosen, *decision));
                if reach <= 0.0 {
                    break;
                }
            }
            reach
        };
        let can_be_held = |cards: Cards| {
            let dealt = cards.plus(played.public.played[seat]);
            let mut ranks = dealt.ranks();
            ranks.all(|card| dealt.count(card) <= self.deck.count(card))
        };
        let possible = hands.filter(|&(_, &left)| can_be_held(left));
        let likely = possible.map(|(hand, &left)| (hand as u16, reach(left)));
        likely.filter(|(_, reach)| *reach > 0.0).collect()
    }
}
