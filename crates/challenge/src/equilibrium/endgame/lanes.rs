//! Rows of numbers that are worked on side by side.
//!
//! Fixed lengths and plain loops, so that the compiler uses vector instructions.

use crate::rules::{Card, RANKS};

/// A number for each rank, and three that stay 0.
pub(super) const WIDE: usize = 16;

/// A row with a number for each rank.
pub(super) type Row = [f32; WIDE];

/// A number for each set of two cards, or for each way to play one of them: by the card that is kept (the row)
/// and the one that is played (the column).
pub(super) type Matrix = [Row; RANKS];

/// A matrix of nothing.
pub(super) const NOTHING: Matrix = [[0.0; WIDE]; RANKS];

/// Ones on the diagonal.
pub(super) const IDENTITY: Matrix = diagonal(1.0, 0.0);

/// A matrix of one number on the diagonal and another beside it.
pub(super) const fn diagonal(on: f32, beside: f32) -> Matrix {
    let mut matrix = [[beside; WIDE]; RANKS];
    let mut place = 0;
    while place < RANKS {
        matrix[place][place] = on;
        place += 1;
    }
    matrix
}

/// A part of a sum, or something else where the sum is nothing. No branch: with one the compiler would go through
/// the numbers one by one.
#[inline(always)]
pub(super) fn share(part: f32, sum: f32, otherwise: f32) -> f32 {
    let known = if sum > f32::MIN_POSITIVE { 1.0 } else { 0.0 };
    part / sum.max(f32::MIN_POSITIVE) * known + otherwise * (1.0 - known)
}

/// The sum of a row, in an order that suits vectors.
#[inline(always)]
pub(super) fn sum(row: &Row) -> f32 {
    let mut sums = *row;
    let mut half = WIDE / 2;
    while half > 0 {
        for place in 0..half {
            sums[place] += sums[place + half];
        }
        half /= 2;
    }
    sums[0]
}

/// Each number by a function of its place.
#[inline(always)]
pub(super) fn row<const N: usize>(of: impl Fn(usize) -> f32) -> [f32; N] {
    let mut row = [0.0; N];
    for (place, number) in row.iter_mut().enumerate() {
        *number = of(place);
    }
    row
}

/// Each number by a function of its row and column.
#[inline(always)]
pub(super) fn matrix(of: impl Fn(usize, usize) -> f32) -> Matrix {
    let mut matrix = NOTHING;
    for (y, row) in matrix.iter_mut().enumerate() {
        for (x, number) in row.iter_mut().enumerate() {
            *number = of(y, x);
        }
    }
    matrix
}

/// Rows and columns changed round.
#[inline(always)]
pub(super) fn transposed(from: &Matrix) -> Matrix {
    let mut turned = NOTHING;
    for (y, row) in from.iter().enumerate() {
        for x in 0..RANKS {
            turned[x][y] = row[x];
        }
    }
    turned
}

/// The same without the diagonal: what the other way to play a set of two cards has.
#[inline(always)]
pub(super) fn other_way(from: &Matrix) -> Matrix {
    const BESIDE: Matrix = diagonal(0.0, 1.0);
    times(&transposed(from), &BESIDE)
}

/// The product of the numbers at each place.
#[inline(always)]
pub(super) fn times(one: &Matrix, two: &Matrix) -> Matrix {
    matrix(|y, x| one[y][x] * two[y][x])
}

/// Adds numbers times a factor.
#[inline(always)]
pub(super) fn add(to: &mut Matrix, factor: f32, from: &Matrix) {
    for (to, from) in to.iter_mut().zip(from) {
        for (to, from) in to.iter_mut().zip(from) {
            *to += factor * from;
        }
    }
}

/// Whether there is nothing in a matrix.
#[inline(always)]
pub(super) fn is_nothing(matrix: &Matrix) -> bool {
    let row = |row: &Row| row.iter().all(|&number| number == 0.0);
    matrix.iter().all(row)
}

/// The column of a matrix: for each card that is kept.
#[inline(always)]
pub(super) fn column(matrix: &Matrix, place: usize) -> Row {
    let mut column = [0.0; WIDE];
    for (to, row) in column.iter_mut().zip(matrix) {
        *to = row[place];
    }
    column
}

/// Where a card is among the ranks.
pub(super) fn place(card: Card) -> usize {
    usize::from(card.rank()) - 1
}
