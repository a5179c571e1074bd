//! Flat Monte Carlo over sampled worlds: every candidate is tried on the same worlds, and the rest
//! of the round is played out by a policy (Ginsberg 2001, "GIB", with playouts in the place of
//! exact solutions).

use super::{Card, Cards, Policy, PolicySet, Round, View, Worth};
use engine::budget::Budget;
use engine::racing::{Race, Rule};
use engine::rng::Random;
use engine::sync::lock;
use std::sync::Mutex;

/// Worlds between two looks at the clock.
const BATCH: usize = 8;

/// When a candidate is dropped. Values are points.
const RULE: Rule = Rule {
    confidence: 3.5,
    negligible: 0.01,
    at_least: 64,
};

/// How a candidate did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    pub card: Card,
    /// The mean value of the round after it.
    pub value: f64,
    /// The standard error of the value.
    pub error: f64,
    /// The number of worlds on which it was tried.
    pub worlds: u32,
    /// How much less it brought than the best one on the worlds on which both were tried, and the standard error of
    /// that.
    pub behind: (f64, f64),
}

/// The best of the legal cards for the viewer, who is to act, with what was found of all of them,
/// the best first. None if nothing is legal. Everybody plays by `noisy` in the playouts.
///
/// A playout counts as one node of the budget. Without worlds that fit, or with a single legal card,
/// the policy decides, and the list is empty.
pub fn choose<P: PolicySet>(
    view: &View<P::Round>,
    worth: &Worth,
    noisy: &impl Policy<P::Round>,
    budget: &Budget,
    rng: &mut Random,
) -> Option<(Card, Vec<Candidate>)> {
    let legal = view.round().legal();
    let first = legal.first()?;
    if legal.len() == 1 {
        return Some((first, vec![]));
    }
    let Ok(world) = view.worlds() else {
        return Some((noisy.choose(&view.counted(), legal, rng), vec![]));
    };
    Some(race(legal, budget, |cards, values| {
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

/// Tries cards on common worlds until one is best or the budget is spent. `try_all` is given the
/// cards still in the race, pushes a value for each, all on the same world, and says what each of them costs in nodes.
pub(super) fn race(
    legal: Cards,
    budget: &Budget,
    try_all: impl FnMut(&[Card], &mut Vec<f32>) -> f64,
) -> (Card, Vec<Candidate>) {
    let race = Shared::new(legal);
    race.take_part(budget, try_all);
    race.ranked()
}

/// A race in which several threads may take part.
pub(super) struct Shared {
    cards: Vec<Card>,
    race: Mutex<Race>,
}

impl Shared {
    /// A race between these cards.
    pub(super) fn new(legal: Cards) -> Shared {
        let cards: Vec<Card> = legal.into_iter().collect();
        let race = Mutex::new(Race::new(cards.len()));
        Shared { cards, race }
    }

    fn with<T>(&self, work: impl FnOnce(&mut Race) -> T) -> T {
        // A race whose other thread has panicked is as good as it was.
        work(&mut lock(&self.race))
    }

    /// Tries cards until one is best or the budget is spent, see [`race`].
    pub(super) fn take_part(
        &self,
        budget: &Budget,
        mut try_all: impl FnMut(&[Card], &mut Vec<f32>) -> f64,
    ) {
        let mut values = Vec::with_capacity(BATCH * self.cards.len());
        let mut owed = 0.0;
        loop {
            let racing = self.with(|race| race.racing());
            if racing.len() == 1 {
                return;
            }
            let tried: Vec<Card> = racing.iter().map(|&place| self.cards[place]).collect();
            values.clear();
            for _ in 0..BATCH {
                owed += try_all(&tried, &mut values) * racing.len() as f64;
                budget.spend(owed as u64);
                owed -= (owed as u64) as f64;
            }
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

    /// The best card, and what was found of all of them, the best first.
    pub(super) fn ranked(&self) -> (Card, Vec<Candidate>) {
        self.with(|race| ranked(race, &self.cards))
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
                behind: race.lead(best, candidate).unwrap_or_default(),
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

/// Plays a round by a policy to its end.
fn play_out<R: Round>(round: &mut R, policy: &impl Policy<R>, rng: &mut Random) {
    while round.to_act().is_some() {
        let legal = round.legal();
        let card = match legal.len() {
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

    /// Threads that race the same cards all stop when the race is decided, and what each has tried counts.
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
