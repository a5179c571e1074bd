//! Whole games: the replay finds everything public, and sampled worlds look like the game to the seat.

use super::super::super::player::Question;
use super::super::super::record::{GameRecord, Move};
use super::super::super::rules::{Action, ActionList, Board, Cards, Game, State, Symbol};
use super::super::super::view::View;
use super::super::super::world::World;
use super::super::{Replay, ReplayOptions, replay};
use super::example;
use engine::rng::{self, Random};
use proptest::prelude::*;

/// A random game that seldom brings a pirate home, so that it passes several reshuffles.
pub(super) struct Play {
    game: Game,
    world: World,
    pub(super) record: GameRecord,
    rng: Random,
    pub(super) reshuffles: usize,
    /// Whether a player has moved twice in a row because all others passed, which the record does not show.
    ambiguous: bool,
    /// Whether a draw came short. Then another deal may explain the hands as well.
    short: bool,
}

impl Play {
    pub(super) fn new(seed: u64, players: usize, deal: usize) -> Play {
        let mut rng = rng::stream(seed, 2);
        let spaces = rng::below(&mut rng, 40) + 1;
        let symbols: Vec<_> = (0..spaces)
            .map(|_| Symbol::ALL[rng::below(&mut rng, 6)])
            .collect();
        let game = Game::new(Board::new(symbols).unwrap(), players);
        let record = GameRecord {
            players,
            board: game.board.clone(),
            moves: Vec::new(),
            to_move: 0,
            hand: Vec::new(),
        };
        let mut play = Play {
            world: World::deal(&game, deal, rng::stream(seed, 3)),
            game,
            record,
            rng,
            reshuffles: 0,
            ambiguous: false,
            short: false,
        };
        play.update_record();
        play
    }

    /// Brings the player to move and its hand in the record up to date.
    fn update_record(&mut self) {
        let state = self.world.state();
        self.record.to_move = state.to_move as usize;
        self.record.hand = state.hands[self.record.to_move].iter().collect();
        rng::shuffle(&mut self.rng, &mut self.record.hand);
    }

    pub(super) fn act(&mut self) {
        let before = *self.world.state();
        let action = self.choose(&before);
        self.world.act(&self.game, action);
        let state = self.world.state();
        if let Some((from, to)) = action.places() {
            let must = to == self.game.board.boat();
            let told = must || rng::below(&mut self.rng, 2) == 0;
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
        let taken = state.taken;
        self.update_record();
        let last = self.record.moves.last();
        self.ambiguous |= taken == 0 && last.is_some_and(|m| m.player == self.record.to_move);
    }

    fn choose(&mut self, state: &State) -> Action {
        let mut list = ActionList::new();
        self.game.legal_actions(state, &mut list);
        if list.is_empty() || state.taken > 0 && rng::below(&mut self.rng, 8) == 0 {
            return Action::Pass;
        }
        let boat = self.game.board.boat();
        for _ in 0..6 {
            let action = list[rng::below(&mut self.rng, list.len())];
            let retreat = matches!(action, Action::Retreat { .. });
            let home = action.places().is_some_and(|(_, to)| to == boat);
            if !home && (retreat || rng::below(&mut self.rng, 3) == 0) {
                return action;
            }
        }
        list[rng::below(&mut self.rng, list.len())]
    }

    fn check(&self, options: &ReplayOptions) -> Result<Replay, TestCaseError> {
        let found = replay(&self.record, options);
        prop_assert_eq!(&found.inconsistencies[..], &[]);
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
    rng: &mut Random,
    count: usize,
) -> Result<(), TestCaseError> {
    let Replay { view, belief, .. } = found;
    for _ in 0..count {
        let world = belief.sample(view, rng);
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
        gives_the_view(seed, players, deal)?;
    }
}

/// Two deals let all moves keep the rules, and one of them cannot lead to the own hand. The other one is found.
#[test]
fn a_way_to_the_own_hand_decides_between_deals() {
    gives_the_view(15_097_754_571_549_566_924, 5, 5).unwrap();
}

fn gives_the_view(seed: u64, players: usize, deal: usize) -> Result<(), TestCaseError> {
    let mut play = Play::new(seed, players, deal);
    let told = ![3, 6].contains(&deal);
    let mut rng = rng::stream(seed, 4);
    for turn in 0..900 {
        play.act();
        if turn % 13 == 0 {
            let options = ReplayOptions {
                deal: (told || play.short).then_some(deal),
                ..ReplayOptions::default()
            };
            let found = play.check(&options)?;
            prop_assert_eq!(found.deal, deal);
            // The true deal explains the game, so one is found that does.
            let guessed = replay(&play.record, &ReplayOptions::default());
            prop_assert_eq!(&guessed.inconsistencies[..], &[]);
            sampled_worlds_look_alike(&found, &mut rng, 3)?;
        }
        if play.world.state().winner().is_some() {
            break;
        }
    }
    Ok(())
}

/// A game with a very unlikely hand: the hypotheses that the plays alone make likeliest do not allow it, so others
/// must be kept.
#[test]
fn an_unlikely_hand_can_be_held() {
    let mut play = Play::new(3679943954528572270, 5, 6);
    for _ in 0..=208 {
        play.act();
    }
    let found = play.check(&ReplayOptions::default()).unwrap();
    assert_eq!(
        found.belief.unseen().hypotheses,
        256,
        "or nothing was dropped"
    );
}

/// The random games pass several reshuffles, and the belief keeps many hypotheses about old and new cards.
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

/// A player that leaves breaks no rule, however often the pile is shuffled after that. Who sits at the referee's table
/// plays by the same belief as who reads the record.
#[test]
fn games_go_on_after_a_player_has_left() {
    let (mut noted, mut judged) = (0, 0);
    for seed in 0..40 {
        let mut play = Play::new(1000 + seed, 3 + seed as usize % 4, 3);
        for turn in 0..900 {
            if play.world.state().winner().is_some() {
                break;
            }
            if turn >= 40 && play.game.gone == 0 && play.world.state().taken == 0 {
                play.game.gone = 1 << play.record.to_move;
                play.world.retire(&play.game);
                play.update_record();
                continue;
            }
            if turn % 13 == 0 && !play.short {
                let found = replay(&play.record, &ReplayOptions::default());
                assert_eq!(&found.inconsistencies[..], &[], "{seed} {turn}");
                noted += usize::from(found.left.len() > 1);
                let view = View::of(play.world.state(), play.record.to_move);
                let question = Question {
                    game: &play.game,
                    record: &play.record,
                    view: &view,
                    open: None,
                };
                if play.game.gone != 0 && !play.ambiguous {
                    judged += 1;
                    assert_eq!(found.game.gone, play.game.gone, "{seed} {turn}");
                    assert_eq!(question.replay().map(|it| it.view), Some(found.view));
                }
            }
            play.act();
        }
    }
    assert!(noted > 2 && judged > 100, "{noted} {judged}");
}

#[test]
fn the_example() {
    let record = example();
    let found = replay(&record, &ReplayOptions::default());
    assert_eq!(found.inconsistencies, []);
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

/// Actions of an earlier turn do not count, no matter why that turn ended early.
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

/// As long as the pile lasts, a pool that is carried through own actions is the one that a fresh replay finds.
#[test]
fn the_draw_pool_follows_own_actions() {
    let mut compared = 0;
    for seed in 0..20 {
        let mut play = Play::new(seed, 2 + seed as usize % 5, 3);
        let find = |play: &Play| replay(&play.record, &ReplayOptions::default());
        for _ in 0..60 {
            let before = find(&play);
            play.act();
            let after = find(&play);
            if play.reshuffles > 0 || play.world.state().winner().is_some() {
                break;
            }
            if after.view.seat != before.view.seat {
                continue;
            }
            let drawn = after.view.hand.saturating_minus(before.view.hand);
            let pool = before.belief.draw_pool();
            let pool = pool.after_draw(drawn, before.view.discards);
            assert_eq!(pool, after.belief.draw_pool());
            compared += usize::from(!drawn.is_empty());
        }
    }
    assert!(compared > 100, "{compared}");
}

/// Retreats on sampled worlds draw cards by the chances of the outcomes, also if the pile runs out.
#[test]
fn sampled_worlds_draw_what_is_expected() {
    let mut piles = Vec::new();
    for seed in 0..200 {
        let mut play = Play::new(seed, 2 + seed as usize % 3, 3);
        for _ in 0..200 {
            play.act();
            let found = replay(&play.record, &ReplayOptions::default());
            if found.winner.is_some() || play.reshuffles > 0 {
                break;
            }
            let pile = found.view.pile;
            if pile > 2 || piles.contains(&pile) {
                continue;
            }
            let track = found.view.track;
            let retreat = track.places(found.view.seat).find_map(|from| {
                let to = track.retreat(from)?;
                (found.view.draws(to) == 2).then_some(Action::Retreat { from, to })
            });
            if let Some(retreat) = retreat {
                piles.push(pile);
                check_frequencies(&found, retreat);
            }
        }
    }
    piles.sort();
    assert_eq!(piles, [0, 1, 2], "each way to run out was met");
}

fn check_frequencies(found: &Replay, retreat: Action) {
    let outcomes = found.belief.draws(&found.view, 2);
    let mut times = vec![0.0; outcomes.len()];
    let samples = 30_000;
    let mut rng = rng::stream(11, 0);
    for _ in 0..samples {
        let mut world = found.belief.sample(&found.view, &mut rng);
        let drawn = world.act(&found.game, retreat);
        let outcome = outcomes.iter().position(|o| o.0 == drawn);
        times[outcome.expect("a draw that cannot be")] += 1.0;
    }
    let square: f64 = outcomes
        .iter()
        .zip(times)
        .map(|(outcome, times)| {
            let expected = outcome.1 * f64::from(samples);
            (times - expected).powi(2) / expected
        })
        .sum();
    let freedom = outcomes.len() as f64;
    let limit = freedom + 5.0 * (2.0 * freedom).sqrt();
    assert!(square < limit, "chi-square {square} of {freedom}");
}
