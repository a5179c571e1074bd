//! One client's connection: frames in, frames out.

use crate::challenge::protocol::{Connection, Incoming, ProtocolError, Server, receive, send};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::timeout;

/// How long a client may take to read a frame.
const PATIENCE: Duration = Duration::from_secs(10);

/// What came from a client: a message, or what was wrong with it.
pub(super) type Input = Result<Incoming, String>;

/// Sends a message to a client that reads.
pub(super) async fn deliver(
    connection: &mut Connection<TcpStream>,
    message: &Server,
) -> Result<(), ProtocolError> {
    let sent = timeout(PATIENCE, send(connection, message)).await;
    sent.unwrap_or_else(|_| Err(ProtocolError::Io(std::io::ErrorKind::TimedOut.into())))
}

/// The next thing a client says; `None` when there will be no more. May be dropped and called again.
pub(super) async fn listen(connection: &mut Connection<TcpStream>) -> Option<Input> {
    match receive(connection).await? {
        Ok(message) => Some(Ok(message)),
        Err(error @ ProtocolError::NotAMessage { .. }) => Some(Err(error.to_string())),
        Err(_) => None,
    }
}

/// Carries messages both ways until either side ends.
pub(super) async fn carry(
    mut connection: Connection<TcpStream>,
    mut outbox: UnboundedReceiver<Server>,
    mut input: impl FnMut(Input),
) {
    loop {
        tokio::select! {
            message = outbox.recv() => {
                let Some(message) = message else { return };
                if deliver(&mut connection, &message).await.is_err() {
                    return;
                }
            }
            said = listen(&mut connection) => {
                let Some(said) = said else { return };
                input(said);
            }
        }
    }
}
