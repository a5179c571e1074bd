//! Advice and judgements: a search of a position, and its results in words.

use super::wording::{between, way};
use cartagena::evaluation::Evaluator;
use cartagena::notation::print_action;
use cartagena::opponents::Opponents;
use cartagena::player::Question;
use cartagena::rules::{Action, Game, State, Symbol};
use cartagena::search::{self, Best, SavedTurn, Search, Settings};
use engine::budget::{Budget, Limits};
use serde_json::json;
use std::time::Duration;
use tables::{Advice, Candidate, Choice, Text};

/// Limits of the search for advice: somebody waits for it.
pub(super) const ADVICE: Limits = Limits {
    time: Some(Duration::from_secs(2)),
    nodes: Some(400_000),
};

/// The most nodes of a whole review, about 7 s of processor time with two players: 150 actions are judged by
/// [`JUDGED_BY`] nodes each, more actions by fewer.
const REVIEW: usize = 9_000_000;
/// The most nodes for judging one action of a finished game.
const JUDGED_BY: usize = 60_000;

/// Limits for judging one action of a finished game of `actions`.
pub(super) fn review_limits(actions: usize) -> Limits {
    let nodes = (REVIEW / actions.max(1)).min(JUDGED_BY);
    Limits {
        time: Some(Duration::from_secs(1)),
        nodes: Some(nodes as u64),
    }
}

/// A search with the knowledge of the seat to move in `state`.
pub(super) fn search(
    question: &Question,
    state: &State,
    evaluator: &dyn Evaluator,
    limits: Limits,
    settings: Settings,
) -> Advice {
    let budget = Budget::start(limits);
    let search = Search {
        game: question.game,
        view: question.view,
        belief: &question.belief(),
        opponents: &Opponents::default,
        evaluator,
        budget: &budget,
        settings,
        pool: None,
    };
    let report = search.run(&SavedTurn::NOTHING, &Best::default());
    let best = report.candidates.first().map_or(0.0, |best| best.chance);
    let candidates = report.candidates.iter();
    let candidates = candidates.map(|found| candidate(question.game, state, found, best));
    Advice {
        candidates: candidates.collect(),
    }
}

/// The search's result for an action. `best` is the probability of winning after the best action. The value of this
/// action is computed as `best - behind`: `behind` was measured on worlds on which both actions were rolled out, so
/// it is more precise than the difference of their probabilities.
fn candidate(game: &Game, state: &State, found: &search::Candidate, best: f64) -> Candidate {
    let (from, to) = found.action.places().unwrap_or_default();
    // An action that the search dropped early may look better than the best one by chance: that counts as 0.
    let behind = found.behind.clamp(0.0, best.max(0.0));
    let boat = game.board.boat();
    let then = found.continuation.iter().map(|&action| way(action, boat));
    Candidate {
        choice: choice(game, state, found.action),
        value: best - behind,
        behind,
        then: then.collect(),
        picture: json!({
            "from": from,
            "to": to,
            "card": found.action.card().map(Symbol::letter),
            "pass": found.action == Action::Pass,
            "draws": drawn_by(found.action, state),
        }),
    }
}

/// An action in the contest's notation and in words.
pub(super) fn choice(game: &Game, state: &State, action: Action) -> Choice {
    Choice {
        action: print_action(state.to_move.into(), action),
        words: words(game, state, action),
    }
}

/// An action in words; for a retreat, with the number of cards it draws.
fn words(game: &Game, state: &State, action: Action) -> Text {
    let boat = game.board.boat();
    match action {
        Action::Retreat { from, to } => between("cartagena-retreat", from, to, boat)
            .with("n", usize::from(drawn_by(action, state))),
        _ => way(action, boat),
    }
}

/// The number of cards that an action draws.
pub(super) fn drawn_by(action: Action, state: &State) -> u8 {
    match action {
        Action::Retreat { to, .. } => state.track.draws(to, state.pile, state.discards),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Somebody waits for a review, however long the game was; and the longest game is judged by more than a glance.
    #[test]
    fn a_review_is_bounded() {
        for actions in 1..=1500 {
            let nodes = review_limits(actions).nodes.unwrap();
            assert!(nodes * actions as u64 <= REVIEW as u64, "{actions} actions");
            assert!(
                (6_000..=JUDGED_BY as u64).contains(&nodes),
                "{actions} actions"
            );
        }
        assert_eq!(review_limits(150).nodes, Some(JUDGED_BY as u64));
    }
}
