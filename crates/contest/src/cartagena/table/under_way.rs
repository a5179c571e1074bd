//! A game of Cartagena under way at a table.

use super::super::game::{End, Finished, Forfeits, MAX_TURNS, Step, ranks};
use super::super::record::{Opening, Record};
use super::super::report::{Facts, Keep, Report};
use super::super::seat::Usage;
use super::programs::Programs;
use super::start::{Start, as_drawn};
use super::wording::{between, place_name, way, word};
use super::{levels, luck};
use crate::practice::Practice;
use arena::records::line_of;
use cartagena::belief::Belief;
use cartagena::evaluation::Evaluators;
use cartagena::notation::{Answer, move_of, parse_action, print_action, resolve};
use cartagena::opponents::Opponents;
use cartagena::picture;
use cartagena::player::{Player, Question};
use cartagena::record::GameRecord;
use cartagena::rules::{Action, ActionList, Cards, Game, State, Symbol};
use cartagena::search::{self, Best, SavedTurn, Search, Settings};
use cartagena::view::View;
use cartagena::world::World;
use engine::budget::{Budget, Limits};
use engine::rng;
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tables::{Advice, Advising, Candidate, Choice, Eyes, TableGame, Text, Thought, Told, distinct};

/// Limits of the search for advice.
const ADVICE: Limits = Limits {
    time: Some(Duration::from_secs(2)),
    nodes: Some(400_000),
};

/// Limits for judging an action of a finished game.
const REVIEW: Limits = Limits {
    time: Some(Duration::from_secs(1)),
    nodes: Some(60_000),
};

/// A game under way.
#[derive(Clone)]
pub(super) struct Table {
    game: Arc<Game>,
    opening: Opening,
    /// The worlds after 0, 1, 2, … actions.
    worlds: Vec<World>,
    steps: Vec<Step>,
    /// The game as the contest's text; hand and seat are filled in for each question.
    record: GameRecord,
    seed: u64,
    /// The start, if it is not a deal of the seed.
    start: Option<Arc<Start>>,
    /// The number of first actions that agree with the game that is replayed.
    followed: usize,
    evaluators: Arc<Evaluators>,
    programs: Programs,
    practice: Practice,
}

/// A legal action, for the page.
#[derive(Serialize)]
struct Legal {
    /// As the contest writes it.
    action: String,
    from: u8,
    to: u8,
    /// The letter of the card; none for a retreat.
    card: Option<char>,
    draws: u8,
}

/// An action that was taken, for the page.
#[derive(Serialize)]
struct Done {
    /// The player, from 0.
    player: usize,
    pass: bool,
    from: u8,
    to: u8,
    /// The letter of the card; empty for a retreat.
    card: String,
    /// The drawn cards, a letter each; `?` where these eyes may not see it.
    drawn: String,
}

impl Table {
    /// A game that starts with this world; `start` is given if it is not a deal of the seed.
    pub(super) fn new(
        game: Game,
        world: World,
        seed: u64,
        start: Option<Start>,
        evaluators: Arc<Evaluators>,
        programs: Programs,
    ) -> Table {
        Table {
            opening: Opening::of(&world),
            record: GameRecord {
                players: game.players,
                board: game.board.clone(),
                moves: Vec::new(),
                to_move: 0,
                hand: Vec::new(),
            },
            game: Arc::new(game),
            worlds: vec![world],
            steps: Vec::new(),
            seed,
            start: start.map(Arc::new),
            followed: 0,
            evaluators,
            programs,
            practice: Practice::default(),
        }
    }

    fn state(&self) -> &State {
        self.worlds[self.steps.len()].state()
    }

    /// Turns that were begun by actions.
    fn turns(&self) -> u32 {
        let before = &self.worlds[..self.steps.len()];
        let begun = before.iter().filter(|world| world.state().taken == 0);
        begun.count() as u32
    }

    /// Whether the game is drawn: nobody can act any more, or nobody has won within the turns that a referee
    /// allows. A recorded game may have had more turns.
    fn is_drawn(&self) -> bool {
        let state = self.state();
        let recorded = self.start.as_ref().map_or(0, |start| start.script.len());
        let is_long = || self.turns() >= MAX_TURNS && self.steps.len() >= recorded;
        // Only between turns, as a referee counts.
        state.taken == 0 && (is_long() || self.game.is_dead(state))
    }

    fn view_of(&self, seat: usize) -> View {
        View::of(self.state(), seat)
    }

    fn legal(&self) -> ActionList {
        let mut list = ActionList::new();
        self.game.legal_actions(self.state(), &mut list);
        list
    }

    fn may_pass(&self, legal: &ActionList) -> bool {
        self.to_move().is_some() && (self.state().taken > 0 || legal.is_empty())
    }

    fn take(&mut self, action: Action) {
        let seat = self.state().to_move as usize;
        let mut world = self.worlds[self.steps.len()].clone();
        // First as the rules and this table's own cards have it, then corrected to the recorded draw.
        let mut drawn = world.act(&self.game, action);
        let told = self.told_draw(seat, action);
        // Once an action differs, `followed` stays behind, and the script is not used any more.
        self.followed += usize::from(told.is_some());
        if let Some(told) = told.filter(|&told| told != drawn) {
            let rng = rng::stream(self.seed, 2 + self.steps.len() as u64);
            if let Some(other) = as_drawn(&world, seat, drawn, told, rng) {
                (world, drawn) = (other, told);
            }
        }
        self.record.moves.extend(move_of(seat, action));
        self.worlds.push(world);
        self.steps.push(Step {
            seat,
            action,
            drawn,
            usage: Usage::default(),
        });
    }

    /// Reads an action of the seat to move. It need not be legal.
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

    /// A search with the knowledge of the seat to move.
    fn search(&self, limits: Limits, focus: Option<Action>) -> Advising {
        // Everything is copied: the search runs on another thread while people go on.
        let asked = self.asked();
        let table = self.clone();
        Box::new(move || {
            let budget = Budget::start(limits);
            let allow_pass = table.may_pass(&table.legal());
            let search = Search {
                game: &asked.game,
                view: &asked.view,
                belief: &asked.belief(),
                opponents: &Opponents::default,
                evaluator: &**table.evaluators.for_players(asked.game.players),
                budget: &budget,
                settings: Settings {
                    allow_pass,
                    focus,
                    ..Settings::default()
                },
                pool: None,
            };
            let report = search.run(&SavedTurn::NOTHING, &Best::default());
            let best = report.candidates.first().map_or(0.0, |best| best.chance);
            let candidates = report.candidates.iter();
            let candidates = candidates.map(|found| table.candidate(found, best));
            Advice {
                candidates: candidates.collect(),
            }
        })
    }

    /// The search's result for an action; `best` is the probability of the best one. `behind` was measured on
    /// the worlds that both actions were tried on, so it is more precise than the difference of their
    /// probabilities.
    fn candidate(&self, found: &search::Candidate, best: f64) -> Candidate {
        let (from, to) = found.action.places().unwrap_or_default();
        // Never negative, for the same reason as in an analysis: an action given up early may look better by
        // chance.
        let behind = found.behind.clamp(0.0, best.max(0.0));
        let boat = self.game.board.boat();
        let then = found.continuation.iter().map(|&action| way(action, boat));
        Candidate {
            choice: self.choice(found.action),
            value: best - behind,
            behind,
            then: then.collect(),
            picture: json!({
                "from": from,
                "to": to,
                "card": found.action.card().map(Symbol::letter),
                "pass": found.action == Action::Pass,
                "draws": drawn_by(found.action, self.state()),
            }),
        }
    }

    /// The cards that an action drew in the replayed game, as long as this game follows it.
    fn told_draw(&self, seat: usize, action: Action) -> Option<Cards> {
        let number = self.steps.len();
        let start = self.start.as_ref().filter(|_| self.followed == number)?;
        start.drawn(number, &print_action(seat, action))
    }

    /// Whether the game started with a deal, so that the contest's text can describe it.
    fn is_from_deal(&self) -> bool {
        self.start.as_ref().is_none_or(|start| start.is_deal())
    }

    fn asked(&self) -> Asked {
        let seat = self.state().to_move as usize;
        let view = self.view_of(seat);
        let mut record = self.record.clone();
        record.to_move = seat;
        record.hand = view.hand.iter().collect();
        Asked {
            game: Arc::clone(&self.game),
            record,
            view,
        }
    }

    /// The record of the game, once it is over.
    fn recorded(&self, names: &[String]) -> Option<Record> {
        if self.to_move().is_some() || !self.is_from_deal() {
            return None;
        }
        let state = self.state();
        let winner = state.winner();
        let finished = Finished {
            steps: self.steps.clone(),
            incidents: Vec::new(),
            end: winner.map_or(End::Stopped, End::Won),
            ranks: ranks(&self.game, state, winner, &Forfeits::default()),
            turns: self.turns(),
        };
        let id = format!("{}-{:016x}", self.practice.stem(), self.seed);
        // Records need different labels, but people may have the same name.
        let labels = distinct(names);
        let opening = self.opening.clone();
        let record = Record::new(id, self.seed, labels, &self.game, opening, &finished);
        Some(record.for_practice(self.practice.clone()))
    }

    /// Whether these eyes see the hand and the draws of a seat.
    fn sees(&self, eyes: Eyes, seat: usize) -> bool {
        self.to_move().is_none() || eyes == Eyes::All || eyes == Eyes::Seat(seat)
    }

    fn choice(&self, action: Action) -> Choice {
        Choice {
            action: print_action(self.state().to_move.into(), action),
            words: self.words(action),
        }
    }

    fn words(&self, action: Action) -> Text {
        let boat = self.game.board.boat();
        match action {
            Action::Retreat { from, to } => between("cartagena-retreat", from, to, boat)
                .with("n", usize::from(drawn_by(action, self.state()))),
            _ => way(action, boat),
        }
    }

    fn done(&self, step: &Step, eyes: Eyes) -> Done {
        let visible = self.sees(eyes, step.seat);
        let (from, to) = step.action.places().unwrap_or_default();
        Done {
            player: step.seat,
            pass: step.action == Action::Pass,
            from,
            to,
            card: step.action.card().map(Symbol::letter).into_iter().collect(),
            drawn: match visible {
                true => word(step.drawn),
                false => "?".repeat(step.drawn.total().into()),
            },
        }
    }
}

/// A decision that is due, with everything that the seat may know.
struct Asked {
    game: Arc<Game>,
    record: GameRecord,
    view: View,
}

impl Asked {
    fn question(&self) -> Question<'_> {
        Question {
            game: &self.game,
            record: &self.record,
            view: &self.view,
        }
    }

    fn belief(&self) -> Belief {
        self.question().belief()
    }
}

impl TableGame for Table {
    fn to_move(&self) -> Option<usize> {
        let state = self.state();
        let is_over = state.winner().is_some() || self.is_drawn();
        (!is_over).then_some(state.to_move.into())
    }

    fn actions(&self) -> usize {
        self.steps.len()
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
        // Legal actions depend on the hand, so only its owner sees them.
        let own_turn = self.to_move().is_some_and(|seat| eyes == Eyes::Seat(seat));
        let legal = if own_turn {
            self.legal()
        } else {
            ActionList::new()
        };
        let choices = legal.iter().filter_map(|&action| {
            let (from, to) = action.places()?;
            Some(Legal {
                action: print_action(state.to_move.into(), action),
                from,
                to,
                card: action.card().map(Symbol::letter),
                draws: drawn_by(action, state),
            })
        });
        json!({
            "board": self.game.board.spaces().iter().copied().map(Symbol::letter).collect::<String>(),
            "pirates": self.game.pirates,
            "places": places.collect::<Vec<_>>(),
            "hands": hands.collect::<Vec<_>>(),
            "hand_sizes": players.map(|seat| state.hands[seat].total()).collect::<Vec<_>>(),
            "discards": word(state.discards),
            "pile": state.pile,
            "taken": state.taken,
            "winner": state.winner(),
            "legal": choices.collect::<Vec<_>>(),
            "may_end": own_turn && self.may_pass(&legal),
            "log": self.steps.iter().map(|step| self.done(step, eyes)).collect::<Vec<_>>(),
        })
    }

    fn act(&mut self, action: &str) -> Result<(), String> {
        if self.to_move().is_none() {
            return Err("the game is over".to_owned());
        }
        let action = self.read(action)?;
        let state = self.state();
        self.game
            .check(state, action)
            .map_err(|error| error.to_string())?;
        self.take(action);
        Ok(())
    }

    fn last(&self) -> Option<String> {
        let step = self.steps.last()?;
        Some(print_action(step.seat, step.action))
    }

    fn back(&self, seat: usize, freely: bool) -> Option<usize> {
        // At the end all cards lie open, and going back would use that.
        if self.to_move().is_none() && !freely {
            return None;
        }
        let last = self.steps.iter().rposition(|step| step.seat == seat)?;
        // Without permission only if nothing was learnt since: the player's own actions, none of which drew a
        // card.
        let since = &self.steps[last..];
        let unseen = since
            .iter()
            .all(|step| step.seat == seat && step.drawn == Cards::NONE);
        (freely || unseen).then_some(last)
    }

    fn go_back(&mut self, actions: usize) {
        self.steps.truncate(actions);
        self.followed = self.followed.min(actions);
        // One world more than actions: the first is the start.
        self.worlds.truncate(actions + 1);
        let moves = self
            .steps
            .iter()
            .filter_map(|step| move_of(step.seat, step.action));
        self.record.moves = moves.collect();
    }

    fn think(&self, level: usize) -> Thought {
        let asked = self.asked();
        // The seed depends on the number of actions, so asking twice gives the same action.
        let seed = rng::mix(self.seed ^ rng::mix(self.steps.len() as u64 + 1));
        let evaluators = Arc::clone(&self.evaluators);
        Box::new(move || {
            let mut player = levels::player(level, evaluators, seed);
            let action = player.choose(&asked.question());
            Ok(print_action(asked.view.seat, action))
        })
    }

    fn consult(&self, program: &str) -> Thought {
        // A program reads the history from the deal on, and knows the contest's interface only.
        if !self.is_from_deal() {
            return Box::new(|| {
                Err("a program can play only games that began with a deal".to_owned())
            });
        }
        let (asked, programs) = (self.asked(), self.programs.clone());
        let program = program.to_owned();
        Box::new(move || programs.ask(&program, &asked.question()))
    }

    fn practise(&mut self, how: &Practice) {
        self.practice = how.clone();
    }

    fn advise(&self) -> Advising {
        self.search(ADVICE, None)
    }

    fn judge(&self, taken: &str) -> Advising {
        // The taken action is in the search's focus, so that its loss is measured.
        let taken = self.read(taken).ok();
        self.search(REVIEW, taken)
    }

    fn luck(&self) -> Option<f64> {
        let (step, before) = self.steps.last().zip(self.steps.len().checked_sub(1))?;
        luck::of_draw(
            &self.game,
            &**self.evaluators.for_players(self.game.players),
            self.worlds[before].state(),
            step.action,
            step.drawn,
        )
    }

    fn choices(&self) -> Vec<Choice> {
        if self.to_move().is_none() {
            return Vec::new();
        }
        let legal = self.legal();
        // A full list of actions has no room left for a pass, so it is chained.
        let pass = self.may_pass(&legal).then_some(Action::Pass);
        let all = legal.into_iter().chain(pass);
        all.map(|action| self.choice(action)).collect()
    }

    fn screen(&self, eyes: Eyes, names: &[String]) -> Vec<String> {
        let state = self.state();
        let track = picture::track(&self.game.board, &state.track);
        let mut lines: Vec<String> = track.lines().map(str::to_owned).collect();
        let boat = self.game.board.boat();
        for (seat, name) in names.iter().enumerate() {
            let hand = state.hands[seat];
            let cards = match self.sees(eyes, seat) {
                true => hand.to_string(),
                false => format!("{} cards", hand.total()),
            };
            let home = state.track.pirates(seat).iter();
            let home = home.filter(|&&place| place == boat).count();
            let pirates = self.game.pirates;
            let player = seat + 1;
            lines.push(format!(
                "{player} {name}: {home} of {pirates} on the boat; {cards}"
            ));
        }
        lines.push(format!(
            "draw pile {}, discards {}",
            state.pile, state.discards
        ));
        lines
    }

    fn told(&self, eyes: Eyes) -> Vec<Told> {
        let told = self.steps.iter().map(|step| {
            let visible = self.sees(eyes, step.seat);
            let boat = self.game.board.boat();
            let words = match step.action {
                Action::Pass => "ends the turn".to_owned(),
                Action::Advance { from, to, symbol } => format!(
                    "plays {symbol}: {} to {}",
                    place_name(from, boat),
                    place_name(to, boat)
                ),
                Action::Retreat { from, to } => format!(
                    "goes back from {} to {} and draws {}",
                    place_name(from, boat),
                    place_name(to, boat),
                    match (visible, step.drawn.total()) {
                        (_, 0) => "nothing".to_owned(),
                        (true, _) => step.drawn.to_string(),
                        (false, 1) => "a card".to_owned(),
                        (false, n) => format!("{n} cards"),
                    }
                ),
            };
            Told {
                seat: Some(step.seat),
                words,
            }
        });
        told.collect()
    }

    fn at(&self, actions: usize) -> Box<dyn TableGame> {
        let mut earlier = self.clone();
        earlier.go_back(actions);
        Box::new(earlier)
    }

    fn has_record(&self) -> bool {
        self.is_from_deal()
    }

    fn record(&self, names: &[String]) -> Option<Vec<u8>> {
        line_of(&self.recorded(names)?).ok()
    }

    fn page(&self, names: &[String]) -> Option<Vec<u8>> {
        let record = self.recorded(names)?;
        let mut report = Report::new(Keep::All, &record.players);
        report.push(&record, None).ok()?;
        let facts = Facts {
            title: format!(
                "Cartagena: {}{}",
                record.players.join(", "),
                self.practice.of_title()
            ),
            ..Facts::default()
        };
        let mut page = Vec::new();
        report.write(&mut page, &facts).ok()?;
        Some(page)
    }
}

/// The number of cards that an action draws.
fn drawn_by(action: Action, state: &State) -> u8 {
    match action {
        Action::Retreat { to, .. } => state.track.draws(to, state.pile, state.discards),
        _ => 0,
    }
}
