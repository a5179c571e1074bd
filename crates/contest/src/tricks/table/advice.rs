//! What a seat that is to act is advised.

use super::WholeGame;
use super::game::Game;
use super::strength::seated;
use crate::play::{Advice, Candidate, Choice, Text};
use engine::budget::Limits;
use engine::rng::Random;
use serde_json::Value;
use std::time::Duration;
use tricks::{Agent, Card, Method, Policy as _, PolicySet as _, Round as _, View};

/// What advice may take.
pub(super) const ADVICE: Limits = Limits {
    time: Some(Duration::from_secs(2)),
    nodes: Some(100_000),
};
/// What judging a card of a game that is over may take: a game has hundreds.
pub(super) const REVIEW: Limits = Limits {
    time: Some(Duration::from_millis(500)),
    nodes: Some(10_000),
};
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
pub(super) fn advise<G: WholeGame>(game: &Game<G>, limits: Limits, rng: &mut Random) -> Advice {
    let Some(seat) = game.to_act() else {
        return Advice { candidates: vec![] };
    };
    let agent = Agent::Search(G::Policy::PLAYOUT, Method::default(), limits);
    let (player, view) = seated(game, seat, agent);
    let found = player.decide(&view, rng);
    let values: Vec<(Card, f64)> = match found {
        Some(decision) if decision.candidates.is_empty() => {
            vec![(decision.card, value_of::<G>(&view, decision.card, rng))]
        }
        Some(decision) => {
            let candidates = decision.candidates.iter();
            candidates.map(|one| (one.card, one.value)).collect()
        }
        None => vec![],
    };
    let worth = |value| game.contest.worth(value, game.players());
    let best = values.first().map_or(0.0, |&(_, value)| worth(value));
    let takes = view.round().taking();
    let candidates = values.iter().map(|&(card, value)| Candidate {
        choice: choice(card, takes),
        value: worth(value),
        behind: (best - worth(value)).max(0.0),
        then: Vec::new(),
        picture: Value::String(card.code()),
    });
    Advice {
        candidates: candidates.collect(),
    }
}

/// The mean value of a card when everybody plays on by the policy.
fn value_of<G: WholeGame>(view: &View<G::Round>, card: Card, rng: &mut Random) -> f64 {
    let Ok(world) = view.worlds() else { return 0.0 };
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
        sum += f64::from(G::Policy::value(&round, view.seat()));
    }
    sum / WORLDS as f64
}
