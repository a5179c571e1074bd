//! The chances of styles from what opponents did.
//!
//! A decision says how likely each style was to make it, given the hand at that time. The hands are not
//! known: worlds are sampled from the belief and played backwards, a card that was played put back into the
//! hand, and for a retreat as many cards taken out of it as it drew, any of them as likely. A style's
//! likelihood of an action is its mean over these hands, and those of the actions are multiplied.

use super::evidence::Evidence;
use super::hands::Chain;
use super::history::{Decision, decisions};
use super::{Guess, Opponents, STYLES, style};
use crate::belief::Replay;
use crate::evaluation::{Afterstate, Probe};
use crate::record::GameRecord;
use crate::rules::{Action, ActionList, Cards, Game};
use engine::budget::Budget;
use engine::numerics::{exp, ln};
use engine::rng::{self, Random, mix};

/// Worlds that are played backwards.
const WORLDS: u64 = 24;
/// Those of them in which the evaluator is asked what it would have done, which costs ten times as much as
/// asking a hoarder.
const EVALUATED: u64 = 2;
/// The latest decisions of each opponent that tell of its style.
const DECISIONS: usize = 40;
/// What tables may be like: how likely that is, and the chance of each style for everyone at it. The same
/// program often sits on several seats, so that what one does tells of the others.
const TABLES: [(f64, [f64; STYLES]); 4] = [
    (0.8, [0.9, 0.05, 0.05]),
    (0.1, [0.4, 0.3, 0.3]),
    (0.05, [0.1, 0.8, 0.1]),
    (0.05, [0.1, 0.1, 0.8]),
];
/// The share of actions that follow no style: a search finds better ones than the evaluator alone, and the
/// hand of a hoarder may have been another than that of any world.
const ASTRAY: [f64; STYLES] = [0.3, 0.2, 0.2];
/// An action this close to the best by the evaluator, in chances to win, may be chosen as well.
const CLOSE: f32 = 0.02;
/// Hands that fit are found where somebody is a hoarder with at least this chance.
const HOARDER: f64 = 0.5;
/// How many hands are found.
const GUESSES: usize = 48;
/// Worlds of the belief that they start from where there was a reshuffle, so that they differ in what is old.
const STARTS: usize = 4;
/// Changes of each hidden card that are tried before the first of them, and between two.
const BURN_IN: usize = 40;
const THINNING: usize = 4;
/// So many take as long as one position.
const CHANGES_A_NODE: u64 = 8;
/// Apart from the streams of other uses of a seed.
const STREAM: u64 = 0x0990_2E75;

/// What the actions in a record tell of the other players' styles; nothing if the record breaks the rules.
///
/// Evaluations and changes of hands are booked in the budget; if the clock runs out before styles are known, nothing
/// is told.
pub fn infer(
    record: &GameRecord,
    replay: &Replay,
    probe: &mut dyn Probe,
    seed: u64,
    budget: &Budget,
) -> Opponents {
    let game = &replay.game;
    if !replay.inconsistencies.is_empty() {
        return Opponents::default();
    }
    let Some(decisions) = decisions(game, record, replay.deal) else {
        return Opponents::default();
    };
    let Some(all) = evidence(replay, &decisions, budget) else {
        return Opponents::default();
    };
    // Of the latest decisions of each seat.
    let count = |of: &Evidence| of.decisions.len().min(DECISIONS);
    let mut likelihoods: Vec<Vec<[f64; STYLES]>> = all
        .iter()
        .map(|of| vec![[0.0; STYLES]; of.as_ref().map_or(0, count)])
        .collect();
    for world in 0..WORLDS {
        let mut rng = rng::stream(mix(seed ^ STREAM), world);
        let hands = replay.belief.sample(&replay.view, &mut rng).state().hands;
        for (seat, evidence) in all.iter().enumerate() {
            let Some(evidence) = evidence else { continue };
            let mut hand = hands[seat];
            let decisions = evidence.decisions.iter().enumerate().rev();
            let latest = likelihoods[seat].iter_mut().rev();
            for ((number, decision), sums) in decisions.zip(latest) {
                if budget.interrupted() {
                    return Opponents::default();
                }
                hand = hand_before(hand, decision, &mut rng);
                let legal = evidence.legal(number, hand);
                for (style, sum) in sums.iter_mut().enumerate() {
                    let (worlds, follows) = match style.checked_sub(1) {
                        Some(hoarder) => {
                            let chooses = evidence.chooses(hoarder, game, number, hand);
                            (WORLDS, f64::from(u8::from(chooses)))
                        }
                        None if world < EVALUATED => {
                            let before = Afterstate {
                                hand,
                                ..decision.before
                            };
                            let action = decision.action;
                            (EVALUATED, evaluated(game, probe, &before, action, budget))
                        }
                        None => continue,
                    };
                    let astray = ASTRAY[style];
                    let likelihood = (1.0 - astray) * follows + astray / f64::from(legal.max(1));
                    *sum += likelihood / worlds as f64;
                }
            }
        }
    }
    let others = (0..game.players).filter(|&seat| seat != replay.view.seat);
    let seen: Vec<[f64; STYLES]> = others
        .clone()
        .map(|seat| product(&likelihoods[seat]))
        .collect();
    let mut opponents = Opponents::default();
    for (seat, chances) in others.zip(posterior(&seen)) {
        opponents.chances[seat] = chances;
    }
    if (0..game.players).any(|seat| opponents.differs(seat) >= HOARDER) {
        opponents.guesses = guesses(&opponents, replay, &all, seed, budget).into();
    }
    opponents
}

/// What each of the others did, and what that says; none if the budget runs out.
pub(super) fn evidence(
    replay: &Replay,
    decisions: &[Decision],
    budget: &Budget,
) -> Option<Vec<Option<Evidence>>> {
    let reshuffled = decisions.iter().any(Decision::reshuffles);
    let of = |seat: usize| {
        if seat == replay.view.seat {
            return Some(None);
        }
        let of_seat = decisions.iter().filter(|of| of.before.seat == seat);
        let of_seat = of_seat.copied().collect();
        (!budget.interrupted()).then(|| Some(Evidence::new(&replay.game, of_seat, reshuffled)))
    };
    (0..replay.game.players).map(of).collect()
}

/// Hands that fit what was done, with styles drawn from their chances; none if the budget runs out.
fn guesses(
    opponents: &Opponents,
    replay: &Replay,
    evidence: &[Option<Evidence>],
    seed: u64,
    budget: &Budget,
) -> Vec<Guess> {
    let mut rng = rng::stream(mix(seed ^ STREAM), WORLDS);
    let reshuffled = evidence.iter().flatten().any(|of| of.reshuffled);
    let starts = if reshuffled { STARTS } else { 1 };
    let mut found = Vec::with_capacity(GUESSES);
    for _ in 0..starts {
        let dealt = replay.belief.deal(&replay.view, &mut rng);
        let mut chain = Chain::new(&replay.game, evidence, &dealt, &mut rng);
        for number in 0..GUESSES / starts {
            if budget.interrupted() {
                return Vec::new();
            }
            let styles = opponents.sample(&mut rng);
            chain.set_styles(&styles.map(|style| style.checked_sub(1)));
            let sweeps = if number == 0 { BURN_IN } else { THINNING };
            let changes = chain.run(sweeps, &mut rng);
            budget.spend(changes / CHANGES_A_NODE);
            let mut hands = replay.view.as_seen().hands;
            for (seat, hand) in chain.hands() {
                hands[seat] = hand;
            }
            found.push(Guess {
                styles: styles.map(style),
                hands,
            });
        }
    }
    found
}

/// A hand before a decision, from the one after it.
fn hand_before(after: Cards, decision: &Decision, rng: &mut Random) -> Cards {
    match decision.action {
        Action::Advance { symbol, .. } => after.with(symbol),
        _ => (0..decision.drawn).fold(after, |hand, _| {
            let card = hand
                .iter()
                .nth(rng::below(rng, usize::from(hand.total().max(1))));
            card.map_or(hand, |card| hand.without(card))
        }),
    }
}

/// How likely an action is by the evaluator with this hand, where it does not go astray.
fn evaluated(
    game: &Game,
    probe: &mut dyn Probe,
    before: &Afterstate,
    action: Action,
    budget: &Budget,
) -> f64 {
    let mut legal = ActionList::new();
    game.actions(&before.track, before.seat, before.hand, &mut legal);
    let mut values = [0.0f32; 43];
    let values = &mut values[..legal.len()];
    probe.rate(game, before, &legal, values);
    budget.spend(legal.len() as u64);
    let best = values.iter().copied().fold(f32::MIN, f32::max);
    let close = |value: f32| value >= best - CLOSE;
    let many = values.iter().filter(|&&value| close(value)).count();
    let taken = legal.iter().zip(values.iter());
    let taken = taken.filter(|&(&other, &value)| other == action && close(value));
    taken.count() as f64 / many.max(1) as f64
}

/// The product of likelihoods, as multiples of the largest; the chance of the least likely is at least one
/// in a million of it.
fn product(likelihoods: &[[f64; STYLES]]) -> [f64; STYLES] {
    let mut logs = [0.0; STYLES];
    for likelihood in likelihoods {
        for (log, likelihood) in logs.iter_mut().zip(likelihood) {
            *log += ln(*likelihood);
        }
    }
    let most = logs.iter().copied().fold(f64::MIN, f64::max);
    // The exponential is the pinned one, of single precision.
    logs.map(|log| f64::from(exp((log - most).max(-14.0) as f32)))
}

/// The chances of the styles of each seat by Bayes' rule, over the kinds of tables.
fn posterior(evidence: &[[f64; STYLES]]) -> Vec<[f64; STYLES]> {
    let joint = |prior: &[f64; STYLES], seen: &[f64; STYLES]| {
        let parts: [f64; STYLES] = std::array::from_fn(|style| prior[style] * seen[style]);
        let sum: f64 = parts.iter().sum();
        (parts.map(|part| part / sum), sum)
    };
    let weights = TABLES.map(|(chance, prior)| {
        let all = evidence.iter().map(|seen| joint(&prior, seen).1);
        all.fold(chance, |product, sum| product * sum)
    });
    let total: f64 = weights.iter().sum();
    evidence
        .iter()
        .map(|seen| {
            let mut chances = [0.0; STYLES];
            for ((_, prior), weight) in TABLES.iter().zip(weights) {
                let of_table = joint(prior, seen).0;
                for (chance, part) in chances.iter_mut().zip(of_table) {
                    *chance += weight / total * part;
                }
            }
            chances
        })
        .collect()
}
