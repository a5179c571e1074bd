//! A narrow search of the rest of the own turn, cheap enough for every action of a rollout. `pilot` plays by it.
//!
//! At every position of the turn only the few best actions by the network are followed. An advance
//! draws nothing, so it is followed exactly. A retreat draws cards. Its value is the network's with the draw
//! pending, plus the gain of looking ahead over greedy play on one sampled draw. Both terms of the gain have the
//! luck of the sample, so it cancels (a control variate). Without that, the retreat with the luckiest sample
//! would look best.
//!
//! Example: the network gives a retreat 0.40. On the sampled draw greedy play is worth 0.50 and
//! looking ahead 0.53, so the retreat is worth 0.43.

use super::choice::{ACTIONS, one_hot};
use arrayvec::ArrayVec;
use cartagena::evaluation::{Afterstate, NetworkProbe, Outputs, Probe};
use cartagena::rules::{ACTIONS_A_TURN, Action, ActionList, Cards, Game, Symbol};
use engine::rng::{self, Random};

/// An action with its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub action: Action,
    /// The value by looking ahead, in turn order from the player.
    pub value: Outputs,
}

/// Consecutive actions of a turn, up to the first draw.
pub(super) type Line = ArrayVec<Step, { ACTIONS_A_TURN as usize }>;

/// The best line from a position, and the value of the best action without looking ahead.
struct Plan {
    line: Line,
    greedy: Outputs,
}

/// A look ahead for one player's turn.
pub(super) struct LookAhead<'a, 'b> {
    pub probe: &'a mut NetworkProbe<'b>,
    pub game: &'a Game,
    /// The number of actions that are followed at each position.
    pub width: usize,
    pub rng: &'a mut Random,
}

impl LookAhead<'_, '_> {
    /// The best line from a position in which the seat is to act and no draw is pending.
    pub fn line(&mut self, before: &Afterstate) -> Line {
        self.plan(before).line
    }

    /// The best line from such a position, and the value of greedy play from it.
    fn plan(&mut self, before: &Afterstate) -> Plan {
        let mut actions = ActionList::new();
        self.game
            .actions(&before.track, before.seat, before.hand, &mut actions);
        if actions.is_empty() {
            actions.push(Action::Pass);
        }
        let mut values = [0.0; ACTIONS];
        let values = &mut values[..actions.len()];
        self.probe.rate(self.game, before, &actions, values);
        let mut ranked: ArrayVec<usize, ACTIONS> = (0..actions.len()).collect();
        // Stable: among equals the first comes first, as in greedy play.
        ranked.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        // A winning action needs no search. The network's chance of another action may be rounded
        // to 1, so each is checked.
        let certain = ranked.iter().take_while(|&&i| values[i] >= 1.0);
        for &i in certain {
            if before.then(actions[i]).won() {
                return Plan::of(Step::new(actions[i], one_hot(0)));
            }
        }
        let last = before.actions_left == 1;
        // After the last action there is nothing to look ahead to.
        ranked.truncate(if last { 1 } else { self.width });
        let mut choices = ArrayVec::<Step, ACTIONS>::new();
        for i in ranked {
            let after = before.then(actions[i]);
            let value = self.probe.value(self.game, &after);
            choices.push(Step::new(actions[i], value));
        }
        if last {
            return Plan::of(choices[0]);
        }
        // The best action by the network: the gain of looking ahead is measured against its value.
        let greedy = choices[0].value;
        let mut best: Option<Line> = None;
        // The player's own chance decides, however the rest is divided among the others.
        for choice in choices {
            let line = self.follow(before, choice);
            if best
                .as_ref()
                .is_none_or(|best| line[0].value[0] > best[0].value[0])
            {
                best = Some(line);
            }
        }
        let line = best.unwrap_or_default();
        Plan { line, greedy }
    }

    /// The line that begins with an action.
    fn follow(&mut self, before: &Afterstate, mut choice: Step) -> Line {
        let after = before.then(choice.action);
        let mut line = Line::new();
        if choice.action == Action::Pass {
            line.push(choice);
        // No draw: the position after is known, so the rest of the turn is planned from it and its
        // value replaces the network's.
        } else if after.draws == 0 {
            let rest = self.plan(&after).line;
            choice.value = rest[0].value;
            line.push(choice);
            line.extend(rest);
        } else {
            // With one action left, looking ahead is greedy and gains nothing.
            if after.actions_left > 1 {
                // One sampled draw. The line ends here, since the real draw will be another.
                let next = drawn(&after, self.rng);
                let plan = self.plan(&next);
                choice.value = gained(choice.value, plan.line[0].value, plan.greedy);
            }
            line.push(choice);
        }
        line
    }
}

impl Step {
    fn new(action: Action, value: Outputs) -> Step {
        Step { action, value }
    }
}

impl Plan {
    fn of(choice: Step) -> Plan {
        Plan {
            line: Line::from_iter([choice]),
            greedy: choice.value,
        }
    }
}

/// `base + with − without`, clamped to 0 to 1 and scaled so that the chances sum to 1 again.
fn gained(base: Outputs, with: Outputs, without: Outputs) -> Outputs {
    let mut sum = 0.0;
    let mut value = base;
    for (value, (with, without)) in value.iter_mut().zip(with.into_iter().zip(without)) {
        *value = (*value + with - without).clamp(0.0, 1.0);
        sum += *value;
    }
    value.map(|value| value / sum)
}

/// The position after a sampled draw. Every unseen card is equally likely, those in other hands included.
fn drawn(after: &Afterstate, rng: &mut Random) -> Afterstate {
    let mut next = *after;
    // The player does not know the other hands, so for it a draw may bring any card that it does
    // not see.
    let mut unseen = Cards::deck().minus(after.hand).minus(after.discards);
    for _ in 0..after.draws {
        // An empty pile is refilled from the discards, and then only these can be drawn.
        if next.pile == 0 {
            next.pile = next.discards.total();
            unseen = next.discards;
            next.discards = Cards::NONE;
        }
        let card = pick(unseen, rng);
        unseen = unseen.without(card);
        next.hand = next.hand.with(card);
        next.hand_sizes[next.seat] += 1;
        next.pile -= 1;
    }
    next.draws = 0;
    next
}

/// One of the cards, each equally likely.
fn pick(cards: Cards, rng: &mut Random) -> Symbol {
    let mut at = rng::below(rng, cards.total() as usize) as u8;
    for symbol in Symbol::ALL {
        let count = cards.count(symbol);
        if at < count {
            return symbol;
        }
        at -= count;
    }
    unreachable!("as many cards as their total")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cartagena::setups::Setups;
    use cartagena::evaluation::{Network, NetworkEvaluator, Shape};
    use cartagena::rules::State;
    use cartagena::world::World;

    /// Positions of a game of random actions.
    fn positions(players: usize, seed: u64) -> (Game, Vec<State>) {
        let setups = Setups::new(players, &[3, 6], 0.2);
        let mut rng = rng::stream(seed, 0);
        let (game, mut world): (Game, World) = setups.draw(&mut rng);
        let mut list = ActionList::new();
        let mut states = Vec::new();
        for _ in 0..60 {
            game.legal_actions(world.state(), &mut list);
            if world.state().winner().is_some() {
                break;
            }
            states.push(*world.state());
            let action = match list.len() {
                0 => Action::Pass,
                n => list[rng::below(&mut rng, n)],
            };
            world.act(&game, action);
        }
        (game, states)
    }

    fn network(players: usize) -> NetworkEvaluator {
        let shape = Shape {
            players,
            hidden: 32,
        };
        NetworkEvaluator::new(&Network::random(shape, &mut rng::stream(3, 0)))
    }

    fn look(network: &NetworkEvaluator, game: &Game, state: &State, width: usize) -> Line {
        let mut look_ahead = LookAhead {
            probe: &mut NetworkProbe::new(network),
            game,
            width,
            rng: &mut rng::stream(9, 9),
        };
        look_ahead.line(&Afterstate::before(state))
    }

    /// Lines are legal, their values are chances, and the last action of a turn is the one that a width of 1 finds.
    #[test]
    fn lines_are_legal() {
        for players in [2, 4] {
            let network = network(players);
            let (game, states) = positions(players, 5);
            for state in &states {
                let line = look(&network, &game, state, 3);
                let mut now = *state;
                assert!(!line.is_empty() && line.len() <= usize::from(state.actions_left()));
                for step in &line {
                    assert_eq!(now.to_move, state.to_move);
                    assert_eq!(game.check(&now, step.action), Ok(()));
                    let sum: f32 = step.value.iter().sum();
                    assert!((sum - 1.0).abs() < 1e-4, "{step:?}");
                    assert!(step.value.iter().all(|&chance| chance >= 0.0));
                    if let Action::Retreat { to, .. } = step.action
                        && now.draws(to) > 0
                    {
                        break;
                    }
                    game.apply(&mut now, step.action, Cards::NONE);
                }
                if state.actions_left() == 1 {
                    let one = look(&network, &game, state, 1);
                    assert_eq!(one[0].action, line[0].action);
                }
            }
        }
    }

    /// The plan does not depend on cards that the player cannot see.
    #[test]
    fn hidden_cards_do_not_matter() {
        let network = network(2);
        let (game, states) = positions(2, 6);
        for state in &states {
            let (seat, other) = (state.to_move as usize, 1 - state.to_move as usize);
            let unseen = Cards::deck().minus(state.hands[seat]).minus(state.discards);
            let mut redealt = *state;
            let size = usize::from(state.hands[other].total());
            redealt.hands[other] = unseen.iter().take(size).collect();
            let key = |line: Line| -> Vec<(Action, u32)> {
                let steps = line.iter();
                steps
                    .map(|step| (step.action, step.value[0].to_bits()))
                    .collect()
            };
            let same = key(look(&network, &game, &redealt, 3));
            assert_eq!(key(look(&network, &game, state, 3)), same);
        }
    }

    #[test]
    fn a_draw_takes_cards_from_the_pile_and_then_the_discards() {
        let (_, states) = positions(2, 7);
        let mut after = Afterstate::before(&states[0]);
        let cards = after.hand.total();
        after.draws = 2;
        after.pile = 1;
        after.discards = Cards::NONE.with(Symbol::ALL[2]);
        let next = drawn(&after, &mut rng::stream(1, 1));
        assert_eq!((next.draws, next.pile), (0, 0));
        assert_eq!(next.hand.total(), cards + 2);
        assert!(next.hand.count(Symbol::ALL[2]) > after.hand.count(Symbol::ALL[2]));
        assert_eq!(next.hand_sizes[next.seat], cards + 2);
        assert!(next.discards.is_empty());
    }
}
