//! Pairings of a Swiss tournament, round by round. A tournament gives [`pair`] the standings so far, and plays the
//! [`Round`] that it returns.
//!
//! The rules are the basic ones of the FIDE Handbook (C.04.1). No two participants meet twice if all can be paired
//! without that. In a round where some must meet again, more pairs than necessary may. Opponents are as near to each
//! other in the standings as that allows. If the number is odd, a participant near the end has a bye (no opponent), and
//! nobody has a second bye before all have had one.
//!
//! Within these rules neighbours are paired from the top, as in the Monrad system: each meets the nearest participant
//! below, unless the rest could not be paired then. Whether the rest can be paired is a question of perfect matching
//! (Edmonds 1965). It is answered quickly, so no search ever has to be given up.
//!
//! ```
//! use arena::swiss::{Standing, pair};
//!
//! let standing = |score| Standing { score, tie_break: 0.0, byes: 0 };
//! // 2 and 0 lead, and have met.
//! let standings = [standing(2.0), standing(1.0), standing(2.0), standing(1.0)];
//! let round = pair(&standings, |a, b| u32::from(a.min(b) == 0 && a.max(b) == 2));
//! assert_eq!(round.pairs, [(0, 1), (2, 3)]);
//! assert_eq!(round.bye, None);
//! ```

use petgraph::algo::maximum_matching;
use petgraph::graph::UnGraph;

/// The standing of a participant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Standing {
    /// Points from the rounds so far.
    pub score: f64,
    /// Decides among equal scores; if it is equal too, the order of the participants does.
    pub tie_break: f64,
    /// Rounds so far without an opponent.
    pub byes: u32,
}

/// The pairings of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// The pairs, the best first. The better participant of each is first.
    pub pairs: Vec<(usize, usize)>,
    /// The participant that has a bye.
    pub bye: Option<usize>,
}

/// The indices of the participants, best first: by score, then tie-break, then index.
pub fn order(standings: &[Standing]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..standings.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (&standings[a], &standings[b]);
        b.score
            .total_cmp(&a.score)
            .then(b.tie_break.total_cmp(&a.tie_break))
    });
    order
}

/// Pairs a round. `met` returns how often two participants have met.
pub fn pair(standings: &[Standing], met: impl Fn(usize, usize) -> u32) -> Round {
    let mut order = order(standings);
    // First of all: how often a pair may have met before. The bye and the pairs depend on it.
    let rematches = most_meetings(&order, &met);
    let bye = (order.len() % 2 == 1)
        .then(|| bye(&order, standings, &met, rematches))
        .flatten();
    order.retain(|&participant| Some(participant) != bye);
    let allowed = |a, b| met(a, b) <= rematches;
    let mut pairs = Vec::with_capacity(order.len() / 2);
    // From the top: the best one left meets the next below for whom a pairing of the rest exists.
    while order.len() > 1 {
        let first = order.remove(0);
        let fits = |&at: &usize| {
            let mut rest = order.clone();
            let second = rest.remove(at);
            allowed(first, second) && is_paired(&rest, &allowed)
        };
        // An opponent always fits, since `rematches` was chosen so that a pairing exists. The
        // exception: nobody who is due for the bye leaves such a pairing. Then neighbours meet.
        let at = (0..order.len()).find(fits).unwrap_or(0);
        pairs.push((first, order.remove(at)));
    }
    Round { pairs, bye }
}

/// How often a pair may have met before and still be paired: the smallest number for which a pairing
/// of everybody, but for one bye if the number is odd, exists.
fn most_meetings(order: &[usize], met: &impl Fn(usize, usize) -> u32) -> u32 {
    let odd = order.len() % 2 == 1;
    let is_enough = |most: u32| {
        let allowed = |a, b| met(a, b) <= most;
        match odd {
            true => order
                .iter()
                .any(|&out| is_paired(&without(order, out), &allowed)),
            false => is_paired(order, &allowed),
        }
    };
    (0..).find(|&most| is_enough(most)).unwrap_or(u32::MAX)
}

/// Chooses the bye among those with the fewest byes: the last in the standings for whom all others
/// can be paired.
fn bye(
    order: &[usize],
    standings: &[Standing],
    met: &impl Fn(usize, usize) -> u32,
    rematches: u32,
) -> Option<usize> {
    let mut last: Vec<usize> = order.iter().rev().copied().collect();
    last.sort_by_key(|&participant| standings[participant].byes);
    let allowed = |a, b| met(a, b) <= rematches;
    let leaves_pairs = |&out: &usize| is_paired(&without(order, out), &allowed);
    let fewest = standings[*last.first()?].byes;
    let due = |&out: &usize| standings[out].byes == fewest;
    // A second bye is worse than another meeting, so if nobody fits, the last of those due has it.
    let found = last.iter().copied().filter(due).find(leaves_pairs);
    found.or_else(|| last.into_iter().find(due))
}

/// All participants but `out`.
fn without(order: &[usize], out: usize) -> Vec<usize> {
    order
        .iter()
        .copied()
        .filter(|&other| other != out)
        .collect()
}

/// Whether a perfect matching exists among the allowed pairs.
fn is_paired(participants: &[usize], allowed: &impl Fn(usize, usize) -> bool) -> bool {
    let mut graph = UnGraph::<usize, ()>::default();
    for &a in participants {
        let node = graph.add_node(a);
        for other in graph.node_indices() {
            if other != node && allowed(graph[other], a) {
                graph.add_edge(other, node, ());
            }
        }
    }
    maximum_matching(&graph).is_perfect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::rng;
    use std::collections::BTreeMap;

    /// How often pairs met.
    type Met = BTreeMap<(usize, usize), u32>;

    /// Plays `rounds` rounds in which the participant with the higher number always wins. Returns the rounds,
    /// how often each pair met, and the standings.
    fn played(participants: usize, rounds: usize) -> (Vec<Round>, Met, Vec<Standing>) {
        let mut standings = vec![Standing::default(); participants];
        let mut met = Met::new();
        let mut all = Vec::new();
        for _ in 0..rounds {
            let round = pair(&standings, |a, b| {
                met.get(&(a.min(b), a.max(b))).copied().unwrap_or(0)
            });
            for &(a, b) in &round.pairs {
                *met.entry((a.min(b), a.max(b))).or_default() += 1;
                standings[a.max(b)].score += 1.0;
            }
            if let Some(bye) = round.bye {
                standings[bye].byes += 1;
                standings[bye].score += 1.0;
            }
            all.push(round);
        }
        (all, met, standings)
    }

    #[test]
    fn nobody_meets_twice_while_that_is_possible() {
        for participants in 2..=9 {
            // This many rounds without a rematch are always possible: each participant still has at least
            // half of the others to meet (Dirac's theorem).
            let rounds = participants / 2;
            let (all, met, standings) = played(participants, rounds);
            assert!(
                met.values().all(|&times| times == 1),
                "{participants} {all:?}"
            );
            for round in &all {
                assert_eq!(round.pairs.len(), participants / 2);
                assert_eq!(round.bye.is_some(), participants % 2 == 1);
            }
            assert!(
                standings.iter().all(|s| s.byes <= 1),
                "{participants} {all:?}"
            );
        }
    }

    #[test]
    fn rematches_and_byes_are_spread() {
        for participants in [2, 3, 4, 5, 6] {
            let rounds = 3 * participants;
            let (_, met, standings) = played(participants, rounds);
            let most = met.values().max().unwrap();
            assert!(
                *most <= rounds as u32 / (participants as u32 - 1) + 2,
                "{met:?}"
            );
            if participants % 2 == 1 {
                assert!(standings.iter().all(|s| s.byes == 3), "{standings:?}");
            }
        }
    }

    #[test]
    fn those_who_stand_alike_meet() {
        let (all, _, standings) = played(8, 3);
        assert_eq!(all[0].pairs, [(0, 1), (2, 3), (4, 5), (6, 7)]);
        // Winners of the first round meet each other, and so do losers.
        assert_eq!(all[1].pairs, [(1, 3), (5, 7), (0, 2), (4, 6)]);
        assert_eq!(all[2].pairs[0], (3, 7));
        assert_eq!(standings[7].score, 3.0);
        assert_eq!(order(&standings)[0], 7);
    }

    #[test]
    fn a_greedy_choice_that_leaves_no_pairing_is_not_made() {
        // Pairing 0 with 1, who stand first, would leave 2 and 3, who have met already.
        let standings = [4.0, 3.0, 2.0, 1.0].map(|score| Standing {
            score,
            ..Standing::default()
        });
        let round = pair(&standings, |a, b| {
            u32::from((a, b) == (2, 3) || (a, b) == (3, 2))
        });
        assert_eq!(round.pairs, [(0, 2), (1, 3)]);
    }

    /// Whether all participants in `free` can be paired, found by trying everything.
    fn by_trying(edges: &[Vec<usize>], free: u32) -> bool {
        if free == 0 {
            return true;
        }
        let first = free.trailing_zeros() as usize;
        let rest = free & !(1 << first);
        let mut others = edges[first].iter();
        others.any(|&other| rest & (1 << other) != 0 && by_trying(edges, rest & !(1 << other)))
    }

    #[test]
    fn pairings_are_found_as_by_trying_everything() {
        let mut random = rng::stream(5, 0);
        let mut paired = 0;
        for round in 0..4000 {
            let count = round % 13;
            let density = 2 + rng::below(&mut random, 7);
            let mut edges = vec![Vec::new(); count];
            for a in 0..count {
                for b in a + 1..count {
                    if rng::below(&mut random, density) == 0 {
                        edges[a].push(b);
                        edges[b].push(a);
                    }
                }
            }
            let participants: Vec<usize> = (0..count).collect();
            let expected = by_trying(&edges, (1 << count) - 1);
            let found = is_paired(&participants, &|a, b| edges[a].contains(&b));
            assert_eq!(found, expected, "{edges:?}");
            paired += usize::from(expected);
        }
        assert!((200..3000).contains(&paired), "{paired}");
    }
}
