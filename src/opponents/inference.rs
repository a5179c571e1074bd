//! The chances of styles from the actions of opponents. A search calls [`infer`] once, before its first rollout.
//!
//! By Bayes' rule, P(style | actions) ∝ P(style) · Π P(action | style), the product over the latest actions.
//! Three things determine the factors:
//!
//! - *Hands.* P(action | style) depends on the hand of that time, which nobody else saw. So worlds are
//!   sampled from the belief and played backwards: a played card returns to the hand, and a retreat gives
//!   back as many cards as it drew, each as likely as any other. The likelihood is the mean over these hands, taken for
//!   each decision by itself, as if the hands at two decisions were independent. The mean over whole worlds of the
//!   product of all decisions would be exact, but two dozen worlds are far too few for it.
//! - *Noise.* Nobody follows a style exactly. So with probability *a* ([`ASTRAY`]) an action is any
//!   of the *n* legal ones: P = (1 - *a*) · P(action | style, hand) + *a* / *n*. Without this term a single unusual
//!   action would exclude a style for ever.
//!   With *a* = 0.2 and ten legal actions, one that the style takes has 0.8 + 0.02 = 0.82, any other 0.02.
//! - *Tables.* The same program often sits on several seats, so the seats are not independent. [`TABLES`]
//!   is a mixture: given the kind of table they are independent, and the kind is inferred with them.
//!
//! If some seat is probably a hoarder, hands that fit its actions are sampled as well.

use super::evidence::Evidence;
use super::hands::Chain;
use super::history::{Decision, decisions};
use super::{Guess, Opponents, STYLES, style};
use crate::belief::Replay;
use crate::evaluation::{Afterstate, Probe};
use crate::record::GameRecord;
use crate::rules::{Action, ActionList, Cards, Game, MAX_ACTIONS};
use crate::view::View;
use engine::budget::Budget;
use engine::numerics::{exp, ln};
use engine::rng::{self, Random, mix};

/// How many worlds are played backwards.
const WORLDS: u64 = 24;
/// In how many of these worlds the evaluator is asked as well. It costs ten times as much as a hoarder's policy.
const EVALUATED: u64 = 2;
/// How many of the latest decisions of each opponent count as evidence of its style.
const DECISIONS: usize = 40;
/// Kinds of tables: how likely each is, and the chance of each style for every seat at it.
///
/// A priori a seat plays as the evaluator with 0.8 · 0.9 + 0.1 · 0.4 + 2 · 0.05 · 0.1 = 0.77. Once another
/// seat is certainly a tuned hoarder, the weights of the kinds become 0.04, 0.03, 0.04 and 0.005, and the
/// chance of the evaluator falls to 0.46.
///
/// Chosen in matches; half of the tables with evaluators was tried as well ("rollouts of several lengths, and opponents in
/// the style they show" in docs/measurements/cartagena-strength.md).
const TABLES: [(f64, [f64; STYLES]); 4] = [
    (0.8, [0.9, 0.05, 0.05]),
    (0.1, [0.4, 0.3, 0.3]),
    (0.05, [0.1, 0.8, 0.1]),
    (0.05, [0.1, 0.1, 0.8]),
];
/// For each style the assumed share of a player's actions that do not follow it. A player that searches finds better
/// actions than the evaluator alone. A hoarder's true hand may be in none of the sampled worlds, so that a right
/// action looks wrong.
const ASTRAY: [f64; STYLES] = [0.3, 0.2, 0.2];
/// A player of the evaluator's style takes any of the actions whose values are this close to the best, in chances to
/// win: it may search, and see a little more than the evaluator does.
const CLOSE: f32 = 0.02;
/// Fitting hands are sampled if some seat is a hoarder with at least this chance.
const HOARDER: f64 = 0.5;
/// How many sets of hands are sampled.
const GUESSES: usize = 48;
/// How many worlds of the belief the sampler starts from after a reshuffle. The sampler never changes which cards
/// are old (held at the reshuffle), so different starts are needed.
const STARTS: usize = 4;
/// Changes that are tried for each hidden card before the first sample, so that the sample does not depend on the
/// start.
const BURN_IN: usize = 40;
/// Changes that are tried for each hidden card between two samples.
const THINNING: usize = 4;
/// How many changes take as long as one node of the search.
const CHANGES_A_NODE: u64 = 8;
/// Keeps the random numbers apart from those of other uses of the same seed.
const STREAM: u64 = 0x0990_2E75;

/// Whether the unseen cards are as many as the other hands and the pile need. They may not be, though no rule is broken,
/// once a player has left and its hand was shuffled into the pile.
fn adds_up(view: &View) -> bool {
    let sizes = view.hand_sizes.iter().enumerate();
    let others = sizes.filter(|&(seat, _)| seat != view.seat);
    let hidden = others.map(|(_, &size)| size).sum::<u8>() + view.pile;
    view.unseen().total() == hidden
}

/// The chances of the other players' styles, and hands that fit, by their actions in a record. If the record breaks the
/// rules, everybody counts as playing by the evaluator.
///
/// Evaluations and changes of hands are booked in the budget. If the clock runs out before the styles are known, again
/// everybody counts as playing by the evaluator.
pub fn infer(
    record: &GameRecord,
    replay: &Replay,
    probe: &mut dyn Probe,
    seed: u64,
    budget: &Budget,
) -> Opponents {
    let game = &replay.game;
    // The hands and piles of an inconsistent record are guesses, and so no evidence of anything.
    if !replay.inconsistencies.is_empty() || !adds_up(&replay.view) {
        return Opponents::default();
    }
    let Some(decisions) = decisions(game, record, replay.deal) else {
        return Opponents::default();
    };
    let Some(all) = evidence(replay, &decisions, budget) else {
        return Opponents::default();
    };
    // For each seat, and each of its latest decisions from the earliest: the mean likelihood by style.
    let count = |of: &Evidence| of.decisions.len().min(DECISIONS);
    let mut likelihoods: Vec<Vec<[f64; STYLES]>> = all
        .iter()
        .map(|of| vec![[0.0; STYLES]; of.as_ref().map_or(0, count)])
        .collect();
    for world in 0..WORLDS {
        // Each world has a stream, so that the number of random numbers that one takes does not change the next.
        let mut rng = rng::stream(mix(seed ^ STREAM), world);
        let hands = replay.belief.sample(&replay.view, &mut rng).state().hands;
        for (seat, evidence) in all.iter().enumerate() {
            let Some(evidence) = evidence else { continue };
            // Backwards from the present hand: undoing a decision gives a hand with which the decision was possible.
            let mut hand = hands[seat];
            let decisions = evidence.decisions.iter().enumerate().rev();
            let latest = likelihoods[seat].iter_mut().rev();
            for ((number, decision), sums) in decisions.zip(latest) {
                // Only the clock interrupts. A limit of nodes never does, so that answers under it repeat.
                if budget.interrupted() {
                    return Opponents::default();
                }
                hand = hand_before(hand, decision, &mut rng);
                let legal = evidence.legal(number, hand);
                for (style, sum) in sums.iter_mut().enumerate() {
                    // Style 0 is the evaluator. It is asked in the first few worlds alone, and its mean is over those.
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
                    // The noise: an action that follows no style is any legal one with the same chance.
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
    // Only hoarders reveal their hands. Even full knowledge of the hands of players that follow the evaluator
    // gained nothing, so without hoarders the belief's worlds are as good.
    if (0..game.players).any(|seat| opponents.differs(seat) >= HOARDER) {
        opponents.guesses = guesses(&opponents, replay, &all, seed, budget).into();
    }
    opponents
}

/// The evidence of each of the others by seat, with none for the own seat; none at all if the budget runs out.
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

/// Hands that fit the actions, each with styles drawn from their chances; none if the budget runs out.
fn guesses(
    opponents: &Opponents,
    replay: &Replay,
    evidence: &[Option<Evidence>],
    seed: u64,
    budget: &Budget,
) -> Vec<Guess> {
    // The streams 0 to `WORLDS` - 1 belong to the worlds of `infer`; this is the next one.
    let mut rng = rng::stream(mix(seed ^ STREAM), WORLDS);
    let reshuffled = evidence.iter().flatten().any(|of| of.reshuffled);
    // Without a reshuffle all cards have the same age, and one chain reaches every world.
    let starts = if reshuffled { STARTS } else { 1 };
    let mut found = Vec::with_capacity(GUESSES);
    for _ in 0..starts {
        let dealt = replay.belief.deal(&replay.view, &mut rng);
        let mut chain = Chain::new(&replay.game, evidence, &dealt, &mut rng);
        for number in 0..GUESSES / starts {
            if budget.interrupted() {
                return Vec::new();
            }
            // The styles are drawn anew for each sample, and the chain goes on from the hands that it has.
            let styles = opponents.sample(&mut rng);
            chain.set_styles(&styles.map(|style| style.checked_sub(1)));
            let sweeps = if number == 0 { BURN_IN } else { THINNING };
            let changes = chain.run(sweeps, &mut rng);
            budget.spend(changes / CHANGES_A_NODE);
            // The own hand is known; the chain has the hands of all others.
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

/// The hand before a decision, from the one after it.
///
/// It is certain before an advance. The cards that a retreat drew are not known: any cards of the hand after it, each
/// with the same chance.
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

/// The chance that a player with this hand takes the action if it plays by the evaluator: all actions within [`CLOSE`]
/// of the best are equally likely, the others impossible.
fn evaluated(
    game: &Game,
    probe: &mut dyn Probe,
    before: &Afterstate,
    action: Action,
    budget: &Budget,
) -> f64 {
    let mut legal = ActionList::new();
    game.actions(&before.track, before.seat, before.hand, &mut legal);
    let mut values = [0.0f32; MAX_ACTIONS];
    let values = &mut values[..legal.len()];
    probe.rate(game, before, &legal, values);
    budget.spend(legal.len() as u64);
    let best = values.iter().copied().fold(f32::MIN, f32::max);
    // Actions within the margin share the probability: a searching player may take any of them.
    let close = |value: f32| value >= best - CLOSE;
    let many = values.iter().filter(|&&value| close(value)).count();
    let taken = legal.iter().zip(values.iter());
    let taken = taken.filter(|&(&other, &value)| other == action && close(value));
    taken.count() as f64 / many.max(1) as f64
}

/// The product of likelihoods for each style, as multiples of the largest product. None is taken to be below
/// e^-14, about a millionth, so that no style is ever excluded.
fn product(likelihoods: &[[f64; STYLES]]) -> [f64; STYLES] {
    // A product of 40 small numbers is a sum of logarithms; only differences of the sums matter.
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

/// The chances of the styles of each seat by Bayes' rule. `evidence` has the likelihood of each style, up to a factor,
/// for each seat.
///
/// Let L(seat, style) be the likelihoods, and P(style | kind) and P(kind) those of [`TABLES`]. Given the kind of
/// table the seats are independent, so
///
/// - P(kind | all) ∝ P(kind) · Π over seats of Σ over styles of P(style | kind) · L(seat, style),
/// - P(style of a seat | all) = Σ over kinds of P(kind | all) · P(style | kind, the seat's actions).
fn posterior(evidence: &[[f64; STYLES]]) -> Vec<[f64; STYLES]> {
    // A seat's posterior for one kind of table, and the probability of its actions there.
    let joint = |prior: &[f64; STYLES], seen: &[f64; STYLES]| {
        let parts: [f64; STYLES] = std::array::from_fn(|style| prior[style] * seen[style]);
        let sum: f64 = parts.iter().sum();
        (parts.map(|part| part / sum), sum)
    };
    // The weight of a kind: its own chance times the probability of every seat's actions.
    let weights = TABLES.map(|(chance, prior)| {
        let all = evidence.iter().map(|seen| joint(&prior, seen).1);
        all.fold(chance, |product, sum| product * sum)
    });
    let total: f64 = weights.iter().sum();
    evidence
        .iter()
        .map(|seen| {
            // The mean of the seat's posteriors over the kinds, by their weights.
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
