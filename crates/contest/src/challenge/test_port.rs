//! The test port: games against the plain player, one after the other, for everyone at once.

use super::clocked_game::{ClockedGame, Conduct, Sent};
use super::link::{deliver, listen};
use super::reply::reply;
use super::stream::ClientStream;
use challenge::player::Player;
use challenge::player::plain::Plain;
use challenge::protocol::{Connection, ProtocolError, ServerMessage};
use challenge::rules::{Seat, other};
use engine::rng::stream;
use std::collections::VecDeque;
use tokio::time::{Instant, sleep_until};

/// The team that stands for the opponent.
const OPPONENT: u64 = 0;

/// Plays until the client goes.
pub(super) async fn play(
    mut connection: Connection<ClientStream>,
    conduct: Conduct,
    team: u64,
    seed: u64,
) {
    for number in 1.. {
        let seat = (number % 2) as Seat;
        let mut teams = [OPPONENT; 2];
        teams[seat] = team;
        let game = ClockedGame::new(conduct, number, teams, stream(seed, number));
        match Session::new(game, seat, &mut connection).run().await {
            Ok(true) => {}
            Ok(false) | Err(_) => return,
        }
    }
}

struct Session<'a> {
    game: ClockedGame,
    seat: Seat,
    connection: &'a mut Connection<ClientStream>,
    begin: Instant,
}

impl<'a> Session<'a> {
    fn new(
        game: ClockedGame,
        seat: Seat,
        connection: &'a mut Connection<ClientStream>,
    ) -> Session<'a> {
        Session {
            game,
            seat,
            connection,
            begin: Instant::now(),
        }
    }

    /// Plays a game; whether the client stayed to its end.
    async fn run(mut self) -> Result<bool, ProtocolError> {
        let sent = self.game.start(self.begin.elapsed());
        self.deliver(sent).await?;
        while self.game.winner().is_none() {
            let end = self.begin + self.game.deadline().unwrap_or_default();
            let sent = tokio::select! {
                input = listen(self.connection) => {
                    let Some(input) = input else { return Ok(false) };
                    reply(&mut self.game, self.seat, input, self.begin.elapsed())
                }
                () = sleep_until(end) => self.game.tick(self.begin.elapsed()),
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
                self.game
                    .answer(opponent, request.request_id, decision, now),
            );
        }
        Ok(())
    }
}
