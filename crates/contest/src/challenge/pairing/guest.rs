//! A program that plays at a table where people play. It connects as to a contest's server. The table asks it for
//! a decision whenever its seat is to act.

use super::participant::Client;
use super::remote::{Remote, RemoteError, RemoteEvent};
use arena::process::Confinement;
use challenge::protocol::{Incoming, Request, ResultMessage, Served, ServerMessage, WireEvent};
use challenge::rules::Decision;
use challenge::view::View;
use challenge_server::link::Input;
use challenge_server::reply::decided;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::time::timeout;

/// A running, connected program. Dropping this ends it.
pub(crate) struct Guest {
    /// Always there, except while the value is dropped.
    runtime: Option<Runtime>,
    remote: Remote,
    /// The number of the last request.
    requests: i64,
}

impl Guest {
    /// Starts a program with this name and team, and waits up to `patience` until it connects.
    ///
    /// # Errors
    /// If it cannot be started, ends, or does not connect.
    pub(crate) fn start(
        label: &str,
        team: u64,
        client: &Client,
        confinement: Option<&Confinement>,
        patience: Duration,
    ) -> Result<Guest, RemoteError> {
        let failed = |error| RemoteError::Start {
            label: label.to_owned(),
            error,
        };
        // A runtime without its own threads: the connection makes progress only during the calls of this type. That
        // is enough, because the program is needed only then.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(failed)?;
        let remote = runtime.block_on(async {
            let Client { program, template } = client;
            let mut remote = Remote::start(label, team, program, template, confinement).await?;
            remote.connected(patience).await?;
            Ok::<Remote, RemoteError>(remote)
        })?;
        Ok(Guest {
            runtime: Some(runtime),
            remote,
            requests: 0,
        })
    }

    /// Sends an event to the program.
    pub(crate) fn tell(&mut self, result: ResultMessage) {
        let Guest {
            runtime, remote, ..
        } = self;
        if let Some(runtime) = runtime {
            runtime.block_on(async { remote.send(&ServerMessage::Result(result)) });
        }
    }

    /// Asks for a decision, for which the program has `time`.
    ///
    /// # Errors
    /// The reason why there is none, as a sentence for people.
    pub(crate) fn ask(&mut self, view: &View, time: Duration) -> Result<Decision, String> {
        // Numbers count over the program's whole life, so an old answer is recognized even in a later game.
        self.requests += 1;
        let request = Request::of(view, self.requests, Served::default());
        let Guest {
            runtime, remote, ..
        } = self;
        let runtime = runtime.as_ref().ok_or("it has been ended")?;
        runtime.block_on(async {
            remote.send(&ServerMessage::Request(request.clone()));
            // The limit covers reconnecting too: a program cannot gain time by hanging up.
            let answer = timeout(time, answer(remote, request)).await;
            answer.unwrap_or_else(|_| Err(format!("no answer within {} s", time.as_secs_f64())))
        })
    }
}

/// Waits for the answer to an open request. A program that reconnects gets the request again, as in a
/// contest.
async fn answer(remote: &mut Remote, request: Request) -> Result<Decision, String> {
    let (id, player_number) = (request.request_id, request.state.player_number);
    let request = &ServerMessage::Request(request);
    loop {
        let input: Input = match remote.next().await {
            RemoteEvent::Received(input) => input,
            RemoteEvent::Connected => {
                remote.greet().await;
                remote.send(request);
                continue;
            }
            // The program may come back; the caller's time limit ends the wait.
            RemoteEvent::Disconnected => continue,
            RemoteEvent::Ended => return Err(remote.ended().to_string()),
        };
        match input? {
            Incoming::Move {
                request_id,
                response,
            } if request_id == id => return decided(response),
            // A copy or a late answer: as in a contest, the program gets an error, and the request stays open.
            Incoming::Move { request_id, .. } if (1..id).contains(&request_id) => {
                let reason = format!("found an answer to request {request_id}, which is not open");
                let error = ResultMessage {
                    result: WireEvent::Error { reason },
                    your_player_num: player_number,
                };
                remote.send(&ServerMessage::Result(error));
            }
            // An answer with a number that was never used is a fault.
            Incoming::Move { request_id, .. } => {
                return Err(format!(
                    "expected an answer to request {id}, found one to request {request_id}"
                ));
            }
            Incoming::Unknown | Incoming::Token { .. } => {}
        }
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        // Without waiting: dropping a runtime inside another one's task would panic, and this one has
        // nothing left to do.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
