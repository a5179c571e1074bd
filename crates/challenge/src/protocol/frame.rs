//! Frames: four bytes of length in network order, then JSON.

use bytes::Bytes;
use futures_util::{Sink, SinkExt, StreamExt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
#[cfg(target_os = "linux")]
use std::time::Duration;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_util::codec::{Framed, LengthDelimitedCodec};

/// The longest frame that is read or written, without its four bytes of length.
pub const MAX_FRAME: usize = 1 << 20;

/// A stream cut into frames.
pub type Connection<S> = Framed<S, LengthDelimitedCodec>;

/// Why a connection cannot go on, or a frame cannot be used.
#[derive(Debug, Error)]
pub enum ProtocolError {
    /// The connection could not be made.
    #[error("cannot connect: {0}")]
    Unreachable(io::Error),
    /// The connection failed, or ended within a frame.
    #[error("the connection broke: {0}")]
    Io(io::Error),
    /// A frame announces more bytes than are allowed. Nothing after it can be read.
    #[error("a frame is longer than the {MAX_FRAME} bytes allowed")]
    TooLong,
    /// A frame is not the JSON that was expected. The next one may be.
    #[error("a frame of {length} bytes is not a message: {error}")]
    NotAMessage {
        /// The frame's length in bytes.
        length: usize,
        /// The error, with its position in the frame.
        error: serde_json::Error,
    },
}

impl From<io::Error> for ProtocolError {
    fn from(error: io::Error) -> ProtocolError {
        // The codec reports an oversized frame by these kinds; nothing else here does.
        match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => ProtocolError::TooLong,
            _ => ProtocolError::Io(error),
        }
    }
}

/// Cuts a stream into frames.
pub fn connection<S: AsyncRead + AsyncWrite>(stream: S) -> Connection<S> {
    LengthDelimitedCodec::builder()
        .length_field_length(4)
        .max_frame_length(MAX_FRAME)
        .new_framed(stream)
}

/// How long the other side may leave everything unacknowledged before it counts as gone.
#[cfg(target_os = "linux")]
const VANISHED: Duration = Duration::from_secs(20);

/// Sets a stream so that it sends small messages at once, and so that the system notices within about 20 s if the
/// other side has vanished without closing the connection. All this can fail: games can be played without it.
pub fn prepare(stream: &TcpStream) {
    use rustix::net::sockopt;
    let _ = stream.set_nodelay(true);
    let _ = sockopt::set_socket_keepalive(stream, true);
    #[cfg(target_os = "linux")]
    {
        // Keep-alive asks only while nothing is under way. A message that nobody acknowledges would be sent again
        // for a quarter of an hour without the second limit.
        let _ = sockopt::set_tcp_keepidle(stream, VANISHED / 2);
        let _ = sockopt::set_tcp_keepintvl(stream, VANISHED / 4);
        let _ = sockopt::set_tcp_user_timeout(stream, VANISHED.as_millis() as u32);
    }
}

/// The same JSON in 7-bit ASCII, as the rules promise. Other characters occur only inside strings, for example in a
/// reason that quotes a player's message; there they can be escaped.
fn ascii(text: String) -> String {
    if text.is_ascii() {
        return text;
    }
    let mut escaped = String::with_capacity(2 * text.len());
    for character in text.chars() {
        if character.is_ascii() {
            escaped.push(character);
            continue;
        }
        // JSON escapes are UTF-16: a character beyond the basic plane takes two (RFC 8259, section 7).
        for unit in character.encode_utf16(&mut [0; 2]) {
            escaped += &format!("\\u{unit:04x}");
        }
    }
    escaped
}

/// Sends a message as one frame, in 7-bit ASCII and with one write unless the network takes it in pieces.
pub async fn send<S>(
    connection: &mut Connection<S>,
    message: &impl Serialize,
) -> Result<(), ProtocolError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    Ok(connection
        .send(Bytes::from(ascii(written(message)?)))
        .await?)
}

/// Sends a message as one frame without making it ASCII, for values that must be returned as they came.
pub async fn send_as_is<S>(
    connection: &mut Connection<S>,
    message: &impl Serialize,
) -> Result<(), ProtocolError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    Ok(connection.send(Bytes::from(written(message)?)).await?)
}

/// Adds a message to those to be sent, and sends what the other side takes now: a caller that serves others meanwhile
/// must not wait for one that does not read. [`send_rest`] sends more of it later.
///
/// # Errors
/// If the connection has failed, or more than [`MAX_FRAME`] bytes wait to be sent.
pub fn post<S>(
    connection: &mut Connection<S>,
    message: &impl Serialize,
) -> Result<(), ProtocolError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    if connection.write_buffer().len() > MAX_FRAME {
        return Err(ProtocolError::Io(io::ErrorKind::TimedOut.into()));
    }
    Pin::new(&mut *connection).start_send(Bytes::from(ascii(written(message)?)))?;
    send_rest(connection)
}

/// Sends what the other side takes now of the messages that were [posted](post).
///
/// # Errors
/// If the connection has failed.
pub fn send_rest<S>(connection: &mut Connection<S>) -> Result<(), ProtocolError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    // Nobody is to be woken: the caller tries again.
    let mut context = Context::from_waker(Waker::noop());
    match Sink::<Bytes>::poll_flush(Pin::new(connection), &mut context) {
        Poll::Ready(result) => Ok(result?),
        Poll::Pending => Ok(()),
    }
}

/// The JSON text of a message.
fn written(message: &impl Serialize) -> Result<String, ProtocolError> {
    serde_json::to_string(message).map_err(|error| ProtocolError::NotAMessage { length: 0, error })
}

/// The next message; `None` if the other side has closed the connection. The future may be dropped: another call
/// continues where it stopped.
pub async fn receive<S, M>(connection: &mut Connection<S>) -> Option<Result<M, ProtocolError>>
where
    S: AsyncRead + AsyncWrite + Unpin,
    M: DeserializeOwned,
{
    // Parts of a frame stay in the connection's buffer, so dropping this future loses nothing.
    let frame = match connection.next().await? {
        Ok(frame) => frame,
        Err(error) => return Some(Err(error.into())),
    };
    // Serde would take a list for an object whose fields stand in their order.
    let message = match frame.trim_ascii_start().first() {
        Some(b'[') => Err(serde::de::Error::custom("a list, expected an object")),
        _ => serde_json::from_slice(&frame),
    };
    Some(message.map_err(|error| ProtocolError::NotAMessage {
        length: frame.len(),
        error,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message under way and a silent connection both have a limit.
    #[tokio::test]
    #[cfg(target_os = "linux")]
    async fn a_stream_notices_a_peer_that_has_vanished() {
        use rustix::net::sockopt;
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stream = TcpStream::connect(address).await.unwrap();
        prepare(&stream);
        assert!(stream.nodelay().unwrap());
        assert!(sockopt::socket_keepalive(&stream).unwrap());
        let second = Duration::from_secs(1);
        assert_eq!(sockopt::tcp_keepidle(&stream).unwrap(), 10 * second);
        assert_eq!(sockopt::tcp_keepintvl(&stream).unwrap(), 5 * second);
        assert_eq!(sockopt::tcp_user_timeout(&stream).unwrap(), 20_000);
    }

    /// A peer that does not read holds nobody up: what it does not take waits, until that is too much. One that reads
    /// later gets everything in order.
    #[tokio::test]
    async fn nobody_waits_for_a_peer_that_does_not_read() {
        let (one, other) = tokio::io::duplex(100);
        let (mut one, mut other) = (connection(one), connection(other));
        for number in 0..50 {
            post(&mut one, &number).unwrap();
        }
        for expected in 0..50 {
            send_rest(&mut one).unwrap();
            let number: i32 = receive(&mut other).await.unwrap().unwrap();
            assert_eq!(number, expected);
        }
        let long = "x".repeat(1000);
        let posted = (0..2 * MAX_FRAME / 1000).find_map(|_| post(&mut one, &long).err());
        assert!(matches!(posted, Some(ProtocolError::Io(_))), "{posted:?}");
    }

    #[test]
    fn json_is_written_in_ascii() {
        let text = "{\"reason\":\"no `pl\u{e4}y`, no \u{1f0a1}\"}";
        let escaped = ascii(text.to_owned());
        assert_eq!(escaped, r#"{"reason":"no `pl\u00e4y`, no \ud83c\udca1"}"#);
        let [before, after] = [text, &escaped].map(serde_json::from_str::<serde_json::Value>);
        assert_eq!(before.unwrap(), after.unwrap());
    }
}
