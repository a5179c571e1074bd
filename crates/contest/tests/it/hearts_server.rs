//! Tests of `contest hearts serve` over real pipes, with the `hearts` program, and with programs that break
//! the rules, die or never come.

use super::programs::{CONTEST, Command, Process, contest_in, program, says, within};
use engine::rng::stream;
use hearts::deal::deal;
use hearts::protocol::{Frames, Message, frame, parse, print};
use hearts::rules::{Options, Round, penalties};
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use tricks::{Card, Cards, Hands, Round as _, Suit};

/// A running server, and all that it has printed.
pub struct Host {
    child: Process,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    said: String,
}

/// The pipes of a program: the one it reads, the one it writes.
pub fn pipes(folder: &Path, number: usize) -> [PathBuf; 2] {
    ["out", "in"].map(|end| folder.join(format!("{number}-{end}")))
}

impl Host {
    pub fn start(
        folder: &Path,
        total: usize,
        group: usize,
        tests: usize,
        options: &[&str],
    ) -> Host {
        let mut child = Command::new(CONTEST)
            .args(["hearts", "serve"])
            .args([total, group, tests].map(|number| number.to_string()))
            .args((0..total).flat_map(|number| pipes(folder, number)))
            .args(match options.contains(&"--seed") {
                true => &[][..],
                false => &["--seed", "1"],
            })
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut host = Host {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            said: String::new(),
        };
        host.until("press Return");
        host
    }

    pub fn enter(&mut self, text: &str) {
        writeln!(self.input, "{text}").unwrap();
    }

    /// Waits for a line that has the text in it.
    pub fn until(&mut self, text: &str) {
        loop {
            let mut line = String::new();
            let count = self.output.read_line(&mut line).unwrap();
            assert!(count > 0, "{text:?} never came: {}", self.said);
            self.said += &line;
            if line.contains(text) {
                return;
            }
        }
    }

    /// Waits for this many programs, and begins.
    pub fn begin(&mut self, total: usize) {
        self.until(&format!("{total} of {total} are here"));
        self.enter("");
    }

    /// Waits until the server has ended well; returns all that it has printed.
    pub fn end(self) -> String {
        self.end_with(0)
    }

    /// Waits until the server has ended with this status; returns all that it has printed.
    pub fn end_with(mut self, status: i32) -> String {
        self.output.read_to_string(&mut self.said).unwrap();
        let code = self.child.wait().unwrap().code();
        assert_eq!(code, Some(status), "{}", self.said);
        std::mem::take(&mut self.said)
    }
}

/// A program's process, which is ended with the test.
pub struct Bot(pub Process);

impl Bot {
    /// Waits until the program ends by itself, and checks that it ends well.
    pub fn ends_well(&mut self) {
        assert_eq!(self.0.wait().unwrap().code(), Some(0));
    }
}

fn bot(folder: &Path, number: usize) -> Bot {
    let [reads, writes] = pipes(folder, number);
    Command::new(program("hearts"))
        .args(["--nodes", "20", "--name", &format!("Bot {number}"), "--in"])
        .args([&reads, Path::new("--out"), &writes])
        .stdin(Stdio::null())
        .spawn()
        .map(Bot)
        .unwrap()
}

/// The first programs of a match.
fn bots(folder: &Path, count: usize) -> Vec<Bot> {
    (0..count).map(|number| bot(folder, number)).collect()
}

/// The test's ends of a program's pipes, for a program that is a function of this file.
fn ends(folder: &Path, number: usize) -> (File, File) {
    let [reads, writes] = pipes(folder, number);
    within("the server opens the pipes", move || {
        let reads = File::open(reads).unwrap();
        (reads, OpenOptions::new().write(true).open(writes).unwrap())
    })
}

/// A program as a thread. It answers every message for which `answer` gives bytes, until it is told to stop
/// or the pipe is closed; returns the last message.
fn scripted(
    folder: &Path,
    number: usize,
    answer: impl Fn(&Message) -> Option<Vec<u8>> + Send + 'static,
) -> JoinHandle<Option<Message>> {
    let folder = folder.to_owned();
    thread::spawn(move || {
        let (mut reads, mut writes) = ends(&folder, number);
        let mut frames = Frames::default();
        let mut last = None;
        loop {
            while let Some(text) = frames.next_text().unwrap() {
                let message = parse(&text).unwrap();
                if message == Message::Stop {
                    return Some(message);
                }
                if let Some(bytes) = answer(&message) {
                    // Writing fails if the server has already closed the pipe.
                    let _ = writes.write_all(&bytes);
                }
                last = Some(message);
            }
            let mut buffer = [0; 512];
            let count = reads.read(&mut buffer).unwrap();
            if count == 0 {
                return last;
            }
            frames.push(&buffer[..count]);
        }
    })
}

#[test]
fn matches_are_played_in_groups_of_every_size() {
    const TESTS: usize = 4;
    for (total, group) in [(6, 3), (4, 4), (5, 5), (6, 6)] {
        let folder = tempfile::tempdir().unwrap();
        let mut host = Host::start(folder.path(), total, group, TESTS, &[]);
        let bots = bots(folder.path(), total);
        host.begin(total);
        let said = host.end();
        bots.into_iter().for_each(|mut bot| bot.ends_well());
        let count = |text: &str| said.matches(text).count();
        let whole = format!(": {TESTS} of {TESTS} rounds\n");
        assert_eq!(count(&whole), total / group, "{said}");
        assert_eq!(count("ended"), 0, "{said}");
        for number in 0..total {
            let row = format!("  {}  Bot {number}  ", number % group);
            assert_eq!(count(&row), 1, "{said}");
        }
    }
}

/// Answers like a program that throws a penalty card on the first trick if these rules allow it, and else
/// plays its lowest legal card. `asked` counts the cards it is asked for.
fn careless(
    rules: Options,
    asked: Arc<AtomicUsize>,
) -> impl Fn(&Message) -> Option<Vec<u8>> + Send + 'static {
    let table = Mutex::new(None::<(Vec<Card>, Round)>);
    move |message| {
        let mut table = table.lock().unwrap();
        match message {
            Message::Name => text("Careless"),
            Message::Round {
                players,
                id,
                leader,
                hand,
            } => {
                let mut hands = Hands::default();
                hands[*id] = hand.iter().copied().collect();
                let round = Round::new(*players, *leader, hands, rules);
                *table = Some((hand.clone(), round));
                None
            }
            Message::Played { card, .. } => {
                table.as_mut().unwrap().1.act(*card);
                None
            }
            Message::Play => {
                asked.fetch_add(1, Ordering::Relaxed);
                let (hand, round) = table.as_mut().unwrap();
                let legal = round.legal();
                let points = legal & penalties();
                let card = if round.first() { points.first() } else { None };
                let card = card.or(legal.first()).unwrap();
                round.act(card);
                let place = hand.iter().position(|&held| held == card);
                text(&place.unwrap().to_string())
            }
            Message::Stop => None,
        }
    }
}

/// Plays rounds of one group, in which the first `bots` programs are `hearts` and the others are careless by
/// these rules. Returns the server's output, and how many cards each careless program was asked for.
fn with_careless(
    players: usize,
    bots: usize,
    rules: Options,
    tests: usize,
    options: &[&str],
) -> (String, Vec<usize>) {
    let folder = tempfile::tempdir().unwrap();
    let mut host = Host::start(folder.path(), players, players, tests, options);
    let good = self::bots(folder.path(), bots);
    let others: Vec<_> = (bots..players)
        .map(|number| {
            let asked = Arc::new(AtomicUsize::new(0));
            let answer = careless(rules, asked.clone());
            (asked, scripted(folder.path(), number, answer))
        })
        .collect();
    host.begin(players);
    let said = host.end();
    good.into_iter().for_each(|mut bot| bot.ends_well());
    let asked = others.into_iter().map(|(asked, program)| {
        program.join().unwrap();
        asked.load(Ordering::Relaxed)
    });
    (said, asked.collect())
}

/// The total score of each player, as the server reports it at the end.
fn scores(said: &str) -> Vec<u64> {
    let mean = |line: &str| line.trim_end().ends_with("a round");
    let score = |line: &str| line.split_whitespace().rev().nth(3)?.parse().ok();
    said.lines()
        .filter(|line| mean(line))
        .map(|line| score(line).unwrap())
        .collect()
}

/// The scores of each round, as the server reports them while it plays. Checks that they add up.
fn scores_by_round(said: &str) -> Vec<Vec<u64>> {
    let mut sum = Vec::new();
    let reports = said
        .lines()
        .filter_map(|line| line.strip_prefix("group 1, round "));
    let rounds = reports.enumerate().map(|(i, report)| {
        let start = format!("{}: scores ", i + 1);
        let both = report.strip_prefix(&*start).unwrap().split(", so far ");
        let mut both = both.map(|list| list.split(' ').map(|one| one.parse::<u64>().unwrap()));
        let scores: Vec<u64> = both.next().unwrap().collect();
        sum.resize(scores.len(), 0);
        sum.iter_mut()
            .zip(&scores)
            .for_each(|(sum, new)| *sum += new);
        assert!(both.next().unwrap().eq(sum.clone()), "{said}");
        scores
    });
    let rounds = rounds.collect();
    assert_eq!(sum, scores(said), "{said}");
    rounds
}

/// By the specification all tricks of a hand count: a program is asked once for each card it holds, and a
/// round without a moon has 26 points. The original server leaves the last trick out.
#[test]
fn every_trick_is_played_and_scored_except_by_the_original_server() {
    for (players, cards) in [(3, 17), (4, 13), (5, 10), (6, 8)] {
        for is_original in [false, true] {
            let options = ["--seed", "3", "--original"];
            let options = &options[..2 + usize::from(is_original)];
            let (said, asked) = with_careless(players, 0, Options::default(), 5, options);
            let cards = cards - usize::from(is_original);
            assert_eq!(asked, vec![5 * cards; players], "{said}");
            let scores = scores(&said);
            assert_eq!(scores.len(), players, "{said}");
            let sum = scores.iter().sum::<u64>();
            assert_eq!(scores_by_round(&said).len(), 5, "{said}");
            assert!(
                if is_original {
                    sum < 5 * 26
                } else {
                    sum == 5 * 26
                },
                "{said}"
            );
            let last = match is_original {
                true => "the last trick is left out",
                false => "every trick is played and scored",
            };
            says(
                &said,
                format!("rules: {last}; points may be played on the first trick\n"),
            );
        }
    }
}

/// `hearts` plays to the end by the rules of both servers, beside a program that plays points on the first
/// trick.
#[test]
fn our_player_survives_every_servers_rules() {
    // The seed is chosen so that in the first round the last program has no clubs, and may throw what it
    // likes on the first trick.
    let clubs = Cards::suit(Suit::Clubs);
    let throws = |seed: &u64| {
        let round = deal(4, Options::default(), &mut stream(*seed, 4));
        let hand = round.hand(3);
        (hand & clubs).is_empty() && !(hand & penalties()).is_empty()
    };
    let seed = (0..).find(throws).unwrap().to_string();
    let play = |more: &[&str]| {
        with_careless(
            4,
            3,
            Options::default(),
            3,
            &[&["--seed", &seed], more].concat(),
        )
    };
    let (said, asked) = play(&[]);
    says(&said, "group 1: 3 of 3 rounds\n");
    assert_eq!(asked, [3 * 13]);
    let (said, asked) = play(&["--original"]);
    says(&said, "group 1: 3 of 3 rounds\n");
    assert_eq!(asked, [3 * 12]);
    let (said, asked) = play(&["--strict"]);
    says(&said, "is not legal now; legal: ");
    assert_eq!(asked, [1]);
}

/// Later versions of the public server begin messages with a sign. Our programs read them as well.
#[test]
fn messages_may_begin_with_signs() {
    let folder = tempfile::tempdir().unwrap();
    let mut host = Host::start(folder.path(), 3, 3, 2, &["--signs"]);
    let bots = bots(folder.path(), 2);
    let path = folder.path().to_owned();
    let read = thread::spawn(move || {
        let (mut reads, mut writes) = ends(&path, 2);
        let mut first = [0; 3];
        reads.read_exact(&mut first).unwrap();
        // The frame of one sign: length, text, end.
        assert_eq!(first, *b"\x02@\0");
        // An answer that is no name ends the group.
        writes.write_all(&frame("\u{7f}")).unwrap();
    });
    host.begin(3);
    read.join().unwrap();
    let said = host.end();
    says(&said, "group 1: player 2");
    bots.into_iter().for_each(|mut bot| bot.ends_well());
}

/// `--strict` is about the first trick, `--original` about the last, so they can be combined.
#[test]
fn strict_rounds_may_lack_their_last_trick() {
    for (options, cards, rules) in [
        (&["--strict"][..], 13, "rules: every trick is played"),
        (
            &["--strict", "--original"],
            12,
            "rules: the last trick is left out",
        ),
    ] {
        let (said, asked) = with_careless(4, 3, Options::STRICT, 3, options);
        says(&said, rules);
        says(&said, "no points on the first trick");
        says(&said, "group 1: 3 of 3 rounds\n");
        assert_eq!(asked, [3 * cards], "{said}");
    }
}

/// Plays with two good programs and a bad one; returns the server's output.
fn with_bad(
    options: &[&str],
    answer: impl Fn(&Message) -> Option<Vec<u8>> + Send + 'static,
) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut host = Host::start(folder.path(), 3, 3, 4, options);
    let bots = bots(folder.path(), 2);
    let bad = scripted(folder.path(), 2, answer);
    host.begin(3);
    let said = host.end();
    bots.into_iter().for_each(|mut bot| bot.ends_well());
    bad.join().unwrap();
    assert_eq!(said.matches("group 1: ").count(), 2, "{said}");
    said
}

fn text(text: &str) -> Option<Vec<u8>> {
    Some(frame(text))
}

/// Silence, what breaks the rules and what is no frame end a program's group.
#[test]
fn what_a_program_may_not_do_ends_its_group() {
    type Answer = fn(&Message) -> Option<Vec<u8>>;
    let cases: [(&[&str], Answer, &str); 5] = [
        (
            &["--time", "2"],
            |message| matches!(message, Message::Name).then(|| frame("Quiet")),
            "group 1: player 2 (Quiet) no answer within 2 s\n",
        ),
        (
            &[],
            |message| match message {
                Message::Name => text("Cheat"),
                Message::Play => text("17"),
                _ => None,
            },
            "player 2 (Cheat) \"17\" is no place in the hand, expected 0 to 16\n",
        ),
        (
            &[],
            |message| match message {
                Message::Name => text("Early"),
                Message::Round { .. } => text("0"),
                _ => None,
            },
            "(Early) ",
        ),
        (
            &[],
            |_| Some(vec![0xff; 100]),
            "player 2 a frame of more than 65536 bytes",
        ),
        (&[], |_| text("naïve ☃"), "group 1: "),
    ];
    for (options, answer, expected) in cases {
        let said = with_bad(options, answer);
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

#[test]
fn a_program_that_is_killed_ends_its_group_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let mut host = Host::start(folder.path(), 6, 3, 40, &[]);
    let mut bots = bots(folder.path(), 6);
    host.until("6 of 6 are here");
    bots[4].0.kill().unwrap();
    host.enter("");
    let said = host.end();
    says(&said, "group 2: player 1 has closed its pipe\n");
    says(&said, "group 1: 40 of 40 rounds\n");
}

/// A program can be gone before it has opened the pipe that it writes.
#[test]
fn a_program_that_is_gone_after_its_first_pipe_ends_its_group() {
    let folder = tempfile::tempdir().unwrap();
    // Without the time of a whole test an answer that never comes would be the reason.
    let mut host = Host::start(folder.path(), 3, 3, 4, &["--time", "600"]);
    let mut bots = bots(folder.path(), 2);
    host.until("2 of 3 are here");
    let reads = File::open(&pipes(folder.path(), 2)[0]).unwrap();
    host.begin(3);
    host.until("started");
    drop(reads);
    let said = host.end();
    says(&said, "group 1: player 2 has closed its pipe\n");
    bots.iter_mut().for_each(Bot::ends_well);
}

#[test]
fn a_program_that_never_comes_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut host = Host::start(folder.path(), 3, 3, 4, &["--time", "1"]);
    let mut bots = bots(folder.path(), 2);
    host.until("2 of 3 are here");
    host.enter("");
    let said = host.end();
    let missing = pipes(folder.path(), 2)[0].display().to_string();
    says(&said, format!("group 1: player 2 nobody reads {missing}\n"));
    bots.iter_mut().for_each(Bot::ends_well);
}

#[test]
fn scores_and_stop_can_be_typed() {
    let folder = tempfile::tempdir().unwrap();
    let mut host = Host::start(folder.path(), 3, 3, 1_000_000, &[]);
    let mut bots = bots(folder.path(), 3);
    host.begin(3);
    host.until("started");
    host.enter("score");
    host.until("\"score\": expected `scores` or `stop`");
    host.enter("scores");
    host.until(" of 1000000 rounds");
    host.enter("stop");
    host.end();
    bots.iter_mut().for_each(Bot::ends_well);
}

#[test]
fn an_interrupt_ends_it_cleanly_and_another_server_goes_on() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let mut hosts: Vec<Host> = folders
        .iter()
        .map(|folder| Host::start(folder.path(), 3, 3, 1_000_000, &[]))
        .collect();
    let mut bots: Vec<Bot> = folders
        .iter()
        .flat_map(|folder| (0..3).map(|number| bot(folder.path(), number)))
        .collect();
    for host in &mut hosts {
        host.begin(3);
        host.until("started");
    }
    let mut second = hosts.pop().unwrap();
    let first = hosts.pop().unwrap();
    kill_process(Pid::from_child(&first.child), Signal::INT).unwrap();
    assert!(first.end_with(130).contains("group 1: "));
    bots[..3].iter_mut().for_each(Bot::ends_well);
    second.enter("stop");
    assert!(second.end().contains("group 1: "));
    bots[3..].iter_mut().for_each(Bot::ends_well);
}

#[test]
fn wrong_usage_is_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    for (words, status, expected) in [
        (
            "4 3 1 a b c d e f g h",
            2,
            "contest: 4 programs cannot play in groups of 3",
        ),
        (
            "3 3 1 a b c d e f g h",
            2,
            "contest: 8 pipes for 3 programs, expected 6: OUT1 IN1 OUT2 IN2 …",
        ),
        (
            "4 7 1 a b c d e f g h",
            2,
            "error: invalid value '7' for '<PER_GROUP>': 7 is not in 3..=6",
        ),
        (
            "3 3 1 a b c ./b d e",
            2,
            "contest: the pipe ./b is given twice, expected 6 different ones",
        ),
        (
            "4 4 1 i j k l m n o p",
            1,
            "contest: standard input has ended before Return was pressed",
        ),
        (
            "4 4 1 i file k l m n o p",
            2,
            "contest: file is no named pipe",
        ),
    ] {
        let told = contest_in(folder.path(), &format!("hearts serve {words}")).told(status);
        assert_eq!(told.lines().next(), Some(expected), "{words}");
    }
    assert!(!folder.path().join("a").exists());
}

#[test]
fn messages_are_framed_exactly() {
    assert_eq!(frame(&print(&Message::Stop)), b"\x024\0");
}

/// Programs of other users can open the server's pipes, whatever its umask is.
#[test]
fn pipes_are_for_everybody() {
    let folder = tempfile::tempdir().unwrap();
    let all = (0..3).flat_map(|number| pipes(folder.path(), number));
    let all: Vec<PathBuf> = all.collect();
    let mut server = Command::new("sh")
        .args(["-c", "umask 077; exec \"$@\"", "sh", CONTEST])
        .words("hearts serve 3 3 1")
        .args(&all)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    output.read_line(&mut String::new()).unwrap();
    for pipe in &all {
        let metadata = std::fs::metadata(pipe).unwrap();
        assert_eq!(metadata.permissions().mode() % 0o1000, 0o666);
    }
}
