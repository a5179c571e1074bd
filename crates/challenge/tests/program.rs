//! The program `challenge`, copied to a separate folder.
// Helpers outside the test functions may unwrap too.
#![allow(clippy::unwrap_used)]

use arena::process::testing::Command;
use challenge::deals;
use challenge::equilibrium::blueprint::Tables;
use challenge::player::{Builtin, Memory, Player};
use challenge::protocol::{
    ClientMessage, Connection, Move, Request, ResultMessage, Served, ServerMessage, WireEvent,
    connection, receive, send,
};
use challenge::rules::{Decision, Game, GameOptions, Seat};
use challenge::view::{View, ViewContext};
use engine::rng::stream;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};

/// Copies the program by another process. If this process had the file open for writing, a child that another test
/// starts could inherit it, and then the copy could not be started.
fn install(folder: &Path) -> Command {
    let mut cp = Command::new("cp");
    cp.arg(env!("CARGO_BIN_EXE_challenge")).arg(folder);
    cp.said(0);
    let mut program = Command::new(folder.join("challenge"));
    program.current_dir(folder).env_remove("RUNME_HOME");
    program
}

/// The program as the first player of a game, and a player in this process that should decide alike.
struct Pair {
    program: Connection<TcpStream>,
    beside: Box<dyn Player>,
}

impl Pair {
    /// Asks both. Returns their decisions.
    async fn decide(&mut self, view: &View, request_id: i64) -> [Decision; 2] {
        let request = Request::of(view, request_id, Served::InHand);
        let request = ServerMessage::Request(request);
        send(&mut self.program, &request).await.unwrap();
        let answer: ClientMessage = receive(&mut self.program).await.unwrap().unwrap();
        let ClientMessage::Move(Move { response, .. }) = answer else {
            panic!("expected a move: {answer:?}");
        };
        [response.try_into().unwrap(), self.beside.decide(view)]
    }

    /// Plays a game against [`View::safe`], or at most `most` decisions of it. Returns the number of decisions.
    async fn play(&mut self, seed: u64, most: i64) -> i64 {
        const PROGRAM: Seat = 0;
        let mut rng = stream(seed, 0);
        let mut game = Game::new(GameOptions::default());
        let mut decisions = 0;
        while game.winner().is_none() && decisions < most {
            if game.needs_deal() {
                game.deal(deals::fresh(&mut rng));
            }
            let context = ViewContext {
                game_id: seed,
                opponent_id: 2,
                // The result must not depend on the program's clock.
                remaining: Duration::from_secs(100_000),
            };
            let view = View::of(&game, &context).unwrap();
            let decision = if view.player_number == PROGRAM {
                decisions += 1;
                let [program, beside] = self.decide(&view, decisions).await;
                assert_eq!(program, beside, "{view:?}");
                program
            } else {
                view.safe().unwrap()
            };
            for event in game.decide(decision).unwrap() {
                if event.is_private() && view.player_number != PROGRAM {
                    continue;
                }
                let message = ServerMessage::<i64>::Result(ResultMessage {
                    result: WireEvent::of(event, ""),
                    your_player_num: PROGRAM as u8,
                });
                send(&mut self.program, &message).await.unwrap();
                self.beside.event(PROGRAM, event);
            }
        }
        decisions
    }
}

/// The most memory that was resident in a process (proc(5), `VmHWM`), in KiB.
#[cfg(target_os = "linux")]
fn peak_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let row = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = row.unwrap().trim().trim_end_matches(" kB");
    kilobytes.parse().unwrap()
}

/// Alone in a folder the program decides as a player with the repository's tables does, also in endgames, and takes
/// little memory. With damaged files beside it, it does so after naming them.
#[tokio::test]
async fn alone_in_a_folder_it_plays_at_full_strength() {
    let support = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../support");
    let tables = Tables::new(support, |warning| panic!("{warning}"));
    let folder = tempfile::tempdir().unwrap();
    let whole = (Builtin::Equilibrium, ["--threads", "1"], 1, 12);
    let alone = (Builtin::Blueprint, ["--player", "blueprint"], 3, 1000);
    for (damaged, (player, arguments, games, most)) in [(false, whole), (true, alone)] {
        if damaged {
            std::fs::create_dir(folder.path().join("support")).unwrap();
            std::fs::write(folder.path().join("support/challenge.values"), "damaged").unwrap();
        }
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let mut child = install(folder.path())
            .args([&address, "--seed", "9"])
            .args(arguments)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (socket, _) = listener.accept().await.unwrap();
        socket.set_nodelay(true).unwrap();
        let mut pair = Pair {
            program: connection(socket),
            beside: player.exploiter(&tables, &Memory::default(), stream(9, 0)),
        };
        let mut decisions = 0;
        for seed in 1..=games {
            decisions += pair.play(seed, most).await;
        }
        assert!(decisions > 5, "{decisions}");
        // A contest may give a client 120 MB.
        #[cfg(target_os = "linux")]
        assert!(peak_memory(child.id()) < 120_000);
        child.kill().unwrap();
        let errors = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
        let first = errors.lines().next().unwrap_or_default();
        let warned = first.contains("challenge.values") && first.contains("inside the program");
        assert_eq!(warned, damaged, "{errors}");
    }
}

/// An empty variable counts as one that is not set. A token that is too long does not get into a log.
#[test]
fn a_bad_token_of_the_environment_is_not_printed() {
    let folder = tempfile::tempdir().unwrap();
    let mut program = install(folder.path());
    // A misspelt folder of tables is not ignored in silence, and ends the program before it connects.
    program.args(["127.0.0.1:9999", "--support", "suport"]);
    let long = "é".repeat(201);
    for (token, code, told) in [
        (
            "",
            1,
            "--support suport: expected a folder with tables, such as suport/challenge.values\n",
        ),
        (
            &*long,
            2,
            "CHALLENGE_TOKEN has 201 characters: expected a token of 1 to 200 characters\n",
        ),
    ] {
        let said = program.env("CHALLENGE_TOKEN", token).told(code);
        assert_eq!(said, format!("challenge: {told}"));
    }
}
