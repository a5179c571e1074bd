//! Monte Carlo counterfactual regret minimisation with external sampling (Lanctot et al. 2009).
//!
//! Each deal is walked once for each player, the learner. At the learner's decisions all actions
//! are walked, and the regret of each grows by its value less the mean by the current strategy. At
//! the other's decisions one action is sampled from the current strategy, which is added to the
//! average. Deals and the other's actions come up with their own probabilities, so regrets need no
//! weights. Answers to an offer are not sampled: both are walked.

use super::compact::{CompactDeal, CompactHand};
use arrayvec::ArrayVec;
use challenge::deals;
use challenge::equilibrium::Stakes;
use challenge::equilibrium::blueprint::Strategy;
use challenge::equilibrium::blueprint::abstraction::{Action, Actions, SIZE, locate};
use challenge::rules::Seat;
use engine::rng::{Random, pick, stream, unit};
use engine::store::{Kind, StoreError, read_table, write_table};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The share of a tie's value that one deal renews. The value follows that of the hand as an
/// exponential mean over about 16,384 deals.
const VALUE_RATE: f32 = 1.0 / 16_384.0;

/// The floor of the regrets of offers and answers when a training begins, in chances to win the
/// game: one lost call. It rises to 0 until the end. Without the floor, a bluff or a call that has failed
/// a few times needs hundreds of small gains to come back, and the tables hardly ever accept or bluff.
const FLOOR: f32 = -0.5;

/// Cards with less regret than this are pruned: they have lost more than they are likely to win
/// back (Brown and Sandholm 2015). A floor under their regrets would leave bad cards in play
/// instead.
const PRUNED: f32 = -0.3;
/// One deal of this many prunes nothing, so that a pruned card can come back.
const UNPRUNED: u64 = 16;

/// The version of checkpoints.
const CHECKPOINT: Kind = Kind::new("training", 1);

/// The regret and the cumulative strategy of one action in one information set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Entry {
    regret: f32,
    /// The sum of the action's probabilities over visits.
    cumulative: f32,
}

/// Trains the strategy of a hand game: one hand whose results have given values, the stakes. Player 0 opens.
pub struct Trainer {
    /// By the slots of the abstraction.
    entries: Vec<Entry>,
    stakes: Stakes,
    rng: Random,
    deals: u64,
    /// The present floor of the regrets of offers and answers.
    floor: f32,
    /// Whether the current deal is walked with pruning.
    prunes: bool,
}

/// A run of a training: its hand game and its size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub stakes: Stakes,
    /// Deals of the whole run.
    pub deals: u64,
    /// Number of blocks of deals; later blocks weigh more.
    pub blocks: u64,
    /// Seed of the deals of all hand games.
    pub seed: u64,
    /// The number of the hand game, which selects its stream of deals.
    pub number: u64,
}

/// The state of a run between two blocks.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    run: Run,
    block: u64,
    tied: f32,
    entries: Vec<Entry>,
}

impl Trainer {
    /// A trainer without any experience.
    pub fn new(stakes: Stakes, rng: Random) -> Trainer {
        Trainer {
            entries: vec![Entry::default(); SIZE],
            stakes,
            rng,
            deals: 0,
            floor: FLOOR,
            prunes: false,
        }
    }

    /// Trains for a whole run. It starts from `checkpoint` if that is of the same run, and renews
    /// it after every `every` blocks. Calls `played` after each block with the number of finished
    /// blocks. Returns the trainer and the opener's mean chance in the last block.
    ///
    /// # Errors
    /// If the checkpoint cannot be written.
    pub fn train(
        run: &Run,
        checkpoint: &Path,
        every: u64,
        mut played: impl FnMut(u64),
    ) -> Result<(Trainer, f32), StoreError> {
        let mut trainer = Trainer::new(run.stakes, run.stream(0));
        let mut value = 0.0;
        let mut done = trainer.restore(run, checkpoint);
        played(done);
        while done < run.blocks {
            // Each block has its own stream, so a stopped run plays the same deals when it goes on.
            trainer.rng = run.stream(done);
            // The floor rises with the blocks: −0.5 in the first, nearly 0 in the last.
            trainer.floor = FLOOR * (1.0 - done as f32 / run.blocks as f32);
            // All blocks have as many deals, but for a remainder; their weights differ.
            let up_to = |blocks: u64| run.deals * blocks / run.blocks;
            value = trainer.play(up_to(done + 1) - up_to(done));
            done += 1;
            trainer.weigh(done);
            if done.is_multiple_of(every) && done < run.blocks {
                trainer.store(run, done, checkpoint)?;
            }
            played(done);
        }
        Ok((trainer, value))
    }

    /// Restores a checkpoint if it is of this run; returns the number of finished blocks.
    fn restore(&mut self, run: &Run, path: &Path) -> u64 {
        match read_table::<Checkpoint>(path, CHECKPOINT) {
            // The whole description must agree: a checkpoint of other deals or another score would
            // mix two runs.
            Ok(found) if found.run == *run && found.entries.len() == SIZE => {
                self.entries = found.entries;
                self.stakes.tied = found.tied;
                self.deals = run.deals * found.block / run.blocks;
                found.block
            }
            _ => 0,
        }
    }

    /// Writes a checkpoint. The entries are moved into it and back: a copy would double the memory.
    fn store(&mut self, run: &Run, block: u64, path: &Path) -> Result<(), StoreError> {
        let checkpoint = Checkpoint {
            run: *run,
            block,
            tied: self.stakes.tied,
            entries: std::mem::take(&mut self.entries),
        };
        let written = write_table(path, CHECKPOINT, &checkpoint);
        self.entries = checkpoint.entries;
        written
    }

    /// Goes on with another hand game, from regrets and sums multiplied by `factor`.
    pub fn turn_to(&mut self, stakes: Stakes, factor: f32) {
        self.stakes = stakes;
        self.discount(factor, factor);
    }

    /// The number of deals played so far.
    pub fn deals(&self) -> u64 {
        self.deals
    }

    /// Multiplies all regrets and all sums by factors.
    fn discount(&mut self, regrets: f32, cumulative: f32) {
        for entry in &mut self.entries {
            entry.regret *= regrets;
            entry.cumulative *= cumulative;
        }
    }

    /// Ends block `index`, from 1. Multiplying by `i / (i + 1)` after every block gives block `k`
    /// of `n` the weight `k / (n + 1)` in the end. Regrets get this weight, strategies its square
    /// (as by Brown and Sandholm 2019).
    fn weigh(&mut self, index: u64) {
        let factor = index as f32 / (index + 1) as f32;
        self.discount(factor, factor * factor);
    }

    /// Plays deals and returns the opener's mean chance to win the game.
    pub fn play(&mut self, deals: u64) -> f32 {
        let mut sum = 0.0;
        for deal in 0..deals {
            // Fixed by the number of the deal, not drawn: a resumed run prunes the same deals.
            self.prunes = deal % UNPRUNED != 0;
            let deal = CompactDeal::new(deals::fresh(&mut self.rng));
            // Both players learn from the same deal, one after the other.
            let first = self.walk(CompactHand::new(), &deal, 0);
            let second = 1.0 - self.walk(CompactHand::new(), &deal, 1);
            let value = (first + second) / 2.0;
            // A tie leads to another hand at the same score, so its value is the opener's mean
            // chance.
            self.stakes.tied += (value - self.stakes.tied) * VALUE_RATE;
            sum += f64::from(value);
        }
        self.deals += deals;
        (sum / deals.max(1) as f64) as f32
    }

    /// The average strategy so far.
    pub fn strategy(&self) -> Strategy {
        Strategy::from_cumulative(|place| self.entries[place].cumulative)
    }

    /// The chance of `learner` to win the game. All actions of the learner are tried; the other's
    /// are sampled.
    fn walk(&mut self, hand: CompactHand, deal: &CompactDeal, learner: Seat) -> f32 {
        // The result is certain; stakes are the opener's, player 0.
        if let Some(value) = hand.value(&self.stakes) {
            return if learner == 0 { value } else { 1.0 - value };
        }
        let seat = hand.to_act();
        // The abstraction: where the numbers of this information set begin, and which actions have
        // which slot.
        let (offset, actions) = locate(&hand.context(), deal.held(seat, &hand));
        // A forced action teaches nothing.
        if let [(_, action)] = actions[..] {
            return self.walk(hand.after(action, deal), deal, learner);
        }
        let strategy = self.regret_matching(offset, &actions);
        if seat == learner {
            self.learn(&hand, deal, (offset, &actions), &strategy)
        } else {
            // The deal and the other's actions are sampled, and the learner's are all walked. So the other comes
            // here in proportion to its own reach, and plain sums are weighted by it.
            for (&(slot, _), probability) in actions.iter().zip(&strategy) {
                self.entries[offset + usize::from(slot)].cumulative += probability;
            }
            if actions[0].1 == Action::Accept {
                return self.answered(&hand, deal, learner, (&actions, &strategy));
            }
            let chosen = pick(strategy.iter().copied(), unit(&mut self.rng) as f32);
            let chosen = chosen.unwrap_or(strategy.len() - 1);
            self.walk(hand.after(actions[chosen].1, deal), deal, learner)
        }
    }

    /// The mean over the other's answers to the learner's offer. Sampling one of them would drown the small gain of an
    /// offer in the noise of rare calls.
    ///
    /// Both answers are walked, and decisions after an acceptance learn with the weight 1 whatever its probability. So
    /// hands that seldom accept count there as much as hands that always do: the range in training is not the one that
    /// comes up in play.
    fn answered(
        &mut self,
        hand: &CompactHand,
        deal: &CompactDeal,
        learner: Seat,
        (actions, strategy): (&Actions, &[f32]),
    ) -> f32 {
        let mut mean = 0.0;
        for (&(_, action), &probability) in actions.iter().zip(strategy) {
            if probability > 0.0 {
                mean += probability * self.walk(hand.after(action, deal), deal, learner);
            }
        }
        mean
    }

    /// Tries the actions of the learner and updates their regrets.
    fn learn(
        &mut self,
        hand: &CompactHand,
        deal: &CompactDeal,
        (offset, actions): (usize, &Actions),
        strategy: &[f32],
    ) -> f32 {
        let seat = hand.to_act();
        // A negative regret has probability 0, so a pruned card does not change the mean, unless no regret is positive:
        // then all actions are equally likely, and each of them is tried.
        let regret = |slot: u8| self.entries[offset + usize::from(slot)].regret;
        let prunes = self.prunes && actions.iter().any(|&(slot, _)| regret(slot) > 0.0);
        let mut tried = ArrayVec::<(usize, f32, f32), 6>::new();
        let mut mean = 0.0;
        for (&(slot, action), probability) in actions.iter().zip(strategy) {
            let place = offset + usize::from(slot);
            let is_card = matches!(action, Action::Play(_));
            if is_card && prunes && self.entries[place].regret < PRUNED {
                continue;
            }
            // The deal fixes the other's cards. So this value holds for one deal; the mean over deals is the
            // value of the action.
            let value = self.walk(hand.after(action, deal), deal, seat);
            mean += probability * value;
            // Cards have no floor; they are pruned instead.
            let floor = if is_card { f32::MIN } else { self.floor };
            tried.push((place, value, floor));
        }
        // The mean is known only now.
        for (place, value, floor) in tried {
            let regret = &mut self.entries[place].regret;
            *regret = (*regret + value - mean).max(floor);
        }
        mean
    }

    /// The current strategy of an information set, by regret matching (Hart and Mas-Colell 2000):
    /// in proportion to positive regrets, uniform if there are none.
    fn regret_matching(&self, offset: usize, actions: &[(u8, Action)]) -> ArrayVec<f32, 6> {
        let regret = |&(slot, _): &(u8, Action)| self.entries[offset + usize::from(slot)].regret;
        let positive = |action| regret(action).max(0.0);
        let mut strategy: ArrayVec<f32, 6> = actions.iter().map(positive).collect();
        let sum: f32 = strategy.iter().sum();
        // Without a positive regret any action may be the one to learn about.
        let even = 1.0 / strategy.len() as f32;
        for probability in &mut strategy {
            *probability = if sum > 0.0 { *probability / sum } else { even };
        }
        strategy
    }
}

impl Run {
    /// The random numbers of a block.
    fn stream(&self, block: u64) -> Random {
        stream(self.seed, (self.number + 1) << 32 | block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::process::testing::scratch;
    use challenge::equilibrium::blueprint::abstraction::information_set;
    use challenge::rules::{Decision, PublicState};

    const LAST: Stakes = Stakes {
        won: 1.0,
        lost: 0.0,
        tied: 0.5,
    };

    /// A run that is stopped after any block goes on from its checkpoint and ends with the same strategy; a
    /// checkpoint of another run is not used.
    #[test]
    fn a_stopped_run_goes_on() {
        let run = Run {
            stakes: LAST,
            deals: 40,
            blocks: 4,
            seed: 5,
            number: 2,
        };
        let (_folder, path) = scratch("checkpoint");
        let begin = |run: &Run, seen: &mut Vec<u64>| {
            let (trainer, _) = Trainer::train(run, &path, 1, |done| seen.push(done)).unwrap();
            trainer.strategy()
        };
        let mut seen = Vec::new();
        let whole = begin(&run, &mut seen);
        assert_eq!(seen, [0, 1, 2, 3, 4]);
        std::fs::remove_file(&path).unwrap();
        let stopped = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let stop = |done| assert!(done < 2, "stopped");
            let _ = Trainer::train(&run, &path, 1, stop);
        }));
        assert!(stopped.is_err() && path.exists());
        let other = Run { seed: 6, ..run };
        let mut trainer = Trainer::new(LAST, other.stream(0));
        assert_eq!(trainer.restore(&other, &path), 0);
        seen.clear();
        assert!(begin(&run, &mut seen) == whole);
        assert_eq!(seen, [2, 3, 4]);
    }

    /// The regrets of answers stay above a floor, so that calls can come back. Those of cards may fall below it.
    #[test]
    fn no_answer_falls_below_the_floor() {
        let mut trainer = Trainer::new(LAST, stream(1, 0));
        trainer.play(3000);
        let hands = [0, 1].map(|part| deals::fresh(&mut stream(2, part))[1]);
        let offered = PublicState::new(0).after(Decision::Offer);
        let mut answers = Vec::new();
        for table in challenge::rules::Card::all() {
            let led = PublicState::new(0).after(Decision::Play(table));
            for public in [offered, led.after(Decision::Offer)] {
                for own in hands {
                    let own = match public.table {
                        Some(_) => own.without(own.lowest().unwrap()).unwrap(),
                        None => own,
                    };
                    let set = information_set(&public, own);
                    let place = |&(slot, _): &(usize, Decision)| set.offset + slot;
                    answers.extend(set.decisions.iter().map(place));
                }
            }
        }
        let regret = |place: usize| trainer.entries[place].regret;
        assert!(answers.iter().all(|&place| regret(place) >= FLOOR));
        let least = trainer.entries.iter().map(|entry| entry.regret);
        assert!(least.fold(0.0, f32::min) < FLOOR);
    }

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

    /// If points are worthless and a rejection loses for certain, every challenge is accepted.
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
