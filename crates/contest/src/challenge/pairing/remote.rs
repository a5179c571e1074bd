//! A program with its process and its connection: how it is started, connected, heard and ended. Matches use it
//! through `session`, tables through `guest`.

use super::participant::arguments;
use arena::process::{Confinement, Program, Resident, Stopped, Workspace, is_ended_by_stop};
use challenge::protocol::{Connection, Greeting, ServerMessage, connection, post, send_rest};
use challenge_server::answers::Requests;
use challenge_server::link::{Input, deliver, listen};
use challenge_server::reconnect::ReconnectLimiter;
use challenge_server::stream::ClientStream;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::time::{Instant, sleep, timeout};

/// How often to check whether a program still runs.
const POLL: Duration = Duration::from_millis(20);
/// The contest's minimum time between attempts to connect.
const WAIT: Duration = Duration::from_secs(5);

/// Why a program cannot play on.
#[derive(Debug, Error)]
pub enum RemoteError {
    /// It cannot be started, or listened to.
    #[error("{label} cannot be started: {error}")]
    Start { label: String, error: io::Error },
    #[error("{label} has ended: {status}{stderr}")]
    Ended {
        label: String,
        status: String,
        /// The last text it wrote to standard error, if any.
        stderr: String,
    },
    /// It ended by the signal that asked this process to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// It runs and does not connect.
    #[error(
        "{label} has not connected within {} s: it is started with HOST:PORT, unless --args \"{label}:…\" says \
         otherwise{stderr}",
        patience.as_secs()
    )]
    Silent {
        label: String,
        /// How long the referee waited.
        patience: Duration,
        /// The last text it wrote to standard error, if any.
        stderr: String,
    },
}

/// The next event of a program.
pub(super) enum RemoteEvent {
    Received(Input),
    /// It has connected and is to be greeted.
    Connected,
    /// Its connection is over.
    Disconnected,
    /// Its process has ended.
    Ended,
}

/// A running program and its connection.
pub(super) struct Remote {
    label: String,
    team: u64,
    listener: TcpListener,
    connection: Option<Connection<ClientStream>>,
    limiter: ReconnectLimiter<()>,
    begin: Instant,
    process: Option<Resident>,
    /// Requests of its last game: answers to them may still come.
    pub(super) requests: Requests,
    _copy: Workspace,
}

impl Remote {
    /// Starts a program in a copy of its folder, and listens for its connection.
    pub(super) async fn start(
        label: &str,
        team: u64,
        program: &Program,
        template: &str,
        confinement: Option<&Confinement>,
    ) -> Result<Remote, RemoteError> {
        let failed = |error| RemoteError::Start {
            label: label.to_owned(),
            error,
        };
        // Port 0: the system picks a free one, so many matches can run at once.
        let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let listener = TcpListener::bind(any).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let copy = Workspace::new(program).map_err(failed)?;
        // Inside the sandbox the program reaches only its referee.
        let confinement = confinement.map(|confinement| Confinement {
            port: Some(address.port()),
            ..confinement.clone()
        });
        let process = copy
            .start(&arguments(template, address), confinement.as_ref())
            .map_err(failed)?;
        Ok(Remote {
            label: label.to_owned(),
            team,
            listener,
            connection: None,
            limiter: ReconnectLimiter::new(WAIT),
            begin: Instant::now(),
            process: Some(process),
            requests: Requests::default(),
            // The copy lives as long as the program that runs in it.
            _copy: copy,
        })
    }

    /// Waits up to `patience` until the program is connected.
    pub(super) async fn connected(&mut self, patience: Duration) -> Result<(), RemoteError> {
        let wait = async {
            while self.connection.is_none() {
                // Input before the first game has no meaning and is dropped.
                match self.next().await {
                    RemoteEvent::Connected => self.greet().await,
                    RemoteEvent::Ended => return Err(()),
                    RemoteEvent::Received(_) | RemoteEvent::Disconnected => {}
                }
            }
            Ok(())
        };
        match timeout(patience, wait).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(())) => Err(self.ended()),
            Err(_) => Err(RemoteError::Silent {
                label: self.label.clone(),
                patience,
                // A program that runs without connecting is ended here. Its text on standard error often says why it
                // did not connect.
                stderr: self.end().unwrap_or_default().1,
            }),
        }
    }

    /// Waits for the next event. The future may be dropped and called anew.
    pub(super) async fn next(&mut self) -> RemoteEvent {
        loop {
            // The rest of earlier messages, for which the connection had no room.
            if let Some(connection) = &mut self.connection
                && send_rest(connection).is_err()
            {
                self.connection = None;
                return RemoteEvent::Disconnected;
            }
            let input = async {
                match &mut self.connection {
                    Some(connection) => listen(connection).await,
                    // Without a connection this branch must stay silent rather than end the `select`.
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                accepted = self.listener.accept() => {
                    let Ok((stream, _)) = accepted else {
                        // Such as a lack of descriptors, which lasts: at once, this loop would take a whole core.
                        sleep(POLL).await;
                        continue;
                    };
                    // A connection that comes too early is closed, as in the contest.
                    if self.limiter.admit((), self.begin.elapsed()) {
                        // The newest connection replaces an older one, as in the contest.
                        self.connection = Some(connection(ClientStream::new(stream)));
                        return RemoteEvent::Connected;
                    }
                }
                input = input => match input {
                    Some(input) => return RemoteEvent::Received(input),
                    None => {
                        self.connection = None;
                        return RemoteEvent::Disconnected;
                    }
                },
                () = sleep(POLL) => {
                    // Only without a connection: a process that has ended may have left input that is not read yet.
                    if self.connection.is_none() && self.process.as_ref().is_none_or(Resident::has_ended) {
                        return RemoteEvent::Ended;
                    }
                }
            }
        }
    }

    /// Sends the greeting, the first message of every connection: there is room for it.
    pub(super) async fn greet(&mut self) {
        let greeting = ServerMessage::GreetingsProgram(Greeting::of(self.team));
        if let Some(connection) = &mut self.connection
            && deliver(connection, &greeting).await.is_err()
        {
            self.connection = None;
        }
    }

    /// Sends a message if the program is connected, and does not wait for a program that does not read: the other
    /// one's clock may run meanwhile. A failed connection is dropped.
    pub(super) fn send(&mut self, message: &ServerMessage) {
        if let Some(connection) = &mut self.connection
            && post(connection, message).is_err()
        {
            self.connection = None;
        }
    }

    /// The error for a program that has ended. Ends the process if it still runs.
    pub(super) fn ended(&mut self) -> RemoteError {
        let Some((status, stderr)) = self.end() else {
            return Stopped.into();
        };
        let label = self.label.clone();
        RemoteError::Ended {
            label,
            status,
            stderr,
        }
    }

    /// Ends the process if it still runs. Returns the exit status and the last text on standard error; none if the
    /// program ended by the signal that asked this process to stop.
    fn end(&mut self) -> Option<(String, String)> {
        Some(match self.process.take().map(Resident::end) {
            Some(Ok(run)) if is_ended_by_stop(run.status) => return None,
            Some(Ok(run)) => {
                let errors = String::from_utf8_lossy(&run.stderr_tail);
                let stderr = match errors.trim_end() {
                    "" => String::new(),
                    text => format!("\nit wrote to standard error:\n{text}"),
                };
                (run.status.to_string(), stderr)
            }
            Some(Err(error)) => (error.to_string(), String::new()),
            None => ("it was ended before".to_owned(), String::new()),
        })
    }
}
