//! Monte Carlo counterfactual regret minimisation with external sampling (Lanctot et al. 2009).

use super::super::{Stakes, deals};
use super::abstraction::{Act, Acts, SIZE, situation};
use super::course::{Course, Dealt};
use super::strategy::Strategy;
use crate::rules::Seat;
use arrayvec::ArrayVec;
use engine::rng::{Random, unit};

/// The part of a tie's value that one deal renews.
const VALUE_RATE: f32 = 1.0 / 16_384.0;

/// Acts with less regret than this are rarely tried: they have lost more than they are likely to win
/// back (Brown and Sandholm 2015). Payoffs are chances to win the game.
const HOPELESS: f32 = -0.3;
/// One deal of so many tries all acts.
const THOROUGH: u64 = 16;

/// What is learnt of one decision in one situation.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    regret: f32,
    sum: f32,
}

/// Regrets and strategy sums of one hand game. Player 0 opens.
pub struct Trainer {
    entries: Vec<Entry>,
    stakes: Stakes,
    random: Random,
    deals: u64,
    thorough: bool,
}

impl Trainer {
    /// Nothing learnt yet.
    pub fn new(stakes: Stakes, random: Random) -> Trainer {
        Trainer {
            entries: vec![Entry::default(); SIZE],
            stakes,
            random,
            deals: 0,
            thorough: true,
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
        for entry in &mut self.entries {
            entry.regret *= share;
            entry.sum *= share;
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
        for deal in 0..deals {
            self.thorough = deal % THOROUGH == 0;
            let dealt = Dealt::new(deals::fresh(&mut self.random));
            let first = self.walk(Course::new(), &dealt, 0);
            let second = 1.0 - self.walk(Course::new(), &dealt, 1);
            let value = (first + second) / 2.0;
            self.stakes.tied += (value - self.stakes.tied) * VALUE_RATE;
            sum += f64::from(value);
        }
        self.deals += deals;
        (sum / deals.max(1) as f64) as f32
    }

    /// The average strategy.
    pub fn strategy(&self) -> Strategy {
        Strategy::of_sums(|place| self.entries[place].sum)
    }

    /// The chance of `learner` to win the game, all its own decisions tried and the other's sampled.
    fn walk(&mut self, course: Course, dealt: &Dealt, learner: Seat) -> f32 {
        if let Some(value) = course.value(&self.stakes) {
            return if learner == 0 { value } else { 1.0 - value };
        }
        let seat = course.to_act();
        let (at, acts) = situation(&course.key(), dealt.held(seat, &course));
        if let [(_, act)] = acts[..] {
            return self.walk(course.after(act, dealt), dealt, learner);
        }
        let shares = self.matching(at, &acts);
        if seat == learner {
            self.learn(&course, dealt, (at, &acts), &shares)
        } else {
            for (&(number, _), share) in acts.iter().zip(&shares) {
                self.entries[at + usize::from(number)].sum += share;
            }
            let chosen = pick(&shares, unit(&mut self.random) as f32);
            self.walk(course.after(acts[chosen].1, dealt), dealt, learner)
        }
    }

    /// Tries the acts of the player to act and adds to their regrets.
    fn learn(
        &mut self,
        course: &Course,
        dealt: &Dealt,
        (at, acts): (usize, &Acts),
        shares: &[f32],
    ) -> f32 {
        let seat = course.to_act();
        let mut tried = ArrayVec::<(usize, f32), 6>::new();
        let mut mean = 0.0;
        for (&(number, act), share) in acts.iter().zip(shares) {
            let place = at + usize::from(number);
            if self.thorough || self.entries[place].regret >= HOPELESS {
                let value = self.walk(course.after(act, dealt), dealt, seat);
                mean += share * value;
                tried.push((place, value));
            }
        }
        for (place, value) in tried {
            self.entries[place].regret += value - mean;
        }
        mean
    }

    /// Regret matching (Hart and Mas-Colell 2000).
    fn matching(&self, at: usize, acts: &[(u8, Act)]) -> ArrayVec<f32, 6> {
        let regret = |&(number, _): &(u8, Act)| self.entries[at + usize::from(number)].regret;
        let mut shares: ArrayVec<f32, 6> = acts.iter().map(|act| regret(act).max(0.0)).collect();
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
    use super::super::super::Public;
    use super::*;
    use crate::rules::Decision;
    use engine::rng::stream;

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
        trainer.play(60_000);
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
