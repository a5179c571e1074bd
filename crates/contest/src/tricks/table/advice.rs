//! Advice for the seat that is to act, and the judgement of a card for the review of a finished game. Both come from
//! a search that knows only what the seat knew then.

use super::WholeGame;
use super::game::Game;
use super::strength::seated;
use engine::budget::Limits;
use engine::rng::Random;
use serde_json::Value;
use std::time::Duration;
use tables::{Advice, Candidate, Choice, Text};
use tricks::{
    Agent, Aim, Card, Cards, Decision, Method, Policy as _, PolicySet as _, Round, View, Worth,
};

/// Limits of the search for advice.
const ADVICE: Limits = Limits {
    time: Some(Duration::from_secs(2)),
    nodes: Some(100_000),
};
/// Limits for judging a card of a finished game, which has hundreds to thousands of them. The first search
/// finds the best card. If that is not the card taken, both are compared on other worlds: the best of many
/// looks better than it is on the worlds that selected it (the winner's curse). A difference worth mentioning
/// is measured more precisely.
const FIND: Limits = limits(150, 800);
const COMPARE: Limits = limits(100, 400);
const MEASURE: Limits = limits(200, 1_600);
/// The loss in points from which on it is measured more precisely. It is a little below 0.5, the least loss that a
/// review grades.
const CLOSE: f64 = 0.3;

const fn limits(milliseconds: u64, nodes: u64) -> Limits {
    Limits {
        time: Some(Duration::from_millis(milliseconds)),
        nodes: Some(nodes),
    }
}

/// Worlds for the value of an only legal card.
const WORLDS: usize = 200;

/// A card as a choice in this round: to be taken from the pool, passed or played.
pub(super) fn choice<R: Round>(card: Card, round: &R) -> Choice {
    let words = match (round.taking(), round.passing()) {
        (true, _) => "tricks-do-take",
        (_, true) => "tricks-do-pass",
        _ => "tricks-do-play",
    };
    Choice {
        action: card.code(),
        words: Text::of(words).with("card", card.to_string()),
    }
}

/// The cards that can be taken or played, with the points that the round is expected to bring.
pub(super) fn advise<G: WholeGame>(game: &Game<G>, rng: &mut Random) -> Advice {
    let Some(seat) = game.to_act() else {
        return Advice { candidates: vec![] };
    };
    let (player, view) = seated(game, seat, search::<G>(ADVICE));
    let found = player.decide(&view, rng);
    advice(game, &view, tried::<G>(&view, found, rng))
}

/// The same for a card of a finished game, with no more work than needed.
pub(super) fn judge<G: WholeGame>(game: &Game<G>, taken: &str, rng: &mut Random) -> Advice {
    let Some(seat) = game.to_act() else {
        return Advice { candidates: vec![] };
    };
    let (mut player, view) = seated(game, seat, search::<G>(FIND));
    let found = player.decide(&view, rng);
    let mut all = tried::<G>(&view, found, rng);
    let card = Card::from_code(taken).filter(|&card| view.round().legal().contains(card));
    let (Some(card), Some(&(best, ..))) = (card, all.first()) else {
        return advice(game, &view, all);
    };
    if card != best {
        let mut loss = 0.0;
        // At most two comparisons; the second only for a noticeable loss.
        for limits in [COMPARE, MEASURE] {
            player = player.with_agent(search::<G>(limits));
            let both: Cards = [card, best].into_iter().collect();
            let found = player.decide_among(&view, both, rng);
            let found = found.map_or_else(Vec::new, |decision| decision.candidates);
            let lead = |of: Card| {
                found
                    .iter()
                    .find(|one| one.card == of)
                    .map(|one| one.behind.0)
            };
            // `behind` is 0 for the better of the two, so the difference is the loss, negative if the card taken is
            // better.
            loss = lead(card).unwrap_or(0.0) - lead(best).unwrap_or(0.0);
            if game.contest.scaled(loss, game.players()) < CLOSE {
                break;
            }
        }
        // The best card keeps its value from the first search; only the loss is replaced.
        let value = all[0].1;
        all.retain(|one| one.0 != card);
        let one = (card, value, loss.max(0.0));
        // A card that is no worse than the best one is listed first.
        let place = if loss <= 0.0 { 0 } else { all.len() };
        all.insert(place, one);
    }
    advice(game, &view, all)
}

/// Cards, the best first: each with the value of the best card, and by how much it is behind on the same
/// worlds. Differences on the same worlds have less noise than differences of means.
type Tried = Vec<(Card, f64, f64)>;

/// The candidates of a decision. The search gives an only legal card no value, so playouts do.
fn tried<G: WholeGame>(view: &View<G::Round>, found: Option<Decision>, rng: &mut Random) -> Tried {
    match found {
        Some(decision) if decision.candidates.is_empty() => {
            let value = value_of::<G>(view, decision.card, rng);
            vec![(decision.card, value, 0.0)]
        }
        Some(decision) => {
            let candidates = decision.candidates.iter();
            let best = decision.candidates.first().map_or(0.0, |best| best.value);
            candidates
                .map(|one| (one.card, best, one.behind.0))
                .collect()
        }
        None => vec![],
    }
}

/// Candidates with their values in the game's points, the best first.
fn advice<G: WholeGame>(game: &Game<G>, view: &View<G::Round>, cards: Tried) -> Advice {
    let players = game.players();
    let mut candidates: Vec<Candidate> = cards
        .into_iter()
        .map(|(card, best, behind)| {
            let behind = game.contest.scaled(behind, players).max(0.0);
            Candidate {
                choice: choice(card, view.round()),
                value: game.contest.worth(best, players) - behind,
                behind,
                then: Vec::new(),
                picture: Value::String(card.code()),
            }
        })
        .collect();
    candidates.sort_by(|one, other| one.behind.total_cmp(&other.behind));
    Advice { candidates }
}

fn search<G: WholeGame>(limits: Limits) -> Agent<G::Policy> {
    Agent::search(G::Policy::PLAYOUT, Method::default(), limits)
}

/// The mean value of a card if everybody plays on by the policy.
fn value_of<G: WholeGame>(view: &View<G::Round>, card: Card, rng: &mut Random) -> f64 {
    let Ok(world) = view.worlds() else { return 0.0 };
    // The worth of a finished round in the game, as the search uses it.
    let worth = Worth::new::<G::Policy>(view, Aim::Game);
    let mut sum = 0.0;
    for _ in 0..WORLDS {
        // A world that fits what this seat has seen; then a playout to the end of the round.
        let mut round = world(rng);
        let mut next = Some(card);
        while let Some(card) = next {
            round.act(card);
            let legal = match round.to_act() {
                Some(_) => round.legal(),
                None => break,
            };
            next = (!legal.is_empty()).then(|| G::Policy::PLAYOUT.choose(&round, legal, rng));
        }
        sum += f64::from(worth.of::<G::Policy>(&round));
    }
    sum / WORLDS as f64
}
