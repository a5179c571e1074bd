//! Monte Carlo counterfactual regret minimisation with external sampling (Lanctot et al. 2009).

use super::compact::{CompactDeal, CompactHand};
use arrayvec::ArrayVec;
use challenge::deals;
use challenge::equilibrium::Stakes;
use challenge::equilibrium::blueprint::Strategy;
use challenge::equilibrium::blueprint::abstraction::{Action, Actions, SIZE, locate};
use challenge::rules::Seat;
use engine::rng::{Random, unit};

/// The part of a tie's value that one deal renews.
const VALUE_RATE: f32 = 1.0 / 16_384.0;

/// Actions with less regret than this are pruned: they have lost more than they are likely to win
/// back (Brown and Sandholm 2015). Payoffs are chances to win the game.
const PRUNED: f32 = -0.3;
/// One deal of so many prunes nothing.
const UNPRUNED: u64 = 16;

/// What is learned of one action in one information set.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    regret: f32,
    /// The action's part of the cumulative strategy.
    cumulative: f32,
}

/// Regrets and cumulative strategy of one hand game. Player 0 opens.
pub struct Trainer {
    /// By slot of the abstraction.
    entries: Vec<Entry>,
    stakes: Stakes,
    rng: Random,
    deals: u64,
    /// Whether the current deal is walked with pruning.
    prunes: bool,
}

impl Trainer {
    /// A trainer that has learned nothing.
    pub fn new(stakes: Stakes, rng: Random) -> Trainer {
        Trainer {
            entries: vec![Entry::default(); SIZE],
            stakes,
            rng,
            deals: 0,
            prunes: false,
        }
    }

    /// Goes on with another hand game. What was learned is discounted by a factor.
    pub fn turn_to(&mut self, stakes: Stakes, factor: f32) {
        self.stakes = stakes;
        self.discount(factor);
    }

    /// Deals played so far.
    pub fn deals(&self) -> u64 {
        self.deals
    }

    /// Multiplies regrets and cumulative strategy (linear weighting in blocks, as by Brown and
    /// Sandholm 2019).
    pub fn discount(&mut self, factor: f32) {
        for entry in &mut self.entries {
            entry.regret *= factor;
            entry.cumulative *= factor;
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
            self.prunes = deal % UNPRUNED != 0;
            let deal = CompactDeal::new(deals::fresh(&mut self.rng));
            let first = self.walk(CompactHand::new(), &deal, 0);
            let second = 1.0 - self.walk(CompactHand::new(), &deal, 1);
            let value = (first + second) / 2.0;
            self.stakes.tied += (value - self.stakes.tied) * VALUE_RATE;
            sum += f64::from(value);
        }
        self.deals += deals;
        (sum / deals.max(1) as f64) as f32
    }

    /// The average strategy.
    pub fn strategy(&self) -> Strategy {
        Strategy::from_cumulative(|place| self.entries[place].cumulative)
    }

    /// The chance of `learner` to win the game: all its own actions are tried and the other's sampled.
    fn walk(&mut self, hand: CompactHand, deal: &CompactDeal, learner: Seat) -> f32 {
        if let Some(value) = hand.value(&self.stakes) {
            return if learner == 0 { value } else { 1.0 - value };
        }
        let seat = hand.to_act();
        let (offset, actions) = locate(&hand.context(), deal.held(seat, &hand));
        if let [(_, action)] = actions[..] {
            return self.walk(hand.after(action, deal), deal, learner);
        }
        let strategy = self.regret_matching(offset, &actions);
        if seat == learner {
            self.learn(&hand, deal, (offset, &actions), &strategy)
        } else {
            for (&(slot, _), probability) in actions.iter().zip(&strategy) {
                self.entries[offset + usize::from(slot)].cumulative += probability;
            }
            let chosen = sample(&strategy, unit(&mut self.rng) as f32);
            self.walk(hand.after(actions[chosen].1, deal), deal, learner)
        }
    }

    /// Tries the actions of the player to act and adds to their regrets.
    fn learn(
        &mut self,
        hand: &CompactHand,
        deal: &CompactDeal,
        (offset, actions): (usize, &Actions),
        strategy: &[f32],
    ) -> f32 {
        let seat = hand.to_act();
        let mut tried = ArrayVec::<(usize, f32), 6>::new();
        let mut mean = 0.0;
        for (&(slot, action), probability) in actions.iter().zip(strategy) {
            let place = offset + usize::from(slot);
            if !self.prunes || self.entries[place].regret >= PRUNED {
                let value = self.walk(hand.after(action, deal), deal, seat);
                mean += probability * value;
                tried.push((place, value));
            }
        }
        for (place, value) in tried {
            self.entries[place].regret += value - mean;
        }
        mean
    }

    /// The current strategy of an information set (Hart and Mas-Colell 2000).
    fn regret_matching(&self, offset: usize, actions: &[(u8, Action)]) -> ArrayVec<f32, 6> {
        let regret = |&(slot, _): &(u8, Action)| self.entries[offset + usize::from(slot)].regret;
        let positive = |action| regret(action).max(0.0);
        let mut strategy: ArrayVec<f32, 6> = actions.iter().map(positive).collect();
        let sum: f32 = strategy.iter().sum();
        let even = 1.0 / strategy.len() as f32;
        for probability in &mut strategy {
            *probability = if sum > 0.0 { *probability / sum } else { even };
        }
        strategy
    }
}

/// The index that a uniform number from 0 to 1 falls on.
fn sample(strategy: &[f32], mut uniform: f32) -> usize {
    for (index, probability) in strategy.iter().enumerate() {
        uniform -= probability;
        if uniform < 0.0 {
            return index;
        }
    }
    strategy.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use challenge::rules::{Decision, PublicState};
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
        let mut rng = stream(2, 0);
        let offered = PublicState::new(0).after(Decision::Offer);
        let accepts: f32 = (0..200)
            .map(|_| {
                let own = deals::fresh(&mut rng)[1];
                strategy.distribution(&offered, own)[0].1
            })
            .sum();
        assert!(accepts > 150.0, "{accepts}");
    }
}
