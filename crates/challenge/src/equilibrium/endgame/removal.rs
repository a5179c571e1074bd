//! For each hand of one or two cards that a player may hold, the weight of all hands of the other: a sum of reach
//! times the number of ways to draw both hands. A card in one hand cannot be in the other; the sums are exact about
//! that.
//!
//! Let `m[x]` cards of rank `x` be left. The number of ways to draw the hands `h` and `g` is a product of falling
//! factorials; see [`HandTables`](super::super::HandTables) for the formula and for larger hands. For two cards it is
//! short. The other's hand `g = {x, y}` can be drawn in `m[x] · m[y]` ways (a pair in `m[x] · (m[x] − 1)`). If the
//! player itself holds one card `x`, that takes `P(g, x)` of these ways: `m[y]`, or `2 · (m[x] − 1)` from a pair. If
//! it holds two cards, the two losses add up, except that a hand `g` of the very same two cards has lost one way too
//! much (a pair two). By inclusion and exclusion
//!
//! ```text
//! ways(g given {a, b}) = ways(g) − P(g, a) − P(g, b) + [g = {a, b}] · (2 if a = b, else 1)
//! ```
//!
//! With 4 cards left of `a` and 3 of `b`, `g = h = {a, b}`: 12 − 3 − 4 + 1 = 6 = (4 − 1) · (3 − 1). With 4 left of
//! `a` and both hands the pair: 12 − 6 − 6 + 2 = 2 = 2 · 1.
//!
//! So the sum over all `g` needs one total, one loss for each rank and one term for the equal hand, not 91 hands
//! for each of 91 hands. Hands of two ranks stand twice in a matrix, and both squares must come out the same to the
//! last bit: regrets would amplify a difference. That is why sums over two ranks are put in parentheses.

use super::lanes::{Matrix, Row, WIDE, matrix};
use crate::rules::RANKS;

/// The cards left after one of a rank was played.
#[inline(always)]
pub(super) fn without(left: &Row, rank: usize) -> Row {
    let mut left = *left;
    left[rank] = (left[rank] - 1.0).max(0.0);
    left
}

/// In how many ways two cards can be drawn in this order: `m[y] · m[x]`, or `m[x] · (m[x] − 1)` for a pair.
#[inline(always)]
fn ways(left: &Row, y: usize, x: usize) -> f32 {
    let second = if y == x {
        (left[x] - 1.0).max(0.0)
    } else {
        left[x]
    };
    left[y] * second
}

/// The total over the other's hands of two cards, reach times ways, and by how much one own card of each rank
/// lowers it.
#[inline(always)]
fn parts(left: &Row, theirs: &Matrix) -> (f32, Row) {
    // `parts[x] = Σ_y theirs[y][x] · m[y]`: the loss by holding a card `x`, still wrong on the diagonal.
    let mut parts = [0.0; WIDE];
    for (row, &left) in theirs.iter().zip(left) {
        for (part, reach) in parts.iter_mut().zip(row) {
            *part += reach * left;
        }
    }
    let mut sum = 0.0;
    for rank in 0..RANKS {
        // A pair loses `2 · (m − 1)` ways; the loop above counted `m`.
        let pair = theirs[rank][rank];
        parts[rank] += pair * (2.0 * (left[rank] - 1.0).max(0.0) - left[rank]);
        // Each hand appears in the loss of both its cards, so this counts every hand twice: `m[x] · m[y]` from
        // either rank, and `m · 2 · (m − 1)` for a pair.
        sum += parts[rank] * left[rank];
    }
    (sum / 2.0, parts)
}

/// For each own card, `payoff` times the weight of the other's hands of two cards.
#[inline(always)]
pub(super) fn one_against_two(left: &Row, theirs: &Matrix, payoff: f32) -> Row {
    let (sum, parts) = parts(left, theirs);
    let mut values = [0.0; WIDE];
    for rank in 0..RANKS {
        values[rank] = payoff * left[rank] * (sum - parts[rank]);
    }
    values
}

/// For each own hand of two cards, `payoff` times the weight of the other's single cards.
#[inline(always)]
pub(super) fn two_against_one(left: &Row, theirs: &Row, payoff: f32) -> Matrix {
    let mut sum = 0.0;
    for rank in 0..RANKS {
        sum += theirs[rank] * left[rank];
    }
    matrix(|y, x| payoff * ways(left, y, x) * (sum - (theirs[y] + theirs[x])))
}

/// For each own hand of two cards, `payoff` times the weight of the other's hands of two cards.
#[inline(always)]
pub(super) fn two_against_two(left: &Row, theirs: &Matrix, payoff: f32) -> Matrix {
    let (sum, parts) = parts(left, theirs);
    matrix(|y, x| {
        // The equal hand, taken off once too often by the two losses.
        let same = if y == x { 2.0 } else { 1.0 } * theirs[y][x];
        payoff * ways(left, y, x) * (sum - (parts[y] + parts[x]) + same)
    })
}
