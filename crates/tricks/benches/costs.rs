//! The time of a search's parts: weighing a choice of another player, and a card played out by a policy or by a
//! network. `PolicySet::COSTS` follows from it.

use engine::rng::{self, Random};
use std::hint::black_box;
use std::time::{Duration, Instant};
use tricks::belief::{Evidence, OpponentType, PlayerBelief};
use tricks::{Hands, MAX_PLAYERS, Policy, PolicySet, Round, View};

/// A time, and the number of pieces of work done in it.
#[derive(Clone, Copy, Default)]
struct Spent(Duration, usize);

impl Spent {
    fn add(&mut self, count: usize, work: impl FnOnce()) {
        let start = Instant::now();
        work();
        self.0 += start.elapsed();
        self.1 += count;
    }

    fn nanos(&self) -> f64 {
        self.0.as_nanos() as f64 / self.1.max(1) as f64
    }
}

/// Repetitions of each piece of work at a decision.
const TIMES: usize = 32;

#[derive(Clone, Copy, Default)]
struct Phase {
    deal: Spent,
    weigh: Spent,
    by_rule: Spent,
    by_network: Spent,
}

fn play_out<R: Round>(mut round: R, policy: &impl Policy<R>, rng: &mut Random) {
    while round.to_act().is_some() {
        let legal = round.legal();
        let card = match legal.len() {
            0 => return,
            1 => legal.first(),
            _ => Some(policy.choose(&round, legal, rng)),
        };
        let Some(card) = card else { return };
        round.act(card);
    }
    black_box(round.scores());
}

fn measure<P: PolicySet>(name: &str, deal: impl Fn(&mut Random) -> P::Round) {
    let mut rng = rng::stream(1, 0);
    let network = P::network();
    let rule = OpponentType::new(P::PLAYOUT, 0.1);
    let thinking = OpponentType::<P>::thinking(network, 0.0);
    let mut phases = [Phase::default(); 6];
    for _ in 0..60 {
        let mut round = deal(&mut rng);
        let mut view = View::new(&round, 0);
        while let Some(seat) = round.to_act() {
            if seat == 0 && !view.history().is_empty() {
                let cards = view.cards_to_come();
                let phase = &mut phases[(cards / 10).min(5)];
                let Ok(deals) = view.seen().deals() else {
                    break;
                };
                let mut worlds: Vec<Hands> = Vec::new();
                phase.deal.add(TIMES, || {
                    for _ in 0..TIMES {
                        worlds.push(view.seen().hands(&deals.sample(&mut rng)));
                    }
                });
                let beliefs: [_; MAX_PLAYERS] =
                    std::array::from_fn(|_| PlayerBelief::first::<P>(network));
                let evidence = Evidence::<P::Round>::new(&view, &beliefs, network);
                phase.weigh.add(TIMES * evidence.choices(), || {
                    for hands in &worlds {
                        for (player, &hand) in
                            hands.iter().enumerate().take(round.players()).skip(1)
                        {
                            black_box(evidence.likelihoods::<P>(player, hand));
                        }
                    }
                });
                for (spent, policy) in [
                    (&mut phase.by_rule, &rule),
                    (&mut phase.by_network, &thinking),
                ] {
                    spent.add(TIMES * cards, || {
                        for hands in &worlds {
                            play_out(view.round().with_hands(hands), policy, &mut rng);
                        }
                    });
                }
            }
            let card = rule.choose(&round, round.legal(), &mut rng);
            round.act(card);
            view.act(card);
        }
    }
    println!(
        "{name}: nanoseconds of a deal, a choice weighed, a card by the policy, by the network"
    );
    for (number, phase) in phases.iter().enumerate().rev() {
        if phase.deal.1 == 0 {
            continue;
        }
        let [deal, weigh, rule, thinking] =
            [phase.deal, phase.weigh, phase.by_rule, phase.by_network].map(|spent| spent.nanos());
        println!(
            "{:>2} cards and more: {deal:>6.0} {weigh:>6.0} {rule:>6.0} {thinking:>6.0}",
            10 * number
        );
    }
}

fn main() {
    for _ in 0..3 {
        measure::<hearts::player::Baseline>("Hearts", |rng| {
            hearts::deal::deal(4, hearts::rules::Options::default(), rng)
        });
        measure::<eights::player::Baseline>("Eights", |rng| eights::deal::deal(0, rng));
    }
}
