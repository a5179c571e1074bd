//! What a seat that is to act is advised.

use super::WholeGame;
use super::game::Game;
use super::strength::seated;
use engine::budget::Limits;
use engine::rng::Random;
use serde_json::Value;
use std::time::Duration;
use tables::{Advice, Candidate, Choice, Text};
use tricks::{
    Agent, Aim, Card, Cards, Decision, Method, Policy as _, PolicySet as _, Round as _, View, Worth,
};

/// What advice may take.
const ADVICE: Limits = Limits {
    time: Some(Duration::from_secs(2)),
    nodes: Some(100_000),
};
/// What judging a card of a game that is over may take: a game has hundreds, up to thousands. The first search
/// looks for the best card. If that was not the one taken, the two alone are compared on other worlds: the best of
/// many looks better than it is on those on which it was found. Where the difference is worth mentioning, it is
/// measured more closely.
const FIND: Limits = limits(150, 800);
const COMPARE: Limits = limits(100, 400);
const MEASURE: Limits = limits(200, 1_600);
/// Points from which on a difference is measured more closely: somewhat less than what is mentioned.
const CLOSE: f64 = 0.3;

const fn limits(milliseconds: u64, nodes: u64) -> Limits {
    Limits {
        time: Some(Duration::from_millis(milliseconds)),
        nodes: Some(nodes),
    }
}

/// Worlds on which the only legal card is tried.
const WORLDS: usize = 200;

/// An action as a choice.
pub(super) fn choice(card: Card, takes: bool) -> Choice {
    Choice {
        action: card.code(),
        words: Text::of(if takes {
            "tricks-do-take"
        } else {
            "tricks-do-play"
        })
        .with("card", card.to_string()),
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

/// The same for a card of a game that is over, with no more work than it takes to say what is said of it.
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
            // Whichever of them is the better one is behind by nothing.
            loss = lead(card).unwrap_or(0.0) - lead(best).unwrap_or(0.0);
            if game.contest.scaled(loss, game.players()) < CLOSE {
                break;
            }
        }
        let value = all[0].1;
        all.retain(|one| one.0 != card);
        let one = (card, value, loss.max(0.0));
        // What is as good as the best one is the best one.
        let place = if loss <= 0.0 { 0 } else { all.len() };
        all.insert(place, one);
    }
    advice(game, &view, all)
}

/// Cards, the best first: the value of the best one, and by how much less they brought on the same worlds, which tells
/// more than their own means do.
type Tried = Vec<(Card, f64, f64)>;

/// What was found; of the only legal card, what it is worth.
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

fn advice<G: WholeGame>(game: &Game<G>, view: &View<G::Round>, cards: Tried) -> Advice {
    let players = game.players();
    let takes = view.round().taking();
    let mut candidates: Vec<Candidate> = cards
        .into_iter()
        .map(|(card, best, behind)| {
            let behind = game.contest.scaled(behind, players).max(0.0);
            Candidate {
                choice: choice(card, takes),
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

/// The mean value of a card when everybody plays on by the policy.
fn value_of<G: WholeGame>(view: &View<G::Round>, card: Card, rng: &mut Random) -> f64 {
    let Ok(world) = view.worlds() else { return 0.0 };
    let worth = Worth::new::<G::Policy>(view, Aim::Game);
    let mut sum = 0.0;
    for _ in 0..WORLDS {
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
