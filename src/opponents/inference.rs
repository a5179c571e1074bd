//! The chances of styles from what opponents did.
//!
//! A decision says how likely each style was to make it, given the hand at that time. The hands are not
//! known: worlds are sampled from the belief and played backwards, a card that was played put back into the
//! hand, and for a retreat as many cards taken out of it as it drew, any of them as likely. A style's
//! likelihood of an action is its mean over these hands, and those of the actions are multiplied.

use super::history::{Decision, decisions};
use super::{Opponents, STYLES, Style};
use crate::belief::Replay;
use crate::evaluation::{Afterstate, Probe};
use crate::record::GameRecord;
use crate::rules::{Action, ActionList, Cards, Game, MAX_PLAYERS};
use engine::budget::Budget;
use engine::numerics::{exp, ln};
use engine::rng::{self, Random, mix};

/// Worlds that are played backwards.
const WORLDS: u64 = 24;
/// Those of them in which the evaluator is asked what it would have done, which costs ten times as much as
/// asking a hoarder.
const EVALUATED: u64 = 4;
/// The latest decisions of each opponent that are looked at.
const DECISIONS: usize = 40;
/// What tables may be like: how likely that is, and the chance of each style for everyone at it. The same
/// program often sits on several seats, so that what one does tells of the others.
const TABLES: [(f64, [f64; STYLES.len()]); 4] = [
    (0.8, [0.9, 0.05, 0.05]),
    (0.1, [0.4, 0.3, 0.3]),
    (0.05, [0.1, 0.8, 0.1]),
    (0.05, [0.1, 0.1, 0.8]),
];
/// The share of actions that follow no style: a search finds better ones than the evaluator alone, and the
/// hand of a hoarder may have been another than that of any world.
const ASTRAY: [f64; STYLES.len()] = [0.3, 0.2, 0.2];
/// An action this close to the best by the evaluator, in chances to win, may be chosen as well.
const CLOSE: f32 = 0.02;
/// Apart from the streams of other uses of a seed.
const STREAM: u64 = 0x0990_2E75;

/// What the actions in a record tell of the other players' styles; nothing if the record breaks the rules.
///
/// The evaluations are booked in the budget, and when it runs out the rest is not looked at.
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
    let chosen = chosen(&decisions, replay.view.seat);
    let mut likelihoods = vec![[0.0; STYLES.len()]; decisions.len()];
    for world in 0..WORLDS {
        let mut rng = rng::stream(mix(seed ^ STREAM), world);
        let mut hands = replay.belief.sample(&replay.view, &mut rng).state().hands;
        for (i, decision) in decisions.iter().enumerate().rev() {
            let hand = &mut hands[decision.before.seat];
            *hand = hand_before(*hand, decision, &mut rng);
            if !chosen[i] {
                continue;
            }
            if budget.interrupted() {
                return Opponents::default();
            }
            let before = Afterstate {
                hand: *hand,
                ..decision.before
            };
            let mut legal = ActionList::new();
            game.actions(&before.track, before.seat, before.hand, &mut legal);
            for (style, sum) in likelihoods[i].iter_mut().enumerate() {
                let worlds = match STYLES[style] {
                    Style::Evaluator => EVALUATED,
                    Style::Hoarder(_) => WORLDS,
                };
                if world < worlds {
                    let asked = (STYLES[style], ASTRAY[style]);
                    let likelihood =
                        likelihood_of(asked, game, probe, &before, &legal, decision.action, budget);
                    *sum += likelihood / worlds as f64;
                }
            }
        }
    }
    let others = (0..game.players).filter(|&seat| seat != replay.view.seat);
    let evidence: Vec<[f64; STYLES.len()]> = others
        .clone()
        .map(|seat| {
            let of_seat = decisions.iter().zip(&likelihoods).zip(&chosen);
            let of_seat = of_seat
                .filter(|((decision, _), chosen)| **chosen && decision.before.seat == seat)
                .map(|((_, likelihoods), _)| likelihoods);
            product(of_seat)
        })
        .collect();
    let mut opponents = Opponents::default();
    for (seat, chances) in others.zip(posterior(&evidence)) {
        opponents.0[seat] = chances;
    }
    opponents
}

/// The decisions to look at: the latest of every opponent.
fn chosen(decisions: &[Decision], own: usize) -> Vec<bool> {
    let mut left = [DECISIONS; MAX_PLAYERS];
    left[own] = 0;
    let mut chosen = vec![false; decisions.len()];
    for (decision, chosen) in decisions.iter().zip(&mut chosen).rev() {
        let left = &mut left[decision.before.seat];
        *chosen = *left > 0;
        *left = left.saturating_sub(1);
    }
    chosen
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

/// How likely a style was to act so with this hand.
fn likelihood_of(
    (style, astray): (Style, f64),
    game: &Game,
    probe: &mut dyn Probe,
    before: &Afterstate,
    legal: &ActionList,
    action: Action,
    budget: &Budget,
) -> f64 {
    let Some(at) = legal.iter().position(|&other| other == action) else {
        // The hand was another: it says nothing.
        return 1.0;
    };
    let follows = match style {
        Style::Hoarder(hoarder) => {
            f64::from(u8::from(hoarder.choose(game, before, legal) == action))
        }
        Style::Evaluator => {
            let mut values = [0.0f32; 43];
            let values = &mut values[..legal.len()];
            probe.rate(game, before, legal, values);
            budget.spend(legal.len() as u64);
            let best = values.iter().copied().fold(f32::MIN, f32::max);
            let close = |value: f32| value >= best - CLOSE;
            let many = values.iter().filter(|&&value| close(value)).count();
            f64::from(u8::from(close(values[at]))) / many as f64
        }
    };
    (1.0 - astray) * follows + astray / legal.len() as f64
}

/// The product of likelihoods, as multiples of the largest; the chance of the least likely is at least one
/// in a million of it.
fn product<'a>(likelihoods: impl Iterator<Item = &'a [f64; STYLES.len()]>) -> [f64; STYLES.len()] {
    let mut logs = [0.0; STYLES.len()];
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
fn posterior(evidence: &[[f64; STYLES.len()]]) -> Vec<[f64; STYLES.len()]> {
    let joint = |prior: &[f64; STYLES.len()], seen: &[f64; STYLES.len()]| {
        let parts: [f64; STYLES.len()] = std::array::from_fn(|style| prior[style] * seen[style]);
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
            let mut chances = [0.0; STYLES.len()];
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
