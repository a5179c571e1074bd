//! What players share, and no game: when to stop, which candidate is best, what is kept between
//! calls, random numbers and numerics that are the same on every machine.

pub mod budget;
pub mod numerics;
pub mod racing;
pub mod rng;
pub mod simd;
pub mod store;
