//! The player that searches, and the cache it keeps between the actions of a turn.

use super::{Player, Question};
use crate::belief::{Belief, Replay};
use crate::evaluation::Evaluators;
use crate::opponents::{Opponents, infer};
use crate::record::GameRecord;
use crate::rules::{Action, Cards};
use crate::search::{Best, OwnTurn, Report, SavedTurn, Search, Settings};
use engine::budget::{Budget, Limits};
use engine::numerics::gumbel;
use engine::rng::{Random, mix, unit};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a search leaves for the next action of the same turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnCache {
    /// Identifies the game up to the start of the turn, and the seat.
    turn: u64,
    /// The positions that may come.
    positions: SavedTurn,
}

impl TurnCache {
    /// The part that applies to the position of this record, in which `root` is to act under the
    /// same rules: empty if the cache is of another turn.
    pub fn turn_for(&self, record: &GameRecord, root: &TurnRoot) -> &SavedTurn {
        static NOTHING: SavedTurn = SavedTurn::NOTHING;
        if self.turn == turn_id(record, root) {
            &self.positions
        } else {
            &NOTHING
        }
    }

    /// What a search leaves after its action.
    pub fn after(record: &GameRecord, root: &TurnRoot, report: &Report) -> TurnCache {
        TurnCache {
            turn: turn_id(record, root),
            positions: SavedTurn::after(&report.tree, &root.own, report.action),
        }
    }

    /// Whether there is nothing worth keeping.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    pub fn len(&self) -> usize {
        self.positions.len()
    }
}

/// A position to act in, and the rules that decide what may be done there.
#[derive(Clone, Copy, Debug)]
pub struct TurnRoot {
    pub own: OwnTurn,
    /// Whether a pirate may leave the boat again.
    pub boat_retreat: bool,
    /// Whether the turn may be ended early.
    pub allow_pass: bool,
}

/// Identifies the game before the current turn of the player to move.
fn turn_id(record: &GameRecord, root: &TurnRoot) -> u64 {
    let taken = root.own.view.taken as usize;
    let before = record.moves.len().saturating_sub(taken);
    let rules = u64::from(root.boat_retreat) << 1 | u64::from(root.allow_pass);
    // Nobody else's hand changes within the turn: another deal is another game.
    let hands = root.own.view.hand_sizes.iter().enumerate();
    let others = hands.filter(|&(player, _)| player != record.to_move);
    let mut hash = others.fold(mix(game_id(record) ^ rules), |hash, (_, &cards)| {
        mix(hash ^ u64::from(cards))
    });
    for step in &record.moves[..before] {
        let card = step.card.map_or(7, |card| card as u64);
        hash = mix(hash
            ^ (step.player as u64) << 24
            ^ u64::from(step.from) << 16
            ^ u64::from(step.to) << 8
            ^ card);
    }
    mix(hash ^ before as u64)
}

/// Identifies a board, the number of players and the seat to move: the name under which the cache of
/// a game is stored.
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
    limits: Limits,
    settings: Settings,
    use_cache: bool,
    models: bool,
    cache: TurnCache,
    nodes: u64,
    noise: Option<Noise>,
}

/// Error in what a player thinks of its actions, for weaker opponents.
///
/// To the chance of each action a number is added that follows the Gumbel distribution, times a
/// scale: the choice is then the softmax of the chances over that scale (see [`gumbel`]).
#[derive(Clone, Debug)]
pub struct Noise {
    scale: f64,
    rng: Random,
}

impl Noise {
    /// Noise of a scale, in chances to win; 0 is none.
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
    /// A player with the given evaluators, limits an action and settings, on the calling thread.
    pub fn new(evaluators: Arc<Evaluators>, limits: Limits, settings: Settings) -> Searcher {
        Searcher {
            evaluators,
            limits,
            settings,
            use_cache: true,
            models: true,
            cache: TurnCache::default(),
            nodes: 0,
            noise: None,
        }
    }

    /// With noise in its choices.
    #[must_use]
    pub fn with_noise(mut self, noise: Noise) -> Searcher {
        self.noise = Some(noise).filter(|noise| noise.scale > 0.0);
        self
    }

    /// Without the cache from one action to the next.
    #[must_use]
    pub fn without_cache(mut self) -> Searcher {
        self.use_cache = false;
        self
    }

    /// Taking everyone to play as the evaluator does, whatever they did.
    #[must_use]
    pub fn without_models(mut self) -> Searcher {
        self.models = false;
        self
    }

    /// Positions visited in all searches.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches for an action. With noise the report's action may not be the best of its candidates.
    pub fn search(&mut self, question: &Question) -> Report {
        let replay = question.replay();
        let belief = match &replay {
            Some(replay) => replay.belief.clone(),
            None => Belief::of_view(question.view, question.game.players),
        };
        self.search_believing(question, replay.as_ref(), &belief, |opponents| opponents)
    }

    /// As [`search`](Searcher::search), with the hands of all open: what knowing them would be worth. No contest tells
    /// a player of them.
    ///
    /// # Panics
    /// If the hands are not those of the position.
    pub fn search_knowing(&mut self, question: &Question, hands: &[Cards]) -> Report {
        let replay = question.replay();
        let mut belief = Belief::of_view(question.view, question.game.players);
        for (seat, &hand) in hands.iter().enumerate() {
            assert!(belief.with_known(seat, hand), "seat {seat} holds {hand:?}");
        }
        self.search_believing(question, replay.as_ref(), &belief, Opponents::without_hands)
    }

    /// Searches with a belief, and with the opponents that `adjust` makes of those inferred from a replay.
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
        let opponents = || match replay.filter(|_| self.models) {
            Some(replay) => {
                let mut probe = evaluator.probe();
                let found = infer(question.record, replay, &mut *probe, seed, &budget);
                adjust(found)
            }
            None => Opponents::default(),
        };
        let root = TurnRoot {
            own: OwnTurn {
                view: *question.view,
                pool: belief.draw_pool(),
            },
            boat_retreat: question.game.boat_retreat,
            allow_pass: self.settings.allow_pass,
        };
        let search = Search {
            game: question.game,
            view: question.view,
            belief,
            opponents: &opponents,
            evaluator,
            budget: &budget,
            settings: self.settings,
            pool: None,
        };
        let turn = self.cache.turn_for(question.record, &root);
        let mut report = search.run(turn, &Best::default());
        self.nodes += report.nodes;
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
