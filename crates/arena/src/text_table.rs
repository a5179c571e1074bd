//! Tables as plain text, for terminals: every column is as wide as its widest cell, with two blanks between columns.
//!
//! ```
//! use arena::text_table::{Column, TextTable, number};
//!
//! let mut table = TextTable::new([Column::left("program", 0), Column::right("± 95 %", 0)]);
//! table.push(["hoarder".to_owned(), number(Some(1.5), 2)]);
//! table.push(["me".to_owned(), number(None, 2)]);
//! assert_eq!(table.lines(), ["program  ± 95 %", "hoarder    1.50", "me            -"]);
//! ```

use crate::plain_text::printable;
use std::fmt::{self, Display, Formatter};

/// A column of a [`TextTable`].
#[derive(Clone, Debug)]
pub struct Column {
    heading: String,
    /// The least width, in characters.
    at_least: usize,
    /// Whether cells are padded on the right, as words are, rather than on the left, as numbers are.
    is_left: bool,
}

impl Column {
    /// A column of words, at least `at_least` characters wide.
    pub fn left(heading: impl Into<String>, at_least: usize) -> Column {
        Column {
            heading: heading.into(),
            at_least,
            is_left: true,
        }
    }

    /// A column of numbers, at least `at_least` characters wide.
    pub fn right(heading: impl Into<String>, at_least: usize) -> Column {
        Column {
            is_left: false,
            ..Column::left(heading, at_least)
        }
    }
}

/// A table of text.
#[derive(Clone, Debug)]
pub struct TextTable {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table without rows.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> TextTable {
        TextTable {
            columns: columns.into_iter().collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row. Characters that a terminal would obey are replaced (see [`printable`]).
    ///
    /// # Panics
    /// If it has not a cell for every column.
    pub fn push(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells = cells.into_iter().map(|cell| printable(&cell).into_owned());
        let row: Vec<String> = cells.collect();
        assert_eq!(row.len(), self.columns.len(), "cells of {row:?}");
        self.rows.push(row);
    }

    /// The headings and the rows, as lines without their ends.
    pub fn lines(&self) -> Vec<String> {
        let headings = self.columns.iter().map(|column| column.heading.clone());
        let mut lines: Vec<Vec<String>> = vec![headings.collect()];
        lines.extend(self.rows.iter().cloned());
        for (place, column) in self.columns.iter().enumerate() {
            // Characters, not bytes: labels need not be ASCII.
            let widths = lines.iter().map(|line| line[place].chars().count());
            let width = widths.fold(column.at_least, usize::max);
            for line in &mut lines {
                let cell = &line[place];
                line[place] = match column.is_left {
                    true => format!("{cell:width$}"),
                    false => format!("{cell:>width$}"),
                };
            }
        }
        lines.iter().map(|cells| cells.join("  ")).collect()
    }
}

impl Display for TextTable {
    /// Writes the lines, without an end of the last one.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines().join("\n"))
    }
}

/// A number with `digits` digits after the point, or a dash if there is none; never a negative zero.
pub fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".to_owned(), |value| {
        let text = format!("{value:.digits$}");
        // A small negative number is rounded to `-0.00`: its sign is left out.
        let zero = text.bytes().all(|b| b"-0.".contains(&b));
        text[usize::from(zero && text.starts_with('-'))..].to_owned()
    })
}

/// A share in percent, as [`number`] writes it.
pub fn percent(share: Option<f64>, digits: usize) -> String {
    number(share.map(|share| 100.0 * share), digits)
}
