//! Finds the programs that the games compare with each other. `interval` and `table` ask it which ratings and limits
//! mean something.
//!
//! The difference of two strengths is determined if a chain of games leads from one program to the
//! other. It is finite if chains of results lead in both directions, each program placed ahead of
//! the next or equal to it (Ford 1957).

use super::games::{BlockCounts, ChoiceSet, Games, Program, Stratum};
use std::collections::BTreeMap;

/// The comparisons that the games allow.
#[derive(Clone, Debug)]
pub(super) struct Comparable {
    /// `ahead[a][b]`: a chain of programs, each placed ahead of the next or equal to it, leads from
    /// `a` to `b`.
    ahead: Vec<Vec<bool>>,
    /// The group of each program, from 0.
    pub(super) groups: Vec<usize>,
    /// By group, the programs that strengths are measured against: the largest set whose members
    /// are all finite relative to each other, or the whole group if no such set has two members. A set counts as large
    /// only if its members did not come out alike in all blocks, see [`blocks_differ`]: programs that fail in every game
    /// are finite relative to each other as well. Of equally large sets it is the one that is ahead of the most programs.
    pub(super) references: Vec<Vec<usize>>,
}

impl Comparable {
    pub(super) fn new(games: &Games) -> Comparable {
        let n = games.labels().len();
        let mut ahead = vec![vec![false; n]; n];
        for stratum in games.strata.values() {
            for &(i, j) in &stratum.ahead {
                ahead[usize::from(i)][usize::from(j)] = true;
            }
        }
        // `linked` ignores directions: a group is a connected component.
        let mut linked = ahead.clone();
        for i in 0..n {
            for j in 0..n {
                linked[i][j] |= ahead[j][i];
            }
        }
        close(&mut ahead);
        close(&mut linked);
        let mut groups = vec![usize::MAX; n];
        let mut references = Vec::new();
        for first in 0..n {
            if groups[first] != usize::MAX {
                continue;
            }
            let members: Vec<usize> = (0..n).filter(|&i| linked[first][i]).collect();
            for &i in &members {
                groups[i] = references.len();
            }
            // The first program without a group opens one; its members are all that it is linked
            // to.
            references.push(reference(&members, &ahead, games));
        }
        Comparable {
            ahead,
            groups,
            references,
        }
    }

    /// The programs that this one is measured against.
    pub(super) fn reference(&self, program: usize) -> &[usize] {
        &self.references[self.groups[program]]
    }

    /// Whether any game compares the program with another.
    pub(super) fn is_compared(&self, program: usize) -> bool {
        let group = self.groups[program];
        self.groups.iter().filter(|&&g| g == group).count() > 1
    }

    /// Whether nothing in the games keeps the strength, measured against these programs, from being higher.
    pub(super) fn open_above(&self, program: usize, against: &[usize]) -> bool {
        against.iter().any(|&other| !self.ahead[other][program])
    }

    /// Whether nothing in the games keeps the strength, measured against these programs, from being lower.
    pub(super) fn open_below(&self, program: usize, against: &[usize]) -> bool {
        against.iter().any(|&other| !self.ahead[program][other])
    }
}

/// The programs of a group that strengths are measured against, see [`Comparable::references`].
fn reference(members: &[usize], ahead: &[Vec<bool>], games: &Games) -> Vec<usize> {
    // Chains in both directions are an equivalence relation: these sets are the strongly connected
    // components.
    let finite = |i: usize| -> Vec<usize> {
        let both = members.iter().filter(|&&j| ahead[i][j] && ahead[j][i]);
        both.copied().collect()
    };
    let differ = |set: &[usize]| {
        let mut strata = games.strata.iter();
        strata.any(|(line_up, stratum)| blocks_differ(line_up, stratum, set))
    };
    // Members of one component give the same set several times, which does no harm.
    let behind = |i: usize| ahead[i].iter().filter(|&&is_ahead| is_ahead).count();
    let sets = members.iter().rev().map(|&i| (finite(i), behind(i)));
    let largest = sets.max_by_key(|(set, behind)| (differ(set), set.len(), *behind));
    match largest {
        Some((set, _)) if set.len() > 1 => set,
        _ => members.to_vec(),
    }
}

/// Whether the blocks of a line-up differ in how the members of a set came out among themselves. A single block has
/// nothing to differ from: it counts as differing if one member was the last of them more often, for each of its
/// seats, than another.
fn blocks_differ(line_up: &[Program], stratum: &Stratum, set: &[usize]) -> bool {
    let is_member = |program: &Program| set.contains(&usize::from(*program));
    let mut members: Vec<Program> = line_up.iter().copied().filter(is_member).collect();
    members.dedup();
    if members.len() < 2 {
        return false;
    }
    // Place by place from the first, a program is chosen from those that are left. What the members are of these sets
    // tells their order. So three that always share the last places are alike in all blocks, in whatever order the
    // others come before them.
    let among = |block: &BlockCounts| {
        let mut sets: BTreeMap<ChoiceSet, u64> = BTreeMap::new();
        for (left, count) in &block.sets {
            let left: ChoiceSet = left.iter().copied().filter(is_member).collect();
            if !left.is_empty() {
                *sets.entry(left).or_default() += count;
            }
        }
        sets
    };
    // A block that is not played to its end has fewer games, and so other sets.
    let most = stratum.blocks.keys().map(|block| block.games).max();
    let mut whole = stratum
        .blocks
        .iter()
        .filter(|(block, _)| Some(block.games) == most);
    let Some((first, &repeated)) = whole.next() else {
        return false;
    };
    let first = among(first);
    let mut others = whole.map(|(block, _)| among(block)).peekable();
    if repeated > 1 || others.peek().is_some() {
        return others.any(|other| other != first);
    }
    // How often one was the last, and the number of its seats.
    let last = |program: Program| {
        let times = first.get(&ChoiceSet::from_iter([program])).copied();
        let seats = line_up.iter().filter(|&&other| other == program).count();
        (times.unwrap_or(0), seats as u64)
    };
    let (times, seats) = last(members[0]);
    members.iter().any(|&program| {
        let (own, of) = last(program);
        own * seats != times * of
    })
}

/// The reflexive and transitive closure (Warshall 1962).
pub(super) fn close(leads: &mut [Vec<bool>]) {
    // After step `k`, `leads[a][b]` says whether a chain leads from `a` to `b` with all programs between them among the
    // first `k + 1`. A copy of row `k` is enough, as step `k` does not change that row.
    for k in 0..leads.len() {
        leads[k][k] = true;
        let onward = leads[k].clone();
        for from in leads.iter_mut().filter(|from| from[k]) {
            for (to, &further) in from.iter_mut().zip(&onward) {
                *to |= further;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::games::Outcome;
    use super::*;

    fn open_above(found: &Comparable, program: usize) -> bool {
        found.open_above(program, found.reference(program))
    }

    fn open_below(found: &Comparable, program: usize) -> bool {
        found.open_below(program, found.reference(program))
    }

    /// Finds the groups from blocks of games of two, given as winner and loser.
    fn compared<const N: usize>(programs: usize, blocks: &[[[usize; 2]; N]]) -> Comparable {
        let mut games = Games::new((0..programs).map(|i| i.to_string()).collect());
        for won in blocks {
            let outcomes = won.map(|seats| Outcome {
                seats: seats.to_vec(),
                ranks: vec![1.0, 2.0],
            });
            games.push(&outcomes).unwrap();
        }
        Comparable::new(&games)
    }

    /// The same where each block is a game.
    fn comparable(programs: usize, won: &[[usize; 2]]) -> Comparable {
        let blocks: Vec<[[usize; 2]; 1]> = won.iter().map(|&seats| [seats]).collect();
        compared(programs, &blocks)
    }

    #[test]
    fn groups_without_a_common_game() {
        let found = comparable(5, &[[0, 3], [3, 0], [4, 2]]);
        assert_eq!(found.groups, [0, 1, 2, 0, 2]);
        assert!(!found.is_compared(1));
        assert!(found.is_compared(2));
        assert!(!open_above(&found, 0) && !open_below(&found, 0));
        assert!(open_above(&found, 4) && !open_below(&found, 4));
        assert!(open_below(&found, 2) && !open_above(&found, 2));
    }

    #[test]
    fn two_victims_are_no_reference() {
        // The victims draw with each other, as two programs do that always fail.
        let games = [
            [0, 1],
            [1, 0],
            [2, 3],
            [3, 2],
            [2, 0],
            [2, 1],
            [3, 0],
            [3, 1],
        ];
        assert_eq!(comparable(4, &games).references, [vec![2, 3]]);
        // Three victims are a larger set, but their blocks are alike: each wins one game of the two.
        let (good, victims) = ([3, 4], [0, 1, 2]);
        let mut blocks = vec![[[3, 4], [4, 3]], [[3, 4], [3, 4]]];
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            blocks.extend([[[one, other], [other, one]]; 2]);
        }
        blocks.extend(good.iter().flat_map(|&g| victims.map(|v| [[g, v]; 2])));
        assert_eq!(compared(5, &blocks).references, [vec![3, 4]]);
        // Two that met in several blocks are no reference either, beside five that met once each.
        let mut blocks: Vec<_> = pairs(0..5).map(|(one, other)| [[one, other]; 2]).collect();
        blocks.retain(|&block| block != [[0, 4]; 2]);
        blocks.extend([[[4, 0]; 2], [[5, 6], [6, 5]], [[5, 6]; 2]]);
        blocks.extend((0..5).flat_map(|good| [5, 6].map(|victim| [[good, victim]; 2])));
        assert_eq!(
            compared(7, &blocks).references,
            [(0..5).collect::<Vec<_>>()]
        );
    }

    /// The pairs of these programs, the smaller first.
    fn pairs(programs: std::ops::Range<usize>) -> impl Iterator<Item = (usize, usize)> {
        let all = programs.clone();
        programs.flat_map(move |one| (one + 1..all.end).map(move |other| (one, other)))
    }

    /// In games of four, three victims share the last places in every block, in whatever order the two others come.
    #[test]
    fn victims_behind_others_are_no_reference() {
        let mut games = Games::new((0..5).map(|i| i.to_string()).collect());
        let mut push = |seats: [usize; 4], ranks: [f64; 4]| {
            let (seats, ranks) = (seats.to_vec(), ranks.to_vec());
            games.push(&[Outcome { seats, ranks }]).unwrap();
        };
        for victims in [[2, 3], [2, 4], [3, 4]] {
            push([0, 1, victims[0], victims[1]], [1.0, 2.0, 3.5, 3.5]);
            push([0, 1, victims[0], victims[1]], [2.0, 1.0, 3.5, 3.5]);
        }
        // A single block in which one has two seats, and is the last twice as often.
        let twice = [[2, 2, 3, 0], [3, 2, 2, 0], [2, 3, 2, 0]].map(|seats| Outcome {
            seats: seats.to_vec(),
            ranks: vec![2.0, 3.0, 4.0, 1.0],
        });
        games.push(&twice).unwrap();
        // Blocks of two games; the last block was cut off after one.
        let three = [[2, 3, 4, 0], [0, 2, 3, 4]].map(|seats: [usize; 4]| Outcome {
            ranks: seats.map(|one| if one == 0 { 1.0 } else { 3.0 }).to_vec(),
            seats: seats.to_vec(),
        });
        for block in [&three[..], &three, &three[1..]] {
            games.push(block).unwrap();
        }
        let mut push = |seats: [usize; 4], ranks: [f64; 4]| {
            let (seats, ranks) = (seats.to_vec(), ranks.to_vec());
            games.push(&[Outcome { seats, ranks }]).unwrap();
        };
        push([1, 2, 3, 4], [1.0, 3.0, 3.0, 3.0]);
        assert_eq!(Comparable::new(&games).references, [vec![0, 1]]);
    }

    #[test]
    fn a_cycle_is_finite_and_a_victim_below_it_open() {
        let found = comparable(5, &[[0, 1], [1, 2], [2, 0], [0, 3], [4, 1]]);
        assert_eq!(found.references, [vec![0, 1, 2]]);
        let open: Vec<_> = (0..5)
            .map(|i| (open_above(&found, i), open_below(&found, i)))
            .collect();
        let none = (false, false);
        assert_eq!(open, [none, none, none, (false, true), (true, false)]);
    }
}
