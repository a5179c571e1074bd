//! Sums over the other's hands of one or two cards, with the removal of cards exact.
//!
//! In how many ways both can hold their cards is a product of falling factorials; see
//! [`HandTables`](super::super::HandTables) for hands of more cards. `left` is how many cards there are of each
//! rank. Sets of two cards are there twice in a matrix, and both must come out the same to the last bit: regrets would
//! drive them apart.

use super::lanes::{Matrix, Row, WIDE, matrix};
use crate::rules::RANKS;

/// One card less of a rank.
#[inline(always)]
pub(super) fn without(left: &Row, rank: usize) -> Row {
    let mut left = *left;
    left[rank] = (left[rank] - 1.0).max(0.0);
    left
}

/// In how many ways a set of two cards can be drawn, in order.
#[inline(always)]
fn ways(left: &Row, y: usize, x: usize) -> f32 {
    let second = if y == x {
        (left[x] - 1.0).max(0.0)
    } else {
        left[x]
    };
    left[y] * second
}

/// What a sum over the other's sets of two cards loses by each card held: the sum over all, and the part of each rank.
#[inline(always)]
fn parts(left: &Row, theirs: &Matrix) -> (f32, Row) {
    let mut parts = [0.0; WIDE];
    for (row, &left) in theirs.iter().zip(left) {
        for (part, reach) in parts.iter_mut().zip(row) {
            *part += reach * left;
        }
    }
    let mut sum = 0.0;
    for rank in 0..RANKS {
        let pair = theirs[rank][rank];
        parts[rank] += pair * (2.0 * (left[rank] - 1.0).max(0.0) - left[rank]);
        sum += parts[rank] * left[rank];
    }
    (sum / 2.0, parts)
}

/// For each own card, over the other's sets of two.
#[inline(always)]
pub(super) fn one_against_two(left: &Row, theirs: &Matrix, payoff: f32) -> Row {
    let (sum, parts) = parts(left, theirs);
    let mut values = [0.0; WIDE];
    for rank in 0..RANKS {
        values[rank] = payoff * left[rank] * (sum - parts[rank]);
    }
    values
}

/// For each own set of two cards, over the other's cards.
#[inline(always)]
pub(super) fn two_against_one(left: &Row, theirs: &Row, payoff: f32) -> Matrix {
    let mut sum = 0.0;
    for rank in 0..RANKS {
        sum += theirs[rank] * left[rank];
    }
    matrix(|y, x| payoff * ways(left, y, x) * (sum - (theirs[y] + theirs[x])))
}

/// For each own set of two cards, over the other's sets of two.
#[inline(always)]
pub(super) fn two_against_two(left: &Row, theirs: &Matrix, payoff: f32) -> Matrix {
    let (sum, parts) = parts(left, theirs);
    matrix(|y, x| {
        let same = if y == x { 2.0 } else { 1.0 } * theirs[y][x];
        payoff * ways(left, y, x) * (sum - (parts[y] + parts[x]) + same)
    })
}
