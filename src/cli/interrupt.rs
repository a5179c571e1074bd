//! Being asked to stop: by Ctrl-C, or a signal to end.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Exit status of a program that an interrupt ended (128 and the signal's number).
const INTERRUPTED: i32 = 130;

/// Whether somebody asked to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Requested(&'static AtomicU32);

impl Requested {
    /// Whether somebody asked to stop.
    pub(super) fn is_set(self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }
}

/// Watches out for requests to stop from now on: at the first one, games under way are finished; at
/// the second they are given up and the program ends.
pub(super) fn requested() -> Requested {
    static COUNT: OnceLock<AtomicU32> = OnceLock::new();
    let mut first = false;
    let count = COUNT.get_or_init(|| {
        first = true;
        AtomicU32::new(0)
    });
    if first {
        let handled = ctrlc::set_handler(move || match count.fetch_add(1, Ordering::Relaxed) {
            0 => eprintln!(
                "\nstopping when the games under way are finished; once more gives them up"
            ),
            _ => {
                crate::arena::process::end_all();
                std::process::exit(INTERRUPTED);
            }
        });
        if let Err(error) = handled {
            eprintln!("contest: Ctrl-C will not stop cleanly: {error}");
        }
    }
    Requested(count)
}
