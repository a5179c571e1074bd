//! Tests that the example participant in Python plays legal actions for Cartagena.

use super::programs::Command;
use cartagena::boards;
use cartagena::notation::{Answer, move_of, parse_action, print, resolve};
use cartagena::record::GameRecord;
use cartagena::rules::{Action, ActionList, Game};
use cartagena::world::World;
use engine::rng;
use std::io::Write;
use std::process::Stdio;

const BOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/minimal-bot.py");

/// The bot's answer; `None` if there is no Python.
fn ask(input: &str) -> Option<String> {
    let mut child = Command::new("python3")
        .arg(BOT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let written = child.stdin.take().unwrap().write_all(input.as_bytes());
    written.unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "on\n{input}");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// Plays a random game. Now and then, and once more after its end, the bot is asked.
fn play(players: usize, deal: usize, seed: u64) {
    let mut chance = rng::stream(seed, 0);
    let game = Game::new(boards::standard(&mut chance), players);
    let mut world = World::deal(&game, deal, rng::stream(seed, 1));
    let mut record = GameRecord::of_state(&game, world.state(), Vec::new());
    let mut list = ActionList::new();
    for step in 0.. {
        let state = *world.state();
        record.to_move = state.to_move as usize;
        record.hand = state.hands[record.to_move].iter().collect();
        game.legal_actions(&state, &mut list);
        let over = state.winner().is_some();
        if step % 25 == 0 || over {
            let Some(answer) = ask(&print(&record)) else {
                return eprintln!("no python3: not tested");
            };
            if list.is_empty() {
                assert_eq!(answer, "");
            } else {
                let Answer::Move(told) = parse_action(answer.as_bytes()).unwrap() else {
                    panic!("no action on\n{}", print(&record));
                };
                assert_eq!(told.player, record.to_move);
                let action = resolve(&game, told).unwrap();
                assert!(list.contains(&action), "{answer} on\n{}", print(&record));
            }
        }
        if over || step == 150 {
            return;
        }
        let action = match list.len() {
            0 => Action::Pass,
            n => list[rng::below(&mut chance, n)],
        };
        world.act(&game, action);
        record
            .moves
            .extend(move_of(record.to_move, action).map(|mut told| {
                // A move's card may be left out, except in a move into the boat.
                if told.to != game.board.boat() && rng::below(&mut chance, 2) == 0 {
                    told.card = None;
                }
                told
            }));
    }
}

#[test]
fn the_python_example_plays_legal_actions() {
    for players in 2..=6 {
        play(players, 3 * (players % 2 + 1), players as u64);
    }
    // Without cards nobody can do anything.
    play(2, 0, 7);
}
