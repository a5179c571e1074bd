//! Markov chains over worlds.

use super::evidence::Evidence;
use super::opponent_types::{OpponentType, PerType, TYPES, TypeWeights};
use crate::{Cards, Hands, Impossible, MAX_PLAYERS, PolicySet, Round as _, View, random_card};
use engine::numerics;
use engine::rng::{Random, below, shuffle, unit};
use std::marker::PhantomData;

/// Chains that run side by side.
const CHAINS: usize = 128;
/// Worlds drawn without looking at the play, of which the chains' first are chosen.
const FIRST: usize = 2 * CHAINS;
/// Swaps tried between two worlds of a chain.
const SWAPS: usize = 6;

/// A deal that fits what was seen, with how well it explains what was done.
#[derive(Clone, Debug)]
struct State {
    hands: Hands,
    likelihoods: [PerType; MAX_PLAYERS],
    totals: [f64; MAX_PLAYERS],
}

/// A sampled world with a sampled type for each player.
pub struct Sample<P: PolicySet> {
    /// The round with all hands open.
    pub round: P::Round,
    /// A type for each player; the viewer's own means nothing.
    pub types: [OpponentType<P>; MAX_PLAYERS],
}

/// Draws worlds weighted by how well the opponent types explain the others' play. The likelihood of a player's hand
/// counts with the power that its play has earned, see [`TypeWeights::trust`], since no type is how anybody plays.
///
/// Each chain is a random walk over the deals that fit what was seen: it proposes to swap two hidden
/// cards of two players, and accepts the swap with the ratio of the likelihoods (Metropolis). The
/// proposal is symmetric, so that the walk's stationary distribution is the wanted one.
pub struct Mcmc<'v, P: PolicySet> {
    view: &'v View<P::Round>,
    beliefs: [TypeWeights; MAX_PLAYERS],
    /// By player, see [`TypeWeights::trust`].
    trust: [f64; MAX_PLAYERS],
    evidence: Evidence<P::Round>,
    may_hold: [Cards; MAX_PLAYERS],
    others: Vec<usize>,
    states: Vec<State>,
    next: usize,
    policy: PhantomData<P>,
}

impl<'v, P: PolicySet> Mcmc<'v, P> {
    /// Starts the chains.
    ///
    /// # Errors
    /// If no deal fits what was seen.
    pub fn new(
        view: &'v View<P::Round>,
        beliefs: &[TypeWeights; MAX_PLAYERS],
        rng: &mut Random,
    ) -> Result<Mcmc<'v, P>, Impossible> {
        let seen = view.seen();
        let players = view.round().players();
        let others: Vec<usize> = (0..players).filter(|&p| p != view.seat()).collect();
        let mut may_hold = [Cards::EMPTY; MAX_PLAYERS];
        for &player in &others {
            may_hold[player] = seen.may_hold(player);
        }
        let mut chains = Mcmc {
            view,
            beliefs: *beliefs,
            trust: beliefs.map(|belief| belief.trust()),
            evidence: Evidence::new(view, beliefs),
            may_hold,
            others,
            states: Vec::new(),
            next: 0,
            policy: PhantomData,
        };
        let deals = seen.deals()?;
        let first: Vec<State> = (0..FIRST)
            .map(|_| chains.weigh(seen.hands(&deals.sample(rng))))
            .collect();
        chains.states = resample(&first, rng);
        shuffle(rng, &mut chains.states);
        Ok(chains)
    }

    /// The next world.
    pub fn draw(&mut self, rng: &mut Random) -> Sample<P> {
        let chain = self.next;
        self.next = (chain + 1) % self.states.len();
        for _ in 0..SWAPS {
            self.swap(chain, rng);
        }
        let state = &self.states[chain];
        let types = std::array::from_fn(|player| {
            self.beliefs[player].draw(&state.likelihoods[player], rng)
        });
        Sample {
            round: self.view.round().with_hands(&state.hands),
            types,
        }
    }

    fn weigh(&self, hands: Hands) -> State {
        let mut state = State {
            hands,
            likelihoods: [[1.0; TYPES]; MAX_PLAYERS],
            totals: [1.0; MAX_PLAYERS],
        };
        for &player in &self.others {
            self.weigh_hand(&mut state, player);
        }
        state
    }

    fn weigh_hand(&self, state: &mut State, player: usize) {
        let likelihoods = self.evidence.likelihoods::<P>(player, state.hands[player]);
        let total = self.evidence.total(player, &likelihoods);
        state.totals[player] = numerics::pow(total, self.trust[player]);
        state.likelihoods[player] = likelihoods;
    }

    /// Proposes to swap a card of one player with a card of another.
    fn swap(&mut self, chain: usize, rng: &mut Random) {
        let one = self.others[below(rng, self.others.len())];
        let other = self.others[below(rng, self.others.len())];
        let state = &self.states[chain];
        let [Some(given), Some(taken)] = [one, other]
            .map(|player| self.view.seen().hidden(player, state.hands[player]))
            .map(|hidden| (!hidden.is_empty()).then(|| random_card(hidden, rng)))
        else {
            return;
        };
        if one == other
            || !self.may_hold[other].contains(given)
            || !self.may_hold[one].contains(taken)
        {
            return;
        }
        let mut next = state.clone();
        next.hands[one].remove(given);
        next.hands[one].insert(taken);
        next.hands[other].remove(taken);
        next.hands[other].insert(given);
        self.weigh_hand(&mut next, one);
        self.weigh_hand(&mut next, other);
        let before = state.totals[one] * state.totals[other];
        let after = next.totals[one] * next.totals[other];
        if after >= before || unit(rng) * before < after {
            self.states[chain] = next;
        }
    }
}

/// As many states as there are chains, drawn by weight (systematic resampling, Kitagawa 1996).
fn resample(states: &[State], rng: &mut Random) -> Vec<State> {
    let weight = |state: &State| state.totals.iter().product::<f64>();
    let sum: f64 = states.iter().map(weight).sum();
    if !(sum.is_finite() && sum > 0.0) {
        return states[..CHAINS].to_vec();
    }
    let step = sum / CHAINS as f64;
    let mut target = unit(rng) * step;
    let mut chosen = Vec::with_capacity(CHAINS);
    let mut reached = 0.0;
    for state in states {
        reached += weight(state);
        while reached > target && chosen.len() < CHAINS {
            chosen.push(state.clone());
            target += step;
        }
    }
    while chosen.len() < CHAINS {
        chosen.push(states[states.len() - 1].clone());
    }
    chosen
}
