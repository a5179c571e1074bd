//! Measures how much the player that solves endgames while it plays loses to best responses, and how much it
//! gains over the blueprint. `lab challenge exploit --exact --sample` calls it.
//!
//! The player's decisions depend on the whole history of a hand and on its seat, so no table of situations
//! can hold them. Histories are sampled instead. After a history the player's strategy is put together from
//! its solution of three cards, with the part for two cards replaced by the solutions that it would compute
//! there.

use super::best_response::HandStrategy;
use super::self_play::step;
use challenge::deals;
use challenge::equilibrium::blueprint::{Opened, probability_of};
use challenge::equilibrium::endgame::{Endgame, Solver};
use challenge::equilibrium::{HandSoFar, History, MOST_SOLVED, Multisets, Resolving, Stakes};
use challenge::player::EquilibriumSettings;
use challenge::rules::{Cards, Decision, Hand, PACKS, PublicState, Seat};
use engine::rng::{Random, stream, unit};
use rand::Rng;

/// The player that solves endgames, in one hand game.
pub struct ResolvingPlayer<'a> {
    /// The strategy before the endgames.
    pub opened: Opened<'a>,
    /// The values of the results of the hand.
    pub stakes: Stakes,
    pub settings: EquilibriumSettings,
}

/// A hand that was played up to one of its last tricks.
struct Played {
    log: Vec<Decision>,
    /// By player, the endgames that it has solved.
    resolving: [Resolving; 2],
}

impl ResolvingPlayer<'_> {
    /// How much more a best response in the last two or three tricks wins than the player itself, in one
    /// hand that it plays against itself: the mean over both seats, in chances to win the game; 0 if the hand
    /// ends before. The mean over many hands is the exploitability in these tricks. If the settings have no
    /// iterations for three cards, as on a busy machine, only the last two tricks are solved.
    pub fn sampled_gain(&self, last_tricks: usize, rng: &mut Random) -> f64 {
        let Some(mut played) = self.play(last_tricks, [&self.opened; 2], rng) else {
            return 0.0;
        };
        let solved = self.settings.iterations(MOST_SOLVED) > 0;
        // Before the first solved endgame both play by the strategy.
        let from = if solved { MOST_SOLVED } else { last_tricks };
        let before = History::of(0, &played.log, from);
        let Some(before) = before else {
            return 0.0;
        };
        let policy =
            |public: &PublicState, own: Cards, decision| self.policy(public, own, decision);
        // The true ranges at the first endgame, without deviations.
        let mut truth = before.endgame(&policy, [0.0; 2], self.stakes, PACKS);
        // If the response begins a trick later, each player has played that trick by its own solution, and its
        // range follows from that.
        if last_tricks < from {
            let log = &played.log[before.len()..];
            let after = [0, 1].map(|seat: Seat| {
                let (_, solver) = played.resolving[seat].last()?;
                Some(solver.after(&truth, log, [0.0; 2]))
            });
            let [Some(mut first), Some(second)] = after else {
                return 0.0;
            };
            // Each range follows from its own player's solution.
            first.reach[1].clone_from(&second.reach[1]);
            truth = first;
        }
        // The values of both best responses, above a tie; the player against itself wins `v` and
        // `−v`, so the mean is the mean gain.
        let gains = [0, 1].map(|seat: Seat| {
            let other = 1 - seat;
            self.answer(&mut played, seat, last_tricks, &truth)
                .map_or(0.0, |mut solver| solver.best_value(other))
        });
        (gains[0] + gains[1]) / 2.0
    }

    /// How much more the player wins by solving than by the blueprint, against another player in one hand: the
    /// mean over both seats, in chances to win the game. The blueprint and the other play to the last three
    /// tricks. From there `playouts` pairs of hands are drawn by their probability, and each is played out twice:
    /// once the player follows the solution of three cards, once the blueprint.
    pub fn sampled_advantage(
        &self,
        other: &dyn HandStrategy,
        playouts: u32,
        rng: &mut Random,
    ) -> f64 {
        let of_seat = |seat| self.advantage_of_seat(seat, other, playouts, rng);
        [0, 1].map(of_seat).iter().sum::<f64>() / 2.0
    }

    /// The gain of [`sampled_advantage`](Self::sampled_advantage) in one seat.
    fn advantage_of_seat(
        &self,
        seat: Seat,
        other: &dyn HandStrategy,
        playouts: u32,
        rng: &mut Random,
    ) -> f64 {
        let mut players: [&dyn HandStrategy; 2] = [other; 2];
        players[seat] = &self.opened;
        let Some(mut played) = self.play(MOST_SOLVED, players, rng) else {
            return 0.0;
        };
        let Some(before) = History::of(0, &played.log, MOST_SOLVED) else {
            return 0.0;
        };
        let policy = |public: &PublicState, own: Cards, decision| {
            probability_of(&players[public.to_act()].decisions(public, own), decision)
        };
        // The ranges of both by the strategies that really played.
        let truth = before.endgame(&policy, [0.0; 2], self.stakes, PACKS);
        let pairs = PairsOfHands::new(&truth);
        let resolving = &mut played.resolving[seat];
        self.with_hand(seat, &played.log, |hand, go_on| {
            resolving.solve(hand, go_on);
        });
        let Some((_, solver)) = resolving.last() else {
            return 0.0;
        };
        let mut sum = 0.0;
        for _ in 0..playouts {
            let Some(cards) = pairs.draw(rng) else {
                return 0.0;
            };
            // Both versions get the same hands and the same random numbers, so their difference has
            // less noise.
            let luck = rng.next_u64();
            let value = |solver: Option<&Solver>| {
                let mut hand = Hand::under_way(cards, truth.public);
                let (mut log, mut rng) = (Vec::new(), stream(luck, 0));
                while !hand.public().is_decided() {
                    let decision = step(&mut hand, &mut rng, |public, own| {
                        // The solution decides for the player, never for the other.
                        let solver = solver.filter(|_| public.to_act() == seat);
                        let solved = solver.and_then(|solver| solver.strategy(&log, own));
                        solved.unwrap_or_else(|| players[public.to_act()].decisions(public, own))
                    });
                    match decision {
                        Some(decision) => log.push(decision),
                        None => break,
                    }
                }
                f64::from(self.stakes.of(hand.public(), seat))
            };
            sum += value(Some(solver)) - value(None);
        }
        sum / f64::from(playouts.max(1))
    }

    /// The strategy of the player in one seat after a history, as one solver with the true ranges; none if the
    /// player has solved nothing with this number of tricks left.
    fn answer(
        &self,
        played: &mut Played,
        seat: Seat,
        tricks: usize,
        truth: &Endgame,
    ) -> Option<Solver> {
        let resolving = &mut played.resolving[seat];
        self.with_hand(seat, &played.log, |hand, go_on| {
            resolving.solve(hand, go_on)
        });
        let (endgame, solver) = resolving.last()?;
        // If nothing was to be solved, the last solution is of an earlier endgame.
        if endgame.public.tricks_left() != tricks {
            return None;
        }
        let mut all = solver.clone().with_ranges_of(truth);
        // For every way to play the next trick: the solution that the player would compute after
        // it.
        for log in solver.first_tricks() {
            let mut whole = played.log.clone();
            whole.extend(log.iter().copied());
            let after = self.with_hand(seat, &whole, |hand, go_on| {
                resolving.solution_after(hand, go_on)
            });
            if let Some(after) = after {
                all.replace(&log, after);
            }
        }
        Some(all)
    }

    /// The probability of a decision by the strategy before the endgames.
    fn policy(&self, public: &PublicState, own: Cards, decision: Decision) -> f32 {
        probability_of(&self.opened.played(public, own), decision)
    }

    /// Calls `call` with a player's knowledge of a hand, and with the rule that stops its
    /// iterations.
    fn with_hand<T>(
        &self,
        seat: Seat,
        log: &[Decision],
        call: impl FnOnce(&HandSoFar, &mut dyn FnMut(usize, u32) -> bool) -> T,
    ) -> T {
        let policy =
            |public: &PublicState, own: Cards, decision| self.policy(public, own, decision);
        // The player assumes that both played by its own strategy before the endgames.
        let hand = HandSoFar {
            seat,
            opener: 0,
            log,
            stakes: self.stakes,
            deck: PACKS,
            policy: &policy,
        };
        call(&hand, &mut |cards, done| {
            done < self.settings.iterations(cards)
        })
    }

    /// Deals and plays a hand to the lead of one of its last tricks; none if it ends before.
    /// `players` decide before the endgames, solutions within them.
    fn play(
        &self,
        tricks: usize,
        players: [&dyn HandStrategy; 2],
        rng: &mut Random,
    ) -> Option<Played> {
        let mut hand = Hand::new(deals::fresh(rng), 0);
        let mut played = Played {
            log: Vec::new(),
            resolving: [0; 2].map(|_| Resolving::new(self.settings.resolving)),
        };
        while hand.public().tricks_left() > tricks || hand.public().table.is_some() {
            let decision = step(&mut hand, rng, |public, own| {
                let seat = public.to_act();
                // Before the last three tricks the given strategies decide; then each player's own
                // solution, if there is one.
                let solved = match public.tricks_left() > MOST_SOLVED {
                    true => None,
                    false => self.with_hand(seat, &played.log, |hand, go_on| {
                        played.resolving[seat].strategy(hand, own, go_on)
                    }),
                };
                solved.unwrap_or_else(|| players[seat].decisions(public, own))
            })?;
            played.log.push(decision);
            if hand.public().is_decided() {
                return None;
            }
        }
        Some(played)
    }
}

/// Draws pairs of hands in an endgame by their probability.
struct PairsOfHands<'a> {
    endgame: &'a Endgame,
    hands: Multisets,
    /// Running sums of the weights of the first player's hands.
    sums: Vec<f64>,
}

impl PairsOfHands<'_> {
    fn new(endgame: &Endgame) -> PairsOfHands<'_> {
        let hands = Multisets::new(endgame.public.tricks_left());
        // Running sums over the first hands, each weighted by all second hands that go with it:
        // first draw the first hand, then the second given it.
        let mut pairs = PairsOfHands {
            endgame,
            hands,
            sums: Vec::new(),
        };
        let mut sum = 0.0;
        for (&hand, &reach) in pairs.hands.all().iter().zip(&endgame.reach[0]) {
            if reach > 0.0 {
                // A hand's weight: its reach, the ways to draw it, and the sum over the other's
                // hands from the cards left.
                let own = f64::from(reach) * in_order(endgame.left, hand);
                sum += own * pairs.others(hand).last().copied().unwrap_or(0.0);
            }
            pairs.sums.push(sum);
        }
        pairs
    }

    /// Running sums of the weights of the second player's hands if the first holds `hand`.
    fn others(&self, hand: Cards) -> Vec<f64> {
        let left = self.endgame.left.minus(hand);
        let mut sum = 0.0;
        let all = self.hands.all().iter().zip(&self.endgame.reach[1]);
        let weights = all.map(|(&other, &reach)| {
            if reach > 0.0 {
                sum += f64::from(reach) * in_order(left, other);
            }
            sum
        });
        weights.collect()
    }

    /// Draws both hands; none if no pair has any weight.
    fn draw(&self, rng: &mut Random) -> Option<[Cards; 2]> {
        let mut pick = |sums: &[f64]| {
            let drawn = unit(rng) * sums.last()?;
            // The first running sum above the drawn number; hands without weight are never drawn.
            let place = sums.partition_point(|&end| end <= drawn);
            self.hands.all().get(place).copied()
        };
        let first = pick(&self.sums)?;
        let second = pick(&self.others(first))?;
        Some([first, second])
    }
}

/// The number of ways to draw these cards in order.
fn in_order(left: Cards, hand: Cards) -> f64 {
    deals::ways(left, hand) * deals::orders(hand)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::challenge::best_response::tests::tables;
    use crate::challenge::best_response::{BestResponse, RuleStrategy};
    use challenge::equilibrium::ResolvingSettings;
    use challenge::equilibrium::blueprint::Blueprint;
    use seats::challenge::players::Model;

    /// The gain over the blueprint is measured in the hands where solutions are used, and repeats with the same
    /// seed.
    #[test]
    fn advantages_can_be_repeated() {
        let blueprint = Blueprint::embedded();
        let stakes = blueprint.values().stakes(0, 0);
        let player = ResolvingPlayer {
            opened: tables(blueprint.strategy(&stakes)),
            stakes,
            settings: EquilibriumSettings {
                iterations: [50, 14],
                ..EquilibriumSettings::default()
            },
        };
        let other = RuleStrategy::new(Model::random, [0, 0]);
        let gains = || -> f64 {
            let gain = |hand| player.sampled_advantage(&other, 300, &mut stream(3, hand));
            (0..2).map(gain).sum()
        };
        let won = gains();
        assert!(won.abs() > 0.0 && won.abs() < 1.5, "{won}");
        assert_eq!(won.to_bits(), gains().to_bits());
    }

    /// In the last tricks of the same hands a best response wins less from the player than from its blueprint, and
    /// still less with more iterations, also if only two cards are solved.
    #[test]
    fn solving_leaves_less_to_win() {
        let blueprint = Blueprint::embedded();
        let stakes = blueprint.values().stakes(0, 0);
        let opened = tables(blueprint.strategy(&stakes));
        let gain = |iterations: [u32; 2]| -> f64 {
            let settings = EquilibriumSettings {
                iterations,
                resolving: ResolvingSettings {
                    least: 1,
                    ..ResolvingSettings::default()
                },
            };
            let player = ResolvingPlayer {
                opened,
                stakes,
                settings,
            };
            let gains = (0..6).map(|hand| player.sampled_gain(2, &mut stream(5, hand)));
            gains.sum()
        };
        let (few, many) = (gain([5, 4]), gain([200, 4]));
        assert!(many >= 0.0 && many < few / 4.0, "{few} {many}");
        let game = BestResponse::new(&opened, stakes);
        let alone: f64 = (0..6)
            .map(|hand| game.sampled_gain(2, &mut stream(5, hand)))
            .sum();
        let two_alone = gain([200, 0]);
        assert!(two_alone >= 0.0 && two_alone < alone / 4.0, "{two_alone}");
        assert!(many < alone / 4.0, "{alone} {many}");
    }
}
