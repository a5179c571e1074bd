//! Line-ups: the programs of a game and their seats. A match plays each of its line-ups in blocks, and a block plays
//! each of the line-up's seatings once.

/// The players of a game, as indices into a match's list of programs; the order is that of the
/// seats in the first game of a block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LineUp(pub Vec<usize>);

impl LineUp {
    /// All multisets of `players` out of `programs` programs with at least two different ones, in
    /// lexicographic order.
    pub fn all(programs: usize, players: usize) -> Vec<LineUp> {
        fn extend(
            from: usize,
            programs: usize,
            left: usize,
            seats: &mut Vec<usize>,
            all: &mut Vec<LineUp>,
        ) {
            if left == 0 {
                // The seats are sorted, so equal ends mean a single program: nothing would be compared.
                if seats.first() != seats.last() {
                    all.push(LineUp(seats.clone()));
                }
                return;
            }
            // The next seat has the same program or a later one, so each multiset is made once.
            for program in from..programs {
                seats.push(program);
                extend(program, programs, left - 1, seats, all);
                seats.pop();
            }
        }
        let mut all = Vec::new();
        extend(0, programs, players, &mut Vec::new(), &mut all);
        all
    }

    /// The different programs, in order.
    pub fn programs(&self) -> Vec<usize> {
        let mut programs = self.0.clone();
        programs.sort_unstable();
        programs.dedup();
        programs
    }

    /// How many seats a program holds.
    pub fn seats_of(&self, program: usize) -> usize {
        self.0.iter().filter(|&&p| p == program).count()
    }

    /// The seatings of a block: all different permutations for two and three players, the
    /// different rotations for more.
    pub fn seatings(&self) -> Vec<Vec<usize>> {
        let n = self.0.len();
        // With rotations alone each program always plays after the same one. For three players, all six orders are few
        // enough to avoid that. For two players the rotations are all orders anyway.
        let orders: Vec<Vec<usize>> = match n {
            3 => [
                [0, 1, 2],
                [1, 2, 0],
                [2, 0, 1],
                [0, 2, 1],
                [2, 1, 0],
                [1, 0, 2],
            ]
            .map(Vec::from)
            .into(),
            _ => (0..n)
                .map(|first| (0..n).map(|i| (first + i) % n).collect())
                .collect(),
        };
        // Two orders that differ only in the seats of one program are the same seating.
        let mut seatings: Vec<Vec<usize>> = Vec::new();
        for order in orders {
            let seating: Vec<usize> = order.into_iter().map(|i| self.0[i]).collect();
            if !seatings.contains(&seating) {
                seatings.push(seating);
            }
        }
        seatings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multisets_with_two_different_programs() {
        let all = LineUp::all(2, 4);
        assert_eq!(
            all,
            [[0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 1, 1]].map(|l| LineUp(l.into()))
        );
        assert_eq!(LineUp::all(3, 2).len(), 3);
        assert_eq!(LineUp::all(4, 3).len(), 20 - 4);
        assert!(LineUp::all(1, 3).is_empty());
    }

    #[test]
    fn every_program_sits_everywhere_equally_often() {
        for players in 2..=6 {
            for line_up in LineUp::all(3, players) {
                let seatings = line_up.seatings();
                for &program in &line_up.programs() {
                    let counts: Vec<usize> = (0..players)
                        .map(|seat| seatings.iter().filter(|s| s[seat] == program).count())
                        .collect();
                    assert!(
                        counts.iter().all(|&c| c == counts[0]),
                        "{line_up:?} {counts:?}"
                    );
                }
            }
        }
        assert_eq!(LineUp(vec![0, 1]).seatings(), [[0, 1], [1, 0]]);
        assert_eq!(LineUp(vec![0, 1, 2]).seatings().len(), 6);
        assert_eq!(LineUp(vec![0, 1, 1, 1]).seatings().len(), 4);
        assert_eq!(LineUp(vec![0, 1, 0, 1]).seatings().len(), 2);
        assert_eq!(LineUp(vec![0, 0]).seatings().len(), 1);
    }
}
