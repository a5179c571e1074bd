//! Markov chains over worlds.

use super::super::{Card, Cards, Hands, Impossible, MAX_PLAYERS, Policy, Round as _, Seen, View};
use super::KINDS;
use super::evidence::Evidence;
use super::hypotheses::{Hypotheses, Hypothesis, Kinds, Repertoire};
use engine::rng::{Random, below, unit};

/// Chains that run side by side.
const CHAINS: usize = 32;
/// Worlds drawn without looking at the play, of which the chains' first are chosen.
const FIRST: usize = 8 * CHAINS;
/// Swaps tried between two worlds of a chain.
const SWAPS: usize = 6;

/// A deal that fits what was seen, with how well it explains what was done.
#[derive(Clone, Debug)]
struct State {
    hands: Hands,
    likelihoods: [Kinds; MAX_PLAYERS],
    totals: [f64; MAX_PLAYERS],
}

/// A world, and the way each player is thought to play in it.
pub struct World<R, P> {
    /// The round with all hands open.
    pub round: R,
    /// A hypothesis for each player; the viewer's own is of no meaning.
    pub cast: [Hypothesis<P>; MAX_PLAYERS],
}

/// Draws worlds weighted by how well the hypotheses explain the others' play.
pub struct Chains<'v, V: View, P> {
    view: &'v V,
    table: [Hypotheses; MAX_PLAYERS],
    evidence: Evidence<V::Round>,
    may_hold: [Cards; MAX_PLAYERS],
    others: Vec<usize>,
    states: Vec<State>,
    next: usize,
    policy: std::marker::PhantomData<P>,
}

impl<'v, V: View, P: Repertoire + Policy<V::Round>> Chains<'v, V, P> {
    /// Starts the chains. Without beliefs all worlds that fit are equally likely.
    ///
    /// # Errors
    /// If no deal fits what was seen.
    pub fn new(
        view: &'v V,
        beliefs: Option<&[Hypotheses; MAX_PLAYERS]>,
        random: &mut Random,
    ) -> Result<Chains<'v, V, P>, Impossible> {
        let seen: &Seen = view.seen();
        let players = view.round().players();
        let others: Vec<usize> = (0..players).filter(|&p| p != view.seat()).collect();
        let mut may_hold = [Cards::EMPTY; MAX_PLAYERS];
        for &player in &others {
            may_hold[player] = seen.may_hold(player);
        }
        let mut chains = Chains {
            view,
            table: beliefs.copied().unwrap_or_default(),
            evidence: match beliefs {
                Some(table) => Evidence::new(view, table),
                None => Evidence::none(players),
            },
            may_hold,
            others,
            states: Vec::new(),
            next: 0,
            policy: std::marker::PhantomData,
        };
        let deals = seen.deals()?;
        let first: Vec<State> = (0..FIRST)
            .map(|_| chains.judge(seen.hands(&deals.sample(random))))
            .collect();
        chains.states = resample(&first, random);
        Ok(chains)
    }

    /// The next world.
    pub fn draw(&mut self, random: &mut Random) -> World<V::Round, P> {
        let place = self.next;
        self.next = (place + 1) % self.states.len();
        for _ in 0..SWAPS {
            self.swap(place, random);
        }
        let state = &self.states[place];
        let cast = std::array::from_fn(|player| {
            self.table[player].draw(&state.likelihoods[player], random)
        });
        World {
            round: self.view.round().with_hands(&state.hands),
            cast,
        }
    }

    fn judge(&self, hands: Hands) -> State {
        let mut state = State {
            hands,
            likelihoods: [[1.0; KINDS]; MAX_PLAYERS],
            totals: [1.0; MAX_PLAYERS],
        };
        for &player in &self.others {
            self.judge_player(&mut state, player);
        }
        state
    }

    fn judge_player(&self, state: &mut State, player: usize) {
        let likelihoods = self.evidence.of::<P>(player, state.hands[player]);
        state.totals[player] = self.evidence.total(player, &likelihoods);
        state.likelihoods[player] = likelihoods;
    }

    /// Proposes to swap a card of one player with a card of another.
    fn swap(&mut self, place: usize, random: &mut Random) {
        let one = self.others[below(random, self.others.len())];
        let other = self.others[below(random, self.others.len())];
        let state = &self.states[place];
        let [Some(given), Some(taken)] = [one, other]
            .map(|player| any(self.view.seen().hidden(player, state.hands[player]), random))
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
        self.judge_player(&mut next, one);
        self.judge_player(&mut next, other);
        let before = state.totals[one] * state.totals[other];
        let after = next.totals[one] * next.totals[other];
        if after >= before || unit(random) * before < after {
            self.states[place] = next;
        }
    }
}

fn any(cards: Cards, random: &mut Random) -> Option<Card> {
    let count = cards.len();
    if count == 0 {
        return None;
    }
    cards.into_iter().nth(below(random, count))
}

/// As many states as there are chains, drawn by weight (systematic resampling, Kitagawa 1996).
fn resample(states: &[State], random: &mut Random) -> Vec<State> {
    let weight = |state: &State| state.totals.iter().product::<f64>();
    let sum: f64 = states.iter().map(weight).sum();
    if !(sum.is_finite() && sum > 0.0) {
        return states[..CHAINS].to_vec();
    }
    let step = sum / CHAINS as f64;
    let mut target = unit(random) * step;
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
