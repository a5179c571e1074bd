//! What holds in every game of this family, checked along a random round.

use super::monte_carlo::any;
use super::{Card, Hands, Round, View};
use engine::rng::Random;
use std::fmt::Debug;

/// Plays a random round and checks every position of it: the legal cards are sorted, unique and
/// seen by the player to act; a sampled world shows each seat what it has seen, and what has been
/// played is legal in it. Returns the round at its end.
pub fn check<V>(start: &V::Round, mut views: Vec<V>, random: &mut Random) -> V::Round
where
    V: View + PartialEq + Debug,
    V::Round: PartialEq + Debug,
{
    let start_views = views.clone();
    let mut round = start.clone();
    let mut history = Vec::new();
    while let Some(actor) = round.to_act() {
        let legal: Vec<Card> = round.legal().into_iter().collect();
        assert!(!legal.is_empty(), "nothing legal in {round:?}");
        assert!(legal.is_sorted_by(|a, b| a < b), "{legal:?}");
        assert_eq!(views[actor].round().legal(), round.legal());
        for (start_view, view) in start_views.iter().zip(&views) {
            let worlds = view.worlds().expect("what happened is possible");
            check_world(start, start_view, view, &worlds(random), &history);
        }
        let card = any(round.legal(), random);
        let took = !round.hand(actor).contains(card);
        history.push((actor, card, took));
        for view in &mut views {
            view.act(card);
        }
        let copy = round.clone();
        round.act(card);
        assert_ne!(copy, round, "a copy stays what it was");
        for view in &views {
            assert_eq!(view.round(), &hidden(&round, view.seat()));
        }
    }
    let mut replayed = start.clone();
    history.iter().for_each(|&(_, card, _)| replayed.act(card));
    assert_eq!(replayed, round);
    round
}

/// A world agrees with the view it was drawn from, and could have come about as told.
fn check_world<V>(
    start: &V::Round,
    start_view: &V,
    view: &V,
    world: &V::Round,
    history: &[(usize, Card, bool)],
) where
    V: View + PartialEq + Debug,
    V::Round: PartialEq + Debug,
{
    assert_eq!(&hidden(world, view.seat()), view.round());
    let mut hands = Hands::default();
    for (seat, hand) in hands.iter_mut().enumerate().take(world.players()) {
        *hand = world.hand(seat);
    }
    for &(actor, card, took) in history.iter().rev() {
        if took {
            assert!(hands[actor].remove(card), "{card} was taken and kept");
        } else {
            hands[actor].insert(card);
        }
    }
    let mut replayed = start.with_hands(&hands);
    let mut view_again = start_view.clone();
    for &(actor, card, _) in history {
        assert_eq!(replayed.to_act(), Some(actor));
        assert!(replayed.legal().contains(card), "{card} in {replayed:?}");
        replayed.act(card);
        view_again.act(card);
    }
    assert_eq!(&replayed, world);
    assert_eq!(&view_again, view);
}

/// The round with one seat's hand only.
fn hidden<R: Round>(round: &R, seat: usize) -> R {
    let mut hands = Hands::default();
    hands[seat] = round.hand(seat);
    round.with_hands(&hands)
}
