//! The test port: games against the plain player, one after the other, for everyone at once.

use super::link::{deliver, listen};
use super::server::reply;
use super::table::{Conduct, Sent, Table};
use challenge::player::Player;
use challenge::player::plain::Plain;
use challenge::protocol::{Connection, ProtocolError, ServerMessage};
use challenge::rules::{Seat, other};
use engine::rng::stream;
use std::collections::VecDeque;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until};

/// The team that stands for the opponent.
const OPPONENT: u64 = 0;

/// Plays until the client goes.
pub(super) async fn play(
    mut connection: Connection<TcpStream>,
    conduct: Conduct,
    team: u64,
    seed: u64,
) {
    for game in 1.. {
        let seat = (game % 2) as Seat;
        let mut teams = [OPPONENT; 2];
        teams[seat] = team;
        let table = Table::new(conduct, game, teams, stream(seed, game));
        match Session::new(table, seat, &mut connection).run().await {
            Ok(true) => {}
            Ok(false) | Err(_) => return,
        }
    }
}

struct Session<'a> {
    table: Table,
    seat: Seat,
    connection: &'a mut Connection<TcpStream>,
    begin: Instant,
}

impl<'a> Session<'a> {
    fn new(table: Table, seat: Seat, connection: &'a mut Connection<TcpStream>) -> Session<'a> {
        Session {
            table,
            seat,
            connection,
            begin: Instant::now(),
        }
    }

    /// Plays a game; whether the client stayed to its end.
    async fn run(mut self) -> Result<bool, ProtocolError> {
        let sent = self.table.start(self.begin.elapsed());
        self.deliver(sent).await?;
        while self.table.winner().is_none() {
            let end = self.begin + self.table.deadline().unwrap_or_default();
            let sent = tokio::select! {
                said = listen(self.connection) => {
                    let Some(said) = said else { return Ok(false) };
                    reply(&mut self.table, self.seat, said, self.begin.elapsed())
                }
                () = sleep_until(end) => self.table.tick(self.begin.elapsed()),
            };
            self.deliver(sent).await?;
        }
        Ok(true)
    }

    /// Sends the client what is for it, and plays for its opponent.
    async fn deliver(&mut self, sent: Vec<Sent>) -> Result<(), ProtocolError> {
        let mut queue = VecDeque::from(sent);
        while let Some((seat, message)) = queue.pop_front() {
            if seat == self.seat {
                deliver(self.connection, &message).await?;
                continue;
            }
            let ServerMessage::Request(request) = message else {
                continue;
            };
            let decision = request
                .view()
                .map(|view| Plain.decide(&view))
                .map_err(|error| error.to_string());
            let opponent = other(self.seat);
            let now = self.begin.elapsed();
            queue.extend(
                self.table
                    .answer(opponent, request.request_id, decision, now),
            );
        }
        Ok(())
    }
}
