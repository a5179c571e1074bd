//! The belief of one seat, and worlds drawn from it.

use super::super::rules::{Cards, DECK, MAX_PLAYERS, SYMBOLS, Symbol};
use super::super::view::View;
use super::super::world::World;
use super::draws::{DrawPool, Outcomes};
use super::layout::Layout;
use super::pools::Pools;
use arrayvec::ArrayVec;
use engine::rng::{self, Random};
use rand::Rng;

/// Room for the deck and for the cards a record that breaks the rules makes up.
const ROOM: usize = 2 * DECK;

/// What one seat believes about the cards it does not see.
///
/// See the [module](super) for the model. Everything that does not depend on chance is worked out
/// when the belief is made, so that drawing a world costs little more than a shuffle.
#[derive(Clone, Debug)]
pub struct Belief {
    pub(super) seat: usize,
    pub(super) players: usize,
    pub(super) hand: Cards,
    /// Cards each other seat is known to hold; they lie in no slot any more.
    pub(super) known: [Cards; MAX_PLAYERS],
    pub(super) pools: Pools,
    /// The cards in the pile. The slots of the pile may be more, where a record that breaks the
    /// rules leaves cards over.
    pub(super) pile: u8,
    pub(super) cases: Vec<Case>,
    draw_pool: DrawPool,
}

/// A world, and of what age the cards in it are.
#[derive(Clone, Debug)]
pub struct Dealt {
    pub world: World,
    /// By seat the cards that were in the hand at the last reshuffle, as far as the hypothesis tells; none of
    /// the own seat.
    pub old: [Cards; MAX_PLAYERS],
}

/// A hypothesis that agrees with everything known.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// The chance of this case and those before it.
    below: f64,
    pub(super) weight: f64,
    pub(super) old_slots: [u8; MAX_PLAYERS],
    pub(super) layout: Layout,
}

impl Belief {
    /// The belief of the seat that sees `view`, by the plays since the last reshuffle.
    ///
    /// None if they cannot lead to what the seat sees.
    pub(super) fn new(pools: Pools, view: &View, players: usize) -> Option<Belief> {
        let slots = view.hand_sizes;
        if pools.slots != slots || pools.pile < view.pile || view.hand.total() != slots[view.seat] {
            return None;
        }
        let mut belief = Belief::unsettled(pools, view, players);
        belief.settle().then_some(belief)
    }

    /// The belief before its cases are found from the pools.
    fn unsettled(pools: Pools, view: &View, players: usize) -> Belief {
        Belief {
            seat: view.seat,
            players,
            hand: view.hand,
            known: [Cards::NONE; MAX_PLAYERS],
            pools,
            pile: view.pile,
            cases: Vec::new(),
            draw_pool: DrawPool::new([0.0; SYMBOLS], view.pile),
        }
    }

    /// The belief that all cards the view does not show are one pool of exchangeable cards:
    /// right before the first reshuffle, and the best there is where no history explains the
    /// view.
    ///
    /// Should the view show more cards than the deck leaves, symbols that are rarest among the
    /// unseen are made up; should it show fewer, cards stay out of the game.
    ///
    /// # Panics
    /// If hands and draw pile together hold more cards than the deck, the own hand aside.
    pub fn of_view(view: &View, players: usize) -> Belief {
        Belief::of_deck(view, players, Cards::deck())
    }

    /// As [`Belief::of_view`], in a game whose deck is another one, at most as large.
    ///
    /// # Panics
    /// As [`Belief::of_view`].
    pub fn of_deck(view: &View, players: usize, deck: Cards) -> Belief {
        let mut slots = view.hand_sizes;
        slots[view.seat] = view.hand.total();
        let others = (0..players).filter(|&p| p != view.seat);
        let hidden: usize = others.map(|p| usize::from(slots[p])).sum();
        let mut unseen = deck
            .saturating_minus(view.hand)
            .saturating_minus(view.discards);
        let wanted = (hidden + usize::from(view.pile)).min(DECK) as u8;
        while unseen.total() < wanted {
            let rarest = Symbol::ALL.into_iter().min_by_key(|&s| unseen.count(s));
            unseen = unseen.with(rarest.unwrap_or(Symbol::Bottle));
        }
        let pile = view.pile + (unseen.total() - wanted);
        let pools = Pools::single(unseen.plus(view.hand), slots, pile);
        let mut belief = Belief::unsettled(pools, view, players);
        let settled = belief.settle();
        assert!(settled, "one pool always allows what is seen: {view:?}");
        belief
    }

    /// Certain cards are known to be in a seat's hand, for example as they were seen when it got
    /// them; the rest of the hand is as open as before.
    ///
    /// Returns whether that is possible; if not, nothing changes. (It is stronger than that the hand
    /// holds *some* such cards: those would make it no more likely to hold further ones.)
    pub fn with_known(&mut self, seat: usize, holds: Cards) -> bool {
        if seat == self.seat {
            return self.hand.contains(holds);
        }
        if seat >= self.players || holds.total() > self.pools.slots[seat] {
            return false;
        }
        let mut next = self.clone();
        next.known[seat] = next.known[seat].plus(holds);
        for symbol in holds.iter() {
            next.pools.reveal(seat, symbol);
        }
        let possible = next.settle();
        if possible {
            *self = next;
        }
        possible
    }

    /// Weighs the hypotheses by the own hand and what is known of the others.
    fn settle(&mut self) -> bool {
        self.cases.clear();
        let mut total = 0.0;
        for hypothesis in &self.pools.hypotheses {
            let own_old = hypothesis.old_slots[self.seat];
            let layout = Layout::new(hypothesis, self.hand, own_old);
            let weight = hypothesis.weight * layout.chance;
            if weight > 0.0 {
                total += weight;
                self.cases.push(Case {
                    below: total,
                    weight,
                    old_slots: hypothesis.old_slots,
                    layout,
                });
            }
        }
        for case in &mut self.cases {
            case.below /= total;
            case.weight /= total;
        }
        self.draw_pool = self.expect_draw();
        !self.cases.is_empty()
    }

    /// Draws a world: hands, draw pile and the chance of later reshuffles.
    ///
    /// `view` must be the one the belief was made with. Each layout of the unseen cards that
    /// agrees with what is known comes up with its exact probability.
    ///
    /// # Panics
    /// If the view has another draw pile than the belief.
    pub fn sample(&self, view: &View, rng: &mut Random) -> World {
        self.deal(view, rng).world
    }

    /// As [`sample`](Belief::sample), and which of the others' cards are old ones.
    pub fn deal(&self, view: &View, rng: &mut Random) -> Dealt {
        let case = self.draw_case(rng);
        let mut dealt = [[Cards::NONE; MAX_PLAYERS]; 2];
        let layout = &case.layout;
        let own_old = layout.sample(rng);
        let old = layout.old.minus(own_old);
        let new = layout.new.minus(self.hand.minus(own_old));
        if !old.is_empty() {
            self.fill(&mut dealt, case, Age::Old, &mut spread(old, rng));
        }
        let mut rest = spread(new, rng);
        self.fill(&mut dealt, case, Age::New, &mut rest);
        let [old, new] = dealt;
        let mut hands = self.known;
        for (seat, hand) in hands.iter_mut().enumerate() {
            *hand = hand.plus(old[seat]).plus(new[seat]);
        }
        hands[self.seat] = self.hand;
        let state = view.with_hands(hands);
        let pile = rest.into_iter().take(usize::from(self.pile)).collect();
        let world = World::new(state, pile, rng::stream(rng.next_u64(), 0));
        Dealt { world, old }
    }

    fn draw_case(&self, rng: &mut Random) -> &Case {
        if let [case] = &self.cases[..] {
            return case;
        }
        let at = rng::unit(rng);
        let i = self.cases.partition_point(|case| case.below <= at);
        &self.cases[i.min(self.cases.len() - 1)]
    }

    /// Deals from the back of `cards` to the others' slots.
    fn fill(
        &self,
        dealt: &mut [[Cards; MAX_PLAYERS]; 2],
        case: &Case,
        age: Age,
        cards: &mut ArrayVec<Symbol, ROOM>,
    ) {
        let hands = &mut dealt[age as usize];
        for (seat, hand) in hands[..self.players].iter_mut().enumerate() {
            if seat == self.seat {
                continue;
            }
            let slots = match age {
                Age::Old => case.old_slots[seat],
                Age::New => self.pools.slots[seat] - case.old_slots[seat],
            };
            let left = cards.len().saturating_sub(usize::from(slots));
            *hand = cards.drain(left..).fold(*hand, Cards::with);
        }
    }

    /// The cards among which the next draw of the own seat is; see [`DrawPool`].
    pub fn draw_pool(&self) -> DrawPool {
        self.draw_pool
    }

    fn expect_draw(&self) -> DrawPool {
        if let [case] = &self.cases[..] {
            return DrawPool::new(self.expect(case).1, self.pile);
        }
        let mut shares = [0.0; SYMBOLS];
        let mut size = 0.0;
        for case in &self.cases {
            let (_, new) = self.expect(case);
            let total: f64 = new.iter().sum();
            size += case.weight * total;
            for (share, count) in shares.iter_mut().zip(new) {
                *share += case.weight * count / total.max(1.0);
            }
        }
        DrawPool::new(shares.map(|share| share * size), self.pile)
    }

    /// The chance of each set of `n` cards, at most 2, that the own seat may draw next.
    pub fn draws(&self, view: &View, n: u8) -> Outcomes {
        self.draw_pool.outcomes(view.discards, n)
    }
}

#[derive(Clone, Copy)]
enum Age {
    Old,
    New,
}

/// The cards in random order.
fn spread(cards: Cards, rng: &mut Random) -> ArrayVec<Symbol, ROOM> {
    let mut list = ArrayVec::new();
    for symbol in Symbol::ALL {
        for _ in 0..cards.count(symbol) {
            list.push(symbol);
        }
    }
    rng::shuffle(rng, &mut list);
    list
}
