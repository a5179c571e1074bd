//! `contest challenge slow`: keeps many slow connections to a running server, and measures meanwhile how long a new
//! visitor waits for the web page.

use clap::Args as ClapArgs;
use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr};
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::task::{JoinSet, LocalSet};
use tokio::time::sleep;

/// Time between two bytes of a connection, and before a closed connection is replaced.
const BYTE: Duration = Duration::from_secs(1);
/// Time between two visitors.
const VISIT: Duration = Duration::from_secs(1);
/// The longest time that a visitor waits for the page.
const PATIENCE: Duration = Duration::from_secs(20);
/// The texts of slow connections, sent a byte at a time: the beginning of a request, or of a frame that announces
/// `0x4000` bytes.
const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nX-Slow: ";
const FRAME: &[u8] = b"\0\0\x40\0{\"type\": \"";

/// Opens many slow connections to a server on this machine, to test whether it withstands them
///
/// They send a byte a second, and are opened again when they are closed. Meanwhile a new visitor fetches the
/// web page once a second. At the end it prints how many connections there were, and how long the visitors
/// waited; it fails if one waited for 2 s or more.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// The server's ports, as 9999,19999
    #[arg(long, value_name = "PORTS", value_delimiter = ',', required = true)]
    ports: Vec<u16>,
    /// The port of the web page, slow connections included
    #[arg(long, value_name = "PORT")]
    web_port: u16,
    /// Slow connections to each port
    #[arg(long, default_value_t = 500)]
    connections: u32,
    /// Seconds for which the connections are kept open
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// The address that the server listens on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
}

/// Counts of all connections.
#[derive(Debug, Default)]
struct Counts {
    opened: u64,
    failed: u64,
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        // One thread is enough, because the connections sleep nearly always.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let counts: Rc<RefCell<Counts>> = Rc::default();
        let tasks = LocalSet::new();
        let page = SocketAddr::from((self.host, self.web_port));
        let visits = tasks.block_on(&runtime, async {
            let mut running = JoinSet::new();
            // Contest ports get a frame that never ends, the web page a request that never ends.
            let doors = self.ports.iter().map(|&port| (port, FRAME));
            for (port, text) in doors.chain([(self.web_port, REQUEST)]) {
                for _ in 0..self.connections {
                    let counts = Rc::clone(&counts);
                    running.spawn_local(slow((self.host, port), text, counts));
                }
            }
            let time = Duration::from_secs(self.seconds);
            // On another thread, so that the slow connections cannot delay the measurement.
            tokio::task::spawn_blocking(move || visit(page, time)).await
        })?;
        let counts = counts.borrow();
        let longest = visits.waits.iter().max().copied().unwrap_or_default();
        let mean = visits.waits.iter().sum::<Duration>() / (visits.waits.len().max(1) as u32);
        line!(
            "{} slow connections to each of {} ports for {} s: {} were opened, {} could not be",
            self.connections,
            self.ports.len() + 1,
            self.seconds,
            counts.opened,
            counts.failed
        )?;
        line!(
            "{} visitors of the page: {} without an answer, {:.3} s on average, at most {:.3} s",
            visits.waits.len() as u64 + visits.missed,
            visits.missed,
            mean.as_secs_f64(),
            longest.as_secs_f64()
        )?;
        let is_there = !visits.waits.is_empty() || visits.refused < visits.missed;
        anyhow::ensure!(is_there, "no server answers at {page}");
        // Two seconds is the limit that the help promises.
        let is_fit = visits.missed == 0 && !visits.waits.is_empty() && longest.as_secs() < 2;
        anyhow::ensure!(is_fit, "the page kept a visitor waiting");
        Ok(())
    }
}

/// A connection that sends a byte a second and is opened again whenever it is closed.
async fn slow(address: (IpAddr, u16), text: &[u8], counts: Rc<RefCell<Counts>>) {
    loop {
        match TcpStream::connect(address).await {
            Ok(stream) => {
                counts.borrow_mut().opened += 1;
                for &byte in text.iter().chain(std::iter::repeat(&b'x')) {
                    // A closed connection is noticed before the next byte.
                    if !is_open(&stream) || stream.try_write(&[byte]).is_err() {
                        break;
                    }
                    sleep(BYTE).await;
                }
            }
            Err(_) => counts.borrow_mut().failed += 1,
        }
        sleep(BYTE).await;
    }
}

/// Whether the other side still has the connection open. Received data is dropped.
fn is_open(stream: &TcpStream) -> bool {
    let mut rest = [0; 4096];
    match stream.try_read(&mut rest) {
        Ok(read) => read > 0,
        Err(error) => error.kind() == io::ErrorKind::WouldBlock,
    }
}

/// The results of all visitors.
#[derive(Debug, Default)]
struct Visits {
    /// How long each visitor waited for the whole page.
    waits: Vec<Duration>,
    /// Visitors that did not get the whole page.
    missed: u64,
    /// Those of them that were refused a connection.
    refused: u64,
}

/// Fetches the page for one new visitor after the other, during `time`.
fn visit(address: SocketAddr, time: Duration) -> Visits {
    let mut visits = Visits::default();
    let end = Instant::now() + time;
    while Instant::now() < end {
        let begin = Instant::now();
        match fetch(address) {
            Ok(()) => visits.waits.push(begin.elapsed()),
            Err(error) => {
                visits.missed += 1;
                let is_refused = error.kind() == io::ErrorKind::ConnectionRefused;
                visits.refused += u64::from(is_refused);
            }
        }
        thread::sleep(VISIT.saturating_sub(begin.elapsed()));
    }
    visits
}

/// Fetches the page.
///
/// # Errors
/// If the page does not come, or not whole.
fn fetch(address: SocketAddr) -> io::Result<()> {
    let mut stream = std::net::TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(b"GET / HTTP/1.1\r\nHost: contest\r\nConnection: close\r\n\r\n")?;
    let mut text = Vec::new();
    stream.read_to_end(&mut text)?;
    let is_whole = text.starts_with(b"HTTP/1.1 200") && text.ends_with(b"</html>\n");
    is_whole
        .then_some(())
        .ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}
