//! Monte Carlo counterfactual regret minimisation with external sampling (Lanctot et al. 2009).

use super::super::{Public, Stakes, deals};
use super::abstraction::{SIZE, Spot, spot};
use super::strategy::Strategy;
use crate::challenge::rules::{Cards, Challenge, Decision, Seat};
use crate::random::{Random, unit};
use arrayvec::ArrayVec;

/// Deals in a row after which a sweep's running value is renewed.
const VALUE_RATE: f32 = 1.0 / 4096.0;

/// Regrets and strategy sums of one hand game. Player 0 opens.
pub struct Trainer {
    regrets: Vec<f32>,
    sums: Vec<f32>,
    stakes: Stakes,
    random: Random,
    deals: u64,
}

impl Trainer {
    /// Nothing learnt yet.
    pub fn new(stakes: Stakes, random: Random) -> Trainer {
        Trainer {
            regrets: vec![0.0; SIZE],
            sums: vec![0.0; SIZE],
            stakes,
            random,
            deals: 0,
        }
    }

    /// Goes on with another hand game. What was learnt counts as `share` of what it did.
    pub fn turn_to(&mut self, stakes: Stakes, share: f32) {
        self.stakes = stakes;
        self.discount(share);
    }

    /// The stakes. A tie's value follows that of the game while it is being trained.
    pub fn stakes(&self) -> Stakes {
        self.stakes
    }

    /// Deals played so far.
    pub fn deals(&self) -> u64 {
        self.deals
    }

    /// Multiplies regrets and sums (linear weighting in blocks, as by Brown and Sandholm 2019).
    pub fn discount(&mut self, share: f32) {
        for number in self.regrets.iter_mut().chain(&mut self.sums) {
            *number *= share;
        }
    }

    /// Plays one block of a run with linear weights: the `index`-th, from 1.
    pub fn block(&mut self, deals: u64, index: u64) -> f32 {
        let value = self.play(deals);
        self.discount(index as f32 / (index + 1) as f32);
        value
    }

    /// Plays deals; returns the opener's mean chance to win the game.
    pub fn play(&mut self, deals: u64) -> f32 {
        let mut sum = 0.0;
        for _ in 0..deals {
            let hands = deals::fresh(&mut self.random);
            let first = self.walk(Public::new(0), hands, 0);
            let second = 1.0 - self.walk(Public::new(0), hands, 1);
            let value = (first + second) / 2.0;
            self.stakes.tied += (value - self.stakes.tied) * VALUE_RATE;
            sum += f64::from(value);
        }
        self.deals += deals;
        (sum / deals.max(1) as f64) as f32
    }

    /// The average strategy.
    pub fn strategy(&self) -> Strategy {
        Strategy::of_sums(&self.sums)
    }

    /// The chance of `learner` to win the game, all its own decisions tried and the other's sampled.
    fn walk(&mut self, public: Public, hands: [Cards; 2], learner: Seat) -> f32 {
        let offered = matches!(public.challenge, Challenge::Offered(_));
        if public.is_over() || (!offered && public.settled().is_some()) {
            return self.stakes.of(&public, learner);
        }
        let seat = public.to_act();
        let spot = spot(&public, hands[seat]);
        if let [(_, decision)] = spot.choices[..] {
            return self.go(&public, hands, seat, decision, learner);
        }
        let shares = self.matching(&spot);
        if seat == learner {
            self.learn(&public, hands, seat, &spot, &shares)
        } else {
            for (&(number, _), share) in spot.choices.iter().zip(&shares) {
                self.sums[spot.at + number] += share;
            }
            let chosen = pick(&shares, unit(&mut self.random) as f32);
            self.go(&public, hands, seat, spot.choices[chosen].1, learner)
        }
    }

    fn learn(
        &mut self,
        public: &Public,
        hands: [Cards; 2],
        seat: Seat,
        spot: &Spot,
        shares: &ArrayVec<f32, 6>,
    ) -> f32 {
        let mut values = ArrayVec::<f32, 6>::new();
        for &(_, decision) in &spot.choices {
            values.push(self.go(public, hands, seat, decision, seat));
        }
        let value: f32 = values.iter().zip(shares).map(|(v, s)| v * s).sum();
        for (&(number, _), v) in spot.choices.iter().zip(&values) {
            self.regrets[spot.at + number] += v - value;
        }
        value
    }

    fn go(
        &mut self,
        public: &Public,
        mut hands: [Cards; 2],
        seat: Seat,
        decision: Decision,
        learner: Seat,
    ) -> f32 {
        if let Decision::Play(card) = decision {
            hands[seat].remove(card);
        }
        self.walk(public.after(decision), hands, learner)
    }

    /// Regret matching (Hart and Mas-Colell 2000).
    fn matching(&self, spot: &Spot) -> ArrayVec<f32, 6> {
        let regret = |&(number, _): &(usize, Decision)| self.regrets[spot.at + number].max(0.0);
        let mut shares: ArrayVec<f32, 6> = spot.choices.iter().map(regret).collect();
        let sum: f32 = shares.iter().sum();
        let even = 1.0 / shares.len() as f32;
        for share in &mut shares {
            *share = if sum > 0.0 { *share / sum } else { even };
        }
        shares
    }
}

/// The index of the share that a number from 0 to 1 falls in.
fn pick(shares: &[f32], mut at: f32) -> usize {
    for (index, share) in shares.iter().enumerate() {
        at -= share;
        if at < 0.0 {
            return index;
        }
    }
    shares.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    const LAST: Stakes = Stakes {
        won: 1.0,
        lost: 0.0,
        tied: 0.5,
    };

    #[test]
    fn the_same_seed_gives_the_same_strategy() {
        let run = |seed| {
            let mut trainer = Trainer::new(LAST, stream(seed, 0));
            let value = trainer.play(200);
            (value.to_bits(), trainer.strategy())
        };
        let (one, two) = (run(3), run(3));
        assert_eq!(one.0, two.0);
        assert!(one.1 == two.1);
        assert!(one.1 != run(4).1);
    }

    /// With worthless points and a certain loss otherwise, a challenge is always accepted.
    #[test]
    fn who_loses_by_rejecting_accepts() {
        let mut trainer = Trainer::new(LAST, stream(1, 0));
        trainer.play(20_000);
        let strategy = trainer.strategy();
        let mut random = stream(2, 0);
        let offered = Public::new(0).after(Decision::Offer);
        let accepts: f32 = (0..200)
            .map(|_| {
                let own = deals::fresh(&mut random)[1];
                strategy.distribution(&offered, own)[0].1
            })
            .sum();
        assert!(accepts > 150.0, "{accepts}");
    }
}
