//! `lab challenge exploit --exact`: computes or samples how much best responses win against a player in one hand,
//! and prints it.

use crate::challenge::ResolvingPlayer;
use crate::challenge::best_response::{BestResponse, HandStrategy, strategy_of};
use crate::challenge::opening::OpeningCheck;
use anyhow::Result;
use arena::progress::Steps;
use arena::stats::Mean;
use arena::text_table::number;
use challenge::equilibrium::Stakes;
use challenge::equilibrium::blueprint::Blueprint;
use challenge::player::{Builtin, EquilibriumSettings};
use challenge::rules::{DEFAULT_GOAL, HAND_SIZE};
use engine::rng::{Random, stream};
use rayon::prelude::*;
use seats::challenge::players::NamedPlayer;
use seats::cli::Usage;

/// The most last tricks of a sampled hand that are walked.
const MOST_SAMPLED: u8 = 3;

/// Endgames that are solved for the value function of a whole hand's best response.
const VALUED: u32 = 400;

/// A measurement of best responses to a player in one hand, as the options ask for it.
pub(super) struct Exact<'a> {
    pub player: NamedPlayer,
    /// The opener's points and the other's before the hand.
    pub points: [u8; 2],
    /// Numbers of last tricks in which the responder plays a best response; each has a line.
    pub tricks: &'a [u8],
    /// Number of hands to sample, instead of walking all.
    pub sample: Option<u32>,
    pub seed: u64,
    /// Iterations of endgames of three cards, for the player that solves them.
    pub iterations: Option<u32>,
    /// If given, the gain of the player that solves endgames over the blueprint is measured instead, with
    /// this many playouts of each hand.
    pub playouts: Option<u32>,
    /// The opponent in these playouts.
    pub against: NamedPlayer,
}

impl Exact<'_> {
    /// Prints a line for each number of tricks.
    pub(super) fn run(&self, blueprint: &Blueprint) -> Result<()> {
        let [own, theirs] = self.points;
        // The equilibrium player's decisions depend on the whole history, so its hands are sampled.
        if let NamedPlayer::Builtin(Builtin::Equilibrium) = self.player {
            return self.resolving(blueprint);
        }
        for (option, number) in [("playouts", self.playouts), ("iterations", self.iterations)] {
            if number.is_some() {
                refuse!(
                    "--{option}: {} solves no endgames, only equilibrium does",
                    self.player
                );
            }
        }
        let strategy = self.strategy(self.player, blueprint)?;
        let stakes = blueprint.values().stakes(own, theirs);
        let game = BestResponse::new(&*strategy, stakes);
        for &tricks in self.tricks {
            if let Some(hands) = self.sample {
                if !(1..=MOST_SAMPLED).contains(&tricks) {
                    refuse!(
                        "expected 1 to {MOST_SAMPLED} tricks if hands are sampled, not {tricks}"
                    );
                }
                let gain = |rng: &mut Random| game.sampled_gain(tricks.into(), rng);
                self.sampled(&gain, &stakes, tricks, hands)?;
                continue;
            }
            let steps = Steps::new(2 * BestResponse::STEPS, "first tricks at most");
            let found = game.exploitability(tricks.into(), &|| steps.finished());
            steps.clear();
            line!(
                "{:<12} at {own}:{theirs} loses {:7.4} points of {:.4} a hand to a best response in the last \
                 {tricks} tricks: {:.5} chances to win the game; that wins {:.3} % as opener, {:.3} % as \
                 follower",
                self.player.to_string(),
                found.points(&stakes),
                stakes.point(),
                found.chances(),
                100.0 * found.opener,
                100.0 * found.follower,
            )?;
        }
        Ok(())
    }

    /// The strategy of a player at the score.
    fn strategy<'b>(
        &self,
        player: NamedPlayer,
        blueprint: &'b Blueprint,
    ) -> Result<Box<dyn HandStrategy + 'b>> {
        match strategy_of(player, blueprint, self.points) {
            Some(strategy) => Ok(strategy),
            None => refuse!("the strategy of {player} is not known"),
        }
    }

    /// The measurement for the player that solves endgames while it plays.
    fn resolving(&self, blueprint: &Blueprint) -> Result<()> {
        let stakes = blueprint.values().stakes(self.points[0], self.points[1]);
        let usual = EquilibriumSettings::default();
        let [two, three] = usual.iterations;
        let player = ResolvingPlayer {
            opened: blueprint.opened(&stakes),
            stakes,
            settings: EquilibriumSettings {
                iterations: [two, self.iterations.unwrap_or(three)],
                ..usual
            },
        };
        let hands = self.sample.ok_or_else(|| {
            Usage::new("expected --sample: the player solves endgames while it plays")
        })?;
        if let Some(playouts) = self.playouts {
            return self.advantage(&player, blueprint, playouts, hands);
        }
        for &tricks in self.tricks {
            if usize::from(tricks) == HAND_SIZE {
                self.whole(&player, hands)?;
                continue;
            }
            if !(2..=MOST_SAMPLED).contains(&tricks) {
                refuse!(
                    "expected --tricks 2 or {MOST_SAMPLED}, the last tricks, in which {} solves endgames, or \
                     {HAND_SIZE}, not {tricks}",
                    self.player
                );
            }
            let gain = |rng: &mut Random| player.sampled_gain(tricks.into(), rng);
            self.sampled(&gain, &stakes, tricks, hands)?;
        }
        Ok(())
    }

    /// Prints the gain of a best response in a whole hand, found by a value function and corrected
    /// by samples.
    fn whole(&self, player: &ResolvingPlayer, hands: u32) -> Result<()> {
        let steps = Steps::new(u64::from(VALUED + 2 * hands), "endgames");
        let finished = |count: u32| (0..count).for_each(|_| steps.finished());
        let iterations = player.settings.iterations(MOST_SAMPLED.into());
        if iterations == 0 {
            refuse!("expected --iterations above 0, to solve the third trick");
        }
        let endgames = (VALUED, player.settings.iterations);
        let mut check =
            OpeningCheck::new(player.opened, player.stakes, endgames, self.seed, finished);
        let point = f64::from(player.stakes.point());
        // Means over the seats: gain by the value function, and sampled correction.
        let mut sums = [0.0; 2];
        let mut squares = Some(0.0);
        for seat in 0..2 {
            // First the response by the value function, then the mean of its true gain less that.
            let best = check.best(seat);
            let more = |hand: u32| {
                // The low four bits are 8 or 9. In `mean` they are 2, 3, 10 or 11 for this player, so no stream is
                // used for both measurements.
                let mut rng = stream(self.seed, u64::from(hand) << 4 | 8 | seat as u64);
                let more = check.more(seat, &mut rng);
                steps.finished();
                more
            };
            let samples: Vec<f64> = (0..hands).into_par_iter().map(more).collect();
            let found: Mean = samples.iter().copied().collect();
            for (sum, part) in sums.iter_mut().zip([best, found.mean()]) {
                *sum += part / 2.0;
            }
            squares = squares
                .zip(found.margin())
                .map(|(sum, margin)| sum + margin.powi(2));
        }
        steps.clear();
        let [by_values, more] = sums;
        let [own, theirs] = self.points;
        // The mean of two independent numbers with margins `a` and `b` has the margin
        // `√(a² + b²) / 2`.
        let margin = squares.map(|squares: f64| squares.sqrt() / 2.0 / point);
        line!(
            "{:<12} at {own}:{theirs} loses {:7.4} ± {} points of {point:.4} a hand to a best response that a value \
             function finds ({:.4} by that function): {:.5} chances to win the game, over {hands} hands as either player",
            self.player.to_string(),
            (by_values + more) / point,
            number(margin, 4),
            by_values / point,
            by_values + more,
        )?;
        Ok(())
    }

    /// Prints the gain of the player that solves endgames over the blueprint against another
    /// player.
    fn advantage(
        &self,
        player: &ResolvingPlayer,
        blueprint: &Blueprint,
        playouts: u32,
        hands: u32,
    ) -> Result<()> {
        let other = self.strategy(self.against, blueprint)?;
        let gain = |rng: &mut Random| player.sampled_advantage(&*other, playouts, rng);
        let found = self.mean(&gain, MOST_SAMPLED, hands);
        let point = f64::from(player.stakes.point());
        let [own, theirs] = self.points;
        line!(
            "{:<12} at {own}:{theirs} wins {:7.4} ± {} points of {point:.4} a hand more than the blueprint \
             against {}: {:.5} chances to win the game, over {hands} hands as either player",
            self.player.to_string(),
            found.mean() / point,
            number(found.margin().map(|margin| margin / point), 4),
            self.against,
            found.mean(),
        )?;
        Ok(())
    }

    /// The mean over sampled hands.
    fn mean(&self, gain: &(dyn Fn(&mut Random) -> f64 + Sync), tricks: u8, hands: u32) -> Mean {
        let steps = Steps::new(hands.into(), "hands");
        // Each hand has its own stream, so threads do not change the result.
        let sampled = |hand: u32| {
            let mut rng = stream(self.seed, u64::from(hand) << 3 | u64::from(tricks));
            let gain = gain(&mut rng);
            steps.finished();
            gain
        };
        let gains: Vec<f64> = (0..hands).into_par_iter().map(sampled).collect();
        steps.clear();
        gains.into_iter().collect()
    }

    /// Prints the gain of best responses in sampled hands.
    fn sampled(
        &self,
        gain: &(dyn Fn(&mut Random) -> f64 + Sync),
        stakes: &Stakes,
        tricks: u8,
        hands: u32,
    ) -> Result<()> {
        let found = self.mean(gain, tricks, hands);
        let point = f64::from(stakes.point());
        let [own, theirs] = self.points;
        line!(
            "{:<12} at {own}:{theirs} loses {:7.4} ± {} points of {point:.4} a hand to a best response in the \
             last {tricks} tricks: {:.5} chances to win the game, over {hands} hands",
            self.player.to_string(),
            found.mean() / point,
            number(found.margin().map(|margin| margin / point), 4),
            found.mean(),
        )?;
        Ok(())
    }
}

/// Reads a score such as `8:3`.
pub(super) fn score(text: &str) -> Result<[u8; 2], String> {
    let points = |text: &str| text.parse().ok().filter(|&points| points < DEFAULT_GOAL);
    let parts = text.split_once(':');
    let read = parts.and_then(|(own, theirs)| Some([points(own)?, points(theirs)?]));
    read.ok_or_else(|| {
        let most = DEFAULT_GOAL - 1;
        format!("expected the opener's points and the other's, each from 0 to {most}, such as 8:3")
    })
}

#[cfg(test)]
mod tests {
    use super::score;

    #[test]
    fn scores_are_those_before_a_hand() {
        assert_eq!(score("0:0"), Ok([0, 0]));
        assert_eq!(score("8:3"), Ok([8, 3]));
        for wrong in ["", "8", "8:", "10:0", "1:-1", "1:2:3"] {
            assert!(score(wrong).is_err(), "{wrong}");
        }
    }
}
