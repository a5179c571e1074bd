//! A listener for `axum::serve` with limits. The number of connections is limited, because they use the same
//! supply of file descriptors as the contest itself. The time that each may take to ask is limited, too, so that
//! a slow connection blocks nobody.

use super::places::{Place, Places};
use axum::serve::Listener;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::yield_now;
use tokio::time::{Instant, Sleep, sleep};

/// The time for a visitor to ask, from the connection or the last answer to the end of the request's header. A pause in
/// its reading of the answer may take as long.
const IDLE: Duration = Duration::from_secs(10);
/// The time for our answer to a request, from the end of its header to the answer's last byte. A busy machine may think
/// for long, and a visitor that waits for us takes no time of its own.
const LONGEST: Duration = Duration::from_secs(600);
/// The pause after the system could not accept a connection.
const RETRY: Duration = Duration::from_millis(100);
/// The end of a request's header.
const END: &[u8] = b"\r\n\r\n";

/// Accepts connections, and closes the worst of them when there are too many.
pub struct LimitedListener {
    listener: TcpListener,
    places: Places,
}

impl LimitedListener {
    pub fn new(listener: TcpListener, places: Places) -> LimitedListener {
        LimitedListener { listener, places }
    }
}

impl Listener for LimitedListener {
    type Io = TimedConnection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (TimedConnection, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    // An IPv4 address counts as one, also when it comes written as IPv6.
                    let place = self.places.take(address.ip().to_canonical());
                    // A connection that has asked already must be read before the next one can push it out.
                    yield_now().await;
                    return (TimedConnection::new(stream, place), address);
                }
                Err(_) => sleep(RETRY).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that fails when it takes too long, or has to make room for another one.
pub struct TimedConnection {
    stream: TcpStream,
    timer: Pin<Box<Sleep>>,
    /// The end of the time for the latest request.
    end: Instant,
    place: Place,
    /// The number of bytes of `END` that the latest bytes match: `\r\n\r` gives 3; `None` before a request's first
    /// byte, as empty lines before it are no header.
    matched: Option<usize>,
}

impl TimedConnection {
    fn new(stream: TcpStream, place: Place) -> TimedConnection {
        TimedConnection {
            stream,
            timer: Box::pin(sleep(IDLE)),
            end: Instant::now() + LONGEST,
            place,
            matched: None,
        }
    }

    /// Searches the bytes just read for the end of a request's header. A complete header is a useful act: from now on
    /// the visitor waits for our answer.
    fn look(&mut self, read: &[u8]) {
        for &byte in read {
            // The end may arrive in pieces, so the number of bytes matched is kept. After a mismatch only the
            // byte itself, a carriage return, can begin the end anew.
            self.matched = match self.matched {
                None => (!END.contains(&byte)).then_some(0),
                Some(matched) if byte == END[matched] => Some(matched + 1),
                Some(_) => Some(usize::from(byte == END[0])),
            };
            if self.matched == Some(END.len()) {
                self.matched = None;
                self.end = Instant::now() + LONGEST;
                self.timer.as_mut().reset(self.end);
                self.place.is_useful(true);
            }
        }
    }

    /// The outcome of a read or a write, or an error when the connection has lost its place, or took too long. Bytes
    /// that are there count although the time is over: perhaps this process had no processor until now.
    fn timed<T>(
        &mut self,
        context: &mut Context<'_>,
        poll: impl FnOnce(Pin<&mut TcpStream>, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if self.place.poll_evicted(context).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        let outcome = poll(Pin::new(&mut self.stream), context);
        if outcome.is_pending() && self.timer.as_mut().poll(context).is_ready() {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        outcome
    }
}

impl AsyncRead for TimedConnection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        // Reading alone earns no time: bytes that come one by one are no request.
        let outcome = self.timed(context, |stream, context| stream.poll_read(context, buffer));
        self.look(&buffer.filled()[before..]);
        outcome
    }
}

impl AsyncWrite for TimedConnection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = self.timed(context, |stream, context| stream.poll_write(context, bytes));
        if matches!(outcome, Poll::Ready(Ok(_))) {
            let next = (Instant::now() + IDLE).min(self.end);
            self.timer.as_mut().reset(next);
            self.place.is_useful(false);
        }
        outcome
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::super::places::PlaceLimits;
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    async fn limited(per_address: usize) -> (LimitedListener, SocketAddr) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let limits = PlaceLimits {
            per_address,
            all: 100,
        };
        let places = Places::new(limits);
        (LimitedListener::new(listener, places), address)
    }

    #[tokio::test]
    async fn a_slow_connection_makes_room_for_a_new_one() {
        let (mut listener, address) = limited(2).await;
        let mut asking = TcpStream::connect(address).await.unwrap();
        let (mut asked, _) = listener.accept().await;
        let mut slow = TcpStream::connect(address).await.unwrap();
        let (mut slowed, _) = listener.accept().await;
        asking.write_all(b"GET / HTTP/1.1\r\n\r\n").await.unwrap();
        slow.write_all(b"GET / HTTP/1.1\r\n\r").await.unwrap();
        asked.read_exact(&mut [0; 18]).await.unwrap();
        slowed.read_exact(&mut [0; 17]).await.unwrap();
        let _new = TcpStream::connect(address).await.unwrap();
        let (mut newest, _) = listener.accept().await;
        let error = slowed.read_u8().await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionAborted);
        for connection in [&mut asked, &mut newest] {
            connection.write_all(b"an answer").await.unwrap();
        }
    }

    /// If many connections come at once, they do not push out one that has sent a request which was not read
    /// yet.
    #[tokio::test]
    async fn a_burst_pushes_out_nobody_who_has_asked() {
        let (mut listener, address) = limited(2).await;
        let mut asking = TcpStream::connect(address).await.unwrap();
        asking.write_all(b"GET / HTTP/1.1\r\n\r\n").await.unwrap();
        let mut burst = Vec::new();
        for _ in 0..20 {
            burst.push(TcpStream::connect(address).await.unwrap());
        }
        let (mut asked, _) = listener.accept().await;
        let heard = tokio::spawn(async move {
            asked.read_exact(&mut [0; 18]).await?;
            Ok::<_, io::Error>(asked)
        });
        let mut silent = Vec::new();
        for _ in 0..20 {
            silent.push(listener.accept().await);
        }
        let mut asked = heard.await.unwrap().unwrap();
        asked.write_all(b"an answer").await.unwrap();
    }

    /// The paused clock jumps forward whenever all tasks wait, so the test takes no time.
    #[tokio::test(start_paused = true)]
    async fn a_connection_that_does_not_ask_fails() {
        let (mut listener, address) = limited(1).await;
        let mut client = TcpStream::connect(address).await.unwrap();
        let begin = Instant::now();
        let (mut connection, _) = listener.accept().await;
        // Single bytes that keep coming are no request either.
        let writing = tokio::spawn(async move {
            while client.write_all(b"G").await.is_ok() {
                sleep(IDLE / 4).await;
            }
        });
        let error = loop {
            if let Err(error) = connection.read_u8().await {
                break error;
            }
        };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(begin.elapsed() < 2 * IDLE);
        writing.abort();
    }

    /// A request waits for its answer as long as our work takes, and bytes that came in time are read late if this
    /// process was held up.
    #[tokio::test(start_paused = true)]
    async fn only_the_visitors_own_time_is_short() {
        let (mut listener, address) = limited(2).await;
        for (request, waits) in [("GET / HTTP/1.1\r\n\r\n", true), ("\r\n\r\n", false)] {
            let mut client = TcpStream::connect(address).await.unwrap();
            client.write_all(request.as_bytes()).await.unwrap();
            let (mut connection, _) = listener.accept().await;
            connection.stream.readable().await.unwrap();
            tokio::time::advance(2 * IDLE).await;
            let mut read = vec![0; request.len()];
            connection.read_exact(&mut read).await.unwrap();
            let idle = tokio::time::timeout(2 * IDLE, connection.read_u8()).await;
            assert_eq!(idle.is_err(), waits, "{request:?}: {idle:?}");
        }
    }
}
