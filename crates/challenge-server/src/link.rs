//! One client's connection: reads its frames as messages, and sends it messages as frames.
//!
//! The acceptor's tasks use `carry` for teams. The test port and matches with programs call `listen` and
//! `deliver` themselves.

use super::overhead::Overhead;
use super::stream::ClientStream;
use challenge::protocol::{
    Connection, Incoming, ProtocolError, Refusal, ServerMessage, receive, send,
};
use std::future::pending;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout};

/// How long a client may take to read a frame.
const PATIENCE: Duration = Duration::from_secs(10);

/// Input from a client: a message, or the reason why it is none.
pub type Input = Result<Incoming, String>;

/// A message to a client.
#[derive(Debug)]
pub struct Outgoing {
    pub message: ServerMessage,
    /// When the move arrived that led to this message.
    pub cause: Option<Instant>,
}

impl From<ServerMessage> for Outgoing {
    fn from(message: ServerMessage) -> Outgoing {
        Outgoing {
            message,
            cause: None,
        }
    }
}

/// Sends a message to a client, which must read it in time.
///
/// # Errors
/// If the connection is gone, or the client does not read.
pub async fn deliver(
    connection: &mut Connection<ClientStream>,
    message: &ServerMessage,
) -> Result<(), ProtocolError> {
    // A client that does not read would otherwise block its task for ever once the socket's buffers are full.
    let sent = timeout(PATIENCE, send(connection, message)).await;
    sent.unwrap_or_else(|_| Err(ProtocolError::Io(std::io::ErrorKind::TimedOut.into())))
}

/// The next message of a client; `None` when there will be no more. The future may be dropped and called
/// anew without losing input.
pub async fn listen(connection: &mut Connection<ClientStream>) -> Option<Input> {
    match receive(connection).await? {
        Ok(message) => Some(Ok(message)),
        Err(error @ ProtocolError::NotAMessage { .. }) => Some(Err(error.to_string())),
        Err(error @ ProtocolError::TooLong) => {
            // Nothing after it can be read. Most likely the length has the wrong byte order, so the client gets
            // the reason before the connection ends.
            let host = connection.get_ref().peer_addr();
            let refusal = Refusal {
                seen_host: host.map_or_else(|_| String::new(), |host| host.ip().to_string()),
                message: error.to_string(),
            };
            let _ = deliver(connection, &ServerMessage::Error(refusal)).await;
            None
        }
        Err(_) => None,
    }
}

/// Carries messages in both directions until the client is gone or the outbox is closed. `on_input` gets a message
/// with a sender, and drops it once it has dealt with the message. The next message is read only then: a client that
/// sends without end fills its own socket, not the memory of the server, and is one turn in the queue of all.
pub async fn carry(
    mut connection: Connection<ClientStream>,
    mut outbox: UnboundedReceiver<Outgoing>,
    overhead: Overhead,
    mut on_input: impl FnMut(Input, oneshot::Sender<()>),
) {
    let mut dealt_with: Option<oneshot::Receiver<()>> = None;
    loop {
        tokio::select! {
            message = outbox.recv() => {
                let Some(Outgoing { message, cause }) = message else { return };
                if deliver(&mut connection, &message).await.is_err() {
                    return;
                }
                // Measured from the frame read to the request written, so waiting in channels counts too.
                if let (Some(cause), ServerMessage::Request(_)) = (cause, message) {
                    overhead.add(cause.elapsed());
                }
            }
            // The error says that the sender was dropped.
            Err(_) = async {
                match &mut dealt_with {
                    Some(dealt_with) => dealt_with.await,
                    None => pending().await,
                }
            } => dealt_with = None,
            // `listen` may be dropped when another branch wins: a partly read frame stays in the connection.
            input = listen(&mut connection), if dealt_with.is_none() => {
                let Some(input) = input else { return };
                let (sender, receiver) = oneshot::channel();
                dealt_with = Some(receiver);
                on_input(input, sender);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use challenge::protocol::connection;
    use tokio::io::AsyncWriteExt;
    use tokio::net::{TcpListener, TcpStream};
    use tokio::sync::mpsc::unbounded_channel;

    /// A client's second message is not read before the first has been dealt with, while it is still sent messages.
    #[tokio::test]
    async fn a_flood_stays_in_its_socket() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut client = connection(TcpStream::connect(address).await.unwrap());
        let server = connection(ClientStream::new(listener.accept().await.unwrap().0));
        let (outbox, outgoing) = unbounded_channel();
        let (inputs, mut read) = unbounded_channel();
        let on_input = move |input, dealt_with| drop(inputs.send((input, dealt_with)));
        let carried = tokio::spawn(carry(server, outgoing, Overhead::default(), on_input));
        for request_id in 0..2 {
            let response = serde_json::Value::Null;
            let message = Incoming::Move {
                request_id,
                response,
            };
            send(&mut client, &message).await.unwrap();
        }
        let (first, dealt_with) = read.recv().await.unwrap();
        for _ in 0..50 {
            let refusal = ServerMessage::Error(Refusal {
                seen_host: String::new(),
                message: String::new(),
            });
            outbox.send(Outgoing::from(refusal)).unwrap();
            let _: ServerMessage = receive(&mut client).await.unwrap().unwrap();
        }
        assert!(read.try_recv().is_err());
        drop(dealt_with);
        let (second, _) = read.recv().await.unwrap();
        assert_ne!(first, second);
        drop(outbox);
        carried.await.unwrap();
    }

    #[tokio::test]
    async fn a_frame_that_is_too_long_gets_a_reason() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut client = TcpStream::connect(address).await.unwrap();
        let mut server = connection(ClientStream::new(listener.accept().await.unwrap().0));
        client.write_all(&2u32.to_le_bytes()).await.unwrap();
        client.write_all(b"{}").await.unwrap();
        assert_eq!(listen(&mut server).await, None);
        drop(server);
        let mut client = connection(client);
        let answer: ServerMessage = receive(&mut client).await.unwrap().unwrap();
        let ServerMessage::Error(refusal) = answer else {
            panic!("{answer:?}")
        };
        assert_eq!(refusal.seen_host, "127.0.0.1");
        assert!(refusal.message.contains("longer than"), "{refusal:?}");
    }
}
