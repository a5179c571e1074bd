//! Best responses in the last tricks of hands that a strategy plays against itself, for
//! `lab challenge exploit --exact --sample`. Histories are sampled; everything after them is exact.

use super::{BestResponse, Node, Reach, Walk};
use crate::challenge::self_play::step;
use challenge::equilibrium::History;
use challenge::equilibrium::blueprint::probability_of;
use challenge::rules::{Card, Cards, HAND_SIZE, Hand, PublicState, Seat};
use engine::rng::{Random, shuffle};

impl BestResponse<'_> {
    /// How much more a best response in the last tricks wins than the strategy itself, in one hand that the
    /// strategy plays against itself: the mean over both seats, in chances to win the game; 0 if the
    /// hand ends before. The mean over many hands is the exploitability in these tricks.
    pub fn sampled_gain(&self, last_tricks: usize, rng: &mut Random) -> f64 {
        let Some(history) = self.play(last_tricks, rng) else {
            return 0.0;
        };
        let policy = |public: &PublicState, held, decision| {
            probability_of(&self.strategy.decisions(public, held), decision)
        };
        // The sampled hands are forgotten: both ranges are what the public history allows.
        let endgame = history.endgame(&policy, [0.0; 2], self.stakes, self.deck);
        let ranges = endgame.reach.map(|reach| -> Reach {
            let likely = (0..).zip(reach).filter(|hand| hand.1 > 0.0);
            likely.map(|(hand, reach)| (hand, reach.into())).collect()
        });
        let gains = [0, 1].map(|seat: Seat| {
            let (own, theirs) = (&ranges[seat], &ranges[1 - seat]);
            let node = Node::new(*history.public(), self.deck);
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
    fn play(&self, tricks: usize, rng: &mut Random) -> Option<History> {
        let (mut hand, mut log) = (self.deal(rng), Vec::new());
        while hand.public().tricks_left() > tricks || hand.public().table.is_some() {
            let chosen = |public: &PublicState, own| self.strategy.decisions(public, own);
            log.push(step(&mut hand, rng, chosen)?);
            let public = hand.public();
            let settled = !public.must_answer() && public.settled().is_some();
            if public.is_over() || (settled && self.strategy.settles()) {
                return None;
            }
        }
        History::of(0, &log, tricks)
    }

    /// A hand that is dealt from the deck.
    pub(super) fn deal(&self, rng: &mut Random) -> Hand {
        let mut order: Vec<Card> = self.deck.iter().collect();
        shuffle(rng, &mut order);
        // Both players' cards are the first ten of a shuffled deck.
        let cards = [0, HAND_SIZE].map(|from| {
            let dealt = order[from..from + HAND_SIZE].iter();
            dealt.copied().collect::<Cards>()
        });
        Hand::new(cards, 0)
    }
}
