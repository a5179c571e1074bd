//! Worlds weighted by how well they explain the others' actions.

use super::evidence::Evidence;
use super::opponent_types::{OpponentType, Shares};
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

/// The most deals in a pool. All are weighed before the first is used.
const POOL: usize = 512;
/// The fewest deals in a useful pool: among fewer, hardly one has a weight that counts.
const LEAST: usize = 128;
/// The part of a budget that weighing may take.
const PART: f64 = 0.25;
/// Deals weighed between two looks at the budget.
const BATCH: usize = 8;
/// Below this *effective sample size*, (Σw)² / Σw² over a pool's weights (Kish 1965), worlds are moved by swaps as they
/// are drawn. For example, of 512 deals 20 with the weight 1 and 492 with the weight 0.01 count as 24.9² / 20.05 = 31.
const FEW: f64 = 48.0;
/// Swaps tried on a world before it is used, where the effective sample size is small.
const SWAPS: usize = 4;
/// The most hands whose weights are remembered, so that memory stays bounded.
const KNOWN: usize = 2048;

/// A deal that fits what was seen, with the weight of each hand.
#[derive(Clone, Debug)]
struct State {
    hands: Hands,
    found: [Found; MAX_PLAYERS],
}

/// The result of weighing one player's hand.
#[derive(Clone, Copy, Debug)]
struct Found {
    /// The likelihood of the player's actions with this hand, raised to the player's trust.
    weight: f64,
    /// The types that may play the world out for this player. The type belongs to the hand: with the hand known, the
    /// player's choices say which types are likely.
    types: Shares,
}

impl State {
    /// The weight of the deal: players choose independently, given their hands.
    fn weight(&self) -> f64 {
        self.found.iter().map(|found| found.weight).product()
    }
}

/// A sampled world with a type for each player.
pub struct Sample<'v, P: PolicySet> {
    /// The round with all hands open.
    pub round: P::Round,
    /// By seat, the type that the player may have, see [`Thinkers`](crate::Thinkers). The viewer's own entry means
    /// nothing.
    pub types: [OpponentType<'v, P>; MAX_PLAYERS],
}

/// Draws worlds weighted by how well the opponent types explain the others' actions. The likelihood of a hand
/// is raised to the player's trust ([`PlayerBelief::trust`]), since nobody plays exactly as a type does.
///
/// 1. Deals are drawn exactly, independently, and equally likely among those that fit what was seen.
/// 2. A pool of them is weighed, and as many are drawn from it by weight (*sampling importance resampling*,
///    Rubin 1988; Gordon, Salmond and Smith 1993).
/// 3. If few deals of a pool carry most of the weight, many drawn worlds are copies. Each is then moved
///    before it is used: two hidden cards of two players are swapped, and the swap is accepted with the ratio
///    of the likelihoods (Metropolis et al. 1953). This leaves the wanted distribution as it is.
/// 4. When all worlds have been used, another pool is weighed as long as the budget's part for it lasts. A
///    search that sees the same few worlds again and again grows sure of things that are true of these worlds
///    alone.
///
/// All work is charged to the budget at its price, see [`PolicySet::COSTS`].
pub struct Worlds<'v, P: PolicySet> {
    view: &'v View<P::Round>,
    budget: &'v Budget,
    beliefs: &'v [PlayerBelief; MAX_PLAYERS],
    /// By player, the power of its likelihoods: [`PlayerBelief::trust`].
    trust: [f64; MAX_PLAYERS],
    evidence: Evidence<'v, P::Round>,
    may_hold: [Cards; MAX_PLAYERS],
    others: Vec<usize>,
    deals: Deals,
    /// Hands already weighed, by player. Late in a round few hands are possible, and the same ones come up
    /// again.
    known: HashMap<(usize, Cards), Found>,
    /// The worlds to be used, in order from `next` on.
    states: Vec<State>,
    /// Whether the pool's effective sample size is below [`FEW`].
    are_few: bool,
    next: usize,
    /// The price of weighing one hand in nodes, averaged over the players.
    price: f64,
    /// Nodes that weighing has cost so far.
    cost: f64,
    /// The whole nodes of `cost` that have been charged to the budget.
    booked: u64,
    network: &'v Network,
    policy: PhantomData<P>,
}

impl<'v, P: PolicySet> Worlds<'v, P> {
    /// Weighs a first pool of deals until a part of the budget is used up. At least one batch is weighed, however small
    /// the budget. [`Worlds::are_worth_it`] says whether that pays.
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
            // Allocated at full size, here and below: a collection that grows holds its old and new storage for
            // a while, and the freed blocks leave holes.
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

    /// Whether worlds are to be weighed at all. There must be at least as many nodes as the game asks for
    /// (`PolicySet::WEIGHING_FROM`), and a quarter of them must pay for a pool of 128 deals. If not, many equally
    /// likely worlds are better than a handful of likely ones.
    ///
    /// For example, weighing a choice of Tricky Eights takes as long as 19 cards of a playout. At the
    /// first lead others have made 9 choices and 52 cards are to come: a deal costs 19 × 9 / 52 = 3.3 nodes, and 128
    /// deals cost 421. After seven tricks, with 30 choices and 24 cards, a deal costs 23.75 nodes, and 128 deals cost
    /// 3,040: more than a quarter of 10,000 nodes.
    pub fn are_worth_it(view: &View<P::Round>, nodes: f64) -> bool {
        nodes >= P::WEIGHING_FROM && LEAST as f64 * price_of_a_deal::<P>(view) <= PART * nodes
    }

    /// The next world, with a type for each player.
    pub fn draw(&mut self, rng: &mut Random) -> Sample<'v, P> {
        // All worlds were used: weigh new ones if the budget's part allows it, else use the old ones again.
        if self.next == self.states.len() {
            self.next = 0;
            if self.may_weigh() {
                self.weigh_pool(rng);
            }
        }
        let place = self.next;
        self.next += 1;
        // Swaps cost likelihoods too, so they stop where weighing stops.
        if self.are_few && self.may_weigh() {
            for _ in 0..SWAPS {
                self.swap(place, rng);
            }
            self.book();
        }
        let state = &self.states[place];
        // Drawn anew for each world: late in a round few hands are possible, and one type drawn for each would play all
        // worlds out.
        let mut numbers = [0; MAX_PLAYERS];
        for &player in &self.others {
            numbers[player] = state.found[player].types.number::<P>(rng);
        }
        let type_of = |player: usize| {
            OpponentType::number(numbers[player], &self.beliefs[player].habit, self.network)
        };
        Sample {
            round: self.view.round().with_hands(&state.hands),
            types: std::array::from_fn(type_of),
        }
    }

    /// Whether weighing has taken no more than its part of the nodes spent so far, and the search goes on.
    fn may_weigh(&self) -> bool {
        self.cost <= PART * self.budget.spent() as f64 && !self.budget.interrupted()
    }

    /// Charges the budget for the whole nodes that weighing has cost since the last time.
    fn book(&mut self) {
        let nodes = (self.cost as u64).saturating_sub(self.booked);
        self.booked += nodes;
        self.budget.spend(nodes);
    }

    /// Weighs a pool of deals and draws the worlds to be used from it. A later pool that is interrupted before it is
    /// useful is given up: the worlds of the last one stay.
    fn weigh_pool(&mut self, rng: &mut Random) {
        let is_first = self.states.is_empty();
        let mut weighed: Vec<State> = Vec::with_capacity(POOL);
        loop {
            for _ in 0..BATCH {
                let hands = self.view.seen().hands(&self.deals.sample(rng));
                weighed.push(self.weigh(hands));
            }
            self.book();
            let is_enough = weighed.len() >= LEAST;
            let is_spent = match is_first {
                // The first pool is weighed before any playout, so the limit is a part of the whole budget. A
                // slow machine may stop at a smaller pool, so that time is left to play it out.
                true => self.budget.used(if is_enough { PART } else { 2.0 * PART }),
                // A later pool may cost its part of what was spent so far.
                false if is_enough => !self.may_weigh(),
                false if self.budget.interrupted() => return,
                false => false,
            };
            if is_spent || weighed.len() >= POOL {
                break;
            }
        }
        self.choose(&weighed, rng);
    }

    /// Draws as many worlds as there are deals, by weight: systematic resampling (Kitagawa 1996).
    ///
    /// Equally spaced targets are laid over the cumulative weights, from one random start. For example, the
    /// weights 0.6, 0.2, 0.1, 0.1 and the start 0.2 give the targets 0.2, 0.45, 0.7 and 0.95, which draw the
    /// first deal twice, the second and the fourth once. Of n deals, one with the share w of all weight is
    /// drawn at least ⌊n w⌋ times, so this is less noisy than independent draws.
    fn choose(&mut self, weighed: &[State], rng: &mut Random) {
        self.states.clear();
        let weights: Vec<f64> = weighed.iter().map(State::weight).collect();
        let sum: f64 = weights.iter().sum();
        let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
        // No weight, or one beyond the range of numbers: the play says nothing, and all deals count alike.
        if !(sum.is_normal() && sum > 0.0 && squares.is_normal()) {
            self.are_few = false;
            self.states.extend_from_slice(weighed);
            return;
        }
        // The effective sample size: n for equal weights, 1 if one deal has all of it.
        self.are_few = sum * sum / squares < FEW;
        let step = sum / weighed.len() as f64;
        let mut target = unit(rng) * step;
        let mut reached = 0.0;
        // A deal is copied once for every target that its part of the cumulative weights covers.
        for (state, weight) in weighed.iter().zip(weights) {
            reached += weight;
            while reached > target && self.states.len() < weighed.len() {
                self.states.push(state.clone());
                target += step;
            }
        }
        // Rounding may leave the last target uncovered.
        while self.states.len() < weighed.len() {
            self.states.extend(weighed.last().cloned());
        }
        // Copies lie side by side. A search that stops early should not have seen one deal over and over.
        shuffle(rng, &mut self.states);
    }

    /// Weighs every other player's hand of a deal.
    fn weigh(&mut self, hands: Hands) -> State {
        let mut found = [Found {
            weight: 1.0,
            types: Shares::default(),
        }; MAX_PLAYERS];
        for place in 0..self.others.len() {
            let player = self.others[place];
            found[player] = self.weigh_hand(player, hands[player]);
        }
        State { hands, found }
    }

    /// Weighs one player's hand, or recalls it.
    fn weigh_hand(&mut self, player: usize, hand: Cards) -> Found {
        if let Some(&found) = self.known.get(&(player, hand)) {
            return found;
        }
        let likelihoods = self.evidence.likelihoods::<P>(player, hand);
        let total = self.evidence.total(player, &likelihoods);
        let found = Found {
            weight: numerics::pow(total, self.trust[player]),
            types: self.beliefs[player].types.shares::<P>(&likelihoods),
        };
        // A hand that is recalled costs nothing.
        self.cost += self.price;
        if self.known.len() < KNOWN {
            self.known.insert((player, hand), found);
        }
        found
    }

    /// Proposes to swap a hidden card of one player with a hidden card of another, and accepts by Metropolis'
    /// rule.
    fn swap(&mut self, place: usize, rng: &mut Random) {
        let one = self.others[below(rng, self.others.len())];
        let other = self.others[below(rng, self.others.len())];
        let hands = self.states[place].hands;
        // Cards known to be in a hand stay there. Both hands keep their numbers of hidden cards, so the reverse
        // swap is proposed with the same probability, as the rule requires.
        let [Some(given), Some(taken)] = [one, other]
            .map(|player| self.view.seen().hidden(player, hands[player]))
            .map(|hidden| (!hidden.is_empty()).then(|| random_card(hidden, rng)))
        else {
            return;
        };
        // A swap with oneself, or one that contradicts a void, is no proposal: the world stays.
        if one == other
            || !self.may_hold[other].contains(given)
            || !self.may_hold[one].contains(taken)
        {
            return;
        }
        let mut next = self.states[place].clone();
        // The hands after the swap; only these two must be weighed again.
        next.hands[one].remove(given);
        next.hands[one].insert(taken);
        next.hands[other].remove(taken);
        next.hands[other].insert(given);
        for player in [one, other] {
            next.found[player] = self.weigh_hand(player, next.hands[player]);
        }
        // The other hands are unchanged and cancel in the ratio.
        let weight = |state: &State| state.found[one].weight * state.found[other].weight;
        let (before, after) = (weight(&self.states[place]), weight(&next));
        // Accept with probability min(1, after / before), without a division by 0.
        if after >= before || unit(rng) * before < after {
            self.states[place] = next;
        }
    }
}

/// The nodes that weighing a deal costs. Weighing a choice takes as long as `COSTS.weighing` cards of a
/// playout, and a node is a round played out: as many cards as are still to come.
fn price_of_a_deal<P: PolicySet>(view: &View<P::Round>) -> f64 {
    let others = view
        .history()
        .iter()
        .filter(|past| past.seat != view.seat());
    P::COSTS.weighing * others.count() as f64 / view.cards_to_come().max(1) as f64
}
