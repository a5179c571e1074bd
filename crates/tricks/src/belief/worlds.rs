//! Worlds weighted by how well they explain what the others did.

use super::evidence::Evidence;
use super::opponent_types::OpponentType;
use super::player_belief::PlayerBelief;
use crate::network::Network;
use crate::{
    Cards, Deals, Hands, Impossible, MAX_PLAYERS, PolicySet, Round as _, View, random_card,
};
use engine::budget::Budget;
use engine::numerics;
use engine::rng::{Random, below, shuffle, unit};
use std::collections::HashMap;
use std::marker::PhantomData;

/// Deals of a pool: so many are weighed before any is used, if the budget is large enough.
const POOL: usize = 512;
/// Deals of a pool at least: of fewer, hardly any counts.
const LEAST: usize = 128;
/// The part of a budget that weighing may take.
const PART: f64 = 0.25;
/// Deals between two looks at the budget.
const BATCH: usize = 8;
/// With fewer deals that count (the *effective sample size*), worlds are moved by swaps as they are drawn.
const FEW: f64 = 48.0;
/// Swaps tried on a world before it is used, if they are few.
const SWAPS: usize = 4;
/// Hands whose weights are remembered at most, so that memory stays bounded.
const KNOWN: usize = 2048;

/// A deal that fits what was seen, with how well it explains what was done.
#[derive(Clone, Debug)]
struct State {
    hands: Hands,
    found: [Found; MAX_PLAYERS],
}

/// What a player's play says if it has a certain hand.
#[derive(Clone, Copy, Debug)]
struct Found {
    /// How well the hand explains the play.
    weight: f64,
    /// The number of the type that plays for it.
    number: u8,
}

impl State {
    fn weight(&self) -> f64 {
        self.found.iter().map(|found| found.weight).product()
    }
}

/// A sampled world with a type for each player.
pub struct Sample<'v, P: PolicySet> {
    /// The round with all hands open.
    pub round: P::Round,
    /// A type by which each player may play, see [`Thinkers`](crate::Thinkers); the viewer's own means nothing.
    pub types: [OpponentType<'v, P>; MAX_PLAYERS],
}

/// Draws worlds weighted by how well the opponent types explain the others' play. The likelihood of a player's hand
/// counts with the power that its play has earned, see [`PlayerBelief::trust`], since no type is how anybody plays.
///
/// Deals are drawn exactly and independently of each other among those that fit what was seen. A pool of them is weighed, and
/// as many are drawn from it by weight (*sampling importance resampling*, Rubin 1988; Gordon, Salmond and Smith 1993). When
/// all of them have been used, another pool is weighed as long as the budget's part for it lasts: worlds that are used again and
/// again make a search sure of what is true of them alone. Where only few deals of a pool carry
/// weight, each is moved before it is used: two hidden cards of two players are swapped and the swap accepted with the
/// ratio of the likelihoods (Metropolis et al. 1953), which leaves the wanted distribution as it is.
///
/// All of it is charged to the budget as what it takes, see [`PolicySet::COSTS`].
pub struct Worlds<'v, P: PolicySet> {
    view: &'v View<P::Round>,
    budget: &'v Budget,
    beliefs: &'v [PlayerBelief; MAX_PLAYERS],
    /// By player, see [`PlayerBelief::trust`].
    trust: [f64; MAX_PLAYERS],
    evidence: Evidence<'v, P::Round>,
    may_hold: [Cards; MAX_PLAYERS],
    others: Vec<usize>,
    deals: Deals,
    /// Hands that were weighed, by player: late in a round the same ones come again and again.
    known: HashMap<(usize, Cards), Found>,
    states: Vec<State>,
    are_few: bool,
    next: usize,
    /// Nodes that weighing a hand costs, over all players on average.
    price: f64,
    /// Nodes that weighing has cost, and how many of them are booked.
    cost: f64,
    booked: u64,
    network: &'v Network,
    policy: PhantomData<P>,
}

impl<'v, P: PolicySet> Worlds<'v, P> {
    /// Weighs a first pool of deals, until a part of the budget is charged for it; a few of them whatever the budget. Whether that
    /// is worth it [`Worlds::are_worth_it`] says.
    ///
    /// # Errors
    /// If no deal fits what was seen.
    pub fn new(
        view: &'v View<P::Round>,
        beliefs: &'v [PlayerBelief; MAX_PLAYERS],
        network: &'v Network,
        budget: &'v Budget,
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
            budget,
            beliefs,
            trust: beliefs.each_ref().map(PlayerBelief::trust),
            evidence: Evidence::new(view, beliefs, network),
            may_hold,
            deals: seen.deals()?,
            // Room at once, here and below: what grows is there twice for a while, and leaves holes behind.
            known: HashMap::with_capacity(KNOWN),
            states: Vec::with_capacity(POOL),
            are_few: false,
            next: 0,
            price: price_of_a_deal::<P>(view) / others.len() as f64,
            cost: 0.0,
            booked: 0,
            others,
            network,
            policy: PhantomData,
        };
        worlds.weigh_pool(rng);
        Ok(worlds)
    }

    /// Whether the budget is large enough for a pool of deals that is worth its name. In a smaller one, many worlds of which all are
    /// equally likely are better than a handful of likely ones.
    pub fn are_worth_it(view: &View<P::Round>, nodes: f64) -> bool {
        nodes >= P::WEIGHING_FROM && LEAST as f64 * price_of_a_deal::<P>(view) <= PART * nodes
    }

    pub fn draw(&mut self, rng: &mut Random) -> Sample<'v, P> {
        if self.next == self.states.len() {
            self.next = 0;
            if self.may_weigh() {
                self.weigh_pool(rng);
            }
        }
        let place = self.next;
        self.next += 1;
        if self.are_few && self.may_weigh() {
            for _ in 0..SWAPS {
                self.swap(place, rng);
            }
            self.book();
        }
        let state = &self.states[place];
        let type_of = |player: usize| {
            let number = usize::from(state.found[player].number);
            OpponentType::number(number, &self.beliefs[player].habit, self.network)
        };
        Sample {
            round: self.view.round().with_hands(&state.hands),
            types: std::array::from_fn(type_of),
        }
    }

    /// Whether less of what was spent so far went into weighing than may.
    fn may_weigh(&self) -> bool {
        self.cost <= PART * self.budget.spent() as f64
    }

    /// Books what weighing has cost since the last time.
    fn book(&mut self) {
        let nodes = (self.cost as u64).saturating_sub(self.booked);
        self.booked += nodes;
        self.budget.spend(nodes);
    }

    /// Weighs deals and chooses among them.
    fn weigh_pool(&mut self, rng: &mut Random) {
        let is_first = self.states.is_empty();
        let mut weighed: Vec<State> = Vec::with_capacity(POOL);
        loop {
            for _ in 0..BATCH {
                let hands = self.view.seen().hands(&self.deals.sample(rng));
                weighed.push(self.weigh(hands, rng));
            }
            self.book();
            let is_enough = weighed.len() >= LEAST;
            let is_spent = match is_first {
                // On a slow machine a pool may be smaller, so that time is left to play it out.
                true => self.budget.used(if is_enough { PART } else { 2.0 * PART }),
                false => is_enough && !self.may_weigh(),
            };
            if is_spent || weighed.len() >= POOL {
                break;
            }
        }
        self.choose(&weighed, rng);
    }

    /// Draws as many deals as there are by weight (systematic resampling, Kitagawa 1996).
    fn choose(&mut self, weighed: &[State], rng: &mut Random) {
        self.states.clear();
        let weights: Vec<f64> = weighed.iter().map(State::weight).collect();
        let sum: f64 = weights.iter().sum();
        let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
        if !(sum.is_normal() && sum > 0.0 && squares.is_normal()) {
            self.are_few = false;
            self.states.extend_from_slice(weighed);
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

    fn weigh(&mut self, hands: Hands, rng: &mut Random) -> State {
        let mut found = [Found {
            weight: 1.0,
            number: 0,
        }; MAX_PLAYERS];
        for place in 0..self.others.len() {
            let player = self.others[place];
            found[player] = self.weigh_hand(player, hands[player], rng);
        }
        State { hands, found }
    }

    fn weigh_hand(&mut self, player: usize, hand: Cards, rng: &mut Random) -> Found {
        if let Some(&found) = self.known.get(&(player, hand)) {
            return found;
        }
        let likelihoods = self.evidence.likelihoods::<P>(player, hand);
        let total = self.evidence.total(player, &likelihoods);
        let weights = &self.beliefs[player].types;
        let number = weights.number::<P>(&likelihoods, rng);
        let found = Found {
            weight: numerics::pow(total, self.trust[player]),
            number: number as u8,
        };
        self.cost += self.price;
        if self.known.len() < KNOWN {
            self.known.insert((player, hand), found);
        }
        found
    }

    /// Proposes to swap a card of one player with a card of another.
    fn swap(&mut self, place: usize, rng: &mut Random) {
        let one = self.others[below(rng, self.others.len())];
        let other = self.others[below(rng, self.others.len())];
        let hands = self.states[place].hands;
        let [Some(given), Some(taken)] = [one, other]
            .map(|player| self.view.seen().hidden(player, hands[player]))
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
        let mut next = self.states[place].clone();
        next.hands[one].remove(given);
        next.hands[one].insert(taken);
        next.hands[other].remove(taken);
        next.hands[other].insert(given);
        for player in [one, other] {
            next.found[player] = self.weigh_hand(player, next.hands[player], rng);
        }
        let weight = |state: &State| state.found[one].weight * state.found[other].weight;
        let (before, after) = (weight(&self.states[place]), weight(&next));
        if after >= before || unit(rng) * before < after {
            self.states[place] = next;
        }
    }
}

/// Nodes that weighing a deal costs: a node is a round played out, which is the shorter the fewer cards are to come.
fn price_of_a_deal<P: PolicySet>(view: &View<P::Round>) -> f64 {
    let others = view
        .history()
        .iter()
        .filter(|past| past.seat != view.seat());
    P::COSTS.weighing * others.count() as f64 / view.cards_to_come().max(1) as f64
}
