//! A game of Cartagena at a table: its position and the actions that led there, players' decisions, advice, reviews,
//! and the game's record.
//!
//! [`AtTable`] implements [`TableGame`], which has the contract of each method. The crate `tables` owns the table. Views
//! are made for some *eyes* (`Eyes`): those of a seat, those of an onlooker, or eyes that see all cards.

use super::super::game::{End, Finished, Forfeits, MAX_TURNS, Step, ranks};
use super::super::record::{Opening, Record};
use super::super::report::{Facts, Keep, Report};
use super::super::seat::Usage;
use super::advice::{ADVICE, choice, drawn_by, review_limits, search};
use super::log::{screen, told};
use super::programs::{self, Programs};
use super::start::as_drawn;
use super::{levels, luck};
use crate::practice::Practice;
use arena::records::line_of;
use cartagena::evaluation::Evaluators;
use cartagena::notation::{Answer, move_of, parse_action, print_action, resolve};
use cartagena::player::{Player, Question};
use cartagena::record::GameRecord;
use cartagena::rules::{Action, ActionList, Cards, Game, MAX_PIRATES, State, Symbol};
use cartagena::search::Settings;
use cartagena::view::View;
use cartagena::world::World;
use engine::budget::Limits;
use engine::rng;
use games::cartagena::{Position, board_word, word};
use serde_json::{Value, json};
use std::sync::Arc;
use tables::{Advice, Choice, Eyes, TableGame, Text, Told, distinct};

/// A game under way.
#[derive(Clone)]
pub(super) struct AtTable {
    pub game: Game,
    pub opening: Opening,
    pub world: World,
    /// The position before the last action.
    pub before: Option<State>,
    pub steps: Vec<Step>,
    /// The turns in which somebody has acted.
    pub turns: u32,
    pub seed: u64,
    /// The start, if the game did not begin with a deal of the seed.
    pub start: Option<Arc<Position>>,
    /// Whether all hands lie open.
    pub open_hands: bool,
    /// The number of first actions that follow the script of `start`.
    pub followed: usize,
    pub evaluators: Arc<Evaluators>,
    pub programs: Programs,
    /// The seat whose resignation ended this game of two.
    pub forfeits: Forfeits,
}

impl AtTable {
    /// The current position, with all hands.
    fn state(&self) -> &State {
        self.world.state()
    }

    /// The winner: the player who brought all pirates home, or whose opponent has resigned.
    fn winner(&self) -> Option<usize> {
        let survivor = || self.forfeits.survivor(self.game.players);
        self.state().winner().or_else(survivor)
    }

    /// Whether the game is drawn: nobody can ever move again, or the turns that a referee allows are used up. A game
    /// from a record may go on to the record's length, since its referee may have allowed more turns.
    fn is_drawn(&self) -> bool {
        let state = self.state();
        let recorded = self.start.as_ref().map_or(0, |start| start.script.len());
        let is_long = || self.turns >= MAX_TURNS && self.steps.len() >= recorded;
        // As a referee does, the game stops only between turns.
        state.taken == 0 && (is_long() || self.game.is_dead(state))
    }

    fn legal(&self) -> ActionList {
        let mut list = ActionList::new();
        self.game.legal_actions(self.state(), &mut list);
        list
    }

    /// Whether the player to move may end its turn: it has acted already, or cannot.
    fn may_pass(&self, legal: &ActionList) -> bool {
        self.to_move().is_some() && (self.state().taken > 0 || legal.is_empty())
    }

    /// Takes a legal action. While the game follows the script, the action draws the cards that the script has.
    fn take(&mut self, action: Action) {
        let before = *self.state();
        let seat = before.to_move as usize;
        // First this table's own pile is drawn from; then the draw is changed to the script's if they differ.
        let mut drawn = self.world.act(&self.game, action);
        let told = self.told_draw(seat, action);
        // After the first action that differs, `followed` is less than the number of actions for good, and the script
        // is no longer used.
        self.followed += usize::from(told.is_some());
        if let Some(told) = told.filter(|&told| told != drawn) {
            // Streams 0 and 1 were used for the board and the cards.
            let rng = rng::stream(self.seed, 2 + self.steps.len() as u64);
            if let Some(other) = as_drawn(&self.world, seat, drawn, told, rng) {
                (self.world, drawn) = (other, told);
            }
        }
        self.before = Some(before);
        // A turn begins with its first action.
        self.turns += u32::from(before.taken == 0);
        self.steps.push(Step {
            seat,
            action,
            drawn,
            usage: Usage::default(),
        });
    }

    /// Reads an action of the seat to move in the contest's notation. It need not be legal.
    fn read(&self, action: &str) -> Result<Action, String> {
        let seat = self.state().to_move as usize;
        let read = parse_action(action.as_bytes()).map_err(|error| error.to_string())?;
        match read {
            Answer::Pass => Ok(Action::Pass),
            Answer::Move(made) if made.player != seat => Err(format!(
                "player {} is to move, not {}",
                seat + 1,
                made.player + 1
            )),
            Answer::Move(made) => resolve(&self.game, made).map_err(|error| error.to_string()),
        }
    }

    /// A search with the knowledge of the seat to move. It values `focus` in any case.
    fn search(&self, limits: Limits, focus: Option<Action>) -> Advice {
        let settings = Settings {
            allow_pass: self.may_pass(&self.legal()),
            focus,
            ..Settings::default()
        };
        let evaluator = &**self.evaluators.for_players(self.game.players);
        self.ask(|question| search(question, self.state(), evaluator, limits, settings))
    }

    /// The cards that the script has for the next action, if the game has followed it and this action does too.
    fn told_draw(&self, seat: usize, action: Action) -> Option<Cards> {
        let number = self.steps.len();
        let start = self.start.as_ref().filter(|_| self.followed == number)?;
        start.drawn(number, &print_action(seat, action))
    }

    /// Whether the game began with a deal. Only then can records and the contest's text describe it.
    fn is_from_deal(&self) -> bool {
        self.start.as_ref().is_none_or(|start| start.is_deal())
    }

    /// Asks for the decision of the seat to move, with everything that this seat may know.
    fn ask<A>(&self, answer: impl FnOnce(&Question) -> A) -> A {
        let (game, state) = (&self.game, self.state());
        let moves = self.steps.iter();
        let moves = moves.filter_map(|step| move_of(step.seat, step.action));
        answer(&Question {
            game,
            record: &GameRecord::of_state(game, state, moves.collect()),
            view: &View::of(state, state.to_move.into()),
            open: self.open_hands.then_some(&state.hands[..game.players]),
        })
    }

    /// The record of the game.
    fn recorded(&self, names: &[String], practice: &Practice) -> Option<Record> {
        let winner = self.winner();
        let finished = Finished {
            steps: self.steps.clone(),
            incidents: Vec::new(),
            end: winner.map_or(End::Stopped, End::Won),
            ranks: self.places()?,
            turns: self.turns,
        };
        let id = format!("{}-{:016x}", practice.stem(), self.seed);
        // Labels in a record must differ, but people may have the same name.
        let labels = distinct(names);
        let opening = self.opening.clone();
        let mut record = finished.record(id, self.seed, labels, &self.game, opening);
        let resigned = (0..self.game.players).find(|&seat| self.forfeits.contains(seat));
        record.resigned = resigned.map(|seat| seat + 1);
        Some(record.for_practice(practice.clone()))
    }

    /// Whether these eyes see the hand and the draws of a seat. At the end of the game all do.
    fn sees(&self, eyes: Eyes, seat: usize) -> bool {
        self.open_hands || self.to_move().is_none() || eyes.sees(seat)
    }
}

impl TableGame for AtTable {
    fn boxed(&self) -> Box<dyn TableGame> {
        Box::new(self.clone())
    }

    fn to_move(&self) -> Option<usize> {
        let state = self.state();
        let is_over = self.winner().is_some() || self.is_drawn();
        (!is_over).then_some(state.to_move.into())
    }

    fn view(&self, eyes: Eyes) -> Value {
        let state = self.state();
        let players = 0..self.game.players;
        let sees = |seat: usize| self.sees(eyes, seat);
        let hands = players
            .clone()
            .map(|seat| sees(seat).then(|| word(state.hands[seat])));
        let places = players
            .clone()
            .map(|seat| state.track.pirates(seat).to_vec());
        // Legal actions reveal cards of the hand, so only its owner sees them.
        let own_turn = self.to_move().is_some_and(|seat| eyes == Eyes::Seat(seat));
        let legal = match own_turn {
            true => self.legal(),
            false => ActionList::new(),
        };
        let choices = legal.iter().filter_map(|&action| {
            let (from, to) = action.places()?;
            Some(json!({
                "action": print_action(state.to_move.into(), action),
                "from": from,
                "to": to,
                "card": action.card().map(Symbol::letter),
                "draws": drawn_by(action, state),
            }))
        });
        json!({
            "board": board_word(&self.game.board),
            "pirates": self.game.pirates,
            "places": places.collect::<Vec<_>>(),
            "hands": hands.collect::<Vec<_>>(),
            "hand_sizes": players.map(|seat| state.hands[seat].total()).collect::<Vec<_>>(),
            "discards": word(state.discards),
            "pile": state.pile,
            "taken": state.taken,
            "winner": self.winner(),
            "legal": choices.collect::<Vec<_>>(),
            "may_end": own_turn && self.may_pass(&legal),
            "log": self.told(eyes).into_iter().map(|told| told.entry).collect::<Vec<_>>(),
        })
    }

    fn act(&mut self, action: &str) -> Result<String, String> {
        let action = self.read(action)?;
        let state = self.state();
        self.game
            .check(state, action)
            .map_err(|error| error.to_string())?;
        let written = print_action(state.to_move.into(), action);
        self.take(action);
        Ok(written)
    }

    fn resign(&mut self, seat: usize) {
        self.forfeits.push(seat);
    }

    fn places(&self) -> Option<Vec<f64>> {
        let places = || ranks(&self.game, self.state(), self.winner(), &self.forfeits);
        self.to_move().is_none().then(places)
    }

    fn undecided(&self) -> Option<Text> {
        Some(Text::of("cartagena-undecided"))
    }

    fn has_shown(&self) -> bool {
        let last = self.steps.last();
        last.is_some_and(|step| step.drawn != Cards::NONE)
    }

    fn think(&self, level: usize) -> Result<String, String> {
        // The seed depends only on the table and the number of actions, so that undoing and asking again does not give
        // another choice.
        let seed = rng::mix(self.seed ^ rng::mix(self.steps.len() as u64 + 1));
        let mut player = levels::player(level, Arc::clone(&self.evaluators), seed);
        let action = self.ask(|question| player.choose(question));
        Ok(print_action(self.state().to_move.into(), action))
    }

    fn consult(&self, program: &str) -> Result<String, String> {
        // The contest's text, which a program reads, describes a game from the deal on.
        if !self.is_from_deal() {
            return Err("a program can play only games that began with a deal".to_owned());
        }
        // Nor does that text say how many pirates there are, or what the others hold.
        if self.open_hands || self.game.pirates != MAX_PIRATES {
            return Err("a program can play only by the contest's rules".to_owned());
        }
        self.ask(|question| programs::ask(&self.programs, program, question))
    }

    fn advise(&self) -> Advice {
        self.search(ADVICE, None)
    }

    fn judge(&self, taken: &str, actions: usize) -> Advice {
        // In focus, the taken action is rolled out however bad it looks, so that its loss is measured.
        let taken = self.read(taken).ok();
        self.search(review_limits(actions), taken)
    }

    fn luck(&self) -> Option<f64> {
        let (step, before) = self.steps.last().zip(self.before.as_ref())?;
        luck::of_draw(
            &self.game,
            &**self.evaluators.for_players(self.game.players),
            before,
            step.action,
            step.drawn,
            self.open_hands,
        )
    }

    fn choices(&self) -> Vec<Choice> {
        if self.to_move().is_none() {
            return Vec::new();
        }
        let legal = self.legal();
        // The list may be full, so the pass is chained rather than pushed.
        let pass = self.may_pass(&legal).then_some(Action::Pass);
        let all = legal.into_iter().chain(pass);
        all.map(|action| choice(&self.game, self.state(), action))
            .collect()
    }

    fn screen(&self, eyes: Eyes, names: &[String]) -> Vec<String> {
        screen(
            &self.game,
            self.state(),
            |seat| self.sees(eyes, seat),
            names,
        )
    }

    fn told(&self, eyes: Eyes) -> Vec<Told> {
        let boat = self.game.board.boat();
        let steps = self.steps.iter();
        steps
            .map(|step| told(step, self.sees(eyes, step.seat), boat))
            .collect()
    }

    fn has_record(&self) -> bool {
        self.is_from_deal()
    }

    fn record(&self, names: &[String], practice: &Practice) -> Option<Vec<u8>> {
        line_of(&self.recorded(names, practice)?).ok()
    }

    fn page(&self, names: &[String], practice: &Practice) -> Option<Vec<u8>> {
        let record = self.recorded(names, practice)?;
        let mut report = Report::new(Keep::All, &record.players);
        report.push(&record, None).ok()?;
        let facts = Facts {
            title: format!(
                "Cartagena: {}{}",
                record.players.join(", "),
                practice.of_title()
            ),
            ..Facts::default()
        };
        let mut page = Vec::new();
        report.write(&mut page, &facts).ok()?;
        Some(page)
    }
}
