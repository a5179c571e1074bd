//! The test port: games against the plain player, one after the other, for any number of clients.

use super::answers::Requests;
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
use tables::connections::Place;
use tokio::time::{Instant, sleep_until};

/// The team that stands for the opponent.
const OPPONENT: u64 = 0;

/// Plays until the client leaves, is silent for a whole game, or must make room for another one.
pub(super) async fn play(
    mut connection: Connection<ClientStream>,
    conduct: Conduct,
    team: u64,
    seed: u64,
    place: &mut Place,
) {
    let mut requests = Requests::default();
    // The client's seat alternates, so it practises leading and following.
    for number in 1.. {
        let seat = (number % 2) as Seat;
        let mut teams = [OPPONENT; 2];
        teams[seat] = team;
        let game = ClockedGame::new(conduct, number, teams, stream(seed, number));
        let game = game.after(seat, requests);
        let session = Session {
            game,
            seat,
            connection: &mut connection,
            begin: Instant::now(),
            is_awake: false,
        };
        match session.run(place).await {
            Ok(Some(made)) => requests = made,
            Ok(None) | Err(_) => return,
        }
    }
}

/// One game of a client against the plain player.
struct Session<'a> {
    game: ClockedGame,
    seat: Seat,
    connection: &'a mut Connection<ClientStream>,
    begin: Instant,
    /// Whether the client has sent anything in this game.
    is_awake: bool,
}

impl Session<'_> {
    /// Plays the game. If the client stayed to the end and has sent anything, returns the game's requests, because
    /// answers to them may still come; otherwise none.
    async fn run(mut self, place: &mut Place) -> Result<Option<Requests>, ProtocolError> {
        let sent = self.game.start(self.begin.elapsed());
        self.deliver(sent).await?;
        while self.game.winner().is_none() {
            // The opponent has answered already (see `deliver`), so only the client's time can run out
            // here.
            let end = self.begin + self.game.deadline().unwrap_or_default();
            let sent = tokio::select! {
                input = listen(self.connection) => {
                    let Some(input) = input else { return Ok(None) };
                    self.is_awake = true;
                    // If there are too many clients, the one that has been silent for longest makes room.
                    place.is_useful(false);
                    reply(&mut self.game, self.seat, input, self.begin.elapsed())
                }
                () = sleep_until(end) => self.game.tick(self.begin.elapsed()),
                () = place.evicted() => return Ok(None),
            };
            self.deliver(sent).await?;
        }
        Ok(self.is_awake.then(|| self.game.requests()))
    }

    /// Sends the client its messages, and plays for its opponent.
    async fn deliver(&mut self, sent: Vec<Sent>) -> Result<(), ProtocolError> {
        // The opponent's decisions lead to further messages, which join the queue.
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
