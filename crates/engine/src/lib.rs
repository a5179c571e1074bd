//! The parts that all players share; they know no game. Training and the referees use some of them as well.
//!
//! [`budget`] says when a search must stop, [`racing`] finds the best of several noisy candidates, [`store`]
//! keeps files between calls, [`watched`] runs a job with a deadline, [`rng`] draws random numbers,
//! [`logit`] learns how others choose, [`numerics`] has functions with the same bits on every machine, [`simd`] compiles kernels for the processor
//! at hand, [`disk`] makes calls that a disk can refuse, [`signals`] says which are ignored, [`sync`] has locks, and
//! [`arguments`] reads command lines.
//!
//! A search samples worlds until its budget is used or one candidate is clearly best:
//!
//! ```
//! use engine::budget::{Budget, Limits};
//! use engine::racing::{Race, Rule};
//! use engine::rng;
//!
//! let budget = Budget::start(Limits::nodes(1000));
//! let rule = Rule { confidence: 3.0, negligible: 0.001, at_least: 16 };
//! let mut race = Race::new(2);
//! let mut rng = rng::stream(1, 0);
//! while race.racing().len() > 1 && !budget.used(1.0) {
//!     // Both candidates are tried on the same world, so that its luck cancels.
//!     let luck = rng::unit(&mut rng) as f32;
//!     race.record(&[0, 1], &[luck, luck + 0.1]);
//!     race.drop_beaten(1, rule);
//!     budget.spend(2);
//! }
//! assert_eq!(race.racing(), [1]);
//! assert_eq!(budget.spent(), 32, "the rule waits for 16 worlds");
//! ```

/// Prints a line on standard error, as `eprintln!` does, but without a panic if that cannot be written: its reader may have
/// ended, or a disk be full, and no game is lost for a message.
#[macro_export]
macro_rules! note {
    ($($text:tt)*) => {
        drop(std::io::Write::write_fmt(
            &mut std::io::stderr().lock(),
            format_args!("{}\n", format_args!($($text)*)),
        ))
    };
}

pub mod arguments;
pub mod budget;
pub mod disk;
pub mod logit;
pub mod numerics;
pub mod racing;
pub mod rng;
pub mod signals;
pub mod simd;
pub mod store;
pub mod sync;
pub mod watched;
