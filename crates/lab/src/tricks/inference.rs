//! The quality of inference about hidden cards, measured on recorded rounds, for `lab eights inference` and
//! `lab hearts inference`.
//!
//! A *viewer* is a seat whose knowledge is measured. Before each of its cards, worlds are drawn. The *log-loss* of a
//! hidden card is minus the logarithm of the share of the worlds in which its true holder has it. The difference to
//! the log-loss of worlds drawn without regard to the play shows how much inference gains.

use super::record::{Record, ReplayError};
use super::{Contest, deal_of};
use engine::budget::{Budget, Limits};
use engine::numerics::ln;
use engine::rng::{Random, mix, stream};
use rayon::prelude::*;
use tricks::belief::{PlayerBelief, Worlds};
use tricks::network::Network;
use tricks::{
    Agent, Aim, Cards, Hands, MAX_PLAYERS, Method, Player, PolicySet as _, Round, Search, View,
};

/// The phases of a round, by the fewest and the most cards that the viewer holds.
pub const PHASES: [(usize, usize); 4] = [(10, 18), (7, 9), (4, 6), (2, 3)];

/// The settings of the measurement.
pub struct Inference {
    /// Worlds drawn before each card.
    pub worlds: u32,
    /// Length of a sitting: the rounds in a row that viewers learn from before they start anew.
    pub sitting: u64,
    /// The network of thinking players, if it is not the program's.
    pub network: Option<&'static Network>,
    /// Seed of the worlds.
    pub seed: u64,
}

/// The losses of one viewer in one round.
pub struct Viewed {
    /// The number of the sitting, and the round's number in it, both from 0.
    pub round: (usize, usize),
    /// The deal, as [`deal_of`] writes it.
    pub deal: String,
    /// The players' labels, by seat.
    pub players: Vec<String>,
    /// By phase of the round.
    pub by_phase: RoundLosses,
    /// By the holder of the hidden cards.
    pub by_holder: [Sums; MAX_PLAYERS],
}

/// The sum of log-losses with inference, the sum without, and the number of hidden cards.
pub type Sums = [f64; 3];

fn add(sums: &mut Sums, more: &Sums) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

impl Inference {
    /// The losses of all viewers in these rounds.
    ///
    /// # Errors
    /// If a round does not replay.
    pub fn of<C: Contest>(
        &self,
        contest: &C,
        records: Vec<Record>,
    ) -> Result<Vec<Viewed>, ReplayError> {
        let sittings = sittings(records, self.sitting);
        // Every seat of a sitting is a separate viewer, which learns from round to round.
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

/// Divides rounds into sittings: those of the same players on the same seats, in order, cut into pieces of `length`.
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

/// The log-losses of a round, by phase.
pub type RoundLosses = [Sums; PHASES.len()];

/// The losses of one viewer in a sitting.
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
        let start = record.start(contest)?;
        let mut view = View::new(&start, seat);
        let mut viewed = Viewed {
            round: (number, place),
            deal: deal_of(&start),
            players: record.players.clone(),
            by_phase: RoundLosses::default(),
            by_holder: [Sums::default(); MAX_PLAYERS],
        };
        record.replay(contest, |_, round, card| {
            let cards = round.hand(seat).len();
            let phase = PHASES
                .iter()
                .position(|&(least, most)| (least..=most).contains(&cards));
            // Measured before each own card; the last card is forced and has no phase.
            if let Some(phase) = phase.filter(|_| round.to_act() == Some(seat)) {
                let found = loss::<C>(&view, round, (search, player.beliefs()), worlds, rng);
                for (holder, sums) in viewed.by_holder.iter_mut().zip(&found) {
                    add(holder, sums);
                    add(&mut viewed.by_phase[phase], sums);
                }
            }
            view.act(card);
        })?;
        // After the round all hands are known, and the viewer learns from them.
        player.learn(&view);
        rounds.push(viewed);
    }
    Ok(rounds)
}

/// By holder, the log-losses of all hidden cards with and without inference, and their number.
fn loss<C: Contest>(
    view: &View<C::Round>,
    round: &C::Round,
    (search, beliefs): (&Search<C::Policy>, &[PlayerBelief; MAX_PLAYERS]),
    worlds: u32,
    rng: &mut Random,
) -> [Sums; MAX_PLAYERS] {
    let budget = Budget::start(search.limits);
    // Weighing worlds may use a share of the budget that is spent already. With this much spent, it never
    // runs short.
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
                // One more world, in which every other player has an equal share of the card: no
                // loss is infinite.
                let share = f64::from(counts.0[holder][card.index()]) + 1.0 / others as f64;
                *sum -= ln(share / f64::from(worlds + 1));
            }
            found[holder][2] += 1.0;
        }
    }
    found
}

/// By player and card ([`tricks::Card::index`]), the number of worlds in which it holds the card.
struct Counts([[u32; 64]; MAX_PLAYERS]);

impl Default for Counts {
    fn default() -> Counts {
        Counts([[0; 64]; MAX_PLAYERS])
    }
}

impl Counts {
    /// Counts the hands of one world.
    fn push(&mut self, hands: &Hands) {
        for (counts, &hand) in self.0.iter_mut().zip(hands) {
            let hand: Cards = hand;
            for card in hand {
                counts[card.index()] += 1;
            }
        }
    }
}
