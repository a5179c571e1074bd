//! Hoard, then sprint: the strongest heuristic that is publicly described.
//!
//! Cards are worth more in the hand than a few spaces are on the track, for a card played late
//! jumps over all that stand in the way. So the player collects: it retreats onto pairs, which
//! draw two cards each, and places its pirates so that there are pairs to retreat onto. As soon
//! as a simulation brings all its pirates home with the hand alone, it plays them home, the
//! rearmost first.

use cartagena::player::{Player, Question};
use cartagena::rules::{Action, ActionList, CELL, Cards, Game, Symbol, Track};
use cartagena::view::View;

/// What counts while hoarding, in spaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// A card in the hand.
    pub card: f32,
    /// A pirate that has left the cell.
    pub freed: f32,
    /// The share of the gain of the best retreat that is counted while actions of the turn are
    /// left. A pair that has to wait for the next turn counts nothing: others will have used it.
    pub option: f32,
    /// Cards in the hand from which on the player sprints even if they do not suffice.
    pub enough: u8,
}

impl Default for Weights {
    /// Tuned by matches against the other baselines and between settings.
    fn default() -> Weights {
        Weights {
            card: 9.0,
            freed: 4.0,
            option: 1.0,
            enough: 24,
        }
    }
}

/// The player: see the module's description. It keeps nothing between actions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hoarder {
    weights: Weights,
}

impl Hoarder {
    /// A player with its own weights.
    pub fn new(weights: Weights) -> Hoarder {
        Hoarder { weights }
    }

    /// How good it is to go on hoarding from here.
    fn worth(&self, game: &Game, view: &View, after: &After, actions_left: u8) -> f32 {
        let seat = view.seat;
        let track = &after.track;
        let mut worth = self.weights.card * f32::from(after.cards);
        worth -= track.pips(seat) as f32;
        let mut best = 0.0f32;
        for &place in track.pirates(seat) {
            if place == CELL {
                worth -= self.weights.freed;
            } else if (place != track.boat() || game.boat_retreat)
                && let Some(to) = track.retreat(place)
            {
                let draws = track.pirates_on(to).min(after.supply);
                let gain = self.weights.card * f32::from(draws) - f32::from(place - to);
                best = best.max(gain);
            }
        }
        let share = if actions_left > 0 {
            self.weights.option
        } else {
            0.0
        };
        worth + share * best
    }

    fn hoard(&self, question: &Question, list: &ActionList) -> Action {
        let (game, view) = (question.game, question.view);
        let mut best = (f32::NEG_INFINITY, Action::Pass);
        for &action in list {
            let after = After::of(view, action);
            let worth = self.worth(game, view, &after, view.actions_left() - 1);
            if worth > best.0 {
                best = (worth, action);
            }
        }
        best.1
    }
}

impl Player for Hoarder {
    fn choose(&mut self, question: &Question) -> Action {
        let (game, view) = (question.game, question.view);
        let mut list = ActionList::new();
        game.actions(&view.track, view.seat, view.hand, &mut list);
        if list.is_empty() {
            return Action::Pass;
        }
        let sprint = Sprint::run(game, view.track, view.seat, view.hand);
        let supply = u16::from(view.pile) + u16::from(view.discards.total());
        let must = supply == 0 || view.hand.total() >= self.weights.enough;
        match sprint.first {
            Some(first) if sprint.home || must => first,
            _ => self.hoard(question, &list),
        }
    }
}

/// The position after an action, as far as hoarding looks at it.
struct After {
    track: Track,
    cards: u8,
    /// Cards that can still be drawn.
    supply: u8,
}

impl After {
    fn of(view: &View, action: Action) -> After {
        let mut track = view.track;
        let supply = view.pile.saturating_add(view.discards.total());
        let cards = view.hand.total();
        match action {
            Action::Advance { from, to, .. } => {
                track.step(view.seat, from, to);
                After {
                    track,
                    cards: cards - 1,
                    supply: supply + 1,
                }
            }
            Action::Retreat { from, to } => {
                let draws = view.draws(to);
                track.step(view.seat, from, to);
                After {
                    track,
                    cards: cards + draws,
                    supply: supply - draws,
                }
            }
            Action::Pass => After {
                track,
                cards,
                supply,
            },
        }
    }
}

/// Playing home with the hand alone, as if nobody else moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sprint {
    /// The first action, if a card is left to play and a pirate to move.
    first: Option<Action>,
    /// Whether every pirate gets home.
    home: bool,
}

impl Sprint {
    /// Moves the rearmost pirate with the card that takes it farthest until the cards run out.
    fn run(game: &Game, mut track: Track, seat: usize, mut hand: Cards) -> Sprint {
        let mut first = None;
        while !track.is_home(seat) {
            let from = track.pirates(seat)[0];
            let Some((to, symbol)) = farthest(game, &track, from, hand) else {
                return Sprint { first, home: false };
            };
            first = first.or(Some(Action::Advance { from, to, symbol }));
            hand = hand.without(symbol);
            track.step(seat, from, to);
        }
        Sprint { first, home: true }
    }
}

/// The place a pirate gets farthest to with one card, and the card; of several that get equally
/// far the one the hand holds most of.
fn farthest(game: &Game, track: &Track, from: u8, hand: Cards) -> Option<(u8, Symbol)> {
    let mut best = None;
    let mut rank = (0, 0);
    for symbol in hand.symbols() {
        let to = track.advance(&game.board, from, symbol);
        let this = (to, hand.count(symbol));
        if this > rank {
            rank = this;
            best = Some((to, symbol));
        }
    }
    best
}
