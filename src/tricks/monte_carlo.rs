//! Flat Monte Carlo over sampled worlds: every candidate is tried on the same worlds, and the rest
//! of the round is played out by a policy (Ginsberg 2001, "GIB", with playouts in the place of
//! exact solutions).

use super::card::Card;
use super::cards::Cards;
use super::round::{Policy, Round, View};
use crate::random::{Random, below};
use crate::search::budget::Budget;
use crate::search::race::{Race, Rule};

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

/// The best of the legal cards for the viewer, who is to act, with what was found of all of them,
/// the best first. None if nothing is legal.
///
/// A playout counts as one node of the budget. Without worlds that fit, or with a single legal card,
/// the policy decides, and the list is empty.
pub fn choose<V: View>(
    view: &V,
    policy: &impl Policy<V::Round>,
    budget: &Budget,
    random: &mut Random,
) -> Option<(Card, Vec<Candidate>)> {
    let legal = view.round().legal();
    let first = legal.first()?;
    if legal.len() == 1 {
        return Some((first, vec![]));
    }
    let Ok(world) = view.worlds() else {
        return Some((policy.choose(view.round(), legal, random), vec![]));
    };
    let cards: Vec<Card> = legal.into_iter().collect();
    let mut race = Race::new(cards.len());
    let mut values = Vec::with_capacity(cards.len());
    loop {
        let racing = race.racing();
        for _ in 0..BATCH {
            let world = world(random);
            values.clear();
            values.extend(racing.iter().map(|&candidate| {
                let mut world = world.clone();
                world.act(cards[candidate]);
                play_out(&mut world, policy, random);
                world.value(view.seat())
            }));
            race.record(&racing, &values);
            budget.spend(racing.len() as u64);
        }
        race.drop_beaten(leader(&race), RULE);
        if race.racing().len() == 1 || budget.used(1.0) {
            break;
        }
    }
    let best = leader(&race);
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
    Some((cards[best], found))
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

/// Plays the round to its end.
pub fn play_out<R: Round>(round: &mut R, policy: &impl Policy<R>, random: &mut Random) {
    while round.to_act().is_some() {
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
