//! Positions of legal games: the true state, and the text that the contest would send.

use super::Run;
use cartagena::boards;
use cartagena::notation::{Answer, move_of, parse_action, print, resolve};
use cartagena::player::{Player, Question};
use cartagena::record::{GameRecord, Move};
use cartagena::rules::{Action, ActionList, Board, Game, State, Symbol};
use cartagena::view::View;
use cartagena::world::World;
use engine::rng::{self, Random, below};
use seats::cartagena::players::builtin::recipe_of;

/// A moment of a game.
#[derive(Clone, Debug)]
pub(super) struct Position {
    pub(super) game: Game,
    pub(super) world: World,
    /// The actions so far, every card named.
    pub(super) moves: Vec<Move>,
    pub(super) reshuffled: bool,
}

impl Position {
    /// The start of a game.
    pub(super) fn start(board: Board, players: usize, deal: usize, seed: u64) -> Position {
        let game = Game::new(board, players);
        let world = World::deal(&game, deal, rng::stream(seed, 0));
        Position {
            game,
            world,
            moves: Vec::new(),
            reshuffled: false,
        }
    }

    pub(super) fn state(&self) -> &State {
        self.world.state()
    }

    pub(super) fn legal(&self) -> ActionList {
        let mut list = ActionList::new();
        self.game.legal_actions(self.state(), &mut list);
        list
    }

    /// The record that the player to move receives, with every card named.
    pub(super) fn record(&self) -> GameRecord {
        GameRecord::of_state(&self.game, self.state(), self.moves.clone())
    }

    /// The same as the contest writes it.
    pub(super) fn input(&self) -> String {
        print(&self.record())
    }

    /// The same with optional cards named or not at random, and the hand in some order.
    pub(super) fn input_with_some_cards(&self, rng: &mut Random) -> String {
        let mut record = self.record();
        for step in &mut record.moves {
            if step.to != self.game.board.boat() && below(rng, 2) == 0 {
                step.card = None;
            }
        }
        rng::shuffle(rng, &mut record.hand);
        print(&record)
    }

    /// Takes a legal action.
    pub(super) fn take(&mut self, action: Action) {
        let before = *self.state();
        assert_eq!(self.game.check(&before, action), Ok(()));
        self.moves
            .extend(move_of(usize::from(before.to_move), action));
        self.world.act(&self.game, action);
        self.reshuffled |= self.state().discards.total() < before.discards.total();
    }

    /// The one legal action that a run of the program answered.
    pub(super) fn answer(&self, run: &Run) -> Action {
        let context = || format!("{run:?}\n{}", self.input());
        assert_eq!(run.code, Some(0), "{}", context());
        assert!(run.stdout.ends_with('\n'), "{}", context());
        assert_eq!(run.stdout.lines().count(), 1, "{}", context());
        let Ok(Answer::Move(step)) = parse_action(run.stdout.as_bytes()) else {
            panic!("no action: {}", context());
        };
        assert_eq!(step.player, usize::from(self.state().to_move));
        let action = resolve(&self.game, step).unwrap_or_else(|e| panic!("{e}: {}", context()));
        let legal = self.game.check(self.state(), action);
        assert_eq!(legal, Ok(()), "{}", context());
        assert_eq!(step.card, action.card(), "{}", context());
        action
    }
}

/// Plays a game between baselines, which now and then end a turn early. Calls `visit` with each position before its
/// action, until it returns false, the game is won, or `actions` actions are done.
pub(super) fn play(
    mut position: Position,
    names: &[&str],
    seed: u64,
    actions: usize,
    mut visit: impl FnMut(&Position) -> bool,
) {
    let mut rng = rng::stream(seed, 1);
    let mut seats: Vec<Box<dyn Player>> = (0..position.game.players)
        .map(|_| {
            let name = names[below(&mut rng, names.len())];
            recipe_of(name).unwrap()(seed)
        })
        .collect();
    // Baselines look only at the view.
    let unread = position.record();
    // Passes are bounded too: it may happen that no player has a legal action left.
    for _ in 0..2 * actions {
        if position.state().winner().is_some() || position.moves.len() == actions {
            return;
        }
        if !visit(&position) {
            return;
        }
        let seat = usize::from(position.state().to_move);
        let stop = position.game.may_pass(position.state()) && below(&mut rng, 12) == 0;
        let action = if stop {
            Action::Pass
        } else {
            seats[seat].choose(&Question {
                game: &position.game,
                record: &unread,
                view: &View::of(position.state(), seat),
                open: None,
            })
        };
        position.take(action);
    }
}

/// A random moment of a random game on a standard board in which the player to move has a choice.
///
/// Hoarders and random players draw much: their games pass reshuffles.
pub(super) fn moment(seed: u64, players: usize, deal: usize) -> Position {
    let mut rng = rng::stream(seed, 2);
    let names = [
        &["random"][..],
        &["random", "hoarder"],
        &["random", "hoarder", "greedy", "rearmost"],
        &["hoarder"],
    ];
    let names = names[below(&mut rng, names.len())];
    let start = Position::start(boards::standard(&mut rng), players, deal, seed);
    let mut seen = 0;
    let mut chosen = None;
    play(start, names, seed, 1000, |position| {
        if position.legal().len() > 1 {
            seen += 1;
            // Reservoir sampling: each position that qualifies is chosen with equal probability.
            if below(&mut rng, seen) == 0 {
                chosen = Some(position.clone());
            }
        }
        true
    });
    chosen.unwrap()
}

/// A board of the same symbol all over.
pub(super) fn plain_board(symbol: Symbol, spaces: usize) -> Board {
    Board::new(vec![symbol; spaces]).unwrap()
}
