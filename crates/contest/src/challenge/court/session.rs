//! One game between whoever sits at a table.

use super::CourtError;
use super::remote::{Heard, Remote};
use crate::challenge::clocked_game::{ClockedGame, Sent};
use crate::challenge::reply::reply;

use challenge::player::Player;
use challenge::protocol::ServerMessage;
use challenge::rules::Seat;
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// Where a contestant sits.
pub(super) enum Chair {
    /// A built-in player will.
    Empty,
    /// A built-in player.
    Inside(Box<dyn Player>),
    /// A program.
    Remote(Box<Remote>),
}

impl Chair {
    /// What happens next with a program; nothing with anyone else.
    async fn next(&mut self) -> Heard {
        match self {
            Chair::Remote(remote) => remote.next().await,
            Chair::Empty | Chair::Inside(_) => std::future::pending().await,
        }
    }
}

/// A game. Times are counted from its beginning.
pub(super) struct Session<'a> {
    game: ClockedGame,
    chairs: &'a mut [Chair; 2],
    patience: Duration,
    begin: Instant,
    asked: [Instant; 2],
    /// How long each decision took, in nanoseconds.
    nanos: [Vec<u64>; 2],
}

impl<'a> Session<'a> {
    pub(super) fn new(
        game: ClockedGame,
        chairs: &'a mut [Chair; 2],
        patience: Duration,
    ) -> Session<'a> {
        let begin = Instant::now();
        Session {
            game,
            chairs,
            patience,
            begin,
            asked: [begin; 2],
            nanos: [Vec::new(), Vec::new()],
        }
    }

    /// Plays the game once all are there.
    pub(super) async fn play(&mut self) -> Result<(), CourtError> {
        for chair in self.chairs.iter_mut() {
            if let Chair::Remote(remote) = chair {
                remote.connected(self.patience).await?;
            }
        }
        self.begin = Instant::now();
        let sent = self.game.start(Duration::ZERO);
        self.deliver(sent).await;
        while self.game.winner().is_none() {
            let end = self.begin + self.game.deadline().unwrap_or_default();
            let [first, second] = &mut *self.chairs;
            let (seat, heard) = tokio::select! {
                heard = first.next() => (0, heard),
                heard = second.next() => (1, heard),
                () = sleep_until(end) => {
                    let sent = self.game.tick(self.begin.elapsed());
                    self.deliver(sent).await;
                    continue;
                }
            };
            self.hear(seat, heard).await?;
        }
        Ok(())
    }

    /// The game at its end, and how long its players' decisions took, in nanoseconds.
    pub(super) fn finish(self) -> (ClockedGame, [Vec<u64>; 2]) {
        (self.game, self.nanos)
    }

    async fn hear(&mut self, seat: Seat, heard: Heard) -> Result<(), CourtError> {
        let now = self.begin.elapsed();
        match heard {
            Heard::Said(said) => {
                if self.game.asked() == Some(seat) {
                    self.took(seat, self.asked[seat].elapsed());
                }
                let sent = reply(&mut self.game, seat, said, now);
                self.deliver(sent).await;
            }
            Heard::Came => {
                let again = self.game.again(seat, now);
                if let Chair::Remote(remote) = &mut self.chairs[seat] {
                    remote.greet().await;
                    if let Some(request) = again {
                        remote.send(&request).await;
                    }
                }
            }
            Heard::Left => {}
            Heard::Ended => {
                if let Chair::Remote(remote) = &mut self.chairs[seat] {
                    return Err(remote.ended().into());
                }
            }
        }
        Ok(())
    }

    fn took(&mut self, seat: Seat, time: Duration) {
        self.nanos[seat].push(time.as_nanos() as u64);
    }

    /// Tells and asks everyone, and carries out what built-in players decide.
    async fn deliver(&mut self, sent: Vec<Sent>) {
        let mut queue = VecDeque::from(sent);
        while let Some((seat, message)) = queue.pop_front() {
            if matches!(message, ServerMessage::Request(_)) {
                self.asked[seat] = Instant::now();
            }
            match (&mut self.chairs[seat], message) {
                (Chair::Remote(remote), message) => remote.send(&message).await,
                (Chair::Inside(player), ServerMessage::Result(report)) => {
                    if let Ok(Some(event)) = report.result.event() {
                        player.event(seat, event);
                    }
                }
                (Chair::Inside(player), ServerMessage::Request(request)) => {
                    let decision = request
                        .view()
                        .map(|view| player.decide(&view))
                        .map_err(|error| error.to_string());
                    self.took(seat, self.asked[seat].elapsed());
                    let now = self.begin.elapsed();
                    let id = request.request_id;
                    queue.extend(self.game.answer(seat, id, decision, now));
                }
                _ => {}
            }
        }
    }
}
