//! The search: every candidate is tried on the same worlds, sampled by what is believed, and each
//! world is played out through a tree of the viewer's later decisions.

use super::belief::{Mcmc, OpponentType, TypeWeights};
use super::monte_carlo::{Candidate, race};
use super::tree::{Players, Tree};
use super::{Card, Cards, MAX_PLAYERS, PolicySet, Round as _, View};
use engine::budget::Budget;
use engine::rng::Random;

/// How often the viewer plays a random card instead of its policy's beyond the tree, so that worlds
/// are not all played out with the same mistakes.
const NOISE: f64 = 0.1;

/// The best of the legal cards for the viewer, who is to act, as
/// [`monte_carlo::choose`](super::monte_carlo::choose) finds it, but with the others playing as
/// believed. Without beliefs all worlds are equally likely, and everyone plays by the policy. Only cards of
/// `among` are tried.
pub fn choose<P: PolicySet>(
    view: &View<P::Round>,
    among: Cards,
    policy: P,
    beliefs: Option<&[TypeWeights; MAX_PLAYERS]>,
    budget: &Budget,
    rng: &mut Random,
) -> Option<(Card, Vec<Candidate>)> {
    let legal = view.round().legal() & among;
    let first = legal.first()?;
    if legal.len() == 1 {
        return Some((first, vec![]));
    }
    let Ok(mut worlds) = Mcmc::<P>::new(view, beliefs, rng) else {
        return Some((policy.choose(&view.counted(), legal, rng), vec![]));
    };
    let own = OpponentType::new(policy, NOISE);
    let mut tree = Tree::default();
    Some(race(legal, budget, |cards, values| {
        let sample = worlds.draw(rng);
        let players = Players {
            seat: view.seat(),
            own,
            others: match beliefs {
                Some(_) => sample.types,
                None => [own; MAX_PLAYERS],
            },
        };
        for &card in cards {
            let mut round = sample.round.clone();
            values.push(tree.play_out(&mut round, card, &players, rng));
        }
    }))
}
