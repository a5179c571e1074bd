//! The TCP stream of a client, set so that neither side holds back small messages. `link` reads and writes frames on
//! it.

use challenge::protocol::prepare;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// A stream that acknowledges all received data at once.
///
/// A client that writes a message's length and the message separately does not send the second before the
/// first is acknowledged (Nagle's algorithm, RFC 896). The receiver delays the acknowledgement, hoping for
/// data to send with it (RFC 1122, 4.2.3.2). Together that costs 40 ms a move, on the client's clock.
#[derive(Debug)]
pub struct ClientStream(TcpStream);

impl ClientStream {
    /// Takes over an accepted stream, see [`prepare`]: a client that has vanished is noticed, and data to it is not
    /// held back either.
    pub fn new(stream: TcpStream) -> ClientStream {
        prepare(&stream);
        ClientStream(stream)
    }

    /// The client's address.
    ///
    /// # Errors
    /// If the connection is gone.
    pub fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.0.peer_addr()
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context,
        buffer: &mut ReadBuf,
    ) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.0).poll_read(context, buffer);
        // The kernel's quick mode does not last, so it is requested again after every read.
        #[cfg(target_os = "linux")]
        if polled.is_ready() {
            let _ = rustix::net::sockopt::set_tcp_quickack(&self.0, true);
        }
        polled
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context,
        buffer: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, buffer)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
