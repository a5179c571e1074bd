//! Worlds weighted by how well they explain what the others did.

use super::evidence::Evidence;
use super::opponent_types::{OpponentType, PerType, TYPES, TypeWeights};
use crate::network::Network;
use crate::{Cards, Hands, Impossible, MAX_PLAYERS, PolicySet, Round as _, View, random_card};
use engine::budget::Budget;
use engine::numerics;
use engine::rng::{Random, below, shuffle, unit};
use std::marker::PhantomData;

/// Deals that are weighed at least, and at most.
const DEALS: [usize; 2] = [16, 512];
/// The part of a budget that weighing deals may take.
const PART: f64 = 0.25;
/// Deals between two looks at the clock.
const BATCH: usize = 8;
/// Cards of the others that are charged as a round played out. Weighing one costs about as much as a whole playout by a
/// policy, so that they are charged too little, and swaps are not charged at all.
const CHOICES_A_NODE: usize = 2;
/// With fewer deals that count (the *effective sample size*), worlds are moved by swaps as they are drawn.
const FEW: f64 = 48.0;
/// Swaps tried on a world before it is used, if they are few.
const SWAPS: usize = 4;

/// A deal that fits what was seen, with how well it explains what was done.
#[derive(Clone, Debug)]
struct State {
    hands: Hands,
    likelihoods: [PerType; MAX_PLAYERS],
    totals: [f64; MAX_PLAYERS],
}

impl State {
    fn weight(&self) -> f64 {
        self.totals.iter().product()
    }
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
/// Deals are drawn exactly and independently of each other among those that fit what was seen, weighed, and drawn again by
/// weight (*sampling importance resampling*, Rubin 1988; Gordon, Salmond and Smith 1993). Where only few of them carry
/// weight, each is moved before it is used: two hidden cards of two players are swapped and the swap accepted with the
/// ratio of the likelihoods (Metropolis et al. 1953), which leaves the wanted distribution as it is.
pub struct Worlds<'v, P: PolicySet> {
    view: &'v View<P::Round>,
    beliefs: [TypeWeights; MAX_PLAYERS],
    /// By player, see [`TypeWeights::trust`].
    trust: [f64; MAX_PLAYERS],
    evidence: Evidence<P::Round>,
    may_hold: [Cards; MAX_PLAYERS],
    others: Vec<usize>,
    states: Vec<State>,
    are_few: bool,
    next: usize,
    network: &'static Network,
    policy: PhantomData<P>,
}

impl<'v, P: PolicySet> Worlds<'v, P> {
    /// Weighs deals, until a quarter of the budget is charged for it; a few of them whatever the budget, which can be most
    /// of a small one.
    ///
    /// # Errors
    /// If no deal fits what was seen.
    pub fn new(
        view: &'v View<P::Round>,
        beliefs: &[TypeWeights; MAX_PLAYERS],
        network: &'static Network,
        budget: &Budget,
        rng: &mut Random,
    ) -> Result<Worlds<'v, P>, Impossible> {
        let seen = view.seen();
        let players = view.round().players();
        let others: Vec<usize> = (0..players).filter(|&p| p != view.seat()).collect();
        let mut may_hold = [Cards::EMPTY; MAX_PLAYERS];
        for &player in &others {
            may_hold[player] = seen.may_hold(player);
        }
        let mut worlds = Worlds {
            view,
            beliefs: *beliefs,
            trust: beliefs.map(|belief| belief.trust()),
            evidence: Evidence::new(view, beliefs, network),
            may_hold,
            others,
            states: Vec::new(),
            are_few: false,
            next: 0,
            network,
            policy: PhantomData,
        };
        let deals = seen.deals()?;
        let choices = worlds.evidence.choices();
        let mut weighed: Vec<State> = Vec::new();
        while weighed.len() < DEALS[1] && (weighed.len() < DEALS[0] || !budget.used(PART)) {
            for _ in 0..BATCH {
                weighed.push(worlds.weigh(seen.hands(&deals.sample(rng))));
            }
            budget.spend((BATCH * choices).div_ceil(CHOICES_A_NODE) as u64);
        }
        worlds.choose(&weighed, rng);
        Ok(worlds)
    }

    /// The next world.
    pub fn draw(&mut self, rng: &mut Random) -> Sample<P> {
        let place = self.next;
        self.next = (place + 1) % self.states.len();
        if self.are_few {
            for _ in 0..SWAPS {
                self.swap(place, rng);
            }
        }
        let state = &self.states[place];
        let types = std::array::from_fn(|player| {
            self.beliefs[player].draw(&state.likelihoods[player], self.network, rng)
        });
        Sample {
            round: self.view.round().with_hands(&state.hands),
            types,
        }
    }

    /// Draws as many deals as there are by weight (systematic resampling, Kitagawa 1996).
    fn choose(&mut self, weighed: &[State], rng: &mut Random) {
        let weights: Vec<f64> = weighed.iter().map(State::weight).collect();
        let sum: f64 = weights.iter().sum();
        let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
        if !(sum.is_normal() && sum > 0.0 && squares.is_normal()) {
            self.states = weighed.to_vec();
            return;
        }
        self.are_few = sum * sum / squares < FEW;
        let step = sum / weighed.len() as f64;
        let mut target = unit(rng) * step;
        let mut reached = 0.0;
        for (state, weight) in weighed.iter().zip(weights) {
            reached += weight;
            while reached > target && self.states.len() < weighed.len() {
                self.states.push(state.clone());
                target += step;
            }
        }
        // Rounding may leave the last one out.
        while self.states.len() < weighed.len() {
            self.states.extend(weighed.last().cloned());
        }
        shuffle(rng, &mut self.states);
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
    fn swap(&mut self, place: usize, rng: &mut Random) {
        let one = self.others[below(rng, self.others.len())];
        let other = self.others[below(rng, self.others.len())];
        let state = &self.states[place];
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
            self.states[place] = next;
        }
    }
}
