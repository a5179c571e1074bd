//! Rows and matrices of numbers that vector instructions work on.
//!
//! All lengths are fixed and all loops plain, so that the compiler vectorises them. Rows are padded from 13 to 16
//! numbers: two registers of eight, without a remainder to treat one by one.

use crate::rules::{Card, RANKS};

/// The length of a row: 13 ranks, and three more numbers to fill vector registers.
pub(super) const WIDE: usize = 16;

/// A number for each rank, from 1 at index 0.
pub(super) type Row = [f32; WIDE];

/// A number for each hand of two cards, or for each way to play one of them. The row is the card that is kept, the
/// column the card that is played. A hand of two ranks `a ≠ b` stands at `[a][b]` and `[b][a]`; its two ways to
/// play are these two squares. A pair of equal cards stands once, on the diagonal.
pub(super) type Matrix = [Row; RANKS];

/// The matrix of zeros.
pub(super) const NOTHING: Matrix = [[0.0; WIDE]; RANKS];

/// The matrix with ones on the diagonal.
pub(super) const IDENTITY: Matrix = diagonal(1.0, 0.0);

/// A matrix with one number on the diagonal and another one everywhere else.
pub(super) const fn diagonal(on: f32, beside: f32) -> Matrix {
    let mut matrix = [[beside; WIDE]; RANKS];
    let mut place = 0;
    while place < RANKS {
        matrix[place][place] = on;
        place += 1;
    }
    matrix
}

/// `part / sum`, or `otherwise` if the sum is 0. It has no branch: with one, the compiler would treat the numbers
/// one by one.
#[inline(always)]
pub(super) fn share(part: f32, sum: f32, otherwise: f32) -> f32 {
    // Both results are computed, and `known` selects one: 1 · a + 0 · b. The division never is by 0.
    let known = if sum > f32::MIN_POSITIVE { 1.0 } else { 0.0 };
    part / sum.max(f32::MIN_POSITIVE) * known + otherwise * (1.0 - known)
}

/// The sum of a row, by halves: 8 + 8 numbers, 4 + 4, 2 + 2, 1 + 1. The order is fixed, so that all machines give
/// the same bits.
#[inline(always)]
pub(super) fn sum(row: &Row) -> f32 {
    // For vectors: each step adds one half of the row to the other.
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

/// A row whose numbers are a function of their index.
#[inline(always)]
pub(super) fn row<const N: usize>(of: impl Fn(usize) -> f32) -> [f32; N] {
    let mut row = [0.0; N];
    // A loop over a fixed length, into which the closure is inlined.
    for (place, number) in row.iter_mut().enumerate() {
        *number = of(place);
    }
    row
}

/// How many cards of each rank are left, for sums in doubles.
pub(super) fn counts(left: &Row) -> [f64; RANKS] {
    std::array::from_fn(|rank| f64::from(left[rank]))
}

/// A matrix whose numbers are a function of row and column.
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

/// The transposed matrix. Columns from 13 on become 0.
#[inline(always)]
pub(super) fn transposed(from: &Matrix) -> Matrix {
    let mut turned = NOTHING;
    for (y, row) in from.iter().enumerate() {
        // The three columns of padding have no row to go to.
        for x in 0..RANKS {
            turned[x][y] = row[x];
        }
    }
    turned
}

/// The transposed matrix with zeros on the diagonal: for each way to play a hand of two, what its other way has. A
/// pair of equal cards has no other way.
#[inline(always)]
pub(super) fn other_way(from: &Matrix) -> Matrix {
    const BESIDE: Matrix = diagonal(0.0, 1.0);
    // A product with 0 and 1 in place of a condition for each square.
    times(&transposed(from), &BESIDE)
}

/// The element-wise product of two matrices.
#[inline(always)]
pub(super) fn times(one: &Matrix, two: &Matrix) -> Matrix {
    matrix(|y, x| one[y][x] * two[y][x])
}

/// Adds `factor · from` to a matrix.
#[inline(always)]
pub(super) fn add(to: &mut Matrix, factor: f32, from: &Matrix) {
    for (to, from) in to.iter_mut().zip(from) {
        for (to, from) in to.iter_mut().zip(from) {
            *to += factor * from;
        }
    }
}

/// Whether all numbers of a matrix are 0.
#[inline(always)]
pub(super) fn is_nothing(matrix: &Matrix) -> bool {
    // Exactly 0: reach that has become small still counts.
    let row = |row: &Row| row.iter().all(|&number| number == 0.0);
    matrix.iter().all(row)
}

/// A column of a matrix: for one card that is played, a number for each card that is kept.
#[inline(always)]
pub(super) fn column(matrix: &Matrix, place: usize) -> Row {
    let mut column = [0.0; WIDE];
    // The matrix has 13 rows, so the padding of the column stays 0.
    for (to, row) in column.iter_mut().zip(matrix) {
        *to = row[place];
    }
    column
}

/// The index of a card's rank, from 0.
pub(super) fn place(card: Card) -> usize {
    usize::from(card.rank()) - 1
}
