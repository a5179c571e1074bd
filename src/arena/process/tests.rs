//! Programs of every temper, each a few lines of shell, and what is left of them.
#![cfg(target_os = "linux")]

mod mock;
mod places;
mod tempers;
