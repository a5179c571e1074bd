//! The player that searches, for matches inside one process, and the cache that it keeps between the actions of a
//! turn. A call of the contest (`call`) uses the same cache, and stores it in a file.

use super::{Player, Question};
use crate::belief::{Belief, Replay};
use crate::evaluation::Evaluators;
use crate::opponents::{Opponents, infer};
use crate::record::GameRecord;
use crate::rules::Action;
use crate::search::{Best, OwnTurn, Report, SavedTurn, Search, Settings};
use engine::budget::{Budget, Limits};
use engine::numerics::gumbel;
use engine::rng::{Random, mix, unit};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The results of a search that the next action of the same turn can use.
///
/// The contest starts a new process for each action, so one process leaves this for the next, in a file. It
/// belongs to one turn of one game and is ignored anywhere else.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnCache {
    /// Identifies the game up to the start of the turn, and the seat.
    turn: u64,
    /// The positions that may come next, with the results of rollouts there.
    positions: SavedTurn,
}

impl TurnCache {
    /// The positions, if the cache is of this turn: of the same game up to the start of the turn, the same
    /// seat and the same rules as `root`. Else none.
    pub fn turn_for(&self, record: &GameRecord, root: &TurnRoot) -> &SavedTurn {
        static NOTHING: SavedTurn = SavedTurn::NOTHING;
        if self.turn == turn_id(record, root) {
            &self.positions
        } else {
            &NOTHING
        }
    }

    /// The cache after the search of `report` and its action.
    pub fn after(record: &GameRecord, root: &TurnRoot, report: &Report) -> TurnCache {
        TurnCache {
            turn: turn_id(record, root),
            positions: SavedTurn::after(&report.tree, &root.own, report.action),
        }
    }

    /// Whether there is nothing to keep.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }
}

/// A position to act in, and the options that decide which actions are possible there.
#[derive(Clone, Copy, Debug)]
pub struct TurnRoot {
    pub own: OwnTurn,
    /// Whether a pirate may leave the boat again.
    pub boat_retreat: bool,
    /// Whether the turn may be ended early.
    pub allow_pass: bool,
}

/// Identifies the game before the current turn of the player to move, by a hash.
fn turn_id(record: &GameRecord, root: &TurnRoot) -> u64 {
    let taken = root.own.view.taken as usize;
    // The moves of this turn are left out of the hash, so that all its actions have the same id.
    let before = record.moves.len().saturating_sub(taken);
    let rules = u64::from(root.boat_retreat) << 1 | u64::from(root.allow_pass);
    // A record does not say how many cards were dealt, but the sizes of the other hands do. They do not
    // change within the turn.
    let hands = root.own.view.hand_sizes.iter().enumerate();
    let others = hands.filter(|&(player, _)| player != record.to_move);
    let mut hash = others.fold(mix(game_id(record) ^ rules), |hash, (_, &cards)| {
        mix(hash ^ u64::from(cards))
    });
    for step in &record.moves[..before] {
        // Symbols are 0 to 5, so 7 is a card that is not named.
        let card = step.card.map_or(7, |card| card as u64);
        hash = mix(hash
            ^ (step.player as u64) << 24
            ^ u64::from(step.from) << 16
            ^ u64::from(step.to) << 8
            ^ card);
    }
    mix(hash ^ before as u64)
}

/// Identifies a board, the number of players and the seat to move, by a hash. The cache of a game is stored
/// under this name, so that each action of the game replaces the file of the one before.
pub fn game_id(record: &GameRecord) -> u64 {
    let start = mix((record.players as u64) << 8 | record.to_move as u64);
    record
        .board
        .spaces()
        .iter()
        .fold(start, |hash, &symbol| mix(hash ^ (symbol as u64 + 1)))
}

/// A player that searches, for matches inside this program.
pub struct Searcher {
    evaluators: Arc<Evaluators>,
    /// The limits for each action.
    limits: Limits,
    settings: Settings,
    /// Whether rollouts are kept for the next action of the same turn.
    use_cache: bool,
    /// Whether the opponents' styles are inferred.
    models: bool,
    cache: TurnCache,
    noise: Option<Noise>,
}

/// Random errors in a player's values, for weaker opponents.
///
/// Each action's chance to win gets `scale` times a random number of the Gumbel distribution added, and the
/// highest sum is chosen. That draws an action with probability ∝ exp(chance / scale), a softmax (see
/// [`gumbel`]). With a scale of 0.05, an action that is worse by 0.05 is chosen e times as rarely.
#[derive(Clone, Debug)]
pub struct Noise {
    scale: f64,
    rng: Random,
}

impl Noise {
    /// Noise of the given scale, in chances to win; 0 is none.
    pub fn new(scale: f64, rng: Random) -> Noise {
        Noise { scale, rng }
    }

    /// The best action under the noise.
    fn choose(&mut self, report: &Report) -> Action {
        let mut best = (report.action, f64::NEG_INFINITY);
        for candidate in &report.candidates {
            let chance = candidate.chance + self.scale * gumbel(unit(&mut self.rng));
            if chance > best.1 {
                best = (candidate.action, chance);
            }
        }
        best.0
    }
}

impl Searcher {
    /// A player with the given evaluators and settings, and with limits for each action. It searches on the
    /// calling thread.
    pub fn new(evaluators: Arc<Evaluators>, limits: Limits, settings: Settings) -> Searcher {
        Searcher {
            evaluators,
            limits,
            settings,
            use_cache: true,
            models: true,
            cache: TurnCache::default(),
            noise: None,
        }
    }

    /// The same player with noise in its choices.
    #[must_use]
    pub fn with_noise(mut self, noise: Noise) -> Searcher {
        self.noise = Some(noise).filter(|noise| noise.scale > 0.0);
        self
    }

    /// The same player without the cache from one action to the next.
    #[must_use]
    pub fn without_cache(mut self) -> Searcher {
        self.use_cache = false;
        self
    }

    /// The same player without models of its opponents: it takes everyone to play as the evaluator does.
    #[must_use]
    pub fn without_models(mut self) -> Searcher {
        self.models = false;
        self
    }

    /// Searches for an action. With noise the report's action may not be the best of its candidates.
    pub fn search(&mut self, question: &Question) -> Report {
        let replay = question.replay();
        let belief = question.belief_by(replay.as_ref());
        // With open hands nothing has to be inferred about them.
        let adjust = |found: Opponents| match question.open {
            Some(_) => found.without_hands(),
            None => found,
        };
        self.search_believing(question, replay.as_ref(), &belief, adjust)
    }

    /// Searches with a belief, and with the opponents inferred from a replay and changed by `adjust`.
    fn search_believing(
        &mut self,
        question: &Question,
        replay: Option<&Replay>,
        belief: &Belief,
        adjust: impl Fn(Opponents) -> Opponents + Sync,
    ) -> Report {
        let budget = Budget::start(self.limits);
        let evaluator = &**self.evaluators.for_players(question.game.players);
        let seed = self.settings.seed;
        // The search calls this only if it needs rollouts. Without a replay there are no decisions to infer from.
        let opponents = || match replay.filter(|_| self.models) {
            Some(replay) => {
                let mut probe = evaluator.probe();
                let found = infer(question.record, replay, &mut *probe, seed, &budget);
                adjust(found)
            }
            None => Opponents::default(),
        };
        // With open hands the belief is that of the question's view.
        let view = match question.open {
            Some(_) => question.view,
            None => replay.map_or(question.view, |replay| &replay.view),
        };
        let root = TurnRoot {
            own: OwnTurn {
                view: *view,
                pool: belief.draw_pool(),
            },
            boat_retreat: question.game.boat_retreat,
            allow_pass: self.settings.allow_pass,
        };
        let search = Search {
            game: question.game,
            view,
            belief,
            opponents: &opponents,
            evaluator,
            budget: &budget,
            settings: self.settings,
            pool: None,
        };
        let turn = self.cache.turn_for(question.record, &root);
        // Nobody watches this search, so nobody reads its leader.
        let mut report = search.run(turn, &Best::default());
        // The noise comes last: the cache below then belongs to the action that is really taken.
        if let Some(noise) = &mut self.noise {
            report.action = noise.choose(&report);
        }
        if self.use_cache {
            self.cache = TurnCache::after(question.record, &root, &report);
        }
        report
    }
}

impl Player for Searcher {
    fn choose(&mut self, question: &Question) -> Action {
        self.search(question).action
    }
}
