//! The search: every candidate is tried on the same worlds, drawn from what is believed, and the
//! round goes on through a tree of the viewer's later decisions.

use super::belief::{Chains, Hypotheses, Hypothesis, Repertoire};
use super::monte_carlo::{Candidate, race};
use super::tree::{Table, Tree};
use super::{Card, MAX_PLAYERS, Policy, Round as _, View};
use engine::budget::Budget;
use engine::rng::Random;

/// How often the viewer plays anything instead of its policy beyond the tree, so that worlds are not
/// all played out with the same blind spot.
const NOISE: f64 = 0.1;

/// The best of the legal cards for the viewer, who is to act, as
/// [`monte_carlo::choose`](super::monte_carlo::choose) finds it, but with the others playing as
/// believed. Without beliefs all worlds are equally likely, and everyone plays by the policy.
pub fn choose<V: View, P: Repertoire + Policy<V::Round>>(
    view: &V,
    policy: P,
    beliefs: Option<&[Hypotheses; MAX_PLAYERS]>,
    budget: &Budget,
    random: &mut Random,
) -> Option<(Card, Vec<Candidate>)> {
    let legal = view.round().legal();
    let first = legal.first()?;
    if legal.len() == 1 {
        return Some((first, vec![]));
    }
    let Ok(mut chains) = Chains::<V, P>::new(view, beliefs, random) else {
        return Some((policy.choose(&view.counted(), legal, random), vec![]));
    };
    let own = Hypothesis::new(policy, NOISE);
    let mut tree = Tree::default();
    Some(race(legal, budget, |cards, values| {
        let world = chains.draw(random);
        let cast = match beliefs {
            Some(_) => world.cast,
            None => [own; MAX_PLAYERS],
        };
        let table = Table {
            seat: view.seat(),
            own: &own,
            others: &cast,
        };
        for &card in cards {
            let mut round = world.round.clone();
            values.push(tree.play_out(&mut round, card, &table, random));
        }
    }))
}
