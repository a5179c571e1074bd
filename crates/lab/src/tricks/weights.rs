//! Finds the weights of *shooter*, the policy that plays rounds of Hearts out ([`hearts::player::weights`]), by a descent
//! on decisions of searches, for `lab hearts weights`.
//!
//! The *loss* of a card is the value of the search's best card less its own. A policy that plays rounds out should lose
//! little by it: searches then follow from playouts what searches would do (Silver and Tesauro 2009 balance errors instead,
//! which needs values of whole rounds). The loss is a step function of the weights, so that there is no gradient: a random
//! change of one or two weights is kept if it lowers the mean loss. *Example.* Of three cards a search expects to end 2.0,
//! 1.5 and -4.0 points better than the others: weights that choose the second lose 0.5, those that choose the third 6.0.

use engine::budget::Limits;
use engine::rng::{Random, below, stream};
use hearts::player::Baseline;
use hearts::player::weights::{Weights, choose};
use hearts::rules::{Options, Round};
use rayon::prelude::*;
use tricks::{
    Agent, Aim, Card, Cards, Method, Player, Policy as _, PolicySet as _, Round as _, Search, View,
};

/// A decision of a search.
pub struct Valued {
    /// The round as its player knows it: the cards of the others are known together alone.
    pub round: Round,
    /// The cards to choose from. The value of a card is the lead in points that its player expects with it.
    pub values: Vec<(Card, f32)>,
}

impl Valued {
    fn legal(&self) -> Cards {
        self.values.iter().map(|&(card, _)| card).collect()
    }

    /// The loss of a card, in points.
    fn loss(&self, chosen: Card) -> f32 {
        let values = || self.values.iter();
        let best = values().map(|&(_, value)| value).fold(f32::MIN, f32::max);
        let own = values().find(|(card, _)| *card == chosen);
        own.map_or(0.0, |&(_, value)| best - value)
    }

    /// The weights that decide it, unless the moon does.
    fn group(&self) -> Group {
        match self.round.trick().led() {
            None => Group::Lead,
            Some(led) if (self.legal() & Cards::suit(led)).is_empty() => Group::Throw,
            Some(_) => Group::Follow,
        }
    }
}

/// Weights that are changed together. Those of the moon are asked at every decision.
#[derive(Clone, Copy, PartialEq)]
enum Group {
    Moon,
    Lead,
    Follow,
    Throw,
}

impl Group {
    const ALL: [Group; 4] = [Group::Moon, Group::Lead, Group::Follow, Group::Throw];

    fn of(self, weights: &mut Weights) -> &mut [i32] {
        match self {
            Group::Moon => &mut weights.moon,
            Group::Lead => &mut weights.lead,
            Group::Follow => &mut weights.follow,
            Group::Throw => &mut weights.throw,
        }
    }
}

/// The rounds that players learn about each other in.
const SITTING: usize = 4;

/// Decisions of searches with `nodes` rounds a card, by sitting: four players, each as likely a search as not, and at least
/// one of them a search.
pub fn decisions(sittings: u64, nodes: u64, seed: u64) -> Vec<Vec<Valued>> {
    let sitting = |number| sitting(nodes, &mut stream(seed, number));
    (0..sittings).into_par_iter().map(sitting).collect()
}

fn sitting(nodes: u64, rng: &mut Random) -> Vec<Valued> {
    let search = |nodes| {
        Agent::Search(Search {
            policy: Baseline::PLAYOUT,
            method: Method::Inference,
            limits: Limits {
                nodes: Some(nodes),
                ..Limits::default()
            },
            network: None,
            aim: Aim::Points,
            threads: 1,
        })
    };
    let mut players: Vec<(Player<Baseline>, bool)> = (0..4)
        .map(|seat| match if seat == 0 { 0 } else { below(rng, 6) } {
            0 | 1 => (search(nodes), true),
            2 => (search(100), false),
            3 => (Agent::Policy(Baseline::Careful), false),
            4 => (Agent::Policy(Baseline::Shooter), false),
            _ => (Agent::Policy(Baseline::Duck), false),
        })
        .map(|(agent, is_taught)| (Player::new(agent), is_taught))
        .collect();
    let mut valued = Vec::new();
    for _ in 0..SITTING {
        let mut round = hearts::deal::deal(4, Options::default(), rng);
        let mut views: Vec<View<Round>> = (0..4).map(|seat| View::new(&round, seat)).collect();
        while let Some(seat) = round.to_act() {
            let (player, is_taught) = &mut players[seat];
            let Some(decision) = player.decide(&views[seat], rng) else {
                break;
            };
            // A search may have left cards out that equal others.
            let is_whole = decision.candidates.len() == round.legal().len();
            if *is_taught && is_whole && decision.candidates.len() > 1 {
                let values = decision.candidates.iter();
                valued.push(Valued {
                    round: views[seat].counted(),
                    values: values.map(|one| (one.card, one.value as f32)).collect(),
                });
            }
            round.act(decision.card);
            views.iter_mut().for_each(|view| view.act(decision.card));
        }
        for ((player, _), view) in players.iter_mut().zip(&views) {
            player.learn(view);
        }
    }
    valued
}

/// The mean loss of a way to choose, in points; 0 without decisions.
fn mean_loss<'a>(
    decisions: impl ExactSizeIterator<Item = &'a Valued>,
    mut choose: impl FnMut(&Round, Cards) -> Card,
) -> f64 {
    let count = decisions.len().max(1) as f64;
    let loss = |one: &Valued| f64::from(one.loss(choose(&one.round, one.legal())));
    decisions.map(loss).sum::<f64>() / count
}

/// The mean loss of a policy.
pub fn loss_of(policy: Baseline, decisions: &[Valued]) -> f64 {
    let mut rng = stream(1, 0);
    mean_loss(decisions.iter(), |round, legal| {
        policy.choose(round, legal, &mut rng)
    })
}

/// The mean loss by these weights.
pub fn loss_by(weights: &Weights, decisions: &[Valued]) -> f64 {
    mean_loss(decisions.iter(), |round, legal| {
        choose(round, legal, weights)
    })
}

/// Weights with a lower loss: from `weights` on, tries that many changes of each group, twice over.
pub fn descend(
    mut weights: Weights,
    decisions: &[Valued],
    tries: u32,
    rng: &mut Random,
) -> Weights {
    for group in Group::ALL.repeat(2) {
        let counts = |one: &&Valued| group == Group::Moon || one.group() == group;
        let part: Vec<&Valued> = decisions.iter().filter(counts).collect();
        let loss = |weights: &Weights| {
            mean_loss(part.iter().copied(), |round, legal| {
                choose(round, legal, weights)
            })
        };
        let mut least = loss(&weights);
        for _ in 0..tries {
            let mut changed = weights;
            let numbers = group.of(&mut changed);
            for _ in 0..1 + below(rng, 2) {
                let size = [1, 2, 4, 10, 30][below(rng, 5)];
                let place = below(rng, numbers.len());
                numbers[place] += if below(rng, 2) == 0 { size } else { -size };
            }
            let found = loss(&changed);
            if found < least {
                (weights, least) = (changed, found);
            }
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A descent never ends with a higher loss on its own decisions, and it leaves bad weights.
    #[test]
    fn the_loss_falls() {
        let decisions: Vec<Valued> = decisions(2, 40, 3).into_iter().flatten().collect();
        assert!(decisions.len() > 40, "{}", decisions.len());
        let bad = Weights {
            throw: [0, 0, 0, 0, 0, -100, 0, 0],
            ..Weights::SHOOTER
        };
        let better = descend(bad, &decisions, 60, &mut stream(1, 1));
        let [before, after] = [bad, better].map(|one| loss_by(&one, &decisions));
        assert!(after < before, "{after} {before}");
        let good = loss_by(&Weights::SHOOTER, &decisions);
        assert!(good < loss_of(Baseline::Random, &decisions), "{good}");
        assert_eq!(good, loss_of(Baseline::Shooter, &decisions));
    }
}
