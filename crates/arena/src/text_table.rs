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

/// A column of a [`TextTable`].
#[derive(Clone, Copy, Debug)]
pub struct Column {
    heading: &'static str,
    /// The least width, in characters.
    at_least: usize,
    /// Whether cells are padded on the right, as words are, rather than on the left, as numbers are.
    is_left: bool,
}

impl Column {
    /// A column of words, at least `at_least` characters wide.
    pub fn left(heading: &'static str, at_least: usize) -> Column {
        Column {
            heading,
            at_least,
            is_left: true,
        }
    }

    /// A column of numbers, at least `at_least` characters wide.
    pub fn right(heading: &'static str, at_least: usize) -> Column {
        Column {
            is_left: false,
            ..Column::left(heading, at_least)
        }
    }
}

/// A table with `N` columns.
#[derive(Clone, Debug)]
pub struct TextTable<const N: usize> {
    columns: [Column; N],
    /// The headings, then the rows.
    rows: Vec<[String; N]>,
}

impl<const N: usize> TextTable<N> {
    /// A table without rows.
    pub fn new(columns: [Column; N]) -> TextTable<N> {
        TextTable {
            columns,
            rows: vec![columns.map(|column| column.heading.to_owned())],
        }
    }

    /// Adds a row. Characters that a terminal would obey are replaced (see [`printable`]).
    pub fn push(&mut self, cells: [String; N]) {
        self.rows
            .push(cells.map(|cell| printable(&cell).into_owned()));
    }

    /// The headings and the rows, as lines without their ends.
    pub fn lines(&self) -> Vec<String> {
        // Characters, not bytes: labels need not be ASCII.
        let widths: [usize; N] = std::array::from_fn(|column| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            cells
                .chain([self.columns[column].at_least])
                .max()
                .unwrap_or(0)
        });
        let line = |row: &[String; N]| {
            let cells = row.iter().zip(&self.columns).zip(widths);
            let cells: Vec<String> = cells
                .map(|((cell, column), width)| match column.is_left {
                    true => format!("{cell:width$}"),
                    false => format!("{cell:>width$}"),
                })
                .collect();
            cells.join("  ")
        };
        self.rows.iter().map(line).collect()
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
