//! Whole games: the replay knows what is public, sampled worlds look as the game does.

use super::super::super::record::{GameRecord, Move};
use super::super::super::rules::{Action, ActionList, Board, Cards, Game, State, Symbol};
use super::super::super::view::View;
use super::super::super::world::World;
use super::super::{Replay, ReplayOptions, replay};
use super::example;
use crate::random::{self, Random};
use proptest::prelude::*;

/// A game at random that seldom brings a pirate home, so that it passes several reshuffles.
pub(super) struct Play {
    game: Game,
    world: World,
    pub(super) record: GameRecord,
    chance: Random,
    pub(super) reshuffles: usize,
    /// Somebody moves twice in a row because all others passed: the record cannot tell.
    ambiguous: bool,
    /// A draw came short: another deal may explain the hands as well.
    short: bool,
}

impl Play {
    pub(super) fn new(seed: u64, players: usize, deal: usize) -> Play {
        let mut chance = random::stream(seed, 2);
        let spaces = random::below(&mut chance, 40) + 1;
        let symbols: Vec<_> = (0..spaces)
            .map(|_| Symbol::ALL[random::below(&mut chance, 6)])
            .collect();
        let game = Game::new(Board::new(symbols).unwrap(), players);
        let record = GameRecord {
            players,
            board: game.board.clone(),
            moves: Vec::new(),
            to_move: 0,
            hand: Vec::new(),
        };
        Play {
            world: World::deal(&game, deal, random::stream(seed, 3)),
            game,
            record,
            chance,
            reshuffles: 0,
            ambiguous: false,
            short: false,
        }
    }

    pub(super) fn act(&mut self) {
        let before = *self.world.state();
        let action = self.choose(&before);
        self.world.act(&self.game, action);
        let state = self.world.state();
        if let Some((from, to)) = action.places() {
            let must = to == self.game.board.boat();
            let told = must || random::below(&mut self.chance, 2) == 0;
            self.record.moves.push(Move {
                player: before.to_move as usize,
                from,
                to,
                card: action.card().filter(|_| told),
            });
            let retreat = matches!(action, Action::Retreat { .. });
            self.short |= retreat && before.draws(to) < before.track.pirates_on(to);
            if retreat && before.draws(to) > before.pile {
                self.reshuffles += 1;
            }
        }
        self.record.to_move = state.to_move as usize;
        self.record.hand = state.hands[state.to_move as usize].iter().collect();
        random::shuffle(&mut self.chance, &mut self.record.hand);
        let last = self.record.moves.last();
        self.ambiguous |= state.taken == 0 && last.is_some_and(|m| m.player == self.record.to_move);
    }

    fn choose(&mut self, state: &State) -> Action {
        let mut list = ActionList::new();
        self.game.legal_actions(state, &mut list);
        if list.is_empty() || state.taken > 0 && random::below(&mut self.chance, 8) == 0 {
            return Action::Pass;
        }
        let boat = self.game.board.boat();
        for _ in 0..6 {
            let action = list[random::below(&mut self.chance, list.len())];
            let retreat = matches!(action, Action::Retreat { .. });
            let home = action.places().is_some_and(|(_, to)| to == boat);
            if !home && (retreat || random::below(&mut self.chance, 3) == 0) {
                return action;
            }
        }
        list[random::below(&mut self.chance, list.len())]
    }

    fn check(&self, options: &ReplayOptions) -> Result<Replay, TestCaseError> {
        let found = replay(&self.record, options);
        prop_assert_eq!(&found.oddities[..], &[]);
        let mut expected = View::of(self.world.state(), self.record.to_move);
        if self.ambiguous || found.winner.is_some() {
            expected.taken = found.view.taken;
        }
        prop_assert_eq!(found.view, expected);
        prop_assert_eq!(&found.game, &self.game);
        prop_assert_eq!(found.winner, self.world.state().winner());
        Ok(found)
    }
}

fn sampled_worlds_look_alike(
    found: &Replay,
    random: &mut Random,
    count: usize,
) -> Result<(), TestCaseError> {
    let Replay { view, belief, .. } = found;
    for _ in 0..count {
        let world = belief.sample(view, random);
        prop_assert_eq!(&View::of(world.state(), view.seat), view);
        let pile: Cards = world.pile().iter().copied().collect();
        let hands = world.state().hands;
        let all = hands.iter().fold(view.discards, |sum, &h| sum.plus(h));
        prop_assert_eq!(all.plus(pile), Cards::deck());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// At every action the replay gives what the seat to move sees, and worlds drawn from the
    /// belief look the same to it.
    #[test]
    fn replay_gives_the_view(seed: u64, players in 2usize..=6, deal in 0usize..=6) {
        let mut play = Play::new(seed, players, deal);
        let told = ![3, 6].contains(&deal);
        let mut random = random::stream(seed, 4);
        for turn in 0..900 {
            play.act();
            if turn % 13 == 0 {
                let options = ReplayOptions {
                    deal: (told || play.short).then_some(deal),
                    ..ReplayOptions::default()
                };
                let found = play.check(&options)?;
                prop_assert_eq!(found.deal, deal);
                sampled_worlds_look_alike(&found, &mut random, 3)?;
            }
            if play.world.state().winner().is_some() {
                break;
            }
        }
    }
}

/// The random games do what they are for, and the old cards stay told from the new.
#[test]
fn games_pass_reshuffles() {
    let mut reshuffles = 0;
    let mut ways = 0;
    for seed in 0..12 {
        let mut play = Play::new(seed, 2 + seed as usize % 5, 3);
        for turn in 0..1200 {
            play.act();
            if play.world.state().winner().is_some() {
                break;
            }
            if turn % 50 == 0 && !play.short {
                let found = play.check(&ReplayOptions::default()).unwrap();
                ways = ways.max(found.belief.unseen().hypotheses);
            }
        }
        reshuffles = reshuffles.max(play.reshuffles);
    }
    assert!(reshuffles >= 5, "{reshuffles}");
    assert!(ways > 20, "{ways}");
}

#[test]
fn the_example() {
    let record = example();
    let found = replay(&record, &ReplayOptions::default());
    assert_eq!(found.oddities, []);
    assert_eq!((found.deal, found.winner), (3, None));
    assert_eq!(found.game.players, 3);
    let view = found.view;
    assert_eq!((view.seat, view.to_move, view.taken), (1, 1, 0));
    // Each was dealt 3; player 1 played 3 and drew 1, player 2 played 2 and drew 2 on space 3
    // (which held two pirates), player 3 played 2 and drew 1.
    assert_eq!(view.hand_sizes, [1, 3, 2, 0, 0, 0]);
    assert_eq!(view.pile, 102 - 9 - 4);
    assert_eq!(view.discards.to_string(), "2 bottle, 3 gun, 1 hat, 1 keys");
    assert_eq!(view.hand.to_string(), "2 hat, 1 skull");
    assert_eq!(view.track.pirates(0), [0, 0, 0, 3, 3, 5]);
    assert_eq!(view.track.pirates(1), [0, 0, 0, 0, 2, 3]);
    assert_eq!(view.track.pirates(2), [0, 0, 0, 0, 2, 4]);
    let table = found.belief.unseen().to_string();
    assert_eq!(table.lines().count(), 4, "{table}");
    assert!(table.contains("player 3"), "{table}");
}

/// Actions of an earlier turn do not count, whoever cut it short.
#[test]
fn actions_taken() {
    let taken = |moves: &[_], to_move| {
        let record = super::record(2, moves, to_move, &[]);
        replay(&record, &ReplayOptions::default()).view.taken
    };
    assert_eq!(taken(&[], 1), 0);
    assert_eq!(taken(&[(1, 0, 1, None)], 1), 1);
    assert_eq!(taken(&[(1, 0, 1, None)], 2), 0);
    assert_eq!(taken(&[(1, 0, 1, None), (2, 0, 2, None)], 1), 0);
    let three = [(1, 0, 1, None), (1, 0, 2, None), (1, 0, 3, None)];
    assert_eq!(taken(&three, 1), 0);
    assert_eq!(taken(&[&three[..], &[(1, 0, 4, None)]].concat(), 1), 1);
}
