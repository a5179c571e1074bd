//! Whether all vertices of a graph can be paired along its edges.
//!
//! Edmonds (1965): a matching grows along augmenting paths; a search from a vertex without a partner
//! finds one if there is one, when odd circles (blossoms) are shrunk to their bases as they are met.

use std::collections::VecDeque;

/// A graph whose vertices are numbered from 0, and a matching that grows.
struct Search<'a> {
    edges: &'a [Vec<usize>],
    partner: Vec<Option<usize>>,
    /// Of the search under way: by which vertex one was reached from an even one.
    parent: Vec<Option<usize>>,
    /// The base of the blossom that a vertex is in.
    base: Vec<usize>,
}

/// Whether there is a perfect matching; `edges` has the neighbours of each vertex, both ways.
pub(super) fn is_perfect(edges: &[Vec<usize>]) -> bool {
    let count = edges.len();
    let mut search = Search {
        edges,
        partner: vec![None; count],
        parent: vec![None; count],
        base: (0..count).collect(),
    };
    // A vertex that no path leads from now will never have one (Berge 1957).
    (0..count).all(|vertex| search.partner[vertex].is_some() || search.augment(vertex))
}

impl Search<'_> {
    /// Gives a vertex a partner by an augmenting path, if there is one.
    fn augment(&mut self, root: usize) -> bool {
        let mut end = self.path_from(root);
        let found = end.is_some();
        while let Some(vertex) = end {
            let before = self.parent[vertex];
            end = before.and_then(|before| self.partner[before]);
            self.partner[vertex] = before;
            if let Some(before) = before {
                self.partner[before] = Some(vertex);
            }
        }
        found
    }

    /// The end of an augmenting path from a vertex without a partner; the path lies in `parent`.
    fn path_from(&mut self, root: usize) -> Option<usize> {
        let count = self.edges.len();
        self.parent.fill(None);
        self.base = (0..count).collect();
        let mut even = vec![false; count];
        even[root] = true;
        let mut queue = VecDeque::from([root]);
        let edges = self.edges;
        while let Some(from) = queue.pop_front() {
            for &to in &edges[from] {
                if self.base[from] == self.base[to] || self.partner[from] == Some(to) {
                    continue;
                }
                let closes = to == root
                    || self.partner[to].is_some_and(|partner| self.parent[partner].is_some());
                if closes {
                    let base = self.common_base(from, to);
                    let mut in_blossom = vec![false; count];
                    self.mark(from, base, to, &mut in_blossom);
                    self.mark(to, base, from, &mut in_blossom);
                    for vertex in 0..count {
                        if in_blossom[self.base[vertex]] {
                            self.base[vertex] = base;
                            if !even[vertex] {
                                even[vertex] = true;
                                queue.push_back(vertex);
                            }
                        }
                    }
                } else if self.parent[to].is_none() {
                    self.parent[to] = Some(from);
                    match self.partner[to] {
                        None => return Some(to),
                        Some(partner) => {
                            even[partner] = true;
                            queue.push_back(partner);
                        }
                    }
                }
            }
        }
        None
    }

    /// The base that the ways from two even vertices to the root have in common first.
    fn common_base(&self, one: usize, other: usize) -> usize {
        let mut seen = vec![false; self.edges.len()];
        let mut at = self.base[one];
        loop {
            seen[at] = true;
            match self.step_back(at) {
                Some(before) => at = before,
                None => break,
            }
        }
        let mut at = self.base[other];
        while !seen[at] {
            match self.step_back(at) {
                Some(before) => at = before,
                None => break,
            }
        }
        at
    }

    /// The base two edges nearer to the root; none from the root's.
    fn step_back(&self, base: usize) -> Option<usize> {
        let before = self.parent[self.partner[base]?]?;
        Some(self.base[before])
    }

    /// Marks the bases on the way from a vertex to the base of a blossom, and turns the way round.
    fn mark(&mut self, from: usize, base: usize, mut child: usize, in_blossom: &mut [bool]) {
        let mut vertex = from;
        while self.base[vertex] != base {
            let Some(partner) = self.partner[vertex] else {
                return;
            };
            in_blossom[self.base[vertex]] = true;
            in_blossom[self.base[partner]] = true;
            self.parent[vertex] = Some(child);
            child = partner;
            match self.parent[partner] {
                Some(before) => vertex = before,
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::rng;

    /// The same by trying everything.
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
    fn it_finds_what_trying_everything_finds() {
        let mut random = rng::stream(5, 0);
        let mut perfect = 0;
        for round in 0..4000 {
            let count = 2 + round % 11;
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
            let expected = by_trying(&edges, (1 << count) - 1);
            assert_eq!(is_perfect(&edges), expected, "{edges:?}");
            perfect += usize::from(expected);
        }
        assert!((200..3000).contains(&perfect), "{perfect}");
    }

    #[test]
    fn two_triangles_joined_by_an_edge_have_one() {
        // The blossoms must be opened: 0-1-2, 3-4-5 and the edge 2-3.
        let edges = [
            [1, 2, 9],
            [0, 2, 9],
            [0, 1, 3],
            [2, 4, 5],
            [3, 5, 9],
            [3, 4, 9],
        ];
        let edges: Vec<Vec<usize>> = edges
            .iter()
            .map(|near| near.iter().copied().filter(|&to| to < 6).collect())
            .collect();
        assert!(is_perfect(&edges));
        assert!(!is_perfect(
            &edges[..5]
                .iter()
                .map(|near| near.iter().copied().filter(|&to| to < 5).collect())
                .collect::<Vec<_>>()
        ));
        assert!(is_perfect(&[]));
    }
}
