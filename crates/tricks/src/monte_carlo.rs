//! Flat Monte Carlo over sampled worlds: every candidate is tried on the same worlds, and the rest of each
//! round is played out by a policy (Ginsberg 2001, "GIB", with playouts in place of exact solutions).
//!
//! On a common world all candidates have the same luck. Their differences are therefore far less noisy than
//! their values, and a card that is clearly behind leaves the race early (`engine::racing`).
//!
//! The programs ([`crate::Player`]) search differently in two respects: worlds are drawn by the beliefs
//! about the others ([`crate::belief`]), and a tree chooses the player's later decisions. Their search
//! shares the race of this module. In a match `search,blind` is the search without beliefs, and
//! `search,flat`, the search of this module, is without the tree as well.

use super::{Card, Cards, Policy, PolicySet, Round, View, Worth};
use engine::budget::Budget;
use engine::racing::{Race, Rule};
use engine::rng::Random;
use engine::sync::lock;
use std::sync::Mutex;

/// Worlds between two looks at the clock.
const BATCH: usize = 8;

/// The rule for dropping a candidate. Both it and the leader must have been tried on at least 64 common worlds. It
/// is dropped if its mean lead over the leader, plus 3.5 standard errors of that lead, is below 0.01 points.
const RULE: Rule = Rule {
    confidence: 3.5,
    negligible: 0.01,
    at_least: 64,
};

/// The result for a card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    pub card: Card,
    /// The mean value of the round after it, in points.
    pub value: f64,
    /// The standard error of the value.
    pub error: f64,
    /// The number of worlds on which the card was tried.
    pub worlds: u32,
    /// The best card's value minus this card's, on the worlds on which both were tried: the mean, and its standard
    /// error.
    pub behind: (f64, f64),
}

/// The best of the legal cards of `among` for the viewer, who is to act, with the results of all cards, the best first.
/// None if there is no such card. Everybody plays by `noisy` in the playouts.
///
/// A playout counts as one node of the budget. If no world fits, or only one card is legal, there is no search,
/// and the list of results is empty.
pub fn choose<P: PolicySet>(
    view: &View<P::Round>,
    among: Cards,
    worth: &Worth,
    noisy: &impl Policy<P::Round>,
    budget: &Budget,
    rng: &mut Random,
) -> Option<(Card, Vec<Candidate>)> {
    let legal = view.round().legal() & among;
    let first = legal.first()?;
    if legal.len() == 1 {
        return Some((first, vec![]));
    }
    // The reports contradict each other: the policy decides by what can be counted.
    let Ok(world) = view.worlds() else {
        return Some((noisy.choose(&view.counted(), legal, rng), vec![]));
    };
    Some(race(legal, budget, |cards, values| {
        // One world for all cards still in the race.
        let world = world(rng);
        for &card in cards {
            let mut world = world.clone();
            world.act(card);
            play_out(&mut world, noisy, rng);
            values.push(worth.of::<P>(&world));
        }
        1.0
    }))
}

/// Tries cards on common worlds until one is best or the budget is spent. `try_all` gets the cards still in the
/// race, draws a world, pushes the value of each card on it, and returns the price of a card in nodes.
pub(super) fn race(
    legal: Cards,
    budget: &Budget,
    try_all: impl FnMut(&[Card], &mut Vec<f32>) -> f64,
) -> (Card, Vec<Candidate>) {
    let race = Shared::new(legal);
    race.take_part(budget, try_all);
    race.ranked()
}

/// A race in which several threads may take part. Each draws its own worlds.
pub(super) struct Shared {
    cards: Vec<Card>,
    race: Mutex<Race>,
}

impl Shared {
    /// A race between these cards, none of them tried.
    pub(super) fn new(legal: Cards) -> Shared {
        let cards: Vec<Card> = legal.into_iter().collect();
        let race = Mutex::new(Race::new(cards.len()));
        Shared { cards, race }
    }

    /// Calls `work` with the race, which is locked meanwhile.
    fn with<T>(&self, work: impl FnOnce(&mut Race) -> T) -> T {
        // Another thread's panic does not end the race: the results so far still count.
        work(&mut lock(&self.race))
    }

    /// Tries cards until one is best or the budget is spent, see [`race`].
    pub(super) fn take_part(
        &self,
        budget: &Budget,
        mut try_all: impl FnMut(&[Card], &mut Vec<f32>) -> f64,
    ) {
        // The values of a batch, world by world.
        let mut values = Vec::with_capacity(BATCH * self.cards.len());
        // Prices are fractions of a node and the budget counts whole ones: the rest is carried over.
        let mut owed = 0.0;
        loop {
            // Another thread may drop cards meanwhile. Values of a card that is out are recorded all the same,
            // so cards still in the race share all of their worlds.
            let racing = self.with(|race| race.racing());
            if racing.len() == 1 {
                return;
            }
            let tried: Vec<Card> = racing.iter().map(|&place| self.cards[place]).collect();
            values.clear();
            // A batch is all on the same set of cards, so its values form rows of that length.
            for _ in 0..BATCH {
                owed += try_all(&tried, &mut values) * racing.len() as f64;
                budget.spend(owed as u64);
                owed -= (owed as u64) as f64;
            }
            // The race is locked once a batch, not once a world.
            self.with(|race| {
                for values in values.chunks_exact(racing.len()) {
                    race.record(&racing, values);
                }
                race.drop_beaten(leader(race), RULE);
            });
            if budget.used(1.0) {
                return;
            }
        }
    }

    /// The best card, and the results of all cards, the best first.
    pub(super) fn ranked(&self) -> (Card, Vec<Candidate>) {
        self.with(|race| ranked(race, &self.cards))
    }
}

/// The best card, and the results of all cards, the best first.
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
                behind: race.lead(best, candidate).unwrap_or_default(),
            })
        })
        .collect();
    // The leader first. A card that was dropped may have a higher mean, but it was tried on fewer worlds.
    found.sort_by(|a, b| {
        let leads = |c: &Candidate| c.card == cards[best];
        leads(b).cmp(&leads(a)).then(b.value.total_cmp(&a.value))
    });
    (cards[best], found)
}

/// The card with the highest mean among those still racing, which were all tried on the same worlds.
fn leader(race: &Race) -> usize {
    let mean = |candidate: usize| race.mean(candidate).map_or(f64::NEG_INFINITY, |m| m.0);
    // The first of equals, so that ties are resolved the same way every time.
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

/// Plays a round to its end by a policy. It stops early if a hand has no legal card, as in an incomplete world.
fn play_out<R: Round>(round: &mut R, policy: &impl Policy<R>, rng: &mut Random) {
    while round.to_act().is_some() {
        let legal = round.legal();
        let card = match legal.len() {
            // An incomplete world may leave a hand with nothing to play.
            0 => return,
            1 => legal.first(),
            _ => Some(policy.choose(round, legal, rng)),
        };
        let Some(card) = card else { return };
        round.act(card);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::budget::Limits;
    use engine::rng::{stream, unit};

    /// Threads that race the same cards all stop once the race is decided, and every thread's worlds count.
    #[test]
    fn threads_race_the_same_cards() {
        let legal: Cards = Cards::ALL.into_iter().take(4).collect();
        let race = Shared::new(legal);
        std::thread::scope(|scope| {
            for number in 0..3 {
                let race = &race;
                scope.spawn(move || {
                    let mut rng = stream(number, 0);
                    let budget = Budget::start(Limits::default());
                    race.take_part(&budget, |cards, values| {
                        let luck = unit(&mut rng) as f32;
                        values.extend(cards.iter().map(|card| match card.index() {
                            2 => luck + 0.2 + 0.1 * unit(&mut rng) as f32,
                            _ => luck,
                        }));
                        1.0
                    });
                });
            }
        });
        let (best, found) = race.ranked();
        assert_eq!(best.index(), 2);
        assert_eq!(found.len(), 4);
        assert_eq!(found[0].card, best);
        assert!(found.iter().all(|candidate| candidate.worlds >= 64));
        let most = found.iter().map(|candidate| candidate.worlds).max();
        assert_eq!(most, Some(found[0].worlds));
    }
}
