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

/// The time for a visitor to ask, from the connection or the last answer to the end of the request's header. As long
/// may take the request's body together with our answer's beginning, and a pause in its reading of the answer.
const IDLE: Duration = Duration::from_secs(10);
/// The longest life of a connection.
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
    end: Instant,
    place: Place,
    /// The number of bytes of `END` that the latest bytes match: `\r\n\r` gives 3.
    matched: usize,
}

impl TimedConnection {
    fn new(stream: TcpStream, place: Place) -> TimedConnection {
        TimedConnection {
            stream,
            timer: Box::pin(sleep(IDLE)),
            end: Instant::now() + LONGEST,
            place,
            matched: 0,
        }
    }

    /// Starts the visitor's time anew, up to the end of the connection's life. `waits` says whether it waits for our
    /// answer now.
    fn goes_on(&mut self, waits: bool) {
        let next = Instant::now() + IDLE;
        self.timer.as_mut().reset(next.min(self.end));
        self.place.is_useful(waits);
    }

    /// Searches the bytes just read for the end of a request's header. A complete header is a useful act.
    fn look(&mut self, read: &[u8]) {
        for &byte in read {
            // The end may arrive in pieces, so the number of bytes matched is kept. After a mismatch only the
            // byte itself, a carriage return, can begin the end anew.
            self.matched = match byte == END[self.matched] {
                true => self.matched + 1,
                false => usize::from(byte == END[0]),
            };
            if self.matched == END.len() {
                self.matched = 0;
                self.goes_on(true);
            }
        }
    }

    /// An error when the connection has taken too long or lost its place.
    fn failure(&mut self, context: &mut Context<'_>) -> Option<io::Error> {
        if self.place.poll_evicted(context).is_ready() {
            return Some(io::ErrorKind::ConnectionAborted.into());
        }
        let over = self.timer.as_mut().poll(context).is_ready();
        over.then(|| io::ErrorKind::TimedOut.into())
    }
}

impl AsyncRead for TimedConnection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(error) = self.failure(context) {
            return Poll::Ready(Err(error));
        }
        let before = buffer.filled().len();
        // Reading alone earns no time: bytes that come one by one are no request.
        let outcome = Pin::new(&mut self.stream).poll_read(context, buffer);
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
        if let Some(error) = self.failure(context) {
            return Poll::Ready(Err(error));
        }
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        if outcome.is_ready() {
            self.goes_on(false);
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
}
