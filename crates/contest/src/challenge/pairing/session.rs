//! One game of a match: carries messages between the clocked game and its two sides, each a built-in player or a
//! connected program.

use super::remote::{Remote, RemoteError, RemoteEvent};
use challenge::player::Player;
use challenge::protocol::ServerMessage;
use challenge::rules::Seat;
use challenge_server::clocked_game::{ClockedGame, Sent};
use challenge_server::reply::reply;
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// One of the two sides of a game.
pub(super) enum Side {
    /// A built-in player that will be made when the game begins.
    Unassigned,
    Builtin(Box<dyn Player>),
    Program(Box<Remote>),
}

impl Side {
    /// The next event of a program. A built-in player has none: it is asked directly.
    async fn next(&mut self) -> RemoteEvent {
        match self {
            Side::Program(remote) => remote.next().await,
            Side::Unassigned | Side::Builtin(_) => std::future::pending().await,
        }
    }
}

/// A game under way. Times are counted from its beginning.
pub(super) struct Session<'a> {
    game: ClockedGame,
    sides: &'a mut [Side; 2],
    patience: Duration,
    begin: Instant,
    /// By seat, when the player was last asked.
    asked: [Instant; 2],
    /// How long each decision took, in nanoseconds.
    nanos: [Vec<u64>; 2],
}

impl<'a> Session<'a> {
    pub(super) fn new(
        game: ClockedGame,
        sides: &'a mut [Side; 2],
        patience: Duration,
    ) -> Session<'a> {
        // `play` sets it again when the game starts, after all programs are connected.
        let begin = Instant::now();
        let mut game = game;
        for (seat, side) in sides.iter_mut().enumerate() {
            if let Side::Program(remote) = side {
                game = game.after(seat, remote.requests);
            }
        }
        Session {
            game,
            sides,
            patience,
            begin,
            asked: [begin; 2],
            nanos: [Vec::new(), Vec::new()],
        }
    }

    /// Connects all programs, then plays the game to its end.
    pub(super) async fn play(&mut self) -> Result<(), RemoteError> {
        // Before the clock starts: a program's start-up is not charged.
        for side in self.sides.iter_mut() {
            if let Side::Program(remote) = side {
                remote.connected(self.patience).await?;
            }
        }
        self.begin = Instant::now();
        let sent = self.game.start(Duration::ZERO);
        self.deliver(sent);
        while self.game.winner().is_none() {
            // A request is open as long as the game goes on, so there is a deadline.
            let end = self.begin + self.game.deadline().unwrap_or_default();
            let [first, second] = &mut *self.sides;
            let (seat, event) = tokio::select! {
                event = first.next() => (0, event),
                event = second.next() => (1, event),
                () = sleep_until(end) => {
                    let sent = self.game.tick(self.begin.elapsed());
                    self.deliver(sent);
                    continue;
                }
            };
            self.handle(seat, event).await?;
        }
        Ok(())
    }

    /// The finished game, and by seat how long the decisions took, in nanoseconds.
    pub(super) fn finish(self) -> (ClockedGame, [Vec<u64>; 2]) {
        // The programs play on in the next game, where answers to these requests may still arrive.
        for side in self.sides.iter_mut() {
            if let Side::Program(remote) = side {
                remote.requests = self.game.requests();
            }
        }
        (self.game, self.nanos)
    }

    /// Applies an event of a program to the game.
    async fn handle(&mut self, seat: Seat, event: RemoteEvent) -> Result<(), RemoteError> {
        let now = self.begin.elapsed();
        match event {
            RemoteEvent::Received(input) => {
                // Compared after the reply, to see whether it settled the request.
                let (asked, made) = (self.game.asked(), self.game.requests());
                let time = self.asked[seat].elapsed();
                let sent = reply(&mut self.game, seat, input, now);
                // An input that leaves the request open, such as a copy of an answer, was not a decision.
                let goes_on = self.game.requests() != made || self.game.winner().is_some();
                if asked == Some(seat) && goes_on {
                    self.took(seat, time);
                }
                self.deliver(sent);
            }
            // A program that reconnects is greeted, then gets its open request again, as in a contest.
            RemoteEvent::Connected => {
                let again = self.game.again(seat, now);
                if let Side::Program(remote) = &mut self.sides[seat] {
                    remote.greet().await;
                    if let Some(request) = again {
                        remote.send(&request);
                    }
                }
            }
            // The program may reconnect before its clock runs out. Disconnecting costs only the time.
            RemoteEvent::Disconnected => {}
            RemoteEvent::Ended => {
                if let Side::Program(remote) = &mut self.sides[seat] {
                    return Err(remote.ended());
                }
            }
        }
        Ok(())
    }

    /// Notes how long a decision took.
    fn took(&mut self, seat: Seat, time: Duration) {
        self.nanos[seat].push(time.as_nanos() as u64);
    }

    /// Sends messages and requests to both sides, and carries out the decisions of built-in players.
    fn deliver(&mut self, sent: Vec<Sent>) {
        // A queue rather than recursion: a decision of a built-in player leads to more messages, until a
        // program is to act or the game is over.
        let mut queue = VecDeque::from(sent);
        while let Some((seat, message)) = queue.pop_front() {
            if matches!(message, ServerMessage::Request(_)) {
                self.asked[seat] = Instant::now();
            }
            match (&mut self.sides[seat], message) {
                (Side::Program(remote), message) => remote.send(&message),
                (Side::Builtin(player), ServerMessage::Result(report)) => {
                    if let Ok(Some(event)) = report.result.event() {
                        player.event(seat, event);
                    }
                }
                (Side::Builtin(player), ServerMessage::Request(request)) => {
                    // A built-in player sees the request as a program would, so it cannot know more.
                    let decision = request
                        .view()
                        .map(|view| player.decide(&view))
                        .map_err(|error| error.to_string());
                    self.took(seat, self.asked[seat].elapsed());
                    let now = self.begin.elapsed();
                    let id = request.request_id;
                    // Built-in players spend clock time too.
                    queue.extend(self.game.answer(seat, id, decision, now));
                }
                _ => {}
            }
        }
    }
}
