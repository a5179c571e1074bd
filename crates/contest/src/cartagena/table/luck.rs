//! The luck of a draw at a table: the value of the drawn cards, compared with the cards that could have come.

use cartagena::evaluation::{Afterstate, Evaluator};
use cartagena::rules::{Action, Cards, Game, State};
use cartagena::view::View;
use lab::cartagena::solver::draws;

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
    let draws = draws(pool, Cards::NONE, count);
    let average: f64 = draws.iter().map(|&(cards, p)| p * value(cards)).sum();
    Some(value(drawn) - average)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cartagena::evaluation::Evaluators;
    use cartagena::rules::ActionList;
    use cartagena::world::World;
    use engine::rng;

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
        let draws = draws(view.unseen(), Cards::NONE, count);
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
