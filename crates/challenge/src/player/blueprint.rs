//! The blueprint as a player: it plays openings without abstraction if there are any, and else from the tables. It is
//! part of the player `equilibrium`, which solves the last three tricks.

use super::tracker::Tracker;
use super::{Player, Proposer};
use crate::equilibrium::blueprint::{Blueprint, Distribution, sample};
use crate::rules::{Card, Cards, DEFAULT_GOAL, Decision, Event, PublicState, Seat, other};
use crate::view::{Asked, View};
use engine::rng::{Random, unit};
use std::sync::Arc;

/// Plays the blueprint of the hand game at the score, and nothing else.
pub struct BlueprintPlayer {
    blueprint: Arc<Blueprint>,
    tracker: Tracker,
    rng: Random,
}

impl BlueprintPlayer {
    /// A player with its tables and the generator of its mixed decisions.
    pub fn new(blueprint: Arc<Blueprint>, rng: Random) -> BlueprintPlayer {
        BlueprintPlayer {
            blueprint,
            tracker: Tracker::default(),
            rng,
        }
    }

    pub(super) fn blueprint(&self) -> &Blueprint {
        &self.blueprint
    }

    /// A legal decision. The tracker must have observed the view.
    pub(super) fn choose(&mut self, view: &View) -> Decision {
        let public = self.tracker.public();
        let chosen = distribution(&self.blueprint, public, view);
        let chosen = without_blunders(chosen, public, view);
        let chosen = sample(&chosen, unit(&mut self.rng) as f32);
        // The state is reconstructed, so after a missed event it may allow more than the view does.
        let legal = chosen.filter(|&decision| view.allows(decision));
        legal.or_else(|| view.safe()).unwrap_or(Decision::Offer)
    }
}

/// The blueprint's strategy for the player of a view.
pub fn distribution(blueprint: &Blueprint, public: &PublicState, view: &View) -> Distribution {
    // No table is needed: the winner challenges, and the loser rejects.
    if let Some(winner) = public.settled() {
        let decision = settled(view, winner == view.player_number);
        return [(decision, 1.0)].into_iter().collect();
    }
    // The values of the scores after winning, losing and tying this hand select the hand game that is nearest.
    let stakes = blueprint.values().stakes_for(view.points(), public.opener);
    blueprint.opened(&stakes).played(public, view.cards)
}

/// A strategy without decisions that are never better than another one, by the cards that lie open alone. Tables and
/// solutions have such decisions for three reasons: their numbers are rounded, one row covers many hands, and a belief
/// about the opponent's hand that is too sure makes decisions seem equal.
pub(super) fn without_blunders(
    mut chosen: Distribution,
    public: &PublicState,
    view: &View,
) -> Distribution {
    let only = |decision| [(decision, 1.0)].into_iter().collect();
    if view.asked == Asked::Answer {
        return match view.their_points >= DEFAULT_GOAL - 1 {
            // A rejection gives the opponent its last point.
            true => only(Decision::Accept),
            false => chosen,
        };
    }
    if view.their_card.is_none() {
        return chosen;
    }
    let seat = view.player_number;
    let winner = |card| public.after(Decision::Play(card)).settled();
    if view.can_challenge && view.cards.iter().any(|card| winner(card) == Some(seat)) {
        // The hand is won. A rejection gives the same point, and an acceptance the game.
        return only(Decision::Offer);
    }
    // These cards do not lose the hand yet.
    let is_open = |&card: &Card| winner(card) != Some(other(seat));
    let open: Cards = view.cards.iter().filter(is_open).collect();
    let is_lost = |&(decision, _): &(Decision, f32)| matches!(decision, Decision::Play(card) if !open.contains(card));
    let lost: f32 = chosen
        .iter()
        .filter(|entry| is_lost(entry))
        .map(|entry| entry.1)
        .sum();
    // Their part goes to the cheapest card that takes the trick, or else to the lowest.
    let instead = view.their_card.and_then(|led| open.lowest_above(led));
    if let Some(card) = instead.or_else(|| open.lowest()).filter(|_| lost > 0.0) {
        chosen.retain(|entry| !is_lost(entry));
        chosen.push((Decision::Play(card), lost));
    }
    chosen
}

/// The decision in a hand whose winner is certain: the winner offers and accepts, since the other may err, and the
/// loser rejects.
fn settled(view: &View, wins: bool) -> Decision {
    match view.asked {
        Asked::Answer if wins => Decision::Accept,
        Asked::Answer => Decision::Reject,
        // The offer costs nothing: a rejection ends the hand with the point that is won anyway, and an acceptance
        // wins the game.
        Asked::Card if wins && view.can_challenge => Decision::Offer,
        Asked::Card => view.safe().unwrap_or(Decision::Offer),
    }
}

impl Proposer for BlueprintPlayer {
    fn propose(&mut self, view: &View) -> Decision {
        self.choose(view)
    }

    fn tracker(&mut self) -> &mut Tracker {
        &mut self.tracker
    }
}

impl Player for BlueprintPlayer {
    fn decide(&mut self, view: &View) -> Decision {
        self.observe(view);
        let chosen = self.propose(view);
        self.tracker.decided(chosen);
        chosen
    }

    fn event(&mut self, _: Seat, event: Event) {
        self.tracker.event(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::testing::{card, cards};

    /// The strategy of the player to act after these cards, seat 0 led first; it holds `own`.
    fn sensible(played: &[u8], own: &[u8], chosen: &[(Decision, f32)]) -> Vec<(Decision, f32)> {
        let cards_played = played.iter().map(|&rank| Decision::Play(card(rank)));
        let public = cards_played.fold(PublicState::new(0), PublicState::after);
        let view = View::of_hand(&public, cards(own), [4, 8]);
        without_blunders(chosen.iter().copied().collect(), &public, &view).to_vec()
    }

    #[test]
    fn a_hand_is_not_thrown_away() {
        let play = |rank| Decision::Play(card(rank));
        // One trick against two, and a 13 to be followed: the 6 loses the hand, the other 13 may still tie it.
        let behind = [9, 3, 2, 8, 10, 4, 13];
        let mixed = [(play(6), 0.5), (play(13), 0.25), (Decision::Offer, 0.25)];
        let expected = [(play(13), 0.25), (Decision::Offer, 0.25), (play(13), 0.5)];
        assert_eq!(sensible(&behind, &[13, 6], &mixed), expected);
        // If every card loses, the strategy decides what is given away.
        let lost = [(play(6), 0.75), (play(5), 0.25)];
        assert_eq!(sensible(&behind, &[6, 5], &lost), lost);
        // Two against one, and a 4 to be followed: the 10 wins the hand for certain.
        let ahead = [9, 3, 7, 5, 2, 8, 4];
        let plays = [(play(1), 1.0)];
        assert_eq!(sensible(&ahead, &[10, 1], &plays), [(Decision::Offer, 1.0)]);
    }

    #[test]
    fn the_last_point_is_not_given_away() {
        let public = PublicState::new(0).after(Decision::Offer);
        let doubtful: Distribution = [(Decision::Reject, 1.0)].into_iter().collect();
        for (points, decision) in [(8, Decision::Reject), (9, Decision::Accept)] {
            let view = View::of_hand(&public, cards(&[2, 3, 5, 6, 7]), [points, 0]);
            let chosen = without_blunders(doubtful.clone(), &public, &view);
            assert_eq!(chosen.to_vec(), [(decision, 1.0)]);
        }
    }
}
