//! Best responses in the last tricks of hands that a strategy plays against itself, for
//! `lab challenge exploit --exact --sample`. Histories are sampled; everything after them is exact.

use super::{BestResponse, Node, Reach, Walk};
use challenge::deals::orders;
use challenge::equilibrium::blueprint::{probability_of, sample};
use challenge::rules::{Card, Cards, Decision, HAND_SIZE, PublicState, Seat};
use engine::rng::{Random, shuffle, unit};

/// A history up to some tricks before the end: each decision with the public state before it.
struct Played {
    steps: Vec<(PublicState, Decision)>,
    public: PublicState,
}

impl BestResponse<'_> {
    /// How much more a best response in the last tricks wins than the strategy itself, in one hand that the
    /// strategy plays against itself: the mean over both seats, in chances to win the game; 0 if the
    /// hand ends before. The mean over many hands is the exploitability in these tricks.
    pub fn sampled_gain(&self, last_tricks: usize, rng: &mut Random) -> f64 {
        let Some(played) = self.play(last_tricks, rng) else {
            return 0.0;
        };
        // The sampled hands are forgotten: both ranges are what the public history allows.
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
                // With a payoff of 1 the values are the weights of the hands, by which the sums are
                // divided.
                (walk.values(&node, theirs), walk.ended(&node, theirs, 1.0))
            };
            let sum = |values: &[f64]| -> f64 {
                own.iter()
                    .map(|&(hand, reach)| reach * values[usize::from(hand)])
                    .sum()
            };
            // A responder in the last 0 tricks plays the strategy throughout.
            let (itself, weights) = value(0);
            (sum(&value(last_tricks).0) - sum(&itself)) / sum(&weights)
        });
        (gains[0] + gains[1]) / 2.0
    }

    /// Deals and plays a hand to the lead of one of its last tricks; none if it ends before.
    fn play(&self, tricks: usize, rng: &mut Random) -> Option<Played> {
        let mut order: Vec<Card> = self.deck.iter().collect();
        shuffle(rng, &mut order);
        // Both hands are the first ten cards of a shuffled deck.
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

    /// For each hand that a player may hold now, the probability that it has made its decisions of the history,
    /// divided by `Π count!` of the hand as dealt.
    fn range(&self, played: &Played, seat: Seat) -> Reach {
        let size = played.public.tricks_left();
        let hands = self.tables.all(size).iter().enumerate();
        let reach = |left: Cards| -> f64 {
            // `1 / Π count!` of the hand as dealt, since the weights count equal cards in order.
            let dealt = left.plus(played.public.played[seat]);
            let mut reach = 1.0 / orders(dealt);
            // Backwards through the history: each card played returns to the hand, so every
            // decision is asked with the cards of its time.
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
            dealt.is_within(self.deck)
        };
        let possible = hands.filter(|&(_, &left)| can_be_held(left));
        let likely = possible.map(|(hand, &left)| (hand as u16, reach(left)));
        likely.filter(|(_, reach)| *reach > 0.0).collect()
    }
}
