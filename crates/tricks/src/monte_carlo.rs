//! Flat Monte Carlo over sampled worlds: every candidate is tried on the same worlds, and the rest
//! of the round is played out by a policy (Ginsberg 2001, "GIB", with playouts in the place of
//! exact solutions).

use super::card::Card;
use super::cards::Cards;
use super::endgame::{MaxN, Paranoid};
use super::round::{Ending, Policy, Round};
use super::view::View;
use engine::budget::Budget;
use engine::racing::{Race, Rule};
use engine::rng::{Random, below};

/// Worlds between two looks at the clock.
const BATCH: u32 = 8;

/// When a candidate is given up. Values are points.
const RULE: Rule = Rule {
    confidence: 3.5,
    negligible: 0.01,
    at_least: 64,
};

/// How a candidate did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The card.
    pub card: Card,
    /// The mean value of the round after it.
    pub value: f64,
    /// The standard error of the value.
    pub error: f64,
    /// On how many worlds it was tried.
    pub worlds: u32,
}

/// How a round ends that is played out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// By the policy.
    Policy,
    /// The last cards are solved, with all others against the viewer.
    Paranoid,
    /// The last cards are solved, with everyone for itself.
    MaxN,
}

/// Cards in a hand when a playout is handed to a solver.
const SOLVED: usize = 5;

/// The best of the legal cards for the viewer, who is to act, with what was found of all of them,
/// the best first. None if nothing is legal.
///
/// A playout counts as one node of the budget. Without worlds that fit, or with a single legal card,
/// the policy decides, and the list is empty.
pub fn choose<V: View>(
    view: &V,
    policy: &impl Policy<V::Round>,
    finish: Finish,
    budget: &Budget,
    random: &mut Random,
) -> Option<(Card, Vec<Candidate>)> {
    let legal = view.round().legal();
    let first = legal.first()?;
    if legal.len() == 1 {
        return Some((first, vec![]));
    }
    let Ok(world) = view.worlds() else {
        return Some((policy.choose(&view.counted(), legal, random), vec![]));
    };
    let mut last = Last::new(finish, view.seat());
    Some(race(legal, budget, |cards, values| {
        let world = world(random);
        last.forget();
        for &card in cards {
            let mut world = world.clone();
            world.act(card);
            values.push(last.play(&mut world, policy, random));
        }
    }))
}

/// Tries cards on common worlds until one is best or the budget is spent. `try_all` is given the
/// cards still in the race and pushes a value for each, all on the same world.
pub(super) fn race(
    legal: Cards,
    budget: &Budget,
    mut try_all: impl FnMut(&[Card], &mut Vec<f32>),
) -> (Card, Vec<Candidate>) {
    let cards: Vec<Card> = legal.into_iter().collect();
    let mut race = Race::new(cards.len());
    let mut values = Vec::with_capacity(cards.len());
    loop {
        let racing = race.racing();
        let tried: Vec<Card> = racing.iter().map(|&place| cards[place]).collect();
        for _ in 0..BATCH {
            values.clear();
            try_all(&tried, &mut values);
            race.record(&racing, &values);
            budget.spend(racing.len() as u64);
        }
        race.drop_beaten(leader(&race), RULE);
        if race.racing().len() == 1 || budget.used(1.0) {
            return ranked(&race, &cards);
        }
    }
}

/// The end of playouts in one world.
struct Last {
    finish: Finish,
    seat: usize,
    paranoid: Paranoid,
    max_n: MaxN,
}

impl Last {
    fn new(finish: Finish, seat: usize) -> Last {
        Last {
            finish,
            seat,
            paranoid: Paranoid::new(seat),
            max_n: MaxN::new(),
        }
    }

    /// Positions of one world are of no use in another.
    fn forget(&mut self) {
        match self.finish {
            Finish::Policy => {}
            Finish::Paranoid => self.paranoid = Paranoid::new(self.seat),
            Finish::MaxN => self.max_n = MaxN::new(),
        }
    }

    /// Plays the round out; returns its value.
    fn play<R: Ending>(
        &mut self,
        round: &mut R,
        policy: &impl Policy<R>,
        random: &mut Random,
    ) -> f32 {
        if self.finish == Finish::Policy {
            play_out(round, policy, random, |_| false);
            return round.value(self.seat);
        }
        play_out(round, policy, random, |round| {
            round.hand(self.seat).len() <= SOLVED && round.table().is_empty()
        });
        match self.finish {
            Finish::MaxN => self.max_n.solve(round)[self.seat],
            _ => self.paranoid.solve(round),
        }
    }
}

/// The best card, and what was found of all of them, the best first.
fn ranked(race: &Race, cards: &[Card]) -> (Card, Vec<Candidate>) {
    let best = leader(race);
    let mut found: Vec<Candidate> = (0..cards.len())
        .filter_map(|candidate| {
            let (value, error) = race.mean(candidate)?;
            Some(Candidate {
                card: cards[candidate],
                value,
                error,
                worlds: race.samples(candidate),
            })
        })
        .collect();
    found.sort_by(|a, b| {
        let leads = |c: &Candidate| c.card == cards[best];
        leads(b).cmp(&leads(a)).then(b.value.total_cmp(&a.value))
    });
    (cards[best], found)
}

/// The best of those still racing, all of which were tried on the same worlds.
fn leader(race: &Race) -> usize {
    let mean = |candidate: usize| race.mean(candidate).map_or(f64::NEG_INFINITY, |m| m.0);
    // The first of equals: on the same worlds, so that ties do not depend on anything else.
    race.racing()
        .into_iter()
        .reduce(|best, other| {
            if mean(other) > mean(best) {
                other
            } else {
                best
            }
        })
        .unwrap_or(0)
}

/// Plays the round by a policy to its end, or as far as wanted.
fn play_out<R: Round>(
    round: &mut R,
    policy: &impl Policy<R>,
    random: &mut Random,
    enough: impl Fn(&R) -> bool,
) {
    while round.to_act().is_some() && !enough(round) {
        let legal = round.legal();
        let card = match legal.len() {
            0 => return,
            1 => legal.first(),
            _ => Some(policy.choose(round, legal, random)),
        };
        let Some(card) = card else { return };
        round.act(card);
    }
}

/// Any of the cards, all with the same chance.
///
/// # Panics
/// If there is none.
pub fn any(cards: Cards, random: &mut Random) -> Card {
    let place = below(random, cards.len());
    cards
        .into_iter()
        .nth(place)
        .unwrap_or_else(|| unreachable!())
}
