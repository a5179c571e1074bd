//! A player on a separate thread, so that the client can answer without it.

use super::Player;
use crate::rules::{Decision, Event, Seat};
use crate::view::View;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use tokio::sync::oneshot;

/// Makes a player; called again when one has panicked.
pub type Maker = Arc<dyn Fn() -> Box<dyn Player> + Send + Sync>;

/// A decision, and the iterations that solved its endgame, see [`Player::iterations`].
pub type Answer = (Decision, u32);

/// A message to the thread: a request with its number, or an event.
enum Job {
    Decide(u64, Box<View>, oneshot::Sender<Answer>),
    Event(Seat, Event),
}

/// A player on a separate thread.
///
/// The thread skips a request if a newer one has been made. After a panic a new player takes over; the request that
/// caused the panic stays without an answer.
pub struct Threaded {
    make: Maker,
    jobs: mpsc::Sender<Job>,
    /// The number of the latest request.
    current: Arc<AtomicU64>,
}

impl Threaded {
    /// Starts the thread. It ends when this is dropped and the player has answered.
    pub fn new(make: Maker) -> Threaded {
        let current = Arc::default();
        Threaded {
            jobs: start(&make, &current),
            make,
            current,
        }
    }

    /// Asks the player. The answer never comes if it panics, or when another request follows.
    pub fn ask(&mut self, view: &View) -> oneshot::Receiver<Answer> {
        // The number lets the thread skip this request once a newer one is made.
        let (answer, answered) = oneshot::channel();
        let number = self.current.fetch_add(1, Ordering::Relaxed) + 1;
        self.submit(Job::Decide(number, Box::new(*view), answer));
        answered
    }

    /// Passes an event on to the player.
    pub fn event(&mut self, seat: Seat, event: Event) {
        self.submit(Job::Event(seat, event));
    }

    /// Sends a job to the thread. If the thread has ended, a new one is started for it.
    fn submit(&mut self, job: Job) {
        if let Err(mpsc::SendError(job)) = self.jobs.send(job) {
            // The thread ended in a panic. One new thread is tried, not two.
            self.jobs = start(&self.make, &self.current);
            let _ = self.jobs.send(job);
        }
    }
}

/// Starts a thread with a new player. It ends when the returned sender is dropped.
fn start(make: &Maker, current: &Arc<AtomicU64>) -> mpsc::Sender<Job> {
    let (jobs, inbox) = mpsc::channel();
    let (make, current) = (Arc::clone(make), Arc::clone(current));
    std::thread::spawn(move || {
        let mut player = make();
        for job in inbox {
            match job {
                Job::Event(seat, event) => player.event(seat, event),
                Job::Decide(number, view, answer) => {
                    if number == current.load(Ordering::Relaxed) {
                        // Without a receiver the request was answered without this player.
                        let decision = player.decide(&view);
                        let _ = answer.send((decision, player.iterations()));
                    }
                }
            }
        }
    });
    jobs
}
