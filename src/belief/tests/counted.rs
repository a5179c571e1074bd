//! The belief in small cases: samples and expected numbers are compared with counts over every order of the hidden
//! cards.

use super::super::super::rules::{Cards, Game, MAX_PLAYERS, Symbol};
use super::super::super::view::View;
use super::super::pools::Pools;
use super::super::sample::Belief;
use super::super::walk::Event;
use super::example_board;
use Symbol::{Gun, Hat, Keys};
use engine::rng;
use std::collections::BTreeMap;

/// The hands of all players, sorted, and the pile with its next card last.
type Layout = (Vec<Vec<Symbol>>, Vec<Symbol>);

/// Two or three players with their hands at the reshuffle, and the events since.
struct Case {
    /// The old cards, dealt to hands of these sizes before the reshuffle.
    old: Vec<Symbol>,
    sizes: Vec<u8>,
    /// The new pile.
    new: Vec<Symbol>,
    events: Vec<Event>,
    /// The hand of player 1 in the end.
    hand: Vec<Symbol>,
    /// A card that a player is known to hold, with the player's seat.
    shows: Option<(usize, Symbol)>,
}

impl Case {
    fn slots(&self) -> [u8; MAX_PLAYERS] {
        let mut slots = [0; MAX_PLAYERS];
        slots[..self.sizes.len()].copy_from_slice(&self.sizes);
        slots
    }

    /// Plays the events with every order of the old and the new cards. Returns the layouts that are possible
    /// afterwards, with their probabilities given the events.
    fn count(&self) -> BTreeMap<Layout, f64> {
        let mut found = BTreeMap::new();
        orders(&mut self.old.clone(), 0, &mut |old| {
            let mut old = old.iter().copied();
            let hands: Vec<Vec<Symbol>> = self
                .sizes
                .iter()
                .map(|&n| old.by_ref().take(n.into()).collect())
                .collect();
            orders(&mut self.new.clone(), 0, &mut |new| {
                self.play(&self.events, hands.clone(), new.to_vec(), 1.0, &mut found);
            });
        });
        let total: f64 = found.values().sum();
        found.values_mut().for_each(|weight| *weight /= total);
        found
    }

    fn play(
        &self,
        events: &[Event],
        mut hands: Vec<Vec<Symbol>>,
        mut pile: Vec<Symbol>,
        weight: f64,
        found: &mut BTreeMap<Layout, f64>,
    ) {
        match events {
            [Event::Draw { seat }, rest @ ..] => {
                hands[*seat].push(pile.pop().unwrap());
                self.play(rest, hands, pile, weight, found);
            }
            [Event::Play { seat, symbol }, rest @ ..] => {
                for slot in 0..hands[*seat].len() {
                    if hands[*seat][slot] == *symbol {
                        let mut hands = hands.clone();
                        hands[*seat].remove(slot);
                        let share = weight / (hands[*seat].len() + 1) as f64;
                        self.play(rest, hands, pile.clone(), share, found);
                    }
                }
            }
            _ => self.finish(hands, pile, weight, found),
        }
    }

    fn finish(
        &self,
        mut hands: Vec<Vec<Symbol>>,
        pile: Vec<Symbol>,
        weight: f64,
        found: &mut BTreeMap<Layout, f64>,
    ) {
        let mut weight = weight;
        if let Some((seat, symbol)) = self.shows {
            let same = hands[seat].iter().filter(|&&s| s == symbol).count();
            weight *= same as f64 / hands[seat].len() as f64;
        }
        hands.iter_mut().for_each(|hand| hand.sort());
        let mut own = self.hand.clone();
        own.sort();
        if hands[0] == own && weight > 0.0 {
            *found.entry((hands, pile)).or_insert(0.0) += weight;
        }
    }

    fn belief(&self) -> (Belief, View) {
        let (old, new): (Cards, Cards) = (
            self.old.iter().copied().collect(),
            self.new.iter().copied().collect(),
        );
        let mut pools = Pools::split(old, new, self.slots(), new.total());
        for event in &self.events {
            match *event {
                Event::Draw { seat } => pools.draw(seat),
                Event::Play { seat, symbol } => pools.reveal(seat, symbol),
                Event::Reshuffle { .. } => unreachable!(),
            }
        }
        let players = self.sizes.len();
        let game = Game::new(example_board(), players);
        let start = game.start(&vec![Cards::NONE; players]);
        let mut view = View::of(&start, 0);
        view.hand = self.hand.iter().copied().collect();
        view.hand_sizes = pools.slots;
        view.pile = pools.pile;
        let mut belief = Belief::new(pools, &view, players).unwrap();
        if let Some((seat, symbol)) = self.shows {
            assert!(belief.with_known(seat, Cards::NONE.with(symbol)));
        }
        (belief, view)
    }

    /// Asserts that samples are as frequent as counted, and that all expected numbers are the counted ones.
    fn check(&self) {
        let counted = self.count();
        assert!(counted.len() > 1, "an idle case: {counted:?}");
        let (belief, view) = self.belief();
        let samples = 40_000;
        let mut seen: BTreeMap<Layout, f64> = BTreeMap::new();
        let mut rng = rng::stream(5, 5);
        for _ in 0..samples {
            let world = belief.sample(&view, &mut rng);
            let hands = world.state().hands[..self.sizes.len()].iter();
            let hands = hands.map(|hand| hand.iter().collect()).collect();
            *seen.entry((hands, world.pile().to_vec())).or_insert(0.0) += 1.0;
        }
        let mut square = 0.0;
        for (layout, chance) in &counted {
            let expected = chance * f64::from(samples);
            let times = seen.remove(layout).unwrap_or(0.0);
            square += (times - expected).powi(2) / expected;
        }
        assert!(seen.is_empty(), "impossible: {seen:?}");
        // Five standard deviations of chi-square above its mean.
        let freedom = (counted.len() - 1) as f64;
        let limit = freedom + 5.0 * (2.0 * freedom).sqrt();
        assert!(square < limit, "chi-square {square} of {freedom}");
        self.check_numbers(&counted, &belief, &view);
    }

    fn check_numbers(&self, counted: &BTreeMap<Layout, f64>, belief: &Belief, view: &View) {
        let unseen = belief.unseen();
        for &(seat, size, expected) in &unseen.hands {
            assert_eq!(size, view.hand_sizes[seat]);
            for symbol in Symbol::ALL {
                let number = |(layout, weight): (&Layout, &f64)| {
                    weight * layout.0[seat].iter().filter(|&&s| s == symbol).count() as f64
                };
                let mean: f64 = counted.iter().map(number).sum();
                let told = expected[symbol.index()];
                assert!((mean - told).abs() < 1e-9, "{seat} {symbol}: {mean} {told}");
            }
        }
        assert_eq!(unseen.pile, view.pile);
        for symbol in Symbol::ALL {
            let number = |(layout, weight): (&Layout, &f64)| {
                weight * layout.1.iter().filter(|&&s| s == symbol).count() as f64
            };
            let mean: f64 = counted.iter().map(number).sum();
            let told = unseen.drawn[symbol.index()];
            assert!((mean - told).abs() < 1e-9, "pile {symbol}: {mean} {told}");
            // Old and new cards together are all hidden cards except the one that is shown.
            let shown = self.shows.filter(|shown| shown.1 == symbol).iter().count();
            let hands = unseen.hands.iter();
            let hidden = mean - shown as f64 + hands.map(|h| h.2[symbol.index()]).sum::<f64>();
            let told = unseen.old[symbol.index()] + unseen.new[symbol.index()];
            assert!((hidden - told).abs() < 1e-9, "{symbol}: {hidden} {told}");
        }
        if view.pile > 0 {
            for (cards, told) in belief.draws(view, 1) {
                let next = |layout: &Layout| cards.count(*layout.1.last().unwrap()) == 1;
                let chance: f64 = counted.iter().filter(|c| next(c.0)).map(|c| c.1).sum();
                assert!((chance - told).abs() < 1e-9, "{cards}: {chance} {told}");
            }
        }
        if view.pile > 1 && self.old.is_empty() {
            for (cards, told) in belief.draws(view, 2) {
                let next = |layout: &Layout| {
                    layout.1.iter().rev().take(2).copied().collect::<Cards>() == cards
                };
                let chance: f64 = counted.iter().filter(|c| next(c.0)).map(|c| c.1).sum();
                assert!((chance - told).abs() < 1e-9, "{cards}: {chance} {told}");
            }
        }
    }
}

/// Calls `visit` with every order of the cards from place `from` on. Equal cards count as different ones.
fn orders(cards: &mut Vec<Symbol>, from: usize, visit: &mut impl FnMut(&[Symbol])) {
    if from == cards.len() {
        return visit(cards);
    }
    for i in from..cards.len() {
        cards.swap(from, i);
        orders(cards, from + 1, visit);
        cards.swap(from, i);
    }
}

fn draw(seat: usize) -> Event {
    Event::Draw { seat }
}

fn play(seat: usize, symbol: Symbol) -> Event {
    Event::Play { seat, symbol }
}

fn one_pool() -> Case {
    Case {
        old: vec![],
        sizes: vec![0, 0, 0],
        new: vec![Hat, Hat, Gun, Gun, Keys, Hat, Keys],
        events: vec![draw(0), draw(1), draw(1), draw(2), draw(2), play(1, Hat)],
        hand: vec![Gun],
        shows: None,
    }
}

fn two_pools() -> Case {
    Case {
        old: vec![Hat, Gun, Hat, Keys],
        sizes: vec![2, 2],
        new: vec![Hat, Gun, Gun, Keys, Hat, Gun],
        events: vec![
            draw(1),
            play(1, Hat),
            draw(0),
            play(0, Gun),
            draw(1),
            play(1, Hat),
            draw(1),
        ],
        hand: vec![Hat, Gun],
        shows: None,
    }
}

#[test]
fn one_pool_is_uniform() {
    one_pool().check();
}

#[test]
fn old_and_new_cards() {
    two_pools().check();
}

#[test]
fn three_hands_with_old_cards() {
    Case {
        old: vec![Hat, Gun, Hat, Keys],
        sizes: vec![1, 1, 2],
        new: vec![Hat, Gun, Gun, Keys],
        events: vec![draw(1), draw(2), play(2, Hat), draw(0), play(1, Gun)],
        hand: vec![Hat, Keys],
        shows: None,
    }
    .check();
}

/// The seat does not know which of its cards are old, only how many: two of three here.
#[test]
fn own_cards_may_be_old_or_new() {
    Case {
        old: vec![Hat, Hat, Gun],
        sizes: vec![2, 1],
        new: vec![Hat, Hat, Hat, Gun],
        events: vec![draw(0), draw(1)],
        hand: vec![Hat, Hat, Gun],
        shows: None,
    }
    .check();
}

#[test]
fn cards_known() {
    let mut case = one_pool();
    case.shows = Some((2, Hat));
    case.check();
    let mut case = two_pools();
    case.shows = Some((1, Gun));
    case.check();
}

/// A case worked out by hand. The other player holds an old hat, draws a hat or keys, and then plays a hat. Three
/// ways are equally likely: it drew the hat and plays either of the two, or it drew the keys and plays the old hat.
#[test]
fn the_table_tells_old_from_new_cards() {
    let case = Case {
        old: vec![Hat, Gun],
        sizes: vec![1, 1],
        new: vec![Hat, Keys],
        events: vec![draw(1), play(1, Hat)],
        hand: vec![Gun],
        shows: None,
    };
    case.check();
    let (belief, _) = case.belief();
    let told = belief.unseen().to_string();
    let table = "\
unseen       cards bottle dagger    gun    hat   keys  skull
player 2         1    0.0    0.0    0.0    0.7    0.3    0.0
draw pile        1    0.0    0.0    0.0    0.3    0.7    0.0
old cards        0    0.0    0.0    0.0    0.3    0.0    0.0
new cards        2    0.0    0.0    0.0    0.7    1.0    0.0
(old: in hands at the last reshuffle; 2 ways the plays since may have come about)
";
    assert_eq!(told, table);
    // The next card is one of two new ones if the old hat was played, else the keys.
    let counts = belief.draw_pool().counts();
    assert!((counts[Hat.index()] - 5.0 / 9.0).abs() < 1e-9, "{counts:?}");
    assert!(
        (counts[Keys.index()] - 10.0 / 9.0).abs() < 1e-9,
        "{counts:?}"
    );
}

/// Cards must be as many as there are slots for them: old ones in the hands, new ones elsewhere.
#[test]
fn pools_hold_as_many_cards_as_there_are_slots() {
    let ways = |old: &[Symbol], new: &[Symbol], pile| {
        let [old, new] = [old, new].map(|cards| cards.iter().copied().collect());
        let pools = Pools::split(old, new, [1, 1, 0, 0, 0, 0], pile);
        pools.hypotheses.len()
    };
    assert_eq!(ways(&[Hat, Gun], &[Keys, Hat], 2), 1);
    assert_eq!(ways(&[Hat, Gun], &[Keys, Hat], 1), 0);
    assert_eq!(ways(&[Hat], &[Keys, Hat], 2), 0);
    assert_eq!(ways(&[Hat, Gun, Gun], &[Keys, Hat], 2), 0);
    // Without old cards the new ones are in the hands too.
    assert_eq!(ways(&[], &[Keys, Hat, Hat], 1), 1);
    assert_eq!(ways(&[], &[Keys, Hat, Hat], 2), 0);
}

#[test]
fn impossible_knowledge_is_refused() {
    let (mut belief, view) = one_pool().belief();
    let before = belief.unseen();
    assert!(!belief.with_known(1, Cards::from_counts([0, 0, 0, 0, 0, 1])));
    assert!(!belief.with_known(1, Cards::from_counts([0, 0, 0, 2, 0, 0])));
    assert!(!belief.with_known(1, Cards::from_counts([0, 0, 1, 1, 0, 0])));
    assert!(!belief.with_known(3, Cards::NONE));
    assert!(!belief.with_known(0, Cards::NONE.with(Hat)));
    assert!(belief.with_known(0, view.hand));
    assert_eq!(belief.unseen(), before);
    // A whole hand may be known.
    let hand = Cards::from_counts([0, 0, 0, 1, 1, 0]);
    assert!(belief.with_known(2, hand));
    let world = belief.sample(&view, &mut rng::stream(1, 0));
    assert_eq!(world.state().hands[2], hand);
}

/// Without any history all unseen cards are one pool: no card more, no card less.
#[test]
fn what_is_not_seen_is_one_pool() {
    let game = Game::new(example_board(), 2);
    let hands = [[Hat, Gun, Gun], [Keys, Hat, Hat]].map(|hand| hand.into_iter().collect());
    let view = View::of(&game.start(&hands), 0);
    let pool = Belief::of_view(&view, 2).draw_pool();
    assert_eq!(pool.counts(), [17.0, 17.0, 15.0, 16.0, 17.0, 17.0]);
    assert_eq!(pool.pile(), 96);
}
