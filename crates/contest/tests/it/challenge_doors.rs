//! Tests of who may connect to the contest's server, over loopback: tokens, ports, slow and silent
//! connections, and games that a stopped server left unfinished.

use super::challenge_server::{Hosted, next, request, settings};
use challenge::protocol::{ClientMessage, Connection, Incoming, ServerMessage, receive, send};
use challenge_server::settings::ContestSettings;
use serde_json::json;
use std::path::Path;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;

/// Sends a token, the right or a wrong one.
async fn introduce(client: &mut Connection<TcpStream>, token: &str) {
    let token = token.parse().unwrap();
    send(client, &ClientMessage::<i64>::Token { token })
        .await
        .unwrap();
}

/// Reads everything that the server still sends; returns whether it then closes the connection.
async fn is_closed(client: &mut Connection<TcpStream>) -> bool {
    while receive::<_, ServerMessage>(client)
        .await
        .is_some_and(|message| message.is_ok())
    {}
    true
}

async fn hosted(folder: &Path, settings: ContestSettings, tokens: &[(u64, &str)]) -> Hosted {
    Hosted::with_tokens(&folder.join("games.jsonl"), settings, tokens).await
}

#[tokio::test]
async fn who_has_not_the_token_does_not_get_the_seat() {
    let folder = tempfile::tempdir().unwrap();
    let seldom = settings(Duration::from_secs(3600));
    let mut hosted = hosted(folder.path(), seldom, &[(1, "sesame")]).await;
    // Attempts with wrong tokens do not use up the team's own attempts.
    for wrong in ["mellon", "Sesame", "sesame "] {
        let mut stranger = hosted.connect(0).await;
        introduce(&mut stranger, wrong).await;
        let refusal = next(&mut stranger).await;
        let ServerMessage::Error(refusal) = refusal else {
            panic!("{refusal:?}");
        };
        assert!(
            refusal.message.starts_with("expected the token"),
            "{refusal:?}"
        );
        assert!(is_closed(&mut stranger).await);
    }
    let event = hosted.until("NoToken").await;
    assert!(
        event.contains("team: Some(1)") && !event.contains("mellon"),
        "{event}"
    );
    let mut mine = hosted.connect(0).await;
    introduce(&mut mine, "sesame").await;
    let greeting = next(&mut mine).await;
    assert!(matches!(&greeting, ServerMessage::GreetingsProgram(one) if one.team_id == 1));
    hosted.until("Joined { team: 1 }").await;
    // A connection that sends nothing does not take the seat either.
    let _silent = hosted.connect(0).await;
    hosted.client(1);
    request(&mut mine).await;
}

#[tokio::test]
async fn a_token_alone_says_who_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let settings = settings(Duration::ZERO);
    let hosted = hosted(folder.path(), settings, &[(1, "sesame"), (4, "mellon")]).await;
    let mut mine = hosted.connect(2).await;
    introduce(&mut mine, "mellon").await;
    let greeting = next(&mut mine).await;
    assert!(matches!(&greeting, ServerMessage::GreetingsProgram(one) if one.team_id == 4));
    // The token of a team that has a port is valid at that port only.
    let mut other = hosted.connect(2).await;
    introduce(&mut other, "sesame").await;
    assert!(matches!(next(&mut other).await, ServerMessage::Error(_)));
}

/// The number of the team as which a client at the common port is greeted that sends this token first, if any.
async fn greeted_as(hosted: &Hosted, token: Option<&str>) -> u64 {
    let mut client = hosted.connect(2).await;
    if let Some(token) = token {
        introduce(&mut client, token).await;
    }
    match next(&mut client).await {
        ServerMessage::GreetingsProgram(greeting) => greeting.team_id,
        other => panic!("{other:?}"),
    }
}

/// A token tells teams at one address apart, whether or not the team of the address has a token too.
#[tokio::test]
async fn several_teams_share_an_address() {
    let tokens = [(4, "mellon"), (5, "open"), (6, "sesame")];
    for own in [None, Some("open")] {
        let tokens: Vec<_> = tokens
            .into_iter()
            .filter(|&(team, _)| team != 5 || own.is_some())
            .collect();
        let folder = tempfile::tempdir().unwrap();
        let hosted = hosted(folder.path(), settings(Duration::ZERO), &tokens).await;
        assert_eq!(greeted_as(&hosted, Some("mellon")).await, 4);
        assert_eq!(greeted_as(&hosted, own).await, 5);
        assert_eq!(greeted_as(&hosted, Some("sesame")).await, 6);
        // A client that sends a mistyped token, or a value that is none, is not the address's team.
        for wrong in [json!("melon"), json!(""), json!("x".repeat(201)), json!(7)] {
            let mut other = hosted.connect(2).await;
            let message = Incoming::Token { token: wrong };
            send(&mut other, &message).await.unwrap();
            assert!(matches!(next(&mut other).await, ServerMessage::Error(_)));
        }
    }
}

/// Connections that send nothing make room for new ones, and no team loses its seat to them.
#[tokio::test]
async fn slow_connections_keep_nobody_out() {
    let folder = tempfile::tempdir().unwrap();
    let mut tests = settings(Duration::ZERO);
    tests.conduct.clock = Duration::from_secs(600);
    let mut hosted = hosted(folder.path(), tests, &[(1, "sesame"), (2, "mellon")]).await;
    let mut slow = Vec::new();
    for (port, connections) in [(0, 100), (1, 100), (4, 150)] {
        for _ in 0..connections {
            slow.push(TcpStream::connect(hosted.addresses[port]).await.unwrap());
        }
    }
    for (port, token) in [(0, "sesame"), (1, "mellon")] {
        let mut client = hosted.connect(port).await;
        introduce(&mut client, token).await;
        assert!(matches!(
            next(&mut client).await,
            ServerMessage::GreetingsProgram(_)
        ));
        hosted.tasks.spawn(async move {
            while receive::<_, ServerMessage>(&mut client).await.is_some() {}
        });
    }
    hosted.until("Joined { team: 2 }").await;
    let mut tests = hosted.client(4);
    assert!(tests.recv().await.is_some(), "a game at the test port");
    // The oldest silent connections were closed.
    for first in [0, 200] {
        let mut rest = Vec::new();
        slow[first].read_to_end(&mut rest).await.unwrap_or(0);
    }
}

#[tokio::test]
async fn a_silent_client_is_closed_at_the_test_port() {
    let folder = tempfile::tempdir().unwrap();
    let mut quick = settings(Duration::ZERO);
    quick.conduct.clock = Duration::from_millis(10);
    let hosted = hosted(folder.path(), quick, &[]).await;
    let mut silent = hosted.connect(4).await;
    assert!(matches!(
        next(&mut silent).await,
        ServerMessage::GreetingsProgram(_)
    ));
    assert!(is_closed(&mut silent).await);
}

/// If a server was stopped during a game, the next one reports the game as void to both teams, once each, and
/// to the page.
#[tokio::test]
async fn a_game_that_was_not_finished_is_void() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = hosted(folder.path(), settings(Duration::ZERO), &[]).await;
    let mut clients = [first.connect(0).await, first.connect(1).await];
    let game = request(&mut clients[0]).await.state.game_id;
    first.tasks.shutdown().await;
    let mut second = hosted(folder.path(), settings(Duration::ZERO), &[]).await;
    let event = second.until("Void").await;
    assert_eq!(event, format!("Void {{ id: {game}, teams: [1, 2] }}"));
    for told in [vec![game], vec![]] {
        for port in [0, 1] {
            let mut client = second.connect(port).await;
            let greeting = next(&mut client).await;
            let ServerMessage::GreetingsProgram(greeting) = greeting else {
                panic!("{greeting:?}");
            };
            assert_eq!(greeting.void_games, told);
        }
    }
    let snapshot = challenge_server::snapshot::snapshot(&second.snapshots)
        .await
        .unwrap();
    assert_eq!(snapshot.void[0].id, game);
}
