//! `contest eights inference` and `contest hearts inference`.

use crate::records::Once;
use crate::tricks::record::{Record, ReplayError};
use crate::tricks::{Contest, network_of};
use arena::records::{Reader, RecordError};
use arena::stats::Mean;
use clap::Args as ClapArgs;
use engine::budget::{Budget, Limits};
use engine::numerics::ln;
use engine::rng::{Random, mix, stream};
use rayon::prelude::*;
use std::io::Write as _;
use std::path::PathBuf;
use tricks::belief::{PlayerBelief, Worlds};
use tricks::network::Network;
use tricks::{
    Agent, Aim, Cards, Hands, MAX_PLAYERS, Method, Player, PolicySet as _, Round, Search, View,
};

/// Says how well the search infers hidden cards from the play, on rounds that were recorded.
///
/// Every seat is a viewer in turn and learns about the others from round to round, as it does in a match. Before
/// each of its cards, worlds are drawn; a hidden card's *log-loss* is minus the logarithm of the share of the worlds that
/// have it with whoever holds it. That of worlds drawn without looking at the play stands beside it: what
/// inference is worth is the difference, less than none if it helps.
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// Records of `match --record`
    file: PathBuf,
    /// Worlds drawn before each card
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    worlds: u32,
    /// Rounds in a row that the viewers learn from before they start anew
    #[arg(long, default_value_t = 16, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sitting: u64,
    /// The network of players who think [default: the program's]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Seed of the worlds
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
}

/// Log-losses by how many cards the viewer still holds: with inference, and less those without it. Each round counts
/// once, so that errors are over rounds.
struct Losses {
    inferred: Vec<Mean>,
    gained: Vec<Mean>,
}

/// Phases of a round, by the viewer's cards.
const PHASES: [(usize, usize); 4] = [(10, 18), (7, 9), (4, 6), (2, 3)];

impl Args {
    pub(crate) fn run<C: Contest>(self, contest: &C) -> anyhow::Result<()> {
        let records: Result<Vec<Record>, RecordError> = Reader::open(&self.file)?.collect();
        let (mut records, mut once) = (records?, Once::default());
        records.retain(|record| once.is_new(&record.id, record.seed, &record.players));
        once.report(&self.file);
        let network = match &self.network {
            Some(path) => Some(network_of::<C>(path)?),
            None => None,
        };
        let inference = Inference {
            worlds: self.worlds,
            sitting: self.sitting,
            network,
            seed: self.seed,
        };
        let mut losses = Losses {
            inferred: vec![Mean::default(); PHASES.len() + 1],
            gained: vec![Mean::default(); PHASES.len() + 1],
        };
        for viewed in inference.of(contest, records)? {
            losses.push(&viewed.by_phase);
        }
        losses.print()
    }
}

/// How inference is looked at, see [`Args`].
pub(super) struct Inference {
    pub(super) worlds: u32,
    pub(super) sitting: u64,
    pub(super) network: Option<&'static Network>,
    pub(super) seed: u64,
}

/// What a viewer has inferred in a round.
pub(super) struct Viewed {
    /// Which round it was: the number of a sitting, and the place in it.
    pub(super) round: (usize, usize),
    /// Who played, by seat.
    pub(super) players: Vec<String>,
    by_phase: RoundLosses,
    /// By who holds the hidden cards.
    pub(super) by_holder: [Sums; MAX_PLAYERS],
}

/// Sums of log-losses with and without inference, and how many hidden cards they are over.
pub(super) type Sums = [f64; 3];

fn add(sums: &mut Sums, more: &Sums) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

impl Inference {
    /// What all viewers have inferred in these rounds.
    ///
    /// # Errors
    /// If one does not replay.
    pub(super) fn of<C: Contest>(
        &self,
        contest: &C,
        records: Vec<Record>,
    ) -> Result<Vec<Viewed>, ReplayError> {
        let sittings = sittings(records, self.sitting);
        let seats = sittings.iter().enumerate().flat_map(|(number, sitting)| {
            let players = sitting.first().map_or(0, |record| record.players.len());
            (0..players).map(move |seat| (number, seat, sitting))
        });
        let seats: Vec<_> = seats.collect();
        let search = Search {
            policy: C::Policy::PLAYOUT,
            method: Method::Inference,
            limits: Limits::default(),
            network: self.network,
            aim: Aim::Game,
            threads: 1,
        };
        let rounds: Result<Vec<_>, ReplayError> = seats
            .par_iter()
            .map(|&(number, seat, sitting)| {
                let seed = mix(self.seed ^ mix((number * MAX_PLAYERS + seat) as u64));
                let mut rng = stream(seed, 0);
                let sitting = (number, &sitting[..]);
                viewed(contest, sitting, seat, &search, self.worlds, &mut rng)
            })
            .collect();
        Ok(rounds?.into_iter().flatten().collect())
    }
}

/// The rounds in the order in which the same players sat, in pieces of so many.
fn sittings(records: Vec<Record>, length: u64) -> Vec<Vec<Record>> {
    let mut tables: Vec<Vec<Record>> = Vec::new();
    for record in records {
        let same = |table: &&mut Vec<Record>| table[0].players == record.players;
        match tables.iter_mut().find(same) {
            Some(table) => table.push(record),
            None => tables.push(vec![record]),
        }
    }
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let pieces = tables.iter().flat_map(|table| table.chunks(length));
    pieces.map(<[Record]>::to_vec).collect()
}

/// Log-losses of a round by phase.
type RoundLosses = [Sums; PHASES.len()];

fn viewed<C: Contest>(
    contest: &C,
    (number, sitting): (usize, &[Record]),
    seat: usize,
    search: &Search<C::Policy>,
    worlds: u32,
    rng: &mut Random,
) -> Result<Vec<Viewed>, ReplayError> {
    let mut player = Player::new(Agent::Search(*search));
    let mut rounds = Vec::new();
    for (place, record) in sitting.iter().enumerate() {
        let mut view = View::new(&record.start(contest)?, seat);
        let mut viewed = Viewed {
            round: (number, place),
            players: record.players.clone(),
            by_phase: RoundLosses::default(),
            by_holder: [Sums::default(); MAX_PLAYERS],
        };
        record.replay(contest, |_, round, card| {
            let cards = round.hand(seat).len();
            let phase = PHASES
                .iter()
                .position(|&(least, most)| (least..=most).contains(&cards));
            if let Some(phase) = phase.filter(|_| round.to_act() == Some(seat)) {
                let found = loss::<C>(&view, round, (search, player.beliefs()), worlds, rng);
                for (holder, sums) in viewed.by_holder.iter_mut().zip(&found) {
                    add(holder, sums);
                    add(&mut viewed.by_phase[phase], sums);
                }
            }
            view.act(card);
        })?;
        player.learn(&view);
        rounds.push(viewed);
    }
    Ok(rounds)
}

/// By holder, log-losses of all hidden cards with inference and without, and how many they are.
fn loss<C: Contest>(
    view: &View<C::Round>,
    round: &C::Round,
    (search, beliefs): (&Search<C::Policy>, &[PlayerBelief; MAX_PLAYERS]),
    worlds: u32,
    rng: &mut Random,
) -> [Sums; MAX_PLAYERS] {
    let budget = Budget::start(search.limits);
    // Weighing may take a part of what was spent: here as much as it wants.
    budget.spend(1 << 40);
    let inferred = Worlds::<C::Policy>::new(view, beliefs, search.network(), &budget, rng);
    let (Ok(plain), Ok(mut inferred)) = (view.worlds(), inferred) else {
        return [Sums::default(); MAX_PLAYERS];
    };
    let mut counts = [Counts::default(), Counts::default()];
    for _ in 0..worlds {
        counts[0].push(&inferred.draw(rng).round.hands());
        counts[1].push(&plain(rng).hands());
    }
    let mut found = [Sums::default(); MAX_PLAYERS];
    for holder in (0..round.players()).filter(|&holder| holder != view.seat()) {
        for card in view.seen().hidden(holder, round.hand(holder)) {
            let others = round.players() - 1;
            for (sum, counts) in found[holder].iter_mut().zip(&counts) {
                // A world more, in which everybody has a share of the card: nothing seen is impossible.
                let share = f64::from(counts.0[holder][card.index()]) + 1.0 / others as f64;
                *sum -= ln(share / f64::from(worlds + 1));
            }
            found[holder][2] += 1.0;
        }
    }
    found
}

/// In how many worlds each player holds each card, by [`tricks::Card::index`].
struct Counts([[u32; 64]; MAX_PLAYERS]);

impl Default for Counts {
    fn default() -> Counts {
        Counts([[0; 64]; MAX_PLAYERS])
    }
}

impl Counts {
    fn push(&mut self, hands: &Hands) {
        for (counts, &hand) in self.0.iter_mut().zip(hands) {
            let hand: Cards = hand;
            for card in hand {
                counts[card.index()] += 1;
            }
        }
    }
}

impl Losses {
    fn push(&mut self, round: &RoundLosses) {
        let all = round.iter().fold([0.0; 3], |all, phase| {
            std::array::from_fn(|i| all[i] + phase[i])
        });
        for (place, &[inferred, plain, cards]) in round.iter().chain([&all]).enumerate() {
            if cards > 0.0 {
                self.inferred[place].push(inferred / cards);
                self.gained[place].push((inferred - plain) / cards);
            }
        }
    }

    fn print(&self) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        writeln!(
            out,
            "{:<12} {:>8} {:>10} {:>10} {:>9}",
            "cards left", "rounds", "inferred", "less none", "± 95 %"
        )?;
        for (place, gained) in self.gained.iter().enumerate() {
            let name = match PHASES.get(place) {
                Some((least, most)) => format!("{least} to {most}"),
                None => "all".to_owned(),
            };
            let margin = gained.margin().unwrap_or(f64::NAN);
            let inferred = self.inferred[place].mean();
            writeln!(
                out,
                "{name:<12} {:>8} {inferred:>10.4} {:>+10.4} {margin:>9.4}",
                gained.count(),
                gained.mean()
            )?;
        }
        Ok(())
    }
}
