//! The `hearts` program at a table of real pipes.
// Helpers outside the test functions may unwrap too.
#![allow(clippy::unwrap_used)]

use arena::process::testing::{Command, Process, within};
use engine::rng;
use hearts::player::Baseline;
use hearts::protocol::{Frames, Message, Reply, frame, parse_reply, print};
use hearts::rules::Options;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::Stdio;
use tricks::{Card, Policy as _, Round as _};

/// A process of the program `hearts`, and the server's ends of its pipes.
struct Player {
    child: Process,
    output: File,
    input: File,
    frames: Frames,
}

impl Player {
    /// Starts the program with further arguments, and with standard error in a file.
    fn start(folder: &std::path::Path, number: usize, arguments: &[&str]) -> Player {
        let [input, output] = ["in", "out"].map(|end| folder.join(format!("{number}-{end}")));
        for pipe in [&input, &output] {
            mknodat(CWD, pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        }
        let child = Command::new(env!("CARGO_BIN_EXE_hearts"))
            .args(["--name", "A name of more than 15", "--nodes", "10", "--in"])
            .args([&input, std::path::Path::new("--out"), &output])
            .args(arguments)
            .stdin(Stdio::null())
            .stderr(File::create(folder.join(format!("{number}-said"))).unwrap())
            .spawn()
            .unwrap();
        // Opening a pipe waits for the other end, which the program may fail to open.
        let (output, input) = within("the program opens its pipes", || {
            let to = OpenOptions::new().write(true).open(input).unwrap();
            (to, File::open(output).unwrap())
        });
        Player {
            child,
            output,
            input,
            frames: Frames::default(),
        }
    }

    /// Sends a message in several pieces.
    fn send(&mut self, message: &Message) {
        for piece in frame(&print(message)).chunks(3) {
            self.output.write_all(piece).unwrap();
        }
    }

    fn ask(&mut self, message: &Message) -> Reply {
        self.send(message);
        loop {
            if let Some(text) = self.frames.next_text().unwrap() {
                return parse_reply(message, &text).unwrap();
            }
            let mut buffer = [0; 64];
            let count = self.input.read(&mut buffer).unwrap();
            assert!(count > 0, "the player hung up");
            self.frames.push(&buffer[..count]);
        }
    }
}

/// Plays rounds at a server whose rounds have `tricks` tricks, against three players that follow a policy. Returns
/// the program's standard error and the scores.
fn beside_policies(
    tricks: impl Fn(u64) -> usize,
    rounds: u64,
    more: &[&str],
) -> (String, Vec<Vec<u8>>) {
    let folder = tempfile::tempdir().unwrap();
    let mut scores = Vec::new();
    let arguments = [&["--explain"], more].concat();
    let mut program = Player::start(folder.path(), 0, &arguments);
    let name = Reply::Name("A name of more".to_owned());
    assert_eq!(program.ask(&Message::Name), name);
    for number in 0..rounds {
        let mut rng = rng::stream(number, 77);
        let options = Options {
            clean_first_trick: false,
            last_trick: tricks(number) == 13,
            ..Options::default()
        };
        let mut round = hearts::deal::deal(4, options, &mut rng);
        let hand: Vec<Card> = round.hand(0).into_iter().collect();
        program.send(&Message::Round {
            players: 4,
            id: 0,
            leader: round.trick().leader(),
            hand: hand.clone(),
        });
        let mut played = 0;
        while let Some(seat) = round.to_act() {
            let legal = round.legal();
            let card = match seat {
                0 => match program.ask(&Message::Play) {
                    Reply::Play(place) => hand[place],
                    Reply::Name(name) => panic!("{name:?} where a place was expected"),
                },
                _ => Baseline::Duck.choose(&round, legal, &mut rng),
            };
            assert!(legal.contains(card), "{card} of {legal}");
            round.act(card);
            played += 1;
            if seat != 0 {
                program.send(&Message::Played { player: seat, card });
            }
        }
        assert_eq!(played, 4 * tricks(number));
        scores.push(round.scores()[..4].to_vec());
    }
    program.send(&Message::Stop);
    assert_eq!(program.child.wait().unwrap().code(), Some(0));
    let said = std::fs::read_to_string(folder.path().join("0-said")).unwrap();
    (said, scores)
}

/// The lines in which the program states the points before a round, repetitions removed.
fn standings(said: &str) -> Vec<&str> {
    let lines = said.lines();
    let mut lines: Vec<&str> = lines
        .filter_map(|line| line.strip_prefix("points before the round: "))
        .collect();
    lines.dedup();
    lines
}

/// No message carries the scores. The program adds up the points that it sees, also if the last trick is left out.
#[test]
fn the_program_knows_how_the_game_stands() {
    for tricks in [12, 13] {
        let (said, scores) = beside_policies(|_| tricks, 4, &["--rounds", "3"]);
        let mut totals = [0; 4];
        let mut expected = Vec::new();
        for (number, scores) in scores.iter().enumerate() {
            if number % 3 == 0 {
                totals = [0; 4];
            }
            let [a, b, c, d] = totals;
            expected.push(format!(
                "{a} {b} {c} {d}, rounds to play {}",
                3 - number % 3
            ));
            for (total, &score) in totals.iter_mut().zip(scores) {
                *total += u32::from(score);
            }
        }
        assert_eq!(standings(&said), expected, "{said}");
        let (said, scores) = beside_policies(|_| tricks, 2, &["--goal", "100"]);
        let [a, b, c, d] = [0, 1, 2, 3].map(|seat| scores[0][seat]);
        assert_eq!(
            standings(&said),
            [
                "0 0 0 0, of 100".to_owned(),
                format!("{a} {b} {c} {d}, of 100")
            ]
        );
    }
}

#[test]
fn without_a_known_end_the_program_plays_for_points() {
    assert_eq!(standings(&beside_policies(|_| 13, 2, &[]).0), [""; 0]);
}

#[test]
fn rounds_without_their_last_trick_are_learnt_from() {
    let (said, _) = beside_policies(|_| 12, 6, &[]);
    assert!(!said.contains("hearts:"), "{said}");
    let lines: Vec<&str> = said.lines().collect();
    assert!(!lines[..8].concat().contains("plays like"), "{said}");
    // In the end the program recognises each player, either as the policy that it follows or by its habits.
    let known = [1, 2, 3].map(|player| {
        let last = lines
            .iter()
            .rposition(|line| line.starts_with(&format!("player {player}: ")));
        lines[last.unwrap() + 1]
    });
    let like = |rule| {
        let knows =
            |line: &&&str| line.starts_with(&format!("  plays like {rule} with 3 % anything"));
        known.iter().filter(knows).count()
    };
    assert!(like("duck") >= 2, "{said}");
    assert_eq!(like("duck") + like("it did in earlier rounds"), 3, "{said}");
}

/// A server that plays the last trick in some rounds and leaves it out in others causes no warning.
#[test]
fn a_last_trick_may_come_or_not() {
    let (said, _) = beside_policies(|number| 12 + number as usize % 2, 6, &[]);
    assert!(!said.contains("hearts:"), "{said}");
}

#[test]
fn what_is_no_frame_ends_it_with_a_message() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    let mode = Mode::RUSR | Mode::WUSR;
    mknodat(CWD, &output, FileType::Fifo, mode, 0).unwrap();
    let run = || {
        Command::new(env!("CARGO_BIN_EXE_hearts"))
            .args([
                std::path::Path::new("--in"),
                &input,
                std::path::Path::new("--out"),
                &output,
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    // A plain file cannot be read as a pipe.
    std::fs::write(&input, b"").unwrap();
    let refused = run().wait_with_output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.ends_with("/in is no named pipe\n"), "{said}");
    std::fs::remove_file(&input).unwrap();
    mknodat(CWD, &input, FileType::Fifo, mode, 0).unwrap();

    // The frames that the program is sent, and its messages.
    let ended = |frames: &[u8]| {
        let started = run();
        let (mut server, mut answers) = within("the program opens its pipes", {
            let (input, output) = (input.clone(), output.clone());
            || {
                let to = OpenOptions::new().write(true).open(input).unwrap();
                (to, File::open(output).unwrap())
            }
        });
        server.write_all(frames).unwrap();
        drop(server);
        let run = started.wait_with_output().unwrap();
        let mut answered = Vec::new();
        answers.read_to_end(&mut answered).unwrap();
        assert_eq!(answered, b"\x020\0");
        (run.status.code(), String::from_utf8(run.stderr).unwrap())
    };
    let asked = "hearts: asked for a card of a hand that was not dealt\n";
    for (frames, told) in [
        (
            &b"\x021\0\x03x!\0\xff\xff\xff\xff\x7f"[..],
            "hearts: \"x!\" where a message was expected: 0, 1, 2…, 3… or 4\n\
             hearts: a frame of more than 65536 bytes: this is not the server's protocol\n",
        ),
        (
            b"\x021\0\x05",
            "hearts: the server has closed the pipe within a frame, expected the rest of it\n",
        ),
        (
            b"\x021\0",
            "hearts: the server has closed the pipe, expected message 4 before\n",
        ),
    ] {
        assert_eq!(ended(frames), (Some(1), format!("{asked}{told}")));
    }
    assert_eq!(ended(b"\x021\0\x024\0"), (Some(0), asked.to_owned()));

    // A plain file in place of the other pipe would be overwritten.
    std::fs::remove_file(&output).unwrap();
    std::fs::write(&output, b"precious").unwrap();
    let refused = run().wait_with_output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.ends_with("/out is no named pipe\n"), "{said}");
    assert_eq!(std::fs::read(&output).unwrap(), b"precious");
}

#[test]
fn one_pipe_for_both_ways_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let said = Command::new(env!("CARGO_BIN_EXE_hearts"))
        .args(["--in", "p", "--out", "./p"])
        .current_dir(folder.path())
        .told(2);
    assert_eq!(
        said,
        "hearts: p is both --in and --out, expected two pipes\n"
    );
    assert!(!folder.path().join("p").exists());
}

/// A name that the protocol cannot tell would be an empty one.
#[test]
fn a_name_has_a_printable_character() {
    for name in ["", " ", "é"] {
        let said = Command::new(env!("CARGO_BIN_EXE_hearts"))
            .args(["--name", name])
            .told(2);
        let begin =
            format!("error: invalid value '{name}' for '--name <NAME>': expected a printable");
        assert!(said.starts_with(&begin), "{said}");
    }
}
