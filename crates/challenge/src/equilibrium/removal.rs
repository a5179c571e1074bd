//! The weight of all hands of the opponent, for each hand that a player may hold: a sum of reach times the number of
//! ways to deal both hands. The endgame solver needs it wherever a payoff does not depend on the cards, as after a
//! rejected offer. A card in one hand cannot be in the other; the sums are exact about that, without a matrix of
//! pairs of hands.
//!
//! There are no suits, so a hand is a multiset of ranks: `h` has `h_r` cards of rank `r`. Let `m_r` cards of that
//! rank be left. The number of ways in which one player holds `h` and the other `g` is the product, over the ranks,
//! of the falling factorials `(m)_{h+g} = m (m − 1) … (m − h − g + 1)`, apart from a factor of each hand alone (the
//! order of equal cards). The sum wanted is
//!
//! ```text
//! S(h) = Σ_g reach(g) · (m)_{h+g}
//! ```
//!
//! The two hands interact only in ranks that both hold. Newton's expansion of a polynomial separates them:
//!
//! ```text
//! (m)_{h+g} = (m)_h (m)_g Σ_j (−1)^j j! C(h,j) C(g,j) / (m)_j
//! ```
//!
//! For `m = 4`, `h = 2`, `g = 1`: `4 · 3 · 2 = 24` is `12 · 4 · (1 − 1 · 2 · 1 / 4)`. Over all ranks `j` is a
//! multiset contained in both hands. So with
//!
//! ```text
//! T(j) = Σ_{g ⊇ j} C(g,j) · reach(g) · (m)_g
//! S(h) = (m)_h Σ_{j ⊆ h} (−1)^|j| j! C(h,j) T(j) / (m)_j
//! ```
//!
//! the sums over `g` depend on the smaller multiset `j` alone. Both `T` and the sum over `j` are computed size by
//! size: one step adds or removes a single card. For three cards each these are 2,730 additions and a few passes
//! over 455 numbers, not 207,025 pairs.

use super::Multisets;
use crate::rules::{Card, Cards, HAND_SIZE, RANKS};

/// All multisets of up to five cards: how adding a card leads from one to another, and their factors.
pub struct HandTables {
    sizes: [Size; HAND_SIZE + 1],
    /// The indices of the two ranks of each multiset of two, ascending.
    pairs: Vec<[u8; 2]>,
}

/// All multisets of one size.
struct Size {
    all: Vec<Cards>,
    /// For each rank and multiset: the number of the multiset with one more card of the rank. Empty for five cards.
    plus: [Vec<u16>; RANKS],
    /// For each rank and multiset: how many cards of the rank it has with one more.
    copies: [Vec<u8>; RANKS],
    /// For each multiset: its number without its highest card, that card's index, and how many of the rank it has.
    less: Vec<(u16, u8, u8)>,
    /// The product over the ranks of the factorial of the number of its cards.
    factorials: Vec<f64>,
}

impl Default for HandTables {
    fn default() -> HandTables {
        HandTables::new()
    }
}

impl HandTables {
    /// The tables of all multisets of 0 to 5 cards.
    pub fn new() -> HandTables {
        let sizes = std::array::from_fn(|size| {
            let all = Multisets::new(size).all().to_vec();
            let every = |of: &dyn Fn(Cards) -> u16| all.iter().map(|&cards| of(cards)).collect();
            let grows = size < HAND_SIZE;
            let plus = std::array::from_fn(|rank| match grows {
                true => every(&|cards| Multisets::index(cards.with(card(rank))) as u16),
                false => Vec::new(),
            });
            let copies = std::array::from_fn(|rank| {
                let more = |cards: &Cards| cards.count(card(rank)) + 1;
                all.iter().map(more).collect()
            });
            let less = |cards: &Cards| match cards.highest() {
                None => (0, 0, 0),
                Some(highest) => {
                    let rest = cards.without(highest).unwrap_or_default();
                    let place = highest.rank() - 1;
                    (Multisets::index(rest) as u16, place, cards.count(highest))
                }
            };
            let product = |cards: &Cards| {
                let counts = Card::all().map(|card| cards.count(card));
                counts.map(|count| factorial(count.into())).product()
            };
            Size {
                plus,
                copies,
                less: all.iter().map(less).collect(),
                factorials: all.iter().map(product).collect(),
                all,
            }
        });
        let ends = |cards: &Cards| {
            [cards.lowest(), cards.highest()].map(|card| card.map_or(0, |card| card.rank() - 1))
        };
        let pairs = Multisets::new(2).all().iter().map(ends).collect();
        HandTables { sizes, pairs }
    }

    /// The multisets of a size, each at the index of its [number](Multisets::index).
    pub fn all(&self, size: usize) -> &[Cards] {
        &self.sizes[size].all
    }

    /// For each multiset of a size, the number of the next larger one that has one more `card`.
    pub fn plus(&self, size: usize, card: Card) -> &[u16] {
        &self.sizes[size].plus[usize::from(card.rank()) - 1]
    }

    /// For each multiset of a size, the product of the factorials of how many it has of each rank.
    pub fn factorials(&self, size: usize) -> &[f64] {
        &self.sizes[size].factorials
    }

    /// The falling factorials `(m)_h` of all multisets of each size up to `size`; `m` is `left`.
    fn falling(&self, left: &[f64; RANKS], size: usize) -> Vec<Vec<f64>> {
        let mut levels = vec![vec![1.0]];
        for size in 1..=size {
            let below = &levels[size - 1];
            // From the multiset without its highest card: `(m)_n = (m)_{n−1} · (m − (n − 1))`.
            let factor = |&(rest, rank, count): &(u16, u8, u8)| {
                let factor = left[usize::from(rank)] - f64::from(count - 1);
                below[usize::from(rest)] * factor.max(0.0)
            };
            let level = self.sizes[size].less.iter().map(factor).collect();
            levels.push(level);
        }
        levels
    }

    /// The sum `S(h)` times `factor`, for every hand `h` of `own` cards. It runs over the other's hands `g` of
    /// `theirs` cards. `left` is `m`, how many cards of each rank are left. `reach` lists hands by their number, each
    /// with its reach; hands that are missing have none.
    pub fn weigh(
        &self,
        left: &[f64; RANKS],
        own: usize,
        theirs: usize,
        reach: &[(u16, f64)],
        factor: f64,
    ) -> Vec<f64> {
        if own.max(theirs) <= 2 {
            return self.weigh_few(left, own, theirs, reach, factor);
        }
        // The general way starts from all multisets, so the list becomes a full vector.
        let mut every = vec![0.0; self.all(theirs).len()];
        for &(hand, part) in reach {
            every[usize::from(hand)] += part;
        }
        self.weigh_many(left, own, theirs, &every, factor)
    }

    /// The same with the reach of every hand at its number, rounded after it was summed in double precision.
    pub fn weigh_all(
        &self,
        left: &[f64; RANKS],
        (own, theirs): (usize, usize),
        reach: &[f32],
        factor: f64,
    ) -> Vec<f32> {
        // Hands that the other cannot hold add nothing and are skipped.
        let likely = (0..).zip(reach).filter(|(_, reach)| **reach > 0.0);
        let likely: Vec<(u16, f64)> = likely
            .map(|(number, &reach)| (number, reach.into()))
            .collect();
        let sums = self.weigh(left, own, theirs, &likely, factor);
        sums.into_iter().map(|sum| sum as f32).collect()
    }

    /// The same for up to two cards each, with the expansion written out: `S(h) = (m)_h (T(∅) − …)`. `none` is the
    /// term of no common card, `one` that of one, `two` that of two.
    fn weigh_few(
        &self,
        left: &[f64; RANKS],
        own: usize,
        theirs: usize,
        reach: &[(u16, f64)],
        factor: f64,
    ) -> Vec<f64> {
        let (mut none, mut one, mut two) = (0.0, [0.0; RANKS], [0.0; 91]);
        for &(hand, part) in reach {
            match theirs {
                0 => none += part,
                1 => {
                    let ways = part * left[usize::from(hand)];
                    none += ways;
                    one[usize::from(hand)] -= part;
                }
                _ => {
                    let [low, high] = self.pairs[usize::from(hand)].map(usize::from);
                    if low == high {
                        // A pair: `(m)_2 = m (m − 1)`. Each own card of the rank takes `2 (m − 1)` ways from it,
                        // and two of them give 2 back: `(m − 2)(m − 3) = m (m − 1) − 2 · 2 (m − 1) + 2`.
                        let rest = (left[low] - 1.0).max(0.0);
                        none += part * left[low] * rest;
                        one[low] -= 2.0 * part * rest;
                        two[usize::from(hand)] += 2.0 * part;
                    } else {
                        // Two ranks: `(m_a − 1)(m_b − 1) = m_a m_b − m_b − m_a + 1`.
                        none += part * left[low] * left[high];
                        one[low] -= part * left[high];
                        one[high] -= part * left[low];
                        two[usize::from(hand)] += part;
                    }
                }
            }
        }
        match own {
            0 => vec![factor * none],
            1 => (0..RANKS)
                .map(|rank| factor * left[rank] * (none + one[rank]))
                .collect(),
            _ => {
                // For a pair of equal own cards `one` is added twice, once for each card.
                let value = |(pair, two): (&[u8; 2], f64)| {
                    let [low, high] = pair.map(usize::from);
                    let ways = match low == high {
                        true => left[low] * (left[low] - 1.0).max(0.0),
                        false => left[low] * left[high],
                    };
                    factor * ways * (none + one[low] + one[high] + two)
                };
                self.pairs.iter().zip(two).map(value).collect()
            }
        }
    }

    /// The same for any number of cards, by the sums `T` over smaller multisets; see the module.
    fn weigh_many(
        &self,
        left: &[f64; RANKS],
        own: usize,
        theirs: usize,
        reach: &[f64],
        factor: f64,
    ) -> Vec<f64> {
        // `(m)_h` and `(m)_g` of all hands at once.
        let falling = self.falling(left, own.max(theirs));
        // Without cards on one side nothing is removed: the sum is a product.
        if own == 0 || theirs == 0 {
            let ways = &falling[theirs];
            let sum: f64 = reach
                .iter()
                .zip(ways)
                .map(|(reach, ways)| reach * ways)
                .sum();
            return falling[own]
                .iter()
                .map(|ways| factor * sum * ways)
                .collect();
        }
        // Common cards `j` are at most as many as the smaller hand has.
        let top = own.min(theirs);
        // Down: `sums[n]` holds `T(j)` of all multisets `j` of `n` cards. From one size to the next smaller
        //     T(j) = Σ_r (j_r + 1) · T(j + r) / (|g| − |j|)
        // because `(j_r + 1) C(g, j + r) = (g_r − j_r) C(g, j)`, and `g_r − j_r` sums over the ranks to `|g| −
        // |j|`.
        let weighted = reach.iter().zip(&falling[theirs]);
        let mut level: Vec<f64> = weighted.map(|(reach, ways)| reach * ways).collect();
        let mut sums: [Vec<f64>; HAND_SIZE + 1] = Default::default();
        for size in (0..=theirs).rev() {
            if size < theirs {
                level = self.gather(size, &level, 1.0 / (theirs - size) as f64);
            }
            if size <= top {
                sums[size] = level.clone();
            }
        }
        // Up: every multiset gets the terms of all those that it contains. Each step multiplies by the number of
        // copies of the added card, so `j` reaches `h` with `(|h| − |j|)! C(h, j)`; the scale divides by that
        // factorial.
        let mut lifted: Vec<f64> = Vec::new();
        for size in 0..=own {
            let mut next = match size {
                0 => vec![0.0; 1],
                _ => self.scatter(size - 1, &lifted),
            };
            if size <= top {
                let sign = if size % 2 == 0 { 1.0 } else { -1.0 };
                let scale = sign / factorial(own - size);
                let terms = sums[size].iter().zip(&falling[size]);
                let terms = terms.zip(&self.sizes[size].factorials);
                for (next, ((sum, ways), factorials)) in next.iter_mut().zip(terms) {
                    // If `(m)_j` is 0 there are too few cards for `j`, and so for any `h` that contains it: `(m)_h`
                    // below is 0.
                    if *ways > 0.0 {
                        *next += scale * sum * factorials / ways;
                    }
                }
            }
            lifted = next;
        }
        // The factor `(m)_h` of the player's own hand stands before the whole sum.
        for (value, ways) in lifted.iter_mut().zip(&falling[own]) {
            *value *= factor * ways;
        }
        lifted
    }

    /// One step down: for each multiset `j` of `size` cards, `scale · Σ_r (j_r + 1) · above[j + r]`, where `j + r` has
    /// one more card of rank `r`.
    fn gather(&self, size: usize, above: &[f64], scale: f64) -> Vec<f64> {
        let here = &self.sizes[size];
        let mut sums = vec![0.0; here.all.len()];
        for (plus, copies) in here.plus.iter().zip(&here.copies) {
            for ((sum, &more), &copies) in sums.iter_mut().zip(plus).zip(copies) {
                *sum += above[usize::from(more)] * f64::from(copies);
            }
        }
        for sum in &mut sums {
            *sum *= scale;
        }
        sums
    }

    /// One step up: for each multiset `j` of `size + 1` cards, `Σ_r j_r · below[j − r]`, where `j − r` has one card of
    /// rank `r` less.
    fn scatter(&self, size: usize, below: &[f64]) -> Vec<f64> {
        let here = &self.sizes[size];
        let mut sums = vec![0.0; self.sizes[size + 1].all.len()];
        for (plus, copies) in here.plus.iter().zip(&here.copies) {
            for ((value, &more), &copies) in below.iter().zip(plus).zip(copies) {
                sums[usize::from(more)] += value * f64::from(copies);
            }
        }
        sums
    }
}

/// The card of the rank with this index, counted from 0.
fn card(place: usize) -> Card {
    Card::new(place as u8 + 1).expect("there are 13 ranks")
}

fn factorial(n: usize) -> f64 {
    (1..=n).map(|factor| factor as f64).product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::rng::{below, stream, unit};

    /// Agrees with the sum over all pairs, also where few or no cards of a rank are left.
    #[test]
    fn sums_are_those_over_all_pairs() {
        let tables = HandTables::new();
        let mut rng = stream(5, 0);
        for (own, theirs) in [
            (1, 1),
            (2, 2),
            (1, 2),
            (3, 2),
            (2, 3),
            (3, 3),
            (0, 2),
            (2, 0),
        ] {
            let left: [f64; RANKS] = std::array::from_fn(|_| below(&mut rng, 9) as f64);
            let reach: Vec<f64> = tables.all(theirs).iter().map(|_| unit(&mut rng)).collect();
            let sparse: Vec<(u16, f64)> = (0..).zip(reach.iter().copied()).collect();
            let sums = tables.weigh(&left, own, theirs, &sparse, 0.5);
            let many = tables.weigh_many(&left, own, theirs, &reach, 0.5);
            assert!(
                sums.iter()
                    .zip(&many)
                    .all(|(a, b)| (a - b).abs() <= 1e-9 * a.abs().max(1.0))
            );
            for (&h, sum) in tables.all(own).iter().zip(sums) {
                // The ways to draw two hands together: for each rank a falling factorial of the cards left, here by
                // multiplication.
                let pair = |g: Cards| -> f64 {
                    let falls = |card: Card| -> f64 {
                        let taken = h.count(card) + g.count(card);
                        let left = left[usize::from(card.rank()) - 1];
                        (0..taken).map(|i| (left - f64::from(i)).max(0.0)).product()
                    };
                    Card::all().map(falls).product()
                };
                let all = tables.all(theirs).iter().zip(&reach);
                let expected: f64 = all.map(|(&g, reach)| 0.5 * reach * pair(g)).sum();
                assert!(
                    (sum - expected).abs() <= 1e-9 * expected.abs().max(1.0),
                    "{own} {theirs} {h}: {sum} {expected}"
                );
            }
        }
    }
}
