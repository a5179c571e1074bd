//! The page's example as a golden game, and the `eights` program at a table.

use arena::process::testing::{Command, Process};
use eights::protocol::{Act, Message, parse, parse_card, print};
use eights::rules::{POINTS, Round, SEATS};
use engine::rng;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Stdio};
use tricks::{Cards, Round as _};

const EXAMPLE: &str = include_str!("../../../../tests/data/eights/example.txt");

/// All takes and plays of the example, in order; the hand and pool as reported.
fn example() -> (Cards, Cards, Vec<Act>, Vec<Act>) {
    let (mut takes, mut plays) = (Vec::new(), Vec::new());
    let mut dealt = (Cards::EMPTY, Cards::EMPTY);
    for line in EXAMPLE.lines() {
        match parse(line, Some(2)).unwrap().unwrap() {
            Message::StartHand { seat, hand, pool } => {
                assert_eq!(seat, 2);
                dealt = (hand, pool);
            }
            Message::AfterTake(acts) => takes.extend(acts),
            Message::Result(acts) => plays.extend(acts),
            _ => {}
        }
    }
    (dealt.0, dealt.1, takes, plays)
}

#[test]
fn the_example_is_legal_and_scores_as_it_says() {
    let (hand, pool, takes, plays) = example();
    assert_eq!((takes.len(), plays.len()), (12, 52));
    let of = |acts: &[Act], seat: usize| -> Cards {
        let mine = acts.iter().filter(|act| act.0 == seat);
        mine.map(|act| act.1).collect()
    };
    let hands: [Cards; SEATS] = std::array::from_fn(|seat| of(&plays, seat) - of(&takes, seat));
    assert_eq!(hands[2], hand);
    let mut round = Round::new(0, hands, pool);
    for (seat, card) in takes.into_iter().chain(plays) {
        assert_eq!(round.to_act(), Some(seat), "{card}");
        assert!(round.legal().contains(card), "{card} of {}", round.legal());
        round.act(card);
    }
    let points: Vec<u8> = (0..SEATS).map(|seat| round.points(seat)).collect();
    assert_eq!(points, [6, 3, 11, 5]);
}

/// A process of the program `eights`.
struct Player {
    child: Process,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Player {
    fn start(arguments: &[&str]) -> Player {
        let mut child = Command::new(env!("CARGO_BIN_EXE_eights"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Player {
            child,
            input,
            output,
        }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    fn ask(&mut self, line: &str) -> String {
        self.send(line);
        let mut answer = String::new();
        self.output.read_line(&mut answer).unwrap();
        answer
    }

    /// At the end of its input the program prints nothing more and exits with 0.
    fn end(mut self) {
        drop(self.input);
        let mut rest = String::new();
        self.output.read_line(&mut rest).unwrap();
        assert_eq!(rest, "");
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

/// Plays rounds between four processes; `garble` may change what they receive.
fn table(players: &mut [Player; SEATS], rounds: u64, garble: impl Fn(String) -> String) {
    for number in 0..rounds {
        let mut round = eights::deal::deal(number as usize % SEATS, &mut rng::stream(number, 9));
        for (seat, player) in players.iter_mut().enumerate() {
            let message = Message::StartHand {
                seat,
                hand: round.hand(seat),
                pool: round.pool(),
            };
            player.send(&garble(print(&message, seat)));
        }
        let mut acts: Vec<Act> = Vec::new();
        while let Some(seat) = round.to_act() {
            let taking = round.taking();
            let message = match taking {
                true => Message::Take(acts.clone()),
                false => Message::Play(acts.clone()),
            };
            let answer = players[seat].ask(&garble(print(&message, seat)));
            let card = parse_card(answer.trim_end_matches('\n')).unwrap();
            assert!(round.legal().contains(card), "{card} of {}", round.legal());
            round.act(card);
            acts.push((seat, card));
            // The circle is complete: all seats are shown it.
            if acts.len() == SEATS {
                let acts = std::mem::take(&mut acts);
                let message = match taking {
                    true => Message::AfterTake(acts),
                    false => Message::Result(acts),
                };
                for (seat, player) in players.iter_mut().enumerate() {
                    player.send(&garble(print(&message, seat)));
                }
            }
        }
        let points: u8 = (0..SEATS).map(|seat| round.points(seat)).sum();
        assert_eq!(points, POINTS);
        players
            .iter_mut()
            .for_each(|player| player.send(&garble("endround".to_owned())));
    }
}

#[test]
fn four_programs_play_legally_to_the_end_of_their_input() {
    let mut players = std::array::from_fn(|_| Player::start(&["--nodes", "100"]));
    table(&mut players, 3, |line| line);
    players.into_iter().for_each(Player::end);
}

#[test]
fn lines_may_look_as_the_rulings_allow() {
    let mut players = std::array::from_fn(|_| Player::start(&["--nodes", "5"]));
    table(&mut players, 50, |line| {
        let line = line.to_uppercase().replace(' ', " \t ");
        let more = match line.split_whitespace().next() {
            Some("STARTHAND") => "SA C6",
            Some("TAKE" | "PLAY") => "H5",
            _ => "",
        };
        let ten = ["C", "D", "H", "S"].iter().fold(line, |line, suit| {
            line.replace(&format!("{suit}T "), &format!("{suit}10 "))
        });
        format!("\r\nscore 1 2 3\n{ten} {more}\r")
    });
    players.into_iter().for_each(Player::end);
}

#[test]
fn the_same_seed_gives_the_same_answers() {
    let answers = |seed: &str| -> Vec<u8> {
        let output = Command::new(env!("CARGO_BIN_EXE_eights"))
            .args(["--nodes", "60", "--seed", seed])
            .write_stdin(EXAMPLE)
            .output()
            .unwrap();
        assert!(output.status.success());
        output.stdout
    };
    assert_eq!(answers("1"), answers("1"));
    assert_eq!(
        answers("1").iter().filter(|&&byte| byte == b'\n').count(),
        16
    );
}

/// Some programs write a byte order mark at the beginning of a text.
#[test]
fn a_byte_order_mark_is_ignored() {
    let answers = |input: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_eights"))
            .args(["--nodes", "5"])
            .write_stdin(input)
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
        output.stdout
    };
    assert_eq!(answers(&format!("\u{feff}{EXAMPLE}")), answers(EXAMPLE));
}

#[test]
fn a_full_disk_is_told() {
    let Ok(full) = File::options().write(true).open("/dev/full") else {
        return;
    };
    let mut child = Command::new(env!("CARGO_BIN_EXE_eights"))
        .args(["--nodes", "5"])
        .stdin(Stdio::piped())
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program ends at its first answer, and may not read the rest.
    let _ = child.stdin.take().unwrap().write_all(EXAMPLE.as_bytes());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with("eights: cannot write the answer: "),
        "{said}"
    );
}

#[test]
fn explain_goes_to_standard_error() {
    let output = Command::new(env!("CARGO_BIN_EXE_eights"))
        .args(["--nodes", "60", "--explain"])
        .write_stdin(EXAMPLE.repeat(2))
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("own hand: ♣7 ♣A ♦K ♥2 ♥4 ♥9 ♥J ♠8 ♠10 ♠Q\n"),
        "{said}"
    );
    assert!(said.contains("  card    value      ±   worlds\n"), "{said}");
    // No message carries the scores: the program adds them up.
    for scores in ["0 0 0 0", "6 3 11 5"] {
        let line = format!("points before the round: {scores}, of 300\n");
        assert_eq!(said.matches(&line).count(), 16, "{said}");
    }
    // Ten cards of each hand were dealt, and two of east's three are known by then.
    assert!(said.contains(", void in ♦"), "{said}");
}
