//! The belief of one seat, and worlds drawn from it. The replay makes the belief; a search draws a world for each
//! rollout.

use super::super::rules::{Cards, DECK, MAX_PLAYERS, SYMBOLS, Symbol};
use super::super::view::View;
use super::super::world::World;
use super::draws::{DrawPool, Outcomes};
use super::layout::Layout;
use super::pools::Pools;
use arrayvec::ArrayVec;
use engine::rng::{self, Random};

/// Room for the deck, and for cards that must be made up if a record breaks the rules.
const ROOM: usize = 2 * DECK;

/// One seat's belief about the cards it does not see.
///
/// See the [module](super) for the model. Everything that does not depend on chance is computed when the
/// belief is made, so that a sample costs little more than a shuffle. Each sample is a draw of
///
/// 1. a hypothesis, by its weight times the chance of the own hand under it (Bayes' rule),
/// 2. the old cards of the own hand, by their exact chances,
/// 3. a random order of the other old cards, dealt to the others' old slots,
/// 4. a random order of the other new cards, dealt to the others' new slots, the rest being the pile.
///
/// Nothing is rejected, so the time does not depend on how unlikely the own hand was.
#[derive(Clone, Debug)]
pub struct Belief {
    pub(super) seat: usize,
    pub(super) players: usize,
    pub(super) hand: Cards,
    /// Cards each other seat is known to hold; they lie in no slot any more.
    pub(super) known: [Cards; MAX_PLAYERS],
    pub(super) pools: Pools,
    /// The number of cards in the pile. If a record that breaks the rules leaves cards over, `pools` has
    /// more slots in the pile.
    pub(super) pile: u8,
    pub(super) cases: Vec<Case>,
    draw_pool: DrawPool,
}

/// A world, and which of the others' cards in it are old.
#[derive(Clone, Debug)]
pub struct Dealt {
    pub world: World,
    /// By seat the cards of the hand that were in it at the last reshuffle. Empty for the own seat, and
    /// without cards that are known to be in a hand.
    pub old: [Cards; MAX_PLAYERS],
}

/// A hypothesis that agrees with everything known.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// The summed chance of this case and those before it.
    below: f64,
    pub(super) weight: f64,
    pub(super) old_slots: [u8; MAX_PLAYERS],
    pub(super) layout: Layout,
}

impl Belief {
    /// The belief of the seat that sees `view`, by the plays since the last reshuffle; none if they cannot
    /// lead to this view.
    pub(super) fn new(pools: Pools, view: &View, players: usize) -> Option<Belief> {
        // A record that breaks the rules may give hands other sizes than its moves do.
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

    /// The belief that all unseen cards are one pool of exchangeable cards. It is right before the first
    /// reshuffle, and the best there is if no history explains the view.
    ///
    /// If hands and pile hold more cards than the deck has left, cards of the symbols that are rarest
    /// among the unseen are made up. If they hold fewer, the rest of the cards stays out of the game.
    ///
    /// # Panics
    /// If hands and draw pile together hold more cards than the deck, the own hand aside.
    pub fn of_view(view: &View, players: usize) -> Belief {
        Belief::of_deck(view, players, Cards::deck())
    }

    /// As [`Belief::of_view`], in a game with another deck that is at most as large.
    ///
    /// # Panics
    /// As [`Belief::of_view`].
    pub fn of_deck(view: &View, players: usize, deck: Cards) -> Belief {
        let mut slots = view.hand_sizes;
        slots[view.seat] = view.hand.total();
        let others = (0..players).filter(|&p| p != view.seat);
        let hidden: usize = others.map(|p| usize::from(slots[p])).sum();
        // Each hidden slot needs one unseen card. A view that breaks the rules may leave too few or too many.
        let mut unseen = deck
            .saturating_minus(view.hand)
            .saturating_minus(view.discards);
        let wanted = (hidden + usize::from(view.pile)).min(DECK) as u8;
        while unseen.total() < wanted {
            let rarest = Symbol::ALL.into_iter().min_by_key(|&s| unseen.count(s));
            unseen = unseen.with(rarest.unwrap_or(Symbol::Bottle));
        }
        // Spare cards get further slots in the pile. Each world leaves as many cards out.
        let pile = view.pile + (unseen.total() - wanted);
        let pools = Pools::single(unseen.plus(view.hand), slots, pile);
        let mut belief = Belief::unsettled(pools, view, players);
        let settled = belief.settle();
        assert!(settled, "one pool always allows what is seen: {view:?}");
        belief
    }

    /// Adds the knowledge that certain cards are in a seat's hand, for example as the seat was seen to
    /// get them. The rest of the hand stays as open as before. Returns whether that is possible; if it is
    /// not, nothing changes.
    ///
    /// The cards are taken to lie in certain slots of the hand. To know only that *some* slots hold such
    /// cards would make further ones less likely: of two cards, each a hat with chance 1/2, both are hats
    /// with chance 1/2 if the first is one, and with 1/3 if at least one is.
    pub fn with_known(&mut self, seat: usize, holds: Cards) -> bool {
        // The seat sees its own hand, so nothing is new here.
        if seat == self.seat {
            return self.hand.contains(holds);
        }
        if seat >= self.players || holds.total() > self.pools.slots[seat] {
            return false;
        }
        // Each of these cards leaves its slot as if it had been played, but stays in the hand.
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

    /// Weighs the hypotheses by the own hand and returns whether any is possible. Known cards of the others
    /// have been revealed to the pools before, so that their weights are right already.
    fn settle(&mut self) -> bool {
        self.cases.clear();
        let mut total = 0.0;
        for hypothesis in &self.pools.hypotheses {
            let own_old = hypothesis.old_slots[self.seat];
            let layout = Layout::new(hypothesis, self.hand, own_old);
            // Bayes' rule: P(hypothesis | hand) ∝ P(hypothesis) · P(hand | hypothesis).
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
            // Summed chances make a case one binary search away from a uniform number.
            case.below /= total;
            case.weight /= total;
        }
        self.draw_pool = self.expect_draw();
        !self.cases.is_empty()
    }

    /// Draws a world: hands, draw pile and the generator of later reshuffles.
    ///
    /// `view` must be the one the belief was made with. Each layout of the unseen cards that
    /// agrees with everything known comes up with its exact probability.
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
        // The own hand takes its share of both pools. The rest lies in the slots of the others and the pile.
        let own_old = layout.sample(rng);
        let old = layout.old.minus(own_old);
        let new = layout.new.minus(self.hand.minus(own_old));
        if !old.is_empty() {
            self.fill(&mut dealt, case, Age::Old, &mut spread(old, rng));
        }
        // All slots of the pile are new: whatever the hands leave is the pile, in random order.
        let mut rest = spread(new, rng);
        self.fill(&mut dealt, case, Age::New, &mut rest);
        let [old, new] = dealt;
        let mut hands = self.known;
        for (seat, hand) in hands.iter_mut().enumerate() {
            *hand = hand.plus(old[seat]).plus(new[seat]);
        }
        hands[self.seat] = self.hand;
        let state = view.with_hands(hands);
        // A pile with spare cards is cut to its size. The order is random, so any of them may be cut.
        let pile = rest.into_iter().take(usize::from(self.pile)).collect();
        // Reshuffles in the world have their own stream of random numbers. So the next sample is the same, however many
        // of them a rollout takes.
        let world = World::new(state, pile, rng::split(rng));
        Dealt { world, old }
    }

    /// A hypothesis, drawn by the weights.
    fn draw_case(&self, rng: &mut Random) -> &Case {
        // One case is certain and takes no random number.
        if let [case] = &self.cases[..] {
            return case;
        }
        let at = rng::unit(rng);
        // Rounding may leave the last sum just below 1.
        let i = self.cases.partition_point(|case| case.below <= at);
        &self.cases[i.min(self.cases.len() - 1)]
    }

    /// Deals from the back of `cards` to the slots of the others that hold cards of this age.
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

    /// The expected counts among which the next draw is: the new cards outside the own hand.
    fn expect_draw(&self) -> DrawPool {
        // With one case the counts are exact, and so are draws of two cards.
        if let [case] = &self.cases[..] {
            return DrawPool::new(self.expect(case).1, self.pile);
        }
        // P(next card is s) = Σ weight · count(s) / total over the cases. The totals differ with the
        // number of new cards played, so the shares are averaged and then scaled to the mean total.
        let mut shares = [0.0; SYMBOLS];
        let mut size = 0.0;
        for case in &self.cases {
            // Old cards lie in hands alone, so only new ones can be drawn.
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

/// Whether a card was in a hand at the last reshuffle (old), or was shuffled into the pile (new).
#[derive(Clone, Copy)]
enum Age {
    Old,
    New,
}

/// The cards in random order.
fn spread(cards: Cards, rng: &mut Random) -> ArrayVec<Symbol, ROOM> {
    let mut list: ArrayVec<Symbol, ROOM> = cards.iter().collect();
    rng::shuffle(rng, &mut list);
    list
}
