//! A game of the challenge card game at a table, where people play it in a browser or a terminal.
//!
//! [`AtTable`] implements `tables::TableGame`: actions, the views of each seat, advice, and records. Going back and
//! reviews repeat the game from its start, so the same seed must always bring the same cards.

use super::advice::{self, ADVICE, REVIEW, choice};
use super::deals::Deals;
use super::levels;
use super::luck::{self, Dealt};
use super::programs::{self, Course, Programs};
use super::words::{screen, told};
use crate::challenge::record::GameLine;
use crate::challenge::{Entry, Recorded};
use crate::practice::Practice;
use arena::records::line_of;
use challenge::deals;
use challenge::equilibrium::blueprint::Tables;
use challenge::player::Position;
use challenge::rules::{
    Cards, DEFAULT_GOAL, Decision, Event, Game, GameOptions, Hand, PublicState, Seat, other,
};
use challenge_server::web::finished;
use engine::rng;
use games::challenge::notation;
use games::challenge::start::{Before, Begin};
use serde_json::{Value, json};
use std::sync::Arc;
use tables::{Advice, Choice, Eyes, TableGame, Told};

/// A game under way.
#[derive(Clone)]
pub(super) struct AtTable {
    recorded: Recorded,
    deals: Deals,
    taken: Vec<Decision>,
    /// The results of the decisions: the decision's number from 0, its seat, the event.
    events: Vec<(usize, Seat, Event)>,
    /// The public state of the current hand before the first decision in `log`.
    base: PublicState,
    /// The decisions of the current hand.
    log: Vec<Decision>,
    /// The current hand as it was dealt, or set up.
    dealt: Dealt,
    /// By seat, whether it has decided in this hand since the deal. A hand that was set up has no deal that was luck.
    decided: [bool; 2],
    /// The seat and the deal of the last decision, if it was the seat's first one after the deal.
    lucky: Option<(Seat, Dealt)>,
    /// The cards of the current deck that each player has seen in earlier hands.
    seen: [Cards; 2],
    seed: u64,
    /// The start that people chose; none if the seed deals the first hand.
    begin: Option<Arc<Begin>>,
    tables: Tables,
    programs: Programs,
    /// The seat whose resignation ended the game.
    resigned: Option<Seat>,
}

impl AtTable {
    /// A game with its first hand dealt by the seed, or with the chosen start `begin`.
    pub(super) fn begin(
        tables: Tables,
        programs: Programs,
        seed: u64,
        begin: Option<Begin>,
    ) -> AtTable {
        let begin = begin.map(Arc::new);
        let start = begin.as_deref();
        let mut table = AtTable {
            recorded: start.map_or_else(|| Recorded::new(GameOptions::default()), Begin::game),
            deals: Deals::new(seed, start.map_or_else(Vec::new, |one| one.deals.clone())),
            taken: Vec::new(),
            events: Vec::new(),
            base: PublicState::new(0),
            log: Vec::new(),
            dealt: Dealt::default(),
            decided: [true; 2],
            lucky: None,
            seen: [Cards::EMPTY; 2],
            seed,
            begin: begin.clone(),
            tables,
            programs,
            resigned: None,
        };
        // A start in the middle of a hand needs no deal.
        match table.game().needs_deal() {
            true => table.deal(),
            false => table.begin_hand(),
        }
        for decision in begin.iter().flat_map(|begin| begin.done.iter().copied()) {
            // These decisions were checked when the start was read.
            if table.recorded.decide(decision).is_ok() {
                table.log.push(decision);
            }
        }
        table
    }

    /// The game in the form that its programs need.
    fn course(&self) -> Course {
        Course {
            events: self.events.clone(),
            seed: self.seed,
            tables: self.tables.clone(),
            game: self.game().clone(),
            decisions: self.taken.clone(),
        }
    }

    /// Whether the game started with a deal. Only then a record describes it completely.
    fn is_from_deal(&self) -> bool {
        self.begin.as_ref().is_none_or(|begin| begin.hand.is_none())
    }

    fn game(&self) -> &Game {
        self.recorded.game()
    }

    /// The winner: the player with enough points, or whose opponent has resigned.
    fn winner(&self) -> Option<Seat> {
        self.game().winner().or(self.resigned.map(other))
    }

    /// All entries of the record.
    fn entries(&self) -> Vec<Entry> {
        let mut entries = self.recorded.entries().to_vec();
        // The record of every game ends with its result; a resignation leaves the points as they are.
        let [player0_score, player1_score] = self.game().points();
        entries.extend(self.resigned.map(|seat| Entry::FinalGameResult {
            player0_score,
            player1_score,
            winner: other(seat),
        }));
        entries
    }

    /// Deals the next hand.
    fn deal(&mut self) {
        let (hands, is_fresh) = self.deals.next();
        self.recorded.deal(hands);
        self.begin_hand();
        self.decided = [false; 2];
        // Nothing of a new deck has been seen.
        if is_fresh {
            self.seen = [Cards::EMPTY; 2];
        }
    }

    /// Notes the hand that begins.
    fn begin_hand(&mut self) {
        if let Some(&hand) = self.game().hand() {
            self.base = *hand.public();
            self.dealt = Dealt {
                cards: [hand.cards(0), hand.cards(1)],
                points: self.game().points(),
                opener: self.base.opener,
            };
        }
        self.log.clear();
    }

    /// Takes a legal decision, and deals the next hand if it ends this one.
    fn take(&mut self, decision: Decision) -> Result<(), String> {
        let seat = self.game().to_act().ok_or("the game is over")?;
        let events = self
            .recorded
            .decide(decision)
            .map_err(|illegal| illegal.to_string())?;
        let number = self.taken.len();
        let results = events.iter().map(|&event| (number, seat, event));
        self.events.extend(results);
        self.lucky = (!self.decided[seat]).then_some((seat, self.dealt));
        self.decided[seat] = true;
        self.taken.push(decision);
        self.log.push(decision);
        let is_done = |event: &Event| matches!(event, Event::HandDone { .. });
        if events.iter().any(is_done) {
            self.see();
        }
        if self.game().needs_deal() {
            self.deal();
        }
        Ok(())
    }

    /// Notes the cards that each player has seen in a hand that is over.
    fn see(&mut self) {
        // The game has forgotten the hand, so its last public state is computed from the log.
        let end = self.log.iter();
        let end = end.fold(self.base, |public, &decision| public.after(decision));
        // Each player knows its own whole hand, and the cards that the other has shown: those of finished tricks, and a
        // card on the table.
        for seat in 0..2 {
            let (them, own) = (other(seat), self.dealt.cards[seat]);
            self.seen[seat] = deals::see(deals::see(self.seen[seat], own), end.shown(them));
        }
    }

    /// The knowledge of the player to act.
    pub(super) fn position(&self) -> Option<Position> {
        let hand = self.game().hand()?;
        let seat = hand.to_act()?;
        Some(Position {
            public: *hand.public(),
            // In a hand that was set up in the middle the first decisions are unknown. Then there is no log, and the
            // opponent's decisions are not used to infer its cards.
            log: (self.base == PublicState::new(self.base.opener)).then(|| self.log.clone()),
            cards: hand.cards(seat),
            points: self.game().points(),
            deck: deals::deck(
                self.seen[seat],
                self.dealt.cards[seat].plus(hand.public().shown(other(seat))),
            ),
        })
    }

    /// Advice from a search that tries every decision in `worlds` sampled worlds.
    fn search(&self, worlds: u32) -> Advice {
        // The seed follows from the number of actions, so asking twice gives the same advice.
        let seed = rng::mix(self.chance());
        let search = |one: Position| one.search(&self.tables.blueprint(), worlds, seed);
        advice::of(&self.position().map(search).unwrap_or_default())
    }

    /// By seat, whether the observer sees the hand.
    fn sees(&self, eyes: Eyes) -> [bool; 2] {
        // A finished game hides nothing.
        let all = self.winner().is_some() || eyes == Eyes::All;
        [0, 1].map(|seat| all || eyes == Eyes::Seat(seat))
    }

    /// The seed for the next decision's random numbers.
    fn chance(&self) -> u64 {
        rng::mix(self.seed ^ rng::mix(self.taken.len() as u64 + 1))
    }
}

impl TableGame for AtTable {
    fn boxed(&self) -> Box<dyn TableGame> {
        Box::new(self.clone())
    }

    fn to_move(&self) -> Option<usize> {
        self.game().to_act().filter(|_| self.resigned.is_none())
    }

    fn view(&self, eyes: Eyes) -> Value {
        let hand = self.game().hand();
        // Legal decisions depend on hidden cards, so only the player to act sees them.
        let legal = match self.to_move() {
            Some(seat) if eyes == Eyes::Seat(seat) => self.choices(),
            _ => Vec::new(),
        };
        json!({
            "goal": DEFAULT_GOAL,
            "in_challenge": hand.is_some_and(|hand| hand.public().in_challenge()),
            "must_answer": hand.is_some_and(|hand| hand.public().must_answer()),
            "winner": self.winner(),
            "legal": legal,
            "log": self.told(eyes).into_iter().map(|told| told.entry).collect::<Vec<_>>(),
        })
    }

    fn act(&mut self, action: &str) -> Result<String, String> {
        let decision = notation::parse(action)?;
        self.take(decision)?;
        Ok(notation::print(decision))
    }

    fn resign(&mut self, seat: usize) {
        self.resigned = Some(seat);
    }

    fn places(&self) -> Option<Vec<f64>> {
        let winner = self.winner()?;
        Some(arena::ranking::places(&[0, 1].map(|seat| seat == winner)))
    }

    fn has_shown(&self) -> bool {
        // The last decision of a hand deals the next one.
        self.log.is_empty() && !self.taken.is_empty()
    }

    fn think(&self, level: usize) -> Result<String, String> {
        let blueprint = self.tables.blueprint();
        let mut chance = rng::stream(self.chance(), 0);
        let position = self.position();
        let decision =
            position.and_then(|one| one.decide(&blueprint, levels::settings(level), &mut chance));
        Ok(notation::print(decision.ok_or("it found no decision")?))
    }

    fn consult(&self, program: &str) -> Result<String, String> {
        programs::ask(&self.programs, program, &self.course())
    }

    fn close(&self) {
        programs::leave(&self.programs, || self.course());
    }

    fn advise(&self) -> Advice {
        self.search(ADVICE)
    }

    fn judge(&self, _taken: &str, _actions: usize) -> Advice {
        // The search tries every decision, the taken one too.
        self.search(REVIEW)
    }

    fn luck(&self) -> Option<f64> {
        // Each player's luck of the deal is reported once, with its first decision in the hand.
        let (seat, dealt) = self.lucky.as_ref()?;
        Some(luck::of_deal(&self.tables.blueprint(), dealt, *seat))
    }

    fn choices(&self) -> Vec<Choice> {
        let legal = self.game().hand().map(Hand::legal);
        legal.into_iter().flatten().map(choice).collect()
    }

    fn screen(&self, eyes: Eyes, names: &[String]) -> Vec<String> {
        screen(self.game(), self.sees(eyes), names)
    }

    fn told(&self, eyes: Eyes) -> Vec<Told> {
        let begin = self.begin.as_ref();
        let before = begin.map_or_else(Before::default, |begin| begin.before);
        told(&self.entries(), before, self.sees(eyes))
    }

    fn has_record(&self) -> bool {
        self.is_from_deal()
    }

    fn page(&self, names: &[String], practice: &Practice) -> Option<Vec<u8>> {
        let names = [0, 1].map(|seat| names[seat].clone());
        finished(&names, &self.entries(), practice)
    }

    fn record(&self, names: &[String], practice: &Practice) -> Option<Vec<u8>> {
        let line = GameLine {
            id: 1,
            names: Some([0, 1].map(|seat| names[seat].clone())),
            teams: [1, 2],
            practice: practice.clone(),
            winner: self.winner()?,
            resigned: self.resigned.is_some(),
            entries: self.entries(),
            ..GameLine::default()
        };
        line_of(&line).ok()
    }
}
