//! Information-set Monte Carlo tree search: the yardstick for every search that evaluates.
//!
//! One tree of the observer's information sets for all sampled worlds (single observer, Cowling,
//! Powley and Whitehouse 2012): every iteration draws a world from the belief, descends by UCB1
//! among the actions that are legal in that world, where an action's bonus counts how often it was
//! available, adds one node and plays on. A world fixes the order of its draw pile, so what a
//! retreat draws is part of the world and not of the tree. Playouts prefer what carries far and
//! are cut by an estimate from pips and cards; every player maximises its own share (max^n, Luckhardt
//! and Irani 1986).

use super::{Player, Question};
use crate::cartagena::evaluation::Chances;
use crate::cartagena::evaluation::numeric::softmax;
use crate::cartagena::rules::{Action, ActionList, Game, MAX_PLAYERS, State};
use crate::cartagena::world::World;
use crate::random::{self, Random};

/// How the tree search goes about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Worlds sampled for one action.
    pub iterations: u32,
    /// Weight of the bonus for actions seldom tried, in chances to win.
    pub exploration: f32,
    /// Actions of everyone together after which a playout is cut.
    pub playout: u32,
    /// Actions a playout looks at before each step; it takes the one that gains most.
    pub tries: u32,
    /// Places a card is worth to a playout that chooses between steps.
    pub card: f32,
    /// Places a card carries a pirate, as the estimate counts actions where a playout is cut.
    pub jump: f32,
    /// Actions it costs to get a card that is needed and not in the hand.
    pub fetch: f32,
    /// Actions of difference that multiply the odds by e there.
    pub scale: f32,
}

impl Default for Options {
    /// The best of the few settings tried in short matches against hoard-then-sprint.
    fn default() -> Options {
        Options {
            iterations: 2000,
            exploration: 0.7,
            playout: 18,
            tries: 3,
            card: 5.0,
            jump: 9.0,
            fetch: 2.7,
            scale: 4.0,
        }
    }
}

/// The player. Its tree is built anew for every action, in the same memory.
#[derive(Clone, Debug)]
pub struct Mcts {
    options: Options,
    random: Random,
    tree: Vec<Node>,
    path: Vec<(u32, u8)>,
}

/// What is known of an action in an information set, and what may follow it.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The action as [`label`] orders it.
    label: u16,
    /// The next action in the order, of the same information set; 0 for none.
    sibling: u32,
    /// The first action that may follow; 0 for none.
    child: u32,
    visits: u32,
    /// Iterations in which the action was legal when its information set was passed.
    available: u32,
    /// What the player who takes the action got, summed over the visits.
    reward: f32,
}

const ROOT: u32 = 0;

impl Mcts {
    /// A player whose choices follow from the generator.
    pub fn new(options: Options, random: Random) -> Mcts {
        Mcts {
            options,
            random,
            tree: Vec::new(),
            path: Vec::new(),
        }
    }

    /// The number of visits of each of the root's actions that was tried, in the fixed order.
    fn root_visits(&self) -> impl Iterator<Item = (u16, u32)> {
        let first = self.tree[ROOT as usize].child;
        std::iter::successors((first != 0).then_some(first), |&i| {
            let next = self.tree[i as usize].sibling;
            (next != 0).then_some(next)
        })
        .map(|i| (self.tree[i as usize].label, self.tree[i as usize].visits))
    }

    fn add(&mut self, label: u16, sibling: u32) -> u32 {
        self.tree.push(Node {
            label,
            sibling,
            child: 0,
            visits: 0,
            available: 0,
            reward: 0.0,
        });
        self.tree.len() as u32 - 1
    }

    fn iterate(&mut self, game: &Game, mut world: World) {
        self.path.clear();
        let mut at = ROOT;
        let mut list = ActionList::new();
        let reward = loop {
            if let Some(winner) = world.state().winner() {
                break won(winner);
            }
            legal(game, world.state(), &mut list);
            let (next, choice, new) = self.descend(at, &list);
            self.path.push((next, world.state().to_move));
            world.act(game, list[choice]);
            at = next;
            if new {
                break self.play_out(game, &mut world, &mut list);
            }
        };
        for &(node, mover) in &self.path {
            let node = &mut self.tree[node as usize];
            node.visits += 1;
            node.reward += reward[mover as usize];
        }
    }

    /// The node of the action to take, its place in the list, and whether the node is new.
    fn descend(&mut self, at: u32, list: &ActionList) -> (u32, usize, bool) {
        let mut best = (ROOT, 0, f32::NEG_INFINITY);
        let mut untried = 0;
        // One of the untried actions, each equally likely, and the node it goes after.
        let mut fresh = (0, ROOT);
        let mut before = ROOT;
        let mut child = self.tree[at as usize].child;
        for (i, &action) in list.iter().enumerate() {
            let label = label(action);
            while child != 0 && self.tree[child as usize].label < label {
                before = child;
                child = self.tree[child as usize].sibling;
            }
            if child == 0 || self.tree[child as usize].label != label {
                untried += 1;
                if random::below(&mut self.random, untried) == 0 {
                    fresh = (i, before);
                }
                continue;
            }
            let node = &mut self.tree[child as usize];
            node.available += 1;
            let visits = node.visits as f32;
            let bonus = (ln(node.available) / visits).sqrt();
            let score = node.reward / visits + self.options.exploration * bonus;
            if score > best.2 {
                best = (child, i, score);
            }
        }
        if untried == 0 {
            return (best.0, best.1, false);
        }
        let (choice, before) = fresh;
        let place = match before {
            ROOT => self.tree[at as usize].child,
            _ => self.tree[before as usize].sibling,
        };
        let new = self.add(label(list[choice]), place);
        self.tree[new as usize].available = 1;
        match before {
            ROOT => self.tree[at as usize].child = new,
            _ => self.tree[before as usize].sibling = new,
        }
        (new, choice, true)
    }

    fn play_out(&mut self, game: &Game, world: &mut World, list: &mut ActionList) -> Chances {
        for _ in 0..self.options.playout {
            if let Some(winner) = world.state().winner() {
                return won(winner);
            }
            legal(game, world.state(), list);
            let action = self.far(world.state(), list);
            world.act(game, action);
        }
        match world.state().winner() {
            Some(winner) => won(winner),
            None => self.estimate(game, world.state()),
        }
    }

    /// Of a few random actions the one that gains most places, cards counted as places.
    fn far(&mut self, state: &State, list: &ActionList) -> Action {
        let mut best = (f32::NEG_INFINITY, list[0]);
        for _ in 0..self.options.tries {
            let action = list[random::below(&mut self.random, list.len())];
            let gain = match action {
                Action::Advance { from, to, .. } => f32::from(to - from) - self.options.card,
                Action::Retreat { from, to } => {
                    self.options.card * f32::from(state.draws(to)) - f32::from(from - to)
                }
                Action::Pass => 0.0,
            };
            if gain > best.0 {
                best = (gain, action);
            }
        }
        best.1
    }

    /// Everyone's chance where a playout is cut: the actions still needed by pips, one for every
    /// card to be played, and more for those that are not in the hand.
    fn estimate(&self, game: &Game, state: &State) -> Chances {
        let mut chances = [0.0; MAX_PLAYERS];
        let boat = state.track.boat();
        for (player, chance) in chances[..game.players].iter_mut().enumerate() {
            let pirates = state.track.pirates(player).iter().filter(|&&p| p != boat);
            // However close the boat is, it takes a card to get there.
            let plays = pirates
                .map(|&p| (f32::from(boat - p) / self.options.jump).max(1.0))
                .sum::<f32>();
            let missing = (plays - f32::from(state.hands[player].total())).max(0.0);
            *chance = -(plays + self.options.fetch * missing) / self.options.scale;
        }
        softmax(&mut chances, game.players);
        chances
    }
}

impl Player for Mcts {
    fn choose(&mut self, question: &Question) -> Action {
        let (game, view) = (question.game, question.view);
        let mut list = ActionList::new();
        game.actions(&view.track, view.seat, view.hand, &mut list);
        match list[..] {
            [] => return Action::Pass,
            [only] => return only,
            _ => {}
        }
        let belief = question.belief();
        self.tree.clear();
        self.add(0, 0);
        for _ in 0..self.options.iterations {
            let world = belief.sample(view, &mut self.random);
            self.iterate(game, world);
        }
        // The own actions at the root are legal in every world.
        let best = self.root_visits().max_by_key(|&(_, visits)| visits);
        let chosen = best.and_then(|(best, _)| list.iter().find(|&&a| label(a) == best));
        chosen.copied().unwrap_or(list[0])
    }
}

/// The legal actions, a pass where there is no other.
fn legal(game: &Game, state: &State, list: &mut ActionList) {
    game.legal_actions(state, list);
    if list.is_empty() {
        list.push(Action::Pass);
    }
}

fn won(winner: usize) -> Chances {
    let mut chances = [0.0; MAX_PLAYERS];
    chances[winner] = 1.0;
    chances
}

/// Numbers actions in the order in which legal ones are listed. Where a move leads follows from
/// the track, which is the same in every world that comes by.
fn label(action: Action) -> u16 {
    match action {
        Action::Advance { from, symbol, .. } => u16::from(from) << 3 | symbol as u16,
        Action::Retreat { from, .. } => u16::from(from) << 3 | 6,
        Action::Pass => 7,
    }
}

/// The natural logarithm, linear between powers of two: good enough for a bonus, and the same on
/// every machine. `n` is at least 1.
fn ln(n: u32) -> f32 {
    let exponent = n.ilog2();
    let mantissa = n as f32 / (1u64 << exponent) as f32 - 1.0;
    (exponent as f32 + mantissa) * std::f32::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cartagena::belief::{ReplayOptions, replay};
    use crate::cartagena::bench;

    fn choices(seed: u64) -> Vec<Action> {
        let positions = bench::positions(3);
        let ask = |record| {
            let replay = replay(record, &ReplayOptions::default());
            let question = Question {
                game: &replay.game,
                record,
                view: &replay.view,
            };
            let options = Options {
                iterations: 300,
                ..Options::default()
            };
            let mut player = Mcts::new(options, random::stream(seed, 0));
            let action = player.choose(&question);
            let mut list = ActionList::new();
            let view = &replay.view;
            replay
                .game
                .actions(&view.track, view.seat, view.hand, &mut list);
            assert!(list.contains(&action), "{action} is not legal");
            let visits: u32 = player.root_visits().map(|(_, visits)| visits).sum();
            assert_eq!(
                visits, options.iterations,
                "every iteration starts at the root"
            );
            let labels: Vec<u16> = player.root_visits().map(|(label, _)| label).collect();
            assert!(labels.is_sorted_by(|a, b| a < b), "{labels:?}");
            action
        };
        positions.iter().map(ask).collect()
    }

    #[test]
    fn answers_are_legal_and_follow_from_the_seed() {
        assert_eq!(choices(1), choices(1));
    }

    #[test]
    fn a_win_in_hand_is_taken() {
        use crate::cartagena::record::GameRecord;
        use crate::cartagena::rules::{Board, Cards, Symbol};
        use crate::cartagena::view::View;
        let board = Board::new(Symbol::ALL.repeat(2)).unwrap();
        let game = Game {
            pirates: 2,
            ..Game::new(board.clone(), 2)
        };
        let hand: Cards = [Symbol::Gun, Symbol::Hat].into_iter().collect();
        let mut state = game.start(&[hand, hand]);
        state.track.relocate(0, 0, 13);
        state.track.relocate(0, 0, 9);
        state.track.relocate(1, 0, 2);
        let record = GameRecord {
            players: 2,
            board,
            moves: Vec::new(),
            to_move: 0,
            hand: hand.iter().collect(),
        };
        let mut player = Mcts::new(Options::default(), random::stream(1, 0));
        let action = player.choose(&Question {
            game: &game,
            record: &record,
            view: &View::of(&state, 0),
        });
        let (_, to) = action.places().unwrap();
        assert_eq!(to, game.board.boat(), "{action}");
    }
}
