//! Connections to the page. Their number is limited, because they share the process's files with the
//! contest's own.

use axum::serve::Listener;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// How long a connection may be idle.
const IDLE: Duration = Duration::from_secs(10);
/// How long to wait when the system takes no other connection.
const RETRY: Duration = Duration::from_millis(100);

/// Accepts a limited number of connections at a time; others wait in the system's queue.
pub(crate) struct LimitedListener {
    listener: TcpListener,
    places: Arc<Semaphore>,
}

impl LimitedListener {
    pub(crate) fn new(listener: TcpListener, places: usize) -> LimitedListener {
        LimitedListener {
            listener,
            places: Arc::new(Semaphore::new(places)),
        }
    }
}

impl Listener for LimitedListener {
    type Io = TimedConnection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (TimedConnection, SocketAddr) {
        loop {
            let Ok(place) = Arc::clone(&self.places).acquire_owned().await else {
                // The semaphore is never closed.
                std::future::pending::<()>().await;
                continue;
            };
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    let timer = Box::pin(sleep(IDLE));
                    let connection = TimedConnection {
                        stream,
                        timer,
                        _place: place,
                    };
                    return (connection, address);
                }
                Err(_) => sleep(RETRY).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that fails when it has been idle for too long.
pub(crate) struct TimedConnection {
    stream: TcpStream,
    timer: Pin<Box<Sleep>>,
    _place: OwnedSemaphorePermit,
}

impl TimedConnection {
    /// The outcome of a read or a write, or an error when the connection was idle for too long.
    fn watched<T>(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.timer.as_mut().reset(Instant::now() + IDLE);
            return outcome;
        }
        let over = self.timer.as_mut().poll(context);
        over.map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for TimedConnection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.watched(context, outcome)
    }
}

impl AsyncWrite for TimedConnection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watched(context, outcome)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_flush(context);
        self.watched(context, outcome)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_shutdown(context);
        self.watched(context, outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;

    async fn limited(places: usize) -> (LimitedListener, SocketAddr) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        (LimitedListener::new(listener, places), address)
    }

    #[tokio::test]
    async fn a_connection_over_the_limit_waits() {
        let (mut listener, address) = limited(1).await;
        let _clients = [
            TcpStream::connect(address).await.unwrap(),
            TcpStream::connect(address).await.unwrap(),
        ];
        let (first, _) = listener.accept().await;
        let mut second = Box::pin(listener.accept());
        let waiting = tokio::time::timeout(Duration::ZERO, &mut second).await;
        assert!(waiting.is_err());
        drop(first);
        second.await;
    }

    /// Time jumps on while all wait.
    #[tokio::test(start_paused = true)]
    async fn an_idle_connection_fails() {
        let (mut listener, address) = limited(1).await;
        let _client = TcpStream::connect(address).await.unwrap();
        let (mut connection, _) = listener.accept().await;
        let error = connection.read_u8().await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }
}
