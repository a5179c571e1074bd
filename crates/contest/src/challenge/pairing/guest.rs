//! A program at a table: it connects as to a contest, and is asked now and then.

use super::participant::Client;
use super::remote::{Remote, RemoteError, RemoteEvent};
use crate::challenge::link::Input;
use crate::challenge::reply::decided;
use arena::process::Confinement;
use challenge::protocol::{Incoming, Request, ResultMessage, Served, ServerMessage, WireEvent};
use challenge::rules::Decision;
use challenge::view::View;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::time::timeout;

/// A program that runs and is connected. It is ended with this.
pub(crate) struct Guest {
    /// None while this is dropped.
    runtime: Option<Runtime>,
    remote: Remote,
    requests: i64,
}

impl Guest {
    /// Starts a program, which is called like this and plays for this team, and waits for it so long.
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

    /// Tells it of something that has happened.
    pub(crate) fn tell(&mut self, result: ResultMessage) {
        let Guest {
            runtime, remote, ..
        } = self;
        if let Some(runtime) = runtime {
            runtime.block_on(remote.send(&ServerMessage::Result(result)));
        }
    }

    /// Asks it for a decision, which may take so long.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn ask(&mut self, view: &View, time: Duration) -> Result<Decision, String> {
        self.requests += 1;
        let request = Request::of(view, self.requests, Served::default());
        let Guest {
            runtime, remote, ..
        } = self;
        let runtime = runtime.as_ref().ok_or("it has been ended")?;
        runtime.block_on(async {
            remote.send(&ServerMessage::Request(request.clone())).await;
            let answer = timeout(time, answer(remote, request)).await;
            answer.unwrap_or_else(|_| Err(format!("no answer within {} s", time.as_secs_f64())))
        })
    }
}

/// The answer to an open request; a program that connects anew gets it again, as in a contest.
async fn answer(remote: &mut Remote, request: Request) -> Result<Decision, String> {
    let (id, player_number) = (request.request_id, request.state.player_number);
    let request = &ServerMessage::Request(request);
    loop {
        let input: Input = match remote.next().await {
            RemoteEvent::Received(input) => input,
            RemoteEvent::Connected => {
                remote.greet().await;
                remote.send(request).await;
                continue;
            }
            RemoteEvent::Disconnected => continue,
            RemoteEvent::Ended => return Err(remote.ended().to_string()),
        };
        match input? {
            Incoming::Move {
                request_id,
                response,
            } if request_id == id => return decided(response),
            // A copy, or late: as in a contest it is told, and the request stays open.
            Incoming::Move { request_id, .. } if (1..id).contains(&request_id) => {
                let reason = format!("found an answer to request {request_id}, which is not open");
                let error = ResultMessage {
                    result: WireEvent::Error { reason },
                    your_player_num: player_number,
                };
                remote.send(&ServerMessage::Result(error)).await;
            }
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
        // Wherever it is dropped, it does not wait for the runtime, which has nothing left to do.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
