//! The parts that the reports of all contests share. A report is one HTML file that needs nothing else.
//!
//! Everything here is made in Rust and readable without scripts: the page's shell, plots as inline
//! SVG, tables. Plots have no fixed width: lengths along the axis are percentages, so that text
//! keeps its size on a phone.

pub mod durations;
pub mod html;
pub mod page;
pub mod ratings;
pub mod script;
