//! `contest cartagena analyse`, `replay` and `input`, on games that `match` recorded.

use super::programs::{Command, contest_in, program, records, says, scratch};

use cartagena::notation::{Answer, parse, parse_action, resolve};
use cartagena::rules::{Action, ActionList};
use contest::cartagena::record::{Positions, Record};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A file of records in its own temporary folder.
struct Games {
    folder: TempDir,
    path: PathBuf,
}

impl Games {
    /// Records two games between the given programs.
    fn of(words: &str) -> Games {
        let (folder, path) = scratch("games.jsonl");
        let games = Games { folder, path };
        let settings = "--seed 3 --games 2 --record games.jsonl";
        let words = format!("cartagena match {settings} {words}");
        contest_in(games.folder.path(), &words).printed();
        games
    }

    fn baselines() -> Games {
        Games::of("builtin:hoarder builtin:greedy")
    }

    /// A command with its file and these further arguments.
    fn call(&self, command: &str, words: &str) -> Command {
        let words = format!("cartagena {command} games.jsonl {words}");
        contest_in(self.folder.path(), &words)
    }

    fn text(&self, command: &str, words: &str) -> String {
        self.call(command, words).printed()
    }

    fn records(&self) -> Vec<Record> {
        records(&self.path)
    }

    fn history(&self, game: usize) -> Positions {
        self.records()[game].positions().unwrap()
    }
}

/// Options for a quick analysis. Its evaluator is written by hand, so a newly trained network does not change
/// the results.
const QUICK: &str = "--nodes 300 --judge handmade";

/// The losses, grades and sums of an analysis follow from its chances of winning.
#[test]
fn what_an_analysis_says_adds_up() {
    let bots = "builtin:runme,nodes=100,evaluator=handmade builtin:random";
    let games = Games::of(&format!("{bots} --max-turns 30"));
    let text = games.text("analyse", &format!("{QUICK} --game 2 --json"));
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["judge"], "handmade");
    assert_eq!(report["nodes"], 300);
    let record = &games.records()[1];
    assert_eq!(report["game"], record.id.as_str());
    let history = games.history(1);
    let actions = report["actions"].as_array().unwrap();
    assert_eq!(actions.len(), history.steps.len());
    let number = |value: &Value, key: &str| value[key].as_f64().unwrap();
    let mut sums = [0.0; 2];
    let mut decisions = [0; 2];
    for (action, past) in actions.iter().zip(&history.steps) {
        assert_eq!(action["player"], past.seat() + 1);
        assert_eq!(action["played"], past.action.to_string());
        let loss = number(action, "loss");
        let (chance, best) = (number(action, "chance"), number(action, "best_chance"));
        assert!((best - chance - loss).abs() < 1e-12, "{action}");
        assert!(
            (0.0..=1.0).contains(&chance) && (0.0..=1.0).contains(&best),
            "{action}"
        );
        let mut legal = ActionList::new();
        history.game.legal_actions(&past.state, &mut legal);
        assert_eq!(action["choices"], legal.len().max(1));
        if action["choices"] == 1 || action["best"] == action["played"] {
            assert_eq!(loss, 0.0, "{action}");
        }
        let grade = match loss {
            _ if loss >= 0.10 => Value::from("blunder"),
            _ if loss >= 0.05 => Value::from("mistake"),
            _ if loss >= 0.02 => Value::from("doubtful"),
            _ => Value::Null,
        };
        assert_eq!(action["grade"], grade);
        sums[past.seat()] += loss;
        decisions[past.seat()] += usize::from(legal.len() > 1);
    }
    let mut rates = Vec::new();
    for (seat, player) in report["players"].as_array().unwrap().iter().enumerate() {
        assert_eq!(player["label"], record.players[seat].as_str());
        assert_eq!(player["decisions"], decisions[seat]);
        assert!((number(player, "loss") - sums[seat]).abs() < 1e-9);
        let rate = 1000.0 * sums[seat] / decisions[seat] as f64;
        assert!((number(player, "error_rate") - rate).abs() < 1e-9);
        let graded = actions
            .iter()
            .filter(|a| a["player"] == seat + 1 && !a["grade"].is_null())
            .count();
        let counts = ["doubtful", "mistakes", "blunders"].map(|key| number(player, key));
        assert_eq!(counts.iter().sum::<f64>(), graded as f64);
        assert_eq!(player["worst"].as_array().unwrap().len(), graded.min(5));
        rates.push(rate);
    }
    // The programs exchange seats in the block's second game, so the random player sits first.
    assert!(
        rates[0] > 2.0 * rates[1],
        "a random player errs more: {rates:?}"
    );
}

#[test]
fn an_analysis_does_not_depend_on_the_threads() {
    let bots = "builtin:hoarder builtin:greedy builtin:rearmost";
    let games = Games::of(&format!("{bots} --players 3 --max-turns 20"));
    let text = |more: &str| games.text("analyse", &format!("{QUICK} {more}"));
    let one = text("--jobs 1");
    assert_eq!(one, text("--jobs 3"));
    says(&one, "error rate");
    let other = text("--seed 2");
    assert_ne!(one, other, "other sampled worlds");
}

/// `input` prints the input that the program got before an action. Passes are not in it.
#[test]
fn every_input_is_what_the_program_was_told() {
    let games = Games::baselines();
    let history = games.history(0);
    for step in [0, 1, 7, history.steps.len() - 1] {
        let number = step + 1;
        let text = games.text("input", &format!("1 {number}"));
        let record = parse(text.as_bytes()).unwrap();
        assert_eq!(record, history.told(step));
        let by_id = games.text("input", &format!("1-1-1 {number}"));
        assert_eq!(text, by_id);
        let told = history.steps[..step].iter();
        let told = told.filter(|past| past.action != Action::Pass).count();
        assert_eq!(record.moves.len(), told);
        assert!(
            record
                .moves
                .iter()
                .all(|m| m.card.is_some() == (m.to > m.from))
        );
    }
}

/// The player answers every printed input with an action that is legal in the recorded position.
#[test]
fn the_player_answers_an_input() {
    let games = Games::baselines();
    let history = games.history(1);
    for step in [0, history.steps.len() / 2, history.steps.len() - 1] {
        let input = games.text("input", &format!("2 {}", step + 1));
        let answer = Command::new(program("runme"))
            .words("--nodes 300 --threads 1 --support none --strict")
            .write_stdin(&*input)
            .printed();
        let Answer::Move(told) = parse_action(answer.as_bytes()).unwrap() else {
            panic!("no action on\n{input}");
        };
        let past = &history.steps[step];
        assert_eq!(told.player, past.seat());
        let action = resolve(&history.game, told).unwrap();
        assert_eq!(
            history.game.check(&past.state, action),
            Ok(()),
            "on\n{input}"
        );
    }
}

/// A game of one turn that ends with a pass.
fn passing() -> Games {
    let games = Games::of("builtin:greedy builtin:random --max-turns 1");
    let mut record = games.records().remove(0);
    // A recorded action is turned into a pass: the turn ends there in either case.
    let last = record.actions.last_mut().unwrap();
    (last.from, last.to, last.card) = (None, None, None);
    last.drawn.clear();
    fs::write(&games.path, record.to_line()).unwrap();
    games
}

#[test]
fn a_pass_is_judged_and_shown() {
    let games = passing();
    let history = games.history(0);
    assert_eq!(history.steps[2].action, Action::Pass);
    let text = games.text("analyse", &format!("{QUICK} --json"));
    let report: Value = serde_json::from_str(&text).unwrap();
    let pass = &report["actions"][2];
    assert_eq!(pass["played"], "pass");
    let mut legal = ActionList::new();
    history
        .game
        .legal_actions(&history.steps[2].state, &mut legal);
    assert_eq!(pass["choices"], legal.len() + 1);
    says(&games.text("replay", "1"), "pass");
    let third = games.text("replay", "1 --move 3");
    says(&third, "player 1 plays pass");
}

#[test]
fn replays_tell_everything() {
    let games = Games::baselines();
    let history = games.history(0);
    let text = games.text("replay", "1");
    let row = |step: usize| {
        let past = &history.steps[step];
        let start = format!(
            "{:>6}  {:>4}  {:>6}  ",
            step + 1,
            past.turn,
            past.seat() + 1
        );
        let action = past.action.to_string();
        text.lines()
            .any(|line| line.starts_with(&format!("{start}{action}")))
    };
    for step in 0..history.steps.len() {
        assert!(row(step), "action {} in\n{text}", step + 1);
    }
    let drawn = games.text("replay", "1 --draw");
    let pictures = drawn.matches("CELL").count();
    assert_eq!(pictures, history.steps.len() + 1);
    let one = games.text("replay", "1 --move 5");
    let picture = one.split_once("\n\n").unwrap().1;
    assert!(drawn.contains(picture), "{one}");
}

#[test]
fn a_position_of_a_replay() {
    insta::assert_snapshot!(Games::baselines().text("replay", "1 --move 8"), @r"
    game 1-1-1: 1 hoarder against 2 greedy; player 1 won, 25 turns, 71 actions

    action 8, turn 3:
      0       1       2       3       4       5       6       7       8       9
      CELL    bottle  gun     dagger  skull   keys    hat     skull   bottle  dagger
      (8)     .       .       1       .       11      .       .       .       .

      10      11      12      13      14      15      16      17      18      19
      gun     keys    hat     dagger  gun     hat     keys    skull   bottle  skull
      .       .       .       .       .       .       .       .       .       .

      20      21      22      23      24      25      26      27      28      29
      keys    dagger  bottle  gun     hat     dagger  gun     skull   bottle  hat
      .       .       .       2       .       .       .       .       .       .

      30      31      32      33      34      35      36      37
      keys    bottle  gun     dagger  skull   hat     keys    BOAT
      .       .       .       .       .       .       .       .

    player 1 to move, 2 of the turn's actions left
    player 1: pirates on 0 0 0 3 5 5 (0 home, 209 places to go), 1 card, own hand: 1 bottle
    player 2: pirates on 0 0 0 0 0 23 (0 home, 199 places to go), 0 cards
    draw pile 95, discarded: 1 dagger, 1 gun, 1 hat, 2 keys, 1 skull
    unseen: 16 bottle, 16 dagger, 16 gun, 16 hat, 15 keys, 16 skull (95 cards)
    player 1 holds: 1 bottle
    player 2 holds: nothing
    player 1 plays 5 3, draws 1 gun
    ");
}

#[test]
fn the_list_of_a_replay() {
    let games = Games::of("builtin:greedy builtin:hoarder --max-turns 4");
    let text = games.text("replay", "1");
    let list = text.split_once("\n\nthe last position").unwrap().0;
    insta::assert_snapshot!(list, @r"
    game 1-1-1: 1 greedy against 2 hoarder; stopped and drawn, 4 turns, 12 actions
    board: bottle gun dagger skull keys hat skull bottle dagger gun keys hat dagger gun hat keys skull bottle skull keys dagger bottle gun hat dagger gun skull bottle hat keys bottle gun dagger skull hat keys
    player 1 dealt: 1 bottle, 1 hat, 1 keys
    player 2 dealt: 1 gun, 1 keys, 1 skull

    action  turn  player  played         draws
         1     1       1  0 6 hat
         2     1       1  0 5 keys
         3     1       1  5 8 bottle
         4     2       2  0 5 keys
         5     2       2  0 4 skull
         6     2       2  5 4            1 dagger
         7     3       1  6 4            1 dagger, 1 gun
         8     3       1  4 10 gun
         9     3       1  0 3 dagger
        10     4       2  4 3            1 dagger
        11     4       2  0 9 dagger
        12     4       2  4 3            2 bottle
    ");
}

#[test]
fn what_cannot_be_found_is_exit_status_2() {
    let games = Games::baselines();
    let actions = games.history(0).steps.len();
    let beyond = actions + 1;
    let refuse = |command: &str, words: &str, message: &str| {
        let [printed, told] = games.call(command, words).said(2);
        assert!(told.contains(message), "{command} {words}: {told}");
        assert_eq!(printed, "");
    };
    let three = "there is no game 3; the file has 2 games";
    refuse("analyse", "--game 3", three);
    refuse("replay", "3", three);
    refuse("input", "0 1", "there is no game 0");
    refuse("input", "9-9-9 1", "there is no game \"9-9-9\"");
    let range = format!("there is no action {beyond}: the game has actions 1 to {actions}");
    refuse("input", &format!("1 {beyond}"), &range);
    refuse("replay", "1 --move 0", "there is no action 0");
    let seconds = "expected a number of seconds above 0";
    refuse("analyse", "--time 0", seconds);
    refuse("analyse", "--time 1 --nodes 5", "cannot be used with");

    let whole = fs::read(&games.path).unwrap();
    fs::write(&games.path, &whole[..whole.len() - 10]).unwrap();
    games.text("replay", "1");
    refuse("replay", "2", "line 2 is cut off");
    fs::write(&games.path, "{\"name\": \"something else\"}\n").unwrap();
    refuse("analyse", "", "line 1 is no game record: missing field");
    fs::write(&games.path, "").unwrap();
    refuse("analyse", "", "there is no game 1; the file has no games");
    fs::remove_file(&games.path).unwrap();
    refuse("analyse", "", "cannot read");
}

#[test]
fn a_game_against_the_rules_is_exit_status_2() {
    let games = Games::baselines();
    let mut record = games.records().remove(0);
    record.actions[4].to = Some(36);
    fs::write(&games.path, record.to_line()).unwrap();
    for (command, words) in [("analyse", ""), ("replay", "1"), ("input", "1 2")] {
        let told = games.call(command, words).told(2);
        says(&told, "game 1 cannot be replayed: action 5");
    }
}
