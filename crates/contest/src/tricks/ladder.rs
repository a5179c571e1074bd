//! A ladder: everybody against everybody, two participants at a table, every deal in all arrangements of their seats.
//!
//! The records are all that a ladder keeps: it continues from them, and its standings are read from them.

use super::matches::{Before, Match, Moons, Scored, id, place};
use super::record::{Record, ReplayError};
use super::{Participant, WholeGame};
use crate::interrupt::has_been_requested;
use arena::games_won::{GOALS, Points, Share, games_won};
use arena::runner;
use arena::stats::{Mean, Times};
use lab::tricks::training::{Choice, accuracy};
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::ops::ControlFlow;
use std::time::Duration;
use tricks::{PolicySet as _, Round as _};

/// The plan of a ladder.
#[derive(Debug)]
pub(crate) struct Ladder<'a, C: WholeGame> {
    pub(crate) contest: &'a C,
    pub(crate) participants: &'a [Participant<C::Policy>],
    /// By arrangement and seat: whether the first participant of a pair sits there.
    pub(crate) arrangements: Vec<Vec<bool>>,
    /// Deals of each pair.
    pub(crate) deals: u64,
    pub(crate) sitting: u64,
    pub(crate) seed: u64,
    pub(crate) time: Duration,
    pub(crate) jobs: usize,
}

/// A round of a ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    /// The index of the pair in [`Ladder::pairs`].
    pair: usize,
    /// The deal, from 0.
    pub(crate) deal: u64,
    arrangement: usize,
}

impl<C: WholeGame> Ladder<'_, C> {
    /// All pairs of participants by their indices, the smaller one first.
    pub(crate) fn pairs(&self) -> Vec<[usize; 2]> {
        let all = 0..self.participants.len();
        let of = |first: usize| (first + 1..self.participants.len()).map(move |it| [first, it]);
        all.flat_map(of).collect()
    }

    /// The number of rounds of all pairs.
    pub(crate) fn rounds(&self) -> u64 {
        (self.pairs().len() * self.arrangements.len()) as u64 * self.deals
    }

    /// The round of this ladder that a record describes; none if it describes none.
    pub(crate) fn place(&self, record: &Record) -> Option<Place> {
        // Participants are identified by label: a record has nothing else.
        let number = |label: &String| {
            let mut labels = self.participants.iter().map(|one| &one.label);
            labels.position(|known| known == label)
        };
        let seats: Option<Vec<usize>> = record.players.iter().map(number).collect();
        let seats = seats.filter(|_| record.seed == self.seed)?;
        let pair = [*seats.iter().min()?, *seats.iter().max()?];
        let firsts: Vec<bool> = seats.iter().map(|&seat| seat == pair[0]).collect();
        let (deal, _) = place(&record.id)?;
        let place = Place {
            pair: self.pairs().iter().position(|known| *known == pair)?,
            deal: (deal < self.deals).then_some(deal)?,
            arrangement: self.arrangements.iter().position(|it| *it == firsts)?,
        };
        // More than two different players cannot be a round of a ladder.
        let is_of_two = seats.iter().all(|seat| pair.contains(seat));
        is_of_two.then_some(place)
    }

    /// Plays the rounds that are not in `done`: the first sitting of all pairs, then the next. `sink` gets
    /// the records in a fixed order and may break off; `finished` gets the number of further finished rounds.
    ///
    /// # Errors
    /// If the operating system fails to start a program or to speak with it.
    pub(crate) fn play(
        &self,
        done: &HashSet<Place>,
        finished: impl Fn(u64) + Sync,
        mut sink: impl FnMut(Vec<Record>) -> ControlFlow<()> + Send,
    ) -> io::Result<()> {
        let plans: Vec<Match<C>> = self
            .pairs()
            .into_iter()
            .map(|pair| self.plan(pair))
            .collect();
        // A deal is done if all its arrangements are.
        let is_done = |pair: usize, deal: u64| {
            let places = (0..self.arrangements.len()).map(|arrangement| Place {
                pair,
                deal,
                arrangement,
            });
            places.into_iter().all(|place| done.contains(&place))
        };
        let sittings = 0..self.deals.div_ceil(self.sitting);
        // Sittings outside, pairs inside: an interrupted ladder has about as many rounds of every pair.
        let units = sittings.flat_map(|sitting| (0..plans.len()).map(move |pair| (pair, sitting)));
        // A sitting is played again as a whole if anything of it is missing: players learn in it.
        let units = units.filter(|&(pair, sitting)| {
            let first = sitting * self.sitting;
            let last = (first + self.sitting).min(self.deals);
            !(first..last).all(|deal| is_done(pair, deal))
        });
        let rounds = self.arrangements.len() as u64;
        runner::run_in_order(
            units,
            self.jobs,
            |&(pair, sitting)| {
                let first = sitting * self.sitting;
                let deals = first..(first + self.sitting).min(self.deals);
                let of_sitting = |place: &&Place| place.pair == pair && deals.contains(&place.deal);
                let there = done.iter().filter(of_sitting);
                // Results are read from the file, so that here it matters only which rounds it has.
                let before: Before = there
                    .map(|place| (id(place.deal, place.arrangement), Scored::default()))
                    .collect();
                plans[pair].sit(sitting, &before, &|| finished(rounds))
            },
            |_, outcome| sink(outcome.records),
        )
    }

    /// The match of a pair.
    fn plan(&self, [first, second]: [usize; 2]) -> Match<'_, C> {
        let seat = |&is_first: &bool| if is_first { first } else { second };
        let seating = |firsts: &Vec<bool>| firsts.iter().map(seat).collect();
        Match {
            contest: self.contest,
            participants: self.participants,
            seatings: self.arrangements.iter().map(seating).collect(),
            deals: self.deals,
            sitting: self.sitting,
            seed: self.seed,
            time: self.time,
            jobs: self.jobs,
            record: true,
            stops: has_been_requested,
        }
    }
}

/// The results of a participant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    /// The lead in points a seat and round over its opponents, over the deals that all of its pairs have
    /// played.
    pub(crate) lead: Mean,
    /// By goal, the share of games that it wins with half of the seats, as the mean over its opponents.
    pub(crate) games: [Option<Share>; GOALS.len()],
    /// Points of a seat's round.
    pub(crate) points: Mean,
    pub(crate) moons: Moons,
    /// Times of choices among several cards.
    pub(crate) times: Times,
    pub(crate) faults: u64,
    /// The number of choices in which the network's likeliest card was its own.
    agreed: f64,
    pub(crate) choices: usize,
    /// Log-loss of its hidden cards minus that of even guessing, over rounds.
    pub(crate) inferred: Mean,
}

impl Standing {
    /// The share of its choices in which the network's likeliest card was its own.
    pub(crate) fn agreement(&self) -> f64 {
        self.agreed / self.choices.max(1) as f64
    }
}

/// The results of a pair.
#[derive(Clone, Debug, Default)]
pub(crate) struct Duel {
    /// The first's lead in points a seat and round, over deals.
    pub(crate) lead: Mean,
    /// By goal, the share of games that the first wins with half of the seats; none with an odd number of seats, and
    /// without a whole deal.
    pub(crate) games: [Option<Share>; GOALS.len()],
    /// Moons of the first, and of the second.
    pub(crate) moons: [Moons; 2],
}

/// The results of a pair on a deal: by side, the points and the seats they were made on; and the points of each round,
/// those of the first's seats before the others.
#[derive(Clone, Debug, Default)]
struct Dealt {
    points: [f64; 2],
    seats: [f64; 2],
    rounds: Vec<Points>,
}

/// The standings of a ladder.
#[derive(Debug)]
pub(crate) struct Standings<'a, C: WholeGame> {
    ladder: &'a Ladder<'a, C>,
    pairs: Vec<[usize; 2]>,
    met: HashSet<Place>,
    deals: BTreeMap<(usize, u64), Dealt>,
    choices: Vec<Vec<Choice<C::Round>>>,
    pub(crate) rows: Vec<Standing>,
    /// By pair, as [`Ladder::pairs`] has them.
    pub(crate) duels: Vec<Duel>,
}

/// Choices of a participant that are collected before the network predicts them together.
const CHOICES: usize = 1 << 14;

impl<'a, C: WholeGame> Standings<'a, C> {
    pub(crate) fn new(ladder: &'a Ladder<'a, C>) -> Standings<'a, C> {
        let (participants, pairs) = (ladder.participants.len(), ladder.pairs());
        Standings {
            ladder,
            met: HashSet::new(),
            deals: BTreeMap::new(),
            choices: vec![Vec::new(); participants],
            rows: vec![Standing::default(); participants],
            duels: vec![Duel::default(); pairs.len()],
            pairs,
        }
    }

    /// Adds a round, if it belongs to this ladder and was not added before.
    ///
    /// # Errors
    /// If it does not replay.
    pub(crate) fn push(&mut self, record: &Record) -> Result<(), ReplayError> {
        let place = self.ladder.place(record);
        let Some(place) = place.filter(|place| !self.met.contains(place)) else {
            return Ok(());
        };
        // The first of the pair has the seats that are true in the arrangement.
        let firsts = &self.ladder.arrangements[place.arrangement];
        let side = |seat: usize| usize::from(!firsts[seat]);
        let pair = self.pairs[place.pair];
        let (rows, choices) = (&mut self.rows, &mut self.choices);
        record.replay(self.ladder.contest, |number, round, card| {
            // A forced card is no choice: it shows nothing about the player.
            let Some(seat) = round.to_act().filter(|_| round.legal().len() > 1) else {
                return;
            };
            // A random card that replaced one after a fault has no time, and is nobody's choice.
            if let Some(Some(ms)) = record.ms.get(number) {
                let participant = pair[side(seat)];
                rows[participant].times.push((ms * 1e6) as u64);
                let round = round.clone();
                choices[participant].push(Choice { round, card });
            }
        })?;
        self.met.insert(place);
        let shooter = C::MOON.and_then(|moon| moon(&record.points));
        let deal = self.deals.entry((place.pair, place.deal)).or_default();
        let of_side = |is_first| {
            let seats = record.points.iter().zip(firsts);
            seats.filter_map(move |(&points, &first)| {
                (first == is_first).then_some(u16::from(points))
            })
        };
        deal.rounds
            .push(of_side(true).chain(of_side(false)).collect());
        for (seat, &points) in record.points.iter().enumerate() {
            let side = side(seat);
            deal.points[side] += f64::from(points);
            deal.seats[side] += 1.0;
            let row = &mut self.rows[pair[side]];
            row.points.push(f64::from(points));
            row.moons.push(seat, shooter);
            self.duels[place.pair].moons[side].push(seat, shooter);
        }
        for fault in &record.faults {
            self.rows[pair[side(fault.player)]].faults += 1;
        }
        // A full batch is evaluated, so memory stays bounded.
        if self.choices.iter().any(|choices| choices.len() >= CHOICES) {
            self.foretell();
        }
        Ok(())
    }

    /// Measures how well the game's own network predicts the collected choices.
    fn foretell(&mut self) {
        let network = C::Policy::network();
        for (row, choices) in self.rows.iter_mut().zip(&mut self.choices) {
            let found = accuracy::<C::Policy>(network, choices, false);
            row.agreed += found.agreement * found.choices as f64;
            row.choices += found.choices;
            choices.clear();
        }
    }

    /// Computes the leads, when all rounds are there. Only deals with all their arrangements count.
    pub(crate) fn finish(&mut self) {
        self.foretell();
        let all = self.ladder.arrangements.len();
        self.deals.retain(|_, deal| deal.rounds.len() == all);
        let mut leads: BTreeMap<(u64, usize), Mean> = BTreeMap::new();
        for (&(pair, deal), dealt) in &self.deals {
            // Points a seat, as the two may have different numbers of seats in an arrangement.
            let [one, other] = [0, 1].map(|side| dealt.points[side] / dealt.seats[side]);
            let lead = if C::LOW_IS_GOOD {
                other - one
            } else {
                one - other
            };
            self.duels[pair].lead.push(lead);
            for (participant, lead) in self.pairs[pair].into_iter().zip([lead, -lead]) {
                leads.entry((deal, participant)).or_default().push(lead);
            }
        }
        self.count_games();
        // A deal counts for a participant only if it was played against every opponent; otherwise its mean
        // would depend on which ones.
        let opponents = self.rows.len() as u64 - 1;
        for ((_, participant), lead) in leads {
            if lead.count() == opponents {
                self.rows[participant].lead.push(lead.mean());
            }
        }
    }

    /// Puts whole games together from the rounds of each pair.
    fn count_games(&mut self) {
        let seats = self.ladder.arrangements.first().map_or(0, Vec::len);
        if !seats.is_multiple_of(2) {
            return;
        }
        let sides: Vec<usize> = (0..seats).map(|place| 2 * place / seats).collect();
        let mut rounds = vec![Vec::new(); self.pairs.len()];
        for (&(pair, _), dealt) in &self.deals {
            rounds[pair].push(dealt.rounds.clone());
        }
        for (duel, rounds) in self.duels.iter_mut().zip(rounds) {
            duel.games = GOALS.map(|goal| {
                let won = games_won(&rounds, &sides, goal, C::LOW_IS_GOOD);
                won.first().copied()
            });
        }
        for (participant, row) in self.rows.iter_mut().enumerate() {
            let of = |goal: usize| {
                let pairs = self.pairs.iter().zip(&self.duels);
                let own = pairs.filter(|(pair, _)| pair.contains(&participant));
                let shares: Option<Vec<Share>> = own
                    .map(|(pair, duel)| {
                        let first = duel.games[goal]?;
                        Some(match pair[0] == participant {
                            true => first,
                            false => Share {
                                share: 1.0 - first.share,
                                ..first
                            },
                        })
                    })
                    .collect();
                mean(&shares?)
            };
            row.games = std::array::from_fn(of);
        }
    }

    /// The participants, the best first.
    pub(crate) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        let lead = |&place: &usize| self.rows[place].lead.mean();
        order.sort_by(|one, other| lead(other).total_cmp(&lead(one)));
        order
    }

    /// The results of one participant against another: its lead with the standard error, and its moons. None
    /// if they have not met.
    pub(crate) fn between(&self, one: usize, other: usize) -> Option<(f64, Option<f64>, Moons)> {
        let pair = [one.min(other), one.max(other)];
        let duel = &self.duels[self.pairs.iter().position(|known| *known == pair)?];
        let sign = if one < other { 1.0 } else { -1.0 };
        let moons = duel.moons[usize::from(one > other)];
        let lead = sign * duel.lead.mean();
        (duel.lead.count() > 0).then(|| (lead, duel.lead.standard_error(), moons))
    }
}

/// The mean of shares with its error; none of none. The pairs play the same deals, but their shares are taken as
/// independent of each other.
fn mean(shares: &[Share]) -> Option<Share> {
    let number = shares.len() as f64;
    let sum: f64 = shares.iter().map(|one| one.share).sum();
    // The variance of a sum is the sum of the variances.
    let squares: Option<f64> = shares.iter().map(|one| Some(one.error?.powi(2))).sum();
    (!shares.is_empty()).then(|| Share {
        share: sum / number,
        error: squares.map(|squares| squares.sqrt() / number),
    })
}
