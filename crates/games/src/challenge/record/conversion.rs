//! The record of a history, and the history of a record.

use super::super::{Challenge, Options, decision, id_of};
use super::{Entry, GameLine, Moved, Recorded};
use crate::History;
use crate::game::{Game as _, Turn};
use crate::record::{RecordError, unsupported};
use ::challenge::rules::{
    Card, Cards, Decision, Game, GameOptions, HAND_SIZE, LeadAfterTie, PACKS,
};
use serde_json::Value;

/// The deals and decisions of a record, checked against the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// The rule by which the game went on after a tied hand.
    pub lead: LeadAfterTie,
    /// The hands as dealt.
    pub deals: Vec<[Cards; 2]>,
    pub decisions: Vec<Decision>,
}

impl GameLine {
    /// Plays the game again by the rules, without its times.
    ///
    /// # Errors
    /// The first entry that contradicts the rules, or has a fault; or another result than the record says.
    pub fn follow(&self) -> Result<Followed, String> {
        self.follow_any(false)
    }

    /// Plays the game again by the rules, with the penalties of its faults.
    ///
    /// # Errors
    /// The first entry that contradicts the rules; or another result than the record says.
    pub fn verify(&self) -> Result<(), String> {
        self.follow_any(true).map(drop)
    }

    fn follow_any(&self, with_faults: bool) -> Result<Followed, String> {
        // The rules leave open who leads after a tied hand, and a record does not say which way was played.
        // Both ways are tried, the usual one first. If both fail, the error of the usual one is reported.
        let by = |lead| self.follow_by(lead, with_faults);
        let usual = by(LeadAfterTie::Opener);
        usual.or_else(|error| by(LeadAfterTie::Alternate).map_err(|_| error))
    }

    fn follow_by(&self, lead: LeadAfterTie, with_faults: bool) -> Result<Followed, String> {
        let mut game = Game::new(GameOptions {
            lead_after_tie: lead,
            ..GameOptions::default()
        });
        let (mut deals, mut decisions) = (Vec::new(), Vec::new());
        for (entry, number) in self.entries.iter().zip(1..) {
            let wrong = |reason: String| format!("entry {number}: {reason}");
            match entry {
                Entry::NewHand {
                    player0_hand,
                    player1_hand,
                    next_player,
                } => {
                    // People may have written the record, so each entry is checked against the rules.
                    if !game.needs_deal() {
                        let reason = "a new hand begins before the last one is over";
                        return Err(wrong(reason.to_owned()));
                    }
                    let cards = [
                        hand_of(player0_hand.iter().copied().map(card_of)).map_err(wrong)?,
                        hand_of(player1_hand.iter().copied().map(card_of)).map_err(wrong)?,
                    ];
                    game.deal(cards);
                    if game.to_act() != Some(*next_player) {
                        let due = game.to_act().unwrap_or_default();
                        return Err(wrong(format!(
                            "player {next_player} leads, expected player {due}"
                        )));
                    }
                    deals.push(cards);
                }
                Entry::PlayerMove {
                    moving_player,
                    what,
                } => {
                    let decision = match what {
                        Moved::PlayCard { card } => {
                            Some(Decision::Play(card_of(*card).map_err(wrong)?))
                        }
                        Moved::OfferChallenge => Some(Decision::Offer),
                        Moved::AcceptChallenge => Some(Decision::Accept),
                        Moved::RejectChallenge => Some(Decision::Reject),
                        Moved::IllegalMove { .. } if with_faults => None,
                        Moved::IllegalMove { reason } => {
                            return Err(wrong(format!(
                                "player {moving_player} made a fault ({reason}), and a table has no faults: \
                                 contest challenge replay shows such games"
                            )));
                        }
                    };
                    if game.to_act() != Some(*moving_player) {
                        return Err(wrong(format!(
                            "player {moving_player} decides, but is not to act"
                        )));
                    }
                    let taken = match decision {
                        Some(decision) => game.decide(decision),
                        None => game.fault(),
                    };
                    taken.map_err(|illegal| wrong(illegal.to_string()))?;
                    decisions.extend(decision);
                }
                // Other entries follow from the decisions.
                _ => {}
            }
        }
        // Last check: the record's result must be that of the game.
        match game.winner() {
            Some(winner) if winner != self.winner => Err(format!(
                "winner: the record says player {}, the game was won by player {winner}",
                self.winner
            )),
            None if !self.resigned => {
                Err("entries: the game is not over after the last one".to_owned())
            }
            _ => Ok(Followed {
                lead,
                deals,
                decisions,
            }),
        }
    }
}

/// The card of a rank.
fn card_of(rank: u8) -> Result<Card, String> {
    Card::new(rank).ok_or_else(|| format!("{rank} is no card: expected a rank from 1 to 13"))
}

/// The cards together, if the packs have as many of each rank.
pub(in crate::challenge) fn cards_of(
    all: impl IntoIterator<Item = Result<Card, String>>,
) -> Result<Cards, String> {
    let mut cards = Cards::EMPTY;
    for card in all {
        let card = card?;
        let most = PACKS.count(card);
        if cards.count(card) >= most {
            return Err(format!("{card} is there more than {most} times"));
        }
        cards.insert(card);
    }
    Ok(cards)
}

/// A hand as it was dealt.
pub(in crate::challenge) fn hand_of(
    all: impl IntoIterator<Item = Result<Card, String>>,
) -> Result<Cards, String> {
    let cards = cards_of(all)?;
    match cards.len() {
        HAND_SIZE => Ok(cards),
        found => Err(format!("expected {HAND_SIZE} cards, not {found}")),
    }
}

/// The record of a game that somebody has won.
pub(in crate::challenge) fn record(
    history: &History<Challenge>,
    players: &[String],
) -> Result<Value, RecordError> {
    let game = history.game();
    if game.settings().cards != HAND_SIZE {
        return unsupported("records are of games with hands of five cards");
    }
    let Some(winner) = history.state().game().winner() else {
        return unsupported("records are of games that somebody has won");
    };
    let mut recorded = Recorded::new(game.rules());
    let mut state = history.start().clone();
    for event in history.events() {
        if event.seat.is_some() {
            // The first action of a hand: all of its cards are dealt by now.
            if let (true, Some(hand)) = (recorded.game().needs_deal(), state.game().hand()) {
                recorded.deal([hand.cards(0), hand.cards(1)]);
            }
            let decided = recorded.decide(decision(event.id));
            decided.map_err(RecordError::replay)?;
        }
        game.apply(&mut state, event.id);
    }
    let line = GameLine {
        id: 1,
        names: Some([players[0].clone(), players[1].clone()]),
        teams: [1, 2],
        winner,
        // A single game belongs to no round of a contest.
        entries: recorded.into_entries(None),
        ..GameLine::default()
    };
    Ok(serde_json::to_value(line)?)
}

/// The game of a record after its first `actions` actions.
pub(in crate::challenge) fn from_record(
    record: &Value,
    actions: usize,
) -> Result<History<Challenge>, RecordError> {
    let line: GameLine = serde_json::from_value(record.clone())?;
    let Followed {
        lead,
        deals,
        decisions,
    } = line.follow().map_err(RecordError::replay)?;
    let game = Challenge::with(Options {
        lead_after_tie: lead,
        ..Options::default()
    })?;
    let mut history = History::new(game, None);
    let (mut deals, mut decisions) = (deals.into_iter(), decisions.into_iter().take(actions));
    loop {
        match history.game().turn(history.state()) {
            Turn::Chance => {
                let Some(hands) = deals.next() else { break };
                for card in hands.iter().flat_map(|hand| hand.iter()) {
                    history.follow(card.rank() - 1)?;
                }
            }
            Turn::Seat(_) => {
                let Some(decision) = decisions.next() else {
                    break;
                };
                history.follow(id_of(decision))?;
            }
            Turn::Over => break,
        }
    }
    Ok(history)
}
