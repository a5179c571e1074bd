//! Programs of every temper, each a few lines of shell, and what is left of them.

mod places;
mod tempers;
