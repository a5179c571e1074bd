//! Advice and judgements: the results of a search in words.

use challenge::player::Tried;
use challenge::rules::Decision;
use games::challenge::notation;
use serde_json::json;
use tables::{Advice, Candidate, Choice, Text};

/// The number of sampled worlds in which advice tries each decision.
pub(super) const ADVICE: u32 = 4_000;
/// The same for the review of a finished game, which asks for every action of it.
pub(super) const REVIEW: u32 = 1_000;

/// The decisions that a search has tried, the best first.
pub(super) fn of(tried: &[Tried]) -> Advice {
    let best = tried.first().map_or(0.0, |best| best.chance);
    let candidates = tried.iter().map(|one| candidate(one, best));
    Advice {
        candidates: candidates.collect(),
    }
}

/// A decision as the table offers it.
pub(super) fn choice(decision: Decision) -> Choice {
    let words = match decision {
        Decision::Play(card) => Text::of("challenge-do-play").with("card", u32::from(card.rank())),
        Decision::Offer => Text::of("challenge-do-offer"),
        Decision::Accept => Text::of("challenge-do-accept"),
        Decision::Reject => Text::of("challenge-do-reject"),
    };
    Choice {
        action: notation::print(decision),
        words,
    }
}

/// A decision of the search as advice shows it. `best` is the highest probability of winning among all decisions.
fn candidate(tried: &Tried, best: f64) -> Candidate {
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let mut then = vec![
        Text::of("challenge-then")
            .with("won", percent(tried.won))
            .with("tied", percent(tried.tied)),
    ];
    if tried.decision == Decision::Offer {
        then.push(Text::of("challenge-then-rejected").with("share", percent(tried.rejected)));
    }
    Candidate {
        choice: choice(tried.decision),
        value: tried.chance,
        behind: (best - tried.chance).max(0.0),
        then,
        picture: match tried.decision {
            Decision::Play(card) => json!({ "card": card.rank() }),
            decision => json!({ "action": notation::print(decision) }),
        },
    }
}
