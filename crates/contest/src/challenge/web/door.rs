//! Connections to the page, of which there are never many at a time: they share the process's files with
//! the contest's own.

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

/// How long nothing may come from a connection.
const SILENCE: Duration = Duration::from_secs(10);
/// How long to wait when the system has no room for another connection.
const BREAK: Duration = Duration::from_millis(100);

/// Lets so many in at a time; others wait outside.
pub(super) struct Door {
    listener: TcpListener,
    room: Arc<Semaphore>,
}

impl Door {
    pub(super) fn new(listener: TcpListener, places: usize) -> Door {
        Door {
            listener,
            room: Arc::new(Semaphore::new(places)),
        }
    }
}

impl Listener for Door {
    type Io = Visitor;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Visitor, SocketAddr) {
        loop {
            let Ok(place) = Arc::clone(&self.room).acquire_owned().await else {
                // Nobody closes the room.
                std::future::pending::<()>().await;
                continue;
            };
            match self.listener.accept().await {
                Ok((stream, address)) => {
                    let patience = Box::pin(sleep(SILENCE));
                    let visitor = Visitor {
                        stream,
                        patience,
                        _place: place,
                    };
                    return (visitor, address);
                }
                Err(_) => sleep(BREAK).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that fails when it has been silent for too long.
pub(super) struct Visitor {
    stream: TcpStream,
    patience: Pin<Box<Sleep>>,
    _place: OwnedSemaphorePermit,
}

impl Visitor {
    /// What came of a read or a write, unless it is over time.
    fn watched<T>(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.patience.as_mut().reset(Instant::now() + SILENCE);
            return outcome;
        }
        let over = self.patience.as_mut().poll(context);
        over.map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Visitor {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.watched(context, outcome)
    }
}

impl AsyncWrite for Visitor {
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

    async fn door(places: usize) -> (Door, SocketAddr) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        (Door::new(listener, places), address)
    }

    #[tokio::test]
    async fn who_is_over_the_number_waits_outside() {
        let (mut door, address) = door(1).await;
        let _clients = [
            TcpStream::connect(address).await.unwrap(),
            TcpStream::connect(address).await.unwrap(),
        ];
        let (first, _) = door.accept().await;
        let mut second = Box::pin(door.accept());
        let waiting = tokio::time::timeout(Duration::ZERO, &mut second).await;
        assert!(waiting.is_err());
        drop(first);
        second.await;
    }

    /// Time jumps on while everybody waits.
    #[tokio::test(start_paused = true)]
    async fn who_says_nothing_is_shown_out() {
        let (mut door, address) = door(1).await;
        let _client = TcpStream::connect(address).await.unwrap();
        let (mut visitor, _) = door.accept().await;
        let error = visitor.read_u8().await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }
}
