//! The replay of a record: from the history that the player to move received to its view, its belief, and the faults
//! in the history. A call of the player begins with it.

use super::super::record::GameRecord;
use super::super::rules::{
    ACTIONS_A_TURN, COPIES, Cards, DECK, Game, MAX_PIRATES, MAX_PLAYERS, Symbol,
};
use super::super::view::View;
use super::inconsistency::Inconsistency;
use super::pools::Pools;
use super::sample::Belief;
use super::walk::{Event, Walk};

/// The deal of the contest, which its interface's example shows.
const CONTEST_DEAL: usize = 3;
/// The deal of the printed game.
const PRINTED_DEAL: usize = 6;
/// The largest deal that is tried: with it six players hold the whole deck.
const MAX_DEAL: usize = DECK / MAX_PLAYERS;

/// How to read a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayOptions {
    /// Cards dealt to each player; none: the deal is inferred from the own hand.
    pub deal: Option<usize>,
    /// Whether a pirate may leave the boat again by a retreat.
    pub boat_retreat: bool,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        ReplayOptions {
            deal: None,
            boat_retreat: true,
        }
    }
}

/// All that the player to move knows from a record.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Board, players and options.
    pub game: Game,
    /// The game as the player to move sees it.
    pub view: View,
    /// The distribution of the hidden cards.
    pub belief: Belief,
    /// Cards dealt to each player, as inferred or given.
    pub deal: usize,
    /// The player with all pirates on the boat: the game is over, and nothing is legal.
    pub winner: Option<usize>,
    /// Everything that the rules do not allow; faults of moves in the order of the moves.
    pub inconsistencies: Vec<Inconsistency>,
    /// With three or more players: those that were passed over although they could act, and have not moved since. After
    /// a fault a player leaves the game, so that this breaks no rule.
    pub left: Vec<Inconsistency>,
}

/// Replays a record for the player to move.
///
/// A record does not say how many cards were dealt. If `options` does not either, deals are tried in the order 3, 6, 0,
/// 1, 2, … 17. The deal that counts is the first of these that exists:
///
/// - one that gives the own hand its size without an inconsistency (that a player has left does not count as one);
/// - one that gives it and breaks no rule;
/// - one that gives it and lets nobody play from an empty hand;
/// - one that gives it;
/// - 3.
///
/// A record does not say where turns end, either. The actions taken in this turn are the own moves at
/// the end of the record, modulo 3.
///
/// Never fails: a move that breaks the rules is played as it stands if that makes sense, left out if it
/// does not, and named in [`Replay::inconsistencies`] either way.
pub fn replay(record: &GameRecord, options: &ReplayOptions) -> Replay {
    // A record made by a program may have numbers that no text has. They are brought into range.
    let game = Game {
        board: record.board.clone(),
        players: record.players.clamp(2, MAX_PLAYERS),
        pirates: MAX_PIRATES,
        boat_retreat: options.boat_retreat,
        gone: 0,
    };
    let seat = record.to_move.min(game.players - 1);
    let walk = |deal| Walk::new(&game, record, seat, deal);
    let end = |deal, walk| with_belief(&game, record, seat, options.deal, deal, walk);
    if let Some(deal) = options.deal {
        return end(deal, walk(deal));
    }
    // The likeliest deals come first: the contest's, then the one of the printed rules.
    let others = (0..=MAX_DEAL).filter(|d| ![CONTEST_DEAL, PRINTED_DEAL].contains(d));
    let deals = [CONTEST_DEAL, PRINTED_DEAL].into_iter().chain(others);
    // Where draws came short, several deals give the own hand its size. A wrong one may let somebody play from an empty
    // hand, pass somebody over that holds a card, or leave no way to the own cards.
    let mut best: Option<((bool, bool, bool), Replay)> = None;
    for deal in deals {
        let walk = walk(deal);
        if usize::from(walk.hand_sizes[seat]) != record.hand.len() {
            continue;
        }
        let (overdrawn, breaks) = (walk.overdrawn > 0, !walk.inconsistencies().0.is_empty());
        let found = end(deal, walk);
        let faults = (overdrawn, breaks, !found.inconsistencies.is_empty());
        if best.as_ref().is_none_or(|(least, _)| faults < *least) {
            best = Some((faults, found));
        }
        if faults == (false, false, false) {
            break;
        }
    }
    match best {
        Some((_, found)) => found,
        None => end(CONTEST_DEAL, walk(CONTEST_DEAL)),
    }
}

/// Gives the state at the end of a walk through the record its belief about hidden cards. `given` is the deal if the
/// caller has named one.
fn with_belief(
    game: &Game,
    record: &GameRecord,
    seat: usize,
    given: Option<usize>,
    deal: usize,
    walk: Walk,
) -> Replay {
    // `spare` are the cards of the hand that the deck cannot have; they are only named below.
    let (hand, spare) = own_hand(&record.hand);
    let (mut inconsistencies, mut left) = walk.inconsistencies();
    // The hand of a player that has left is shuffled into a later pile, which the replay takes for smaller. What does not
    // fit after that breaks no rule.
    let is_reshuffled = walk
        .events
        .iter()
        .any(|event| matches!(event, Event::Reshuffle { .. }));
    let (notes, excuse) = match walk.gone != 0 && is_reshuffled {
        true => (
            &mut left,
            "; the cards of a player that has left may be in the pile",
        ),
        false => (&mut inconsistencies, ""),
    };
    let mut note = |message: String| {
        notes.push(Inconsistency {
            index: None,
            line: None,
            message: message + excuse,
        })
    };
    // The replay counts the own cards, and the record names them. If the numbers differ, the deal does not fit.
    let fits = usize::from(walk.hand_sizes[seat]) == record.hand.len();
    if !fits {
        let what = given.map_or("no deal fits", |_| "the deal does not fit");
        note(format!(
            "{what}: with {deal} cards dealt to each, player {} has {} cards, not {}",
            seat + 1,
            walk.hand_sizes[seat],
            record.hand.len()
        ));
    } else if walk.overdrawn > 0 && given.is_none() {
        // Either a move is wrong, or the end of the hand is missing. In the second case the moves named above are right.
        note(format!(
            "no deal fits: player {} has {} in hand only with {deal} dealt to each; is the hand whole?",
            seat + 1,
            record.hand.len()
        ));
    }
    // More cards of a symbol than the deck has is a fault of the record, to be named once and not again as a
    // hand that nobody can hold.
    let mut impossible = !spare.is_empty();
    for symbol in Symbol::ALL {
        let discards = walk.discards.count(symbol);
        let held = record.hand.iter().filter(|&&card| card == symbol).count();
        let all = held + usize::from(discards);
        if all > usize::from(COPIES) {
            impossible = true;
            note(format!(
                "the hand and the discards show {all} {symbol} cards, the deck has {COPIES}"
            ));
        }
    }

    // The hand that was received counts, even if the replay gives it another size.
    let mut hand_sizes = walk.hand_sizes;
    hand_sizes[seat] = hand.total();
    // If the others had to pass, own moves of several turns stand in a row: every third one is taken to end a turn.
    let own_run = record.moves.iter().rev();
    let own_run = own_run.take_while(|m| m.player == seat).count();
    let view = View {
        seat,
        hand,
        hand_sizes,
        track: walk.track,
        discards: walk.discards,
        pile: walk.pile,
        to_move: seat as u8,
        taken: (own_run % ACTIONS_A_TURN as usize) as u8,
    };
    // The walk has the public side. The events lead from the deal to a distribution of the hidden cards.
    let pools = Pools::follow(walk.dealt, &walk.events, seat, hand);
    // A history that cannot lead to this hand leaves one pool of exchangeable cards.
    let belief = match Belief::new(pools, &view, game.players) {
        Some(belief) => belief,
        None => {
            if fits && !impossible && walk.overdrawn == 0 {
                note("nobody can hold this hand after these moves".to_owned());
            }
            Belief::of_view(&view, game.players)
        }
    };
    Replay {
        winner: walk.winner(),
        game: Game {
            gone: walk.gone,
            ..game.clone()
        },
        view,
        belief,
        deal,
        inconsistencies,
        left,
    }
}

/// The own hand with at most as many cards of a symbol as the deck has, and the cards beyond that, up to
/// the same number.
fn own_hand(hand: &[Symbol]) -> (Cards, Cards) {
    let (mut own, mut spare) = (Cards::NONE, Cards::NONE);
    for &symbol in hand {
        if own.count(symbol) < COPIES {
            own = own.with(symbol);
        } else if spare.count(symbol) < COPIES {
            spare = spare.with(symbol);
        }
    }
    (own, spare)
}
