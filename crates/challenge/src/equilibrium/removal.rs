//! Sums over all hands of an opponent, with the removal of cards exact and without a matrix of pairs.
//!
//! There are no suits. In how many ways two players can hold the multisets `h` and `g` is, apart from a
//! factor of each alone, the product over the ranks of the falling factorials `(m)_{h+g}`, where `m` cards
//! of the rank are left. Newton's expansion in `h` is
//! `(m)_{h+g} = (m)_h (m)_g Σ_j (-1)^j j! C(h,j) C(g,j) / (m)_j`, so a sum over all `g` needs only sums over
//! the multisets that contain a smaller one, and these follow from one another by single cards.

use super::Multisets;
use crate::rules::{Card, Cards, HAND_SIZE, RANKS};

/// Multisets of up to five cards, how they follow from one another by one card, and their factors.
pub struct HandTables {
    sizes: [Size; HAND_SIZE + 1],
    /// The places of the two ranks of each multiset of two.
    pairs: Vec<[u8; 2]>,
}

/// All multisets of one size.
struct Size {
    all: Vec<Cards>,
    /// For each rank, where each multiset is with one card more.
    plus: [Vec<u16>; RANKS],
    /// For each rank, how many of it a multiset has with one card more.
    copies: [Vec<u8>; RANKS],
    /// Where each multiset is without its highest card, that card's place among the ranks, and how many of
    /// it there are.
    less: Vec<(u16, u8, u8)>,
    /// The product of the factorials of how many there are of each rank.
    factorials: Vec<f64>,
}

impl Default for HandTables {
    fn default() -> HandTables {
        HandTables::new()
    }
}

impl HandTables {
    /// All multisets of 0 to 5 cards.
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

    /// The multisets of a size, each at its number.
    pub fn all(&self, size: usize) -> &[Cards] {
        &self.sizes[size].all
    }

    /// Where each multiset of a size is among the next larger ones with a card more.
    pub fn plus(&self, size: usize, card: Card) -> &[u16] {
        &self.sizes[size].plus[usize::from(card.rank()) - 1]
    }

    /// For each multiset of a size, the product of the factorials of how many it has of each rank.
    pub fn factorials(&self, size: usize) -> &[f64] {
        &self.sizes[size].factorials
    }

    /// The falling factorials `(m)_h` of all multisets up to a size.
    fn falling(&self, left: &[f64; RANKS], size: usize) -> Vec<Vec<f64>> {
        let mut levels = vec![vec![1.0]];
        for size in 1..=size {
            let below = &levels[size - 1];
            let factor = |&(rest, rank, count): &(u16, u8, u8)| {
                let factor = left[usize::from(rank)] - f64::from(count - 1);
                below[usize::from(rest)] * factor.max(0.0)
            };
            let level = self.sizes[size].less.iter().map(factor).collect();
            levels.push(level);
        }
        levels
    }

    /// For every own multiset of `own` cards, the sum over the other's multisets `g` of `theirs` cards of
    /// its reach times `(m)_{h+g}`, times `factor`. `left` is how many of each rank are left.
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
        let mut every = vec![0.0; self.all(theirs).len()];
        for &(hand, part) in reach {
            every[usize::from(hand)] += part;
        }
        self.weigh_many(left, own, theirs, &every, factor)
    }

    /// The same for up to two cards each, term by term.
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
                        let rest = (left[low] - 1.0).max(0.0);
                        none += part * left[low] * rest;
                        one[low] -= 2.0 * part * rest;
                        two[usize::from(hand)] += 2.0 * part;
                    } else {
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

    /// The same for any number of cards, by sums over smaller multisets.
    fn weigh_many(
        &self,
        left: &[f64; RANKS],
        own: usize,
        theirs: usize,
        reach: &[f64],
        factor: f64,
    ) -> Vec<f64> {
        let falling = self.falling(left, own.max(theirs));
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
        let top = own.min(theirs);
        // sums[j] of a multiset: the sum over those that contain it of C(g, j) reach (m)_g.
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
        // Back up: every multiset gets the terms of those it contains.
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
                    if *ways > 0.0 {
                        *next += scale * sum * factorials / ways;
                    }
                }
            }
            lifted = next;
        }
        for (value, ways) in lifted.iter_mut().zip(&falling[own]) {
            *value *= factor * ways;
        }
        lifted
    }

    /// Sums of a level over the multisets with a card more, each times its number of copies of it.
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

    /// The other way: what each multiset with a card more gets from those it contains.
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

    /// Against the sum over all pairs, with ranks of which few or none are left.
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
