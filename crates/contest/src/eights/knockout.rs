//! The rules of a single-elimination tournament at tables of four: the seats in each stage, and the participants
//! who go on. The command of the same name plays the games.
//!
//! A table plays a game, and its winner goes on. Every stage after the first has a power of four
//! participants, so all its tables are full. In the first stage the best seeds go on without a table, if
//! necessary, and house players, who never go on, fill incomplete tables.

use super::judge::{Standing, leader};
use crate::tricks::record::Record;
use arena::bracket::spread;
use eights::rules::{GAME, SEATS};
use engine::rng::{mix, shuffle, stream};

/// A participant, by its seed: 0 is the best.
pub type Seed = usize;

/// A stage, made of the participants who are still in the tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Participants who go on without a table, the best first.
    pub byes: Vec<Seed>,
    /// Two to four at each table, the best first; house players have the other seats.
    pub tables: Vec<Vec<Seed>>,
}

impl Stage {
    /// The stage of two or more participants, the best first. It has the fewest tables after which the number of
    /// participants is a power of four.
    pub fn of(seeds: &[Seed]) -> Stage {
        // `left`: the largest power of four below the number of participants. Each table of four removes
        // three, so (n − left) / 3 tables are needed, rounded up. Example: of 6 participants 4 stay; 2 must
        // go, so 1 table of 3 plays, and 3 have byes.
        let mut left = 1;
        while left * SEATS < seeds.len() {
            left *= SEATS;
        }
        let out = seeds.len().saturating_sub(left);
        let tables = out.div_ceil(SEATS - 1);
        let (byes, playing) = seeds.split_at(seeds.len() - out - tables);
        Stage {
            byes: byes.to_vec(),
            tables: spread(playing, tables),
        }
    }

    /// Whether the winner of its table is the tournament's.
    pub fn is_final(&self) -> bool {
        self.byes.is_empty() && self.tables.len() == 1
    }

    /// The participants of the next stage, the best first, given the winners of the tables. A table without a
    /// winner had only disqualified participants.
    pub fn next(&self, winners: &[Option<Seed>]) -> Vec<Seed> {
        let mut next: Vec<Seed> = self.byes.clone();
        next.extend(winners.iter().flatten());
        // Seeds are ranks, so sorting puts the best first.
        next.sort_unstable();
        next
    }
}

/// A table of a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The stage's number, from 1.
    pub stage: usize,
    /// The table's number in it, from 1.
    pub number: usize,
    /// The seeds by seat; none is a house player.
    pub seats: [Option<Seed>; SEATS],
    /// The seed of all random numbers of its game.
    pub seed: u64,
}

impl Table {
    /// A table, with the seats drawn by lot. Its seed depends on the tournament's seed, the length of games,
    /// the stage and the table.
    pub fn new(
        seed: u64,
        goal: Option<u64>,
        stage: usize,
        number: usize,
        players: &[Seed],
    ) -> Table {
        let rounds = goal.unwrap_or(0);
        let place = (stage as u64) << 32 | number as u64;
        // Nested `mix`, so that tables of similar numbers get unrelated seeds.
        let seed = mix(seed ^ mix(rounds ^ mix(place)));
        let mut seats: [Option<Seed>; SEATS] = std::array::from_fn(|at| players.get(at).copied());
        // The last stream: the game's rounds are dealt from the streams 0, 1 and so on.
        shuffle(&mut stream(seed, u64::MAX), &mut seats);
        Table {
            stage,
            number,
            seats,
            seed,
        }
    }

    /// The id of a round, from 1, in records.
    pub fn id(&self, round: usize) -> String {
        format!("{}.{}.{round}-1", self.stage, self.number)
    }

    /// The stage, table and round of an id in records.
    pub fn place(id: &str) -> Option<(usize, usize, usize)> {
        let mut numbers = id.strip_suffix("-1")?.split('.').map(str::parse);
        let mut next = || numbers.next()?.ok();
        let place = (next()?, next()?, next()?);
        numbers.next().is_none().then_some(place)
    }
}

/// The state of a table's game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    goal: Option<u64>,
    rounds: u64,
    standings: [Standing; SEATS],
}

impl Game {
    /// A game before its first round. It ends after `goal` rounds, or as soon afterwards as one seat alone has the most
    /// points; without a goal, when one seat alone has the most points, and at least 300.
    pub fn new(goal: Option<u64>) -> Game {
        Game {
            goal,
            rounds: 0,
            standings: Default::default(),
        }
    }

    /// Adds a round. A fault disqualifies.
    pub fn push(&mut self, round: &Record) {
        for fault in &round.faults {
            if let Some(standing) = self.standings.get_mut(fault.player) {
                // The first fault counts.
                standing
                    .disqualified
                    .get_or_insert_with(|| fault.in_words());
            }
        }
        for (standing, &points) in self.standings.iter_mut().zip(&round.points) {
            standing.points += u32::from(points);
        }
        self.rounds += 1;
    }

    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The standings of the seats.
    pub fn standings(&self) -> &[Standing; SEATS] {
        &self.standings
    }

    /// Whether it is over. A game also ends when all participants are disqualified.
    pub fn is_over(&self, table: &Table) -> bool {
        let mut playing = (0..SEATS).filter(|&seat| table.seats[seat].is_some());
        if playing.all(|seat| self.standings[seat].disqualified.is_some()) {
            return true;
        }
        leader(&self.standings).is_some_and(|leader| match self.goal {
            None => self.standings[leader].points >= GAME,
            Some(rounds) => self.rounds >= rounds,
        })
    }

    /// The participants of a table, the best first: by points, disqualified ones last, then by seed.
    pub fn ranking(&self, table: &Table) -> Vec<(Seed, &Standing)> {
        let seats = table.seats.iter().zip(&self.standings);
        let mut ranking: Vec<(Seed, &Standing)> = seats
            .filter_map(|(seed, one)| Some(((*seed)?, one)))
            .collect();
        ranking.sort_by_key(|&(seed, standing)| {
            let is_out = standing.disqualified.is_some();
            (is_out, std::cmp::Reverse(standing.points), seed)
        });
        ranking
    }

    /// The participant who goes on: the one with the most points, even if a house player has more. None if
    /// all are disqualified.
    pub fn winner(&self, table: &Table) -> Option<Seed> {
        let ranking = self.ranking(table);
        let &(seed, standing) = ranking.first()?;
        standing.disqualified.is_none().then_some(seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eights::matches::Eights;
    use crate::tricks::record::FaultRecord;
    use arena::fault::FaultKind;
    use tricks::Round as _;

    #[test]
    fn every_stage_but_the_first_has_full_tables() {
        for count in 2..=300 {
            let mut seeds: Vec<Seed> = (0..count).collect();
            let mut stages = 0;
            while seeds.len() > 1 {
                let stage = Stage::of(&seeds);
                stages += 1;
                let mut all = [stage.byes.clone(), stage.tables.concat()].concat();
                all.sort_unstable();
                assert_eq!(all, seeds, "everybody has one place");
                assert!(
                    stage
                        .byes
                        .iter()
                        .all(|bye| stage.tables.concat().iter().all(|one| bye < one))
                );
                let sizes: Vec<usize> = stage.tables.iter().map(Vec::len).collect();
                match stages {
                    1 => assert!(sizes.iter().all(|size| (2..=4).contains(size)), "{stage:?}"),
                    _ => assert!(sizes.iter().all(|size| *size == 4) && stage.byes.is_empty()),
                }
                let firsts: Vec<_> = stage
                    .tables
                    .iter()
                    .map(|one| one.first().copied())
                    .collect();
                seeds = stage.next(&firsts);
            }
            assert_eq!(
                seeds,
                [0],
                "the best seed wins if the better one always does"
            );
        }
    }

    #[test]
    fn stages_of_some_numbers() {
        let tables = |count| {
            let stage = Stage::of(&(0..count).collect::<Vec<_>>());
            let sizes: Vec<usize> = stage.tables.iter().map(Vec::len).collect();
            (stage.byes.len(), sizes)
        };
        assert_eq!(tables(2), (0, vec![2]));
        assert_eq!(tables(4), (0, vec![4]));
        assert_eq!(tables(5), (3, vec![2]));
        assert_eq!(tables(6), (3, vec![3]));
        assert_eq!(tables(8), (2, vec![3, 3]));
        assert_eq!(tables(15), (0, vec![3, 4, 4, 4]));
        assert_eq!(tables(16), (0, vec![4; 4]));
        assert_eq!(tables(17), (15, vec![2]));
    }

    fn round(points: [u8; SEATS]) -> Record {
        let start = eights::deal::deal(0, &mut stream(1, 1));
        assert_eq!(start.players(), SEATS);
        let mut record = Record::dealt::<Eights>(&start);
        record.points = points.to_vec();
        record
    }

    /// A participant with a fault ranks behind all others. A seat without a participant is filled by a player
    /// of the house, which cannot win the table.
    #[test]
    fn a_fault_loses_and_a_house_player_goes_nowhere() {
        let table = Table {
            stage: 1,
            number: 1,
            seats: [None, Some(7), Some(3), Some(5)],
            seed: 1,
        };
        let mut game = Game::new(Some(2));
        game.push(&round([20, 2, 2, 1]));
        assert!(!game.is_over(&table));
        game.push(&round([20, 2, 2, 1]));
        assert!(game.is_over(&table));
        assert_eq!(game.winner(&table), Some(3), "of equals the better seed");
        let mut faulty = round([0, 0, 25, 0]);
        faulty.faults = vec![FaultRecord {
            action: 1,
            player: 2,
            kind: FaultKind::Illegal,
            detail: "no card".to_owned(),
            errors: String::new(),
        }];
        game.push(&faulty);
        let ranking: Vec<Seed> = game.ranking(&table).iter().map(|one| one.0).collect();
        assert_eq!(ranking, [7, 5, 3]);
        assert_eq!(game.winner(&table), Some(7));
        for seat in [1, 3] {
            faulty.faults[0].player = seat;
            game.push(&faulty);
        }
        assert_eq!((game.is_over(&table), game.winner(&table)), (true, None));
    }

    #[test]
    fn a_tie_plays_on() {
        let table = Table::new(1, None, 1, 1, &[0, 1, 2, 3]);
        let mut game = Game::new(None);
        for _ in 0..24 {
            game.push(&round([12, 13, 0, 0]));
            game.push(&round([13, 12, 0, 0]));
        }
        assert_eq!(
            (game.standings()[0].points, game.is_over(&table)),
            (600, false)
        );
        game.push(&round([12, 13, 0, 0]));
        assert!(game.is_over(&table));
    }

    #[test]
    fn ids_lead_back_to_their_table() {
        let table = Table::new(1, None, 2, 13, &[0, 1]);
        assert_eq!(Table::place(&table.id(45)), Some((2, 13, 45)));
        for foreign in ["20-3", "1.2-1", "1.2.3.4-1", "table-1-1", ""] {
            assert_eq!(Table::place(foreign), None, "{foreign}");
        }
    }
}
