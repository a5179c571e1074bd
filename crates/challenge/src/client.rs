//! The client: connects to a contest server, and lets a player play there until it is stopped.
//!
//! No behaviour of a server ends it. After a lost or failed connection it makes another one, never sooner than
//! [`Config::wait`] after the last attempt. The player runs on a separate thread ([`Threaded`]). If it takes too
//! long, panics or decides something illegal, [`View::safe`] is sent instead.

use super::player::thread::{Answer, Maker, Threaded};
use super::protocol::{
    ClientMessage, Connection, Greeting, Move, ProtocolError, Refusal, Request, RequestId,
    Response, ResultMessage, ServerMessage, Token, WireEvent, connection, prepare, receive, send,
    send_as_is,
};
use super::rules::{Decision, Event};
use super::view::View;
use std::io;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until, timeout};

/// The clock time that is kept for the network.
const RESERVE: Duration = Duration::from_millis(300);
/// One decision may use the clock divided by this.
const SHARE: u32 = 2;
/// The time that a player gets even if its clock is nearly empty.
const LEAST: Duration = Duration::from_millis(10);
/// The longest time for connecting, and for sending a frame.
const PATIENCE: Duration = Duration::from_secs(10);

/// The settings of a client.
#[derive(Clone, Debug)]
pub struct Config {
    /// The server's host and port.
    pub address: String,
    /// The time between the end of an attempt to connect and the next attempt.
    pub wait: Duration,
    /// The team's secret, sent first on every connection.
    pub token: Option<Token>,
}

impl Config {
    /// The contest asks for 5 s between attempts. The server counts them as they arrive, so a little is added for
    /// the network.
    pub const WAIT: Duration = Duration::from_millis(5_200);
}

/// The source of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The player; `iterations` solved the endgame of its decision, 0 if it was made in another way.
    Player { iterations: u32 },
    /// The safe decision: the player took too long or panicked.
    Watchdog,
    /// The safe decision: the player decided this, which is illegal.
    Correction(Decision),
}

/// An event at a client, for a log.
#[derive(Debug)]
pub enum Notice<'a> {
    /// The server has recognised the client.
    Connected(&'a Greeting),
    /// The server does not know the client.
    Refused(&'a Refusal),
    /// The connection could not be made, or was lost.
    Lost(&'a ProtocolError),
    /// The server has closed the connection.
    Closed,
    /// A decision was sent.
    Decided {
        /// The view of the player.
        view: &'a View,
        decision: Decision,
        by: By,
        /// The time from the request to the answer.
        took: Duration,
    },
    /// A game is over.
    GameOver {
        /// The last view of the game; none if the player was never asked in it.
        last: Option<&'a View>,
        /// Whether the player won.
        won: bool,
    },
    /// The server reported a fault of this client.
    Fault(&'a str),
    /// The server sent a message that cannot be read.
    Unreadable(String),
}

/// Plays until dropped. `notice` receives all that happens.
pub async fn run(config: &Config, make: Maker, mut notice: impl FnMut(Notice)) {
    let mut player = Threaded::new(make);
    loop {
        let attempt = timeout(PATIENCE, TcpStream::connect(&config.address)).await;
        // Counted from the end of the attempt: the session that may follow it takes part of the wait.
        let next = Instant::now() + config.wait;
        let outcome = match attempt {
            Ok(Ok(stream)) => {
                let session = Session::new(stream, &mut player, &mut notice);
                session.run(config.token.as_ref()).await
            }
            Ok(Err(error)) => Err(ProtocolError::Unreachable(error)),
            Err(_) => Err(ProtocolError::Unreachable(io::ErrorKind::TimedOut.into())),
        };
        match outcome {
            Ok(()) => notice(Notice::Closed),
            Err(error) => notice(Notice::Lost(&error)),
        }
        sleep_until(next).await;
    }
}

/// The time that a player gets for a decision.
fn allowance(remaining: Duration) -> Duration {
    // Half of the clock, and never its reserve: of 2 s one second, of 320 ms only 20 ms.
    let spare = remaining.saturating_sub(RESERVE);
    (remaining / SHARE).min(spare).max(LEAST)
}

/// A request that the player has not answered.
struct Pending {
    request_id: RequestId,
    view: View,
    since: Instant,
    answer: oneshot::Receiver<Answer>,
}

impl Pending {
    /// The player's decision, or the safe one if none comes in time.
    async fn decide(&mut self) -> (Decision, By) {
        let deadline = self.since + allowance(self.view.remaining);
        // `safe` has no decision if a card is asked for and the player has none. Then any answer is wrong.
        let safe = self.view.safe().unwrap_or(Decision::Reject);
        match tokio::time::timeout_at(deadline, &mut self.answer).await {
            Ok(Ok((decision, iterations))) if self.view.allows(decision) => {
                (decision, By::Player { iterations })
            }
            Ok(Ok((decision, _))) => (safe, By::Correction(decision)),
            Ok(Err(_)) | Err(_) => (safe, By::Watchdog),
        }
    }
}

/// The next thing that happens on a connection.
enum Next {
    Message(Option<Result<ServerMessage<RequestId>, ProtocolError>>),
    Decision(Decision, By),
}

/// One connection to a server, from its start to its end.
struct Session<'a, N> {
    connection: Connection<TcpStream>,
    player: &'a mut Threaded,
    notice: &'a mut N,
    pending: Option<Pending>,
    /// The last view of the game under way, for the log.
    last: Option<View>,
}

impl<'a, N: FnMut(Notice)> Session<'a, N> {
    fn new(stream: TcpStream, player: &'a mut Threaded, notice: &'a mut N) -> Self {
        prepare(&stream);
        Session {
            connection: connection(stream),
            player,
            notice,
            pending: None,
            last: None,
        }
    }

    /// Plays until the connection ends.
    async fn run(mut self, token: Option<&Token>) -> Result<(), ProtocolError> {
        if let Some(token) = token.cloned() {
            let message = ClientMessage::<i64>::Token { token };
            let sent = timeout(PATIENCE, send(&mut self.connection, &message)).await;
            sent.unwrap_or_else(|_| Err(ProtocolError::Io(io::ErrorKind::TimedOut.into())))?;
        }
        loop {
            match self.next().await {
                Next::Message(None) => return Ok(()),
                Next::Message(Some(Ok(message))) => self.handle(message).await?,
                Next::Message(Some(Err(error @ ProtocolError::NotAMessage { .. }))) => {
                    (self.notice)(Notice::Unreadable(error.to_string()));
                }
                Next::Message(Some(Err(error))) => return Err(error),
                Next::Decision(decision, by) => self.decided(decision, by).await?,
            }
        }
    }

    /// The next message or the decision on the open request, whichever comes first.
    async fn next(&mut self) -> Next {
        // Without an open request only messages can come.
        let Some(pending) = &mut self.pending else {
            return Next::Message(receive(&mut self.connection).await);
        };
        tokio::select! {
            // The decision is polled first: a server that sends without end must not hold an answer up.
            biased;
            (decision, by) = pending.decide() => Next::Decision(decision, by),
            message = receive(&mut self.connection) => Next::Message(message),
        }
    }

    /// Reacts to a message of the server.
    async fn handle(&mut self, message: ServerMessage<RequestId>) -> Result<(), ProtocolError> {
        match message {
            ServerMessage::Error(refusal) => (self.notice)(Notice::Refused(&refusal)),
            ServerMessage::GreetingsProgram(greeting) => {
                (self.notice)(Notice::Connected(&greeting))
            }
            ServerMessage::Request(request) => self.request(request).await?,
            ServerMessage::Result(message) => self.result(&message),
            ServerMessage::Unknown => {}
        }
        Ok(())
    }

    /// Passes a request to the player. A damaged one is answered at once.
    async fn request(&mut self, request: Request<RequestId>) -> Result<(), ProtocolError> {
        match request.view() {
            Ok(view) => {
                self.last = Some(view);
                self.pending = Some(Pending {
                    request_id: request.request_id,
                    view,
                    since: Instant::now(),
                    answer: self.player.ask(&view),
                });
                Ok(())
            }
            Err(error) => {
                (self.notice)(Notice::Unreadable(error.to_string()));
                // The request is damaged, but no answer at all would cost the clock and a penalty.
                let guess = request.guess();
                self.answer(request.request_id, guess).await
            }
        }
    }

    /// Passes an event to the player, and reports faults and the end of a game.
    fn result(&mut self, message: &ResultMessage) {
        let event = match message.result.event() {
            Ok(Some(event)) if message.your_player_num <= 1 => event,
            Ok(None) => return,
            Ok(Some(_)) => {
                let number = message.your_player_num;
                return (self.notice)(Notice::Unreadable(format!(
                    "{number} is no player's number"
                )));
            }
            Err(error) => return (self.notice)(Notice::Unreadable(error.to_string())),
        };
        let seat = message.your_player_num.into();
        self.player.event(seat, event);
        if let WireEvent::Error { reason } = &message.result {
            // An open request has not been answered yet, so the error is about another one.
            (self.notice)(Notice::Fault(reason));
        }
        if let Event::GameWon { by } = event {
            // A request of a game that is over needs no answer.
            self.pending = None;
            let won = by == seat;
            let last = self.last.take();
            (self.notice)(Notice::GameOver {
                last: last.as_ref(),
                won,
            });
        }
    }

    /// Sends the decision on the open request, and reports it.
    async fn decided(&mut self, decision: Decision, by: By) -> Result<(), ProtocolError> {
        // Taken before the answer is sent: a failure ends the session.
        let Some(pending) = self.pending.take() else {
            return Ok(());
        };
        self.answer(pending.request_id, decision.into()).await?;
        (self.notice)(Notice::Decided {
            view: &pending.view,
            decision,
            by,
            took: pending.since.elapsed(),
        });
        Ok(())
    }

    /// Sends the answer to a request. Fails if the server takes too long to receive it.
    async fn answer(
        &mut self,
        request_id: RequestId,
        response: Response,
    ) -> Result<(), ProtocolError> {
        let answer = ClientMessage::Move(Move {
            request_id,
            response,
        });
        let sent = timeout(PATIENCE, send_as_is(&mut self.connection, &answer)).await;
        sent.unwrap_or_else(|_| Err(ProtocolError::Io(io::ErrorKind::TimedOut.into())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_allowance_leaves_time_for_the_network() {
        let ms = Duration::from_millis;
        assert_eq!(allowance(ms(2000)), ms(1000));
        assert_eq!(allowance(ms(320)), ms(20));
        assert_eq!(allowance(ms(0)), LEAST);
    }

    #[test]
    fn a_player_without_answers_does_not_use_up_the_clock() {
        let mut clock = Duration::from_secs(2);
        for _ in 0..100 {
            let used = allowance(clock);
            assert!(clock - used >= Duration::from_millis(200));
            clock = clock - used + Duration::from_millis(50);
        }
    }
}
