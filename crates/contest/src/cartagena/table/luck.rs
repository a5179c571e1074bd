//! The luck of a draw at a table: the value of the drawn cards, compared with the cards that could have come.

use cartagena::evaluation::{Afterstate, Evaluator};
use cartagena::rules::{Action, Cards, Game, State, Symbol};
use cartagena::view::View;

/// The luck of a draw: V(drawn) − Σ p(cards) · V(cards), summed over all cards that the seat to move could have drawn.
/// V is the evaluator's probability that this seat wins after the action. p is the probability of the cards if all
/// cards that the seat does not see are equally likely to come. None if the action drew nothing, or the discards were
/// shuffled during the draw. With open hands the seat sees those of the others, too.
///
/// For example, if b comes with 2/3 and wins 40 %, and g with 1/3 and wins 55 %, the average is 45 %. Drawing g is
/// luck of +10 %, drawing b of −5 %.
pub(super) fn of_draw(
    game: &Game,
    evaluator: &dyn Evaluator,
    before: &State,
    action: Action,
    drawn: Cards,
    open_hands: bool,
) -> Option<f64> {
    let view = View::of(before, before.to_move.into());
    let count = drawn.total();
    // A pile with too few cards is reshuffled in between. Some cards then come from the discards, which the seat has
    // seen, so the formula does not hold.
    if count == 0 || view.pile < count {
        return None;
    }
    // The position after the action with the cards gone from the pile, but not yet in the hand. `value` adds them.
    let mut base = Afterstate::before_view(&view).then(action);
    base.draws = 0;
    base.pile -= count;
    base.hand_sizes[view.seat] += count;
    let value = |cards: Cards| {
        let mut after = base;
        after.hand = after.hand.plus(cards);
        f64::from(evaluator.own_chance(game, &after))
    };
    let others = before.hands.iter().enumerate();
    let others = others.filter(|&(seat, _)| open_hands && seat != view.seat);
    let pool = others.fold(view.unseen(), |pool, (_, &hand)| {
        pool.saturating_minus(hand)
    });
    let draws = draws(pool, count);
    let average: f64 = draws.iter().map(|&(cards, p)| p * value(cards)).sum();
    Some(value(drawn) - average)
}

/// Every sequence of `count` cards drawn from a pool without replacement: its cards and its probability. From two b and
/// one g, the sequences of two cards are bb, bg and gb with 1/3 each.
fn draws(pool: Cards, count: u8) -> Vec<(Cards, f64)> {
    let mut found = vec![(Cards::NONE, 1.0)];
    // Sequences grow by a card at a time. Those with the same cards in another order stay separate entries: the sum
    // over all is the same, and there are few.
    for _ in 0..count {
        let longer = found.iter().flat_map(|&(cards, p)| {
            let left = pool.saturating_minus(cards);
            let all = f64::from(left.total());
            Symbol::ALL.into_iter().filter_map(move |symbol| {
                let these = f64::from(left.count(symbol));
                (these > 0.0).then(|| (cards.with(symbol), p * these / all))
            })
        });
        found = longer.collect();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use cartagena::evaluation::Evaluators;
    use cartagena::rules::ActionList;
    use cartagena::world::World;
    use engine::rng;

    #[test]
    fn probabilities_of_draws_sum_to_one() {
        let pool = Cards::from_counts([3, 0, 1, 5, 2, 1]);
        for count in 1..=3 {
            let draws = draws(pool, count);
            let sum: f64 = draws.iter().map(|(_, p)| p).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{count}: {sum}");
            assert!(draws.iter().all(|(cards, _)| cards.total() == count));
        }
        let both = draws(Cards::from_counts([1, 0, 1, 0, 0, 0]), 2);
        assert_eq!(both.len(), 2, "in either order");
    }

    /// Weighted by their probabilities, the lucks of all draws add up to zero.
    #[test]
    fn luck_is_even() {
        let mut rng = rng::stream(7, 0);
        let game = Game::new(cartagena::boards::standard(&mut rng), 2);
        let mut world = World::deal(&game, 3, rng);
        let evaluators = Evaluators::installed(|_| ());
        let evaluator = &**evaluators.for_players(2);
        // Plays on until some action goes back and draws.
        let (state, back) = loop {
            let state = *world.state();
            let mut legal = ActionList::new();
            game.legal_actions(&state, &mut legal);
            let draws = |action: &&Action| match **action {
                Action::Retreat { to, .. } => state.track.draws(to, state.pile, state.discards) > 0,
                _ => false,
            };
            match legal.iter().find(draws) {
                Some(&back) => break (state, back),
                None => drop(world.act(&game, legal[0])),
            }
        };
        let view = View::of(&state, state.to_move.into());
        let count = view.draws(back.places().unwrap().1);
        let draws = draws(view.unseen(), count);
        let luck = |cards| of_draw(&game, evaluator, &state, back, cards, false).unwrap();
        let mean: f64 = draws.iter().map(|&(cards, p)| p * luck(cards)).sum();
        assert!(mean.abs() < 1e-6, "{mean}");
        assert!(draws.iter().any(|&(cards, _)| luck(cards).abs() > 1e-3));
        let none = of_draw(&game, evaluator, &state, back, Cards::NONE, false);
        assert_eq!(none, None);
        // If all cards but those drawn lie open in the other hand, nothing else could have come.
        let mut narrow = state;
        let drawn = draws[0].0;
        narrow.hands[1 - usize::from(state.to_move)] = view.unseen().saturating_minus(drawn);
        let open = of_draw(&game, evaluator, &narrow, back, drawn, true).unwrap();
        assert!(open.abs() < 1e-6, "{open}");
    }
}
