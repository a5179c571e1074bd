//! One table: a game, its seats, and the journal from which both are restored after a restart. `House` keeps
//! each table behind a lock; a terminal owns its only table.

mod error;
mod people;

pub(super) use error::TableError;

use super::UnderWay;
use super::company::Company;
use super::game::{Choice, Eyes};
use super::journal::{Journal, Line};
use super::kind::Kind;
use super::language::{Catalogue, Text, neutral_name};
use super::review::{Review, Task};
use super::setup::{Occupant, Setup};
use arena::practice::Practice;
use arena::ranking;
use arena::records::RecordError;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};
use thiserror::Error;
use tokio::sync::{Semaphore, watch};
use tokio::task::AbortHandle;

/// The reasons why a table cannot begin.
#[derive(Debug, Error)]
pub(super) enum BeginError {
    /// Its file cannot be written.
    #[error(transparent)]
    File(#[from] RecordError),
    /// An action of the game that is to go on is not legal.
    #[error("{0}")]
    Action(String),
}

/// The most tables that may continue one game.
const BRANCHES: usize = 20;

/// The number of changes of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Version {
    /// Changes of the position and of whatever else an action depends on.
    pub game: u64,
    /// Changes that leave the game as it is: somebody has come or written.
    pub news: u64,
}

/// An event of the table that is not one of the game's.
#[derive(Clone, Copy, Debug, Serialize)]
struct Remark {
    what: Remarkable,
    seat: usize,
    /// Entries in the game's log before it.
    after: u64,
}

/// The kinds of such events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Remarkable {
    Resigned,
    TimeUp,
}

/// The reason why a player has not acted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stuck {
    /// It has not decided. A program's message may contain its cards.
    Undecided(String),
    /// Its action could not be written down, and is tried again.
    Unwritten(String),
}

/// The work for one decision. It needs the table no more, so it runs on another thread. It returns the action, or the
/// reason why there is none.
pub(super) type Thought = Box<dyn FnOnce() -> Result<String, String> + Send>;

/// A table under way. A change of the game is in the journal before `version` announces it.
pub(super) struct Table {
    pub kind: Arc<Kind>,
    pub setup: Setup,
    /// Its file, whose name is the table's id.
    pub path: PathBuf,
    pub game: UnderWay,
    resigned: Vec<usize>,
    /// Resignations and times that were up, for the log.
    remarks: Vec<Remark>,
    /// Seats of people who have been given hints.
    hinted: BTreeSet<usize>,
    company: Company,
    /// The seat for which a built-in player takes one action, because its time is up.
    stand_in: Option<usize>,
    /// This many actions, the first ones, stay: the time was up before the last of them was taken, so nobody takes it or
    /// an earlier one back.
    settled: usize,
    /// The deadline that a task waits for, and that task.
    pub watched: Option<((usize, Instant), AbortHandle)>,
    /// Whether the table was removed: nobody plays on.
    is_removed: bool,
    journal: Journal,
    /// It grows with every change, and wakes all requests that wait for one.
    version: watch::Sender<Version>,
    /// Whether a built-in player is at work on the decision that is due.
    pub is_thinking: bool,
    /// The reason why the player that is due has not acted.
    stuck: Option<Stuck>,
    /// The table's only permit for work that a page waits for.
    page_work: Arc<Semaphore>,
    /// The review of a game that is over, as far as it has come.
    pub review: Option<Review>,
    /// Reviews begun so far.
    reviews: u64,
    /// How often somebody went back after new information was seen.
    taken_back: usize,
    /// How many tables were made since the server started that go on from a position of this one.
    branches: usize,
    /// By seat, the person's link to the table where the same people play again.
    next: Vec<Option<String>>,
}

impl Table {
    /// Sets up a table at which these actions have been taken already, and writes all of it to its file.
    pub(super) fn begin(
        kind: Arc<Kind>,
        setup: Setup,
        game: UnderWay,
        path: &Path,
        taken: &[String],
    ) -> Result<Table, BeginError> {
        let acts = taken.iter().map(|action| Line::Act(action.clone()));
        let lines = std::iter::once(Line::Table(setup.clone())).chain(acts);
        let journal = Journal::begin(path, lines)?;
        let mut table = Table::with(kind, setup, game, path, journal);
        for (number, action) in taken.iter().enumerate() {
            // The file holds all lines already; a table that cannot begin leaves none.
            if let Err(reason) = table.game.act(action) {
                let _ = std::fs::remove_file(path);
                let text = format!("action {}, {action:?}: {reason}", number + 1);
                return Err(BeginError::Action(text));
            }
        }
        Ok(table)
    }

    /// Restores a table from its file; `lines` are those after the first.
    pub(super) fn resume(
        kind: Arc<Kind>,
        setup: Setup,
        path: &Path,
        journal: Journal,
        lines: &[Line],
    ) -> Result<Table, String> {
        let game = setup.game(&kind)?;
        let mut table = Table::with(kind, setup, game, path, journal);
        for (n, line) in lines.iter().enumerate() {
            // Lines count from 1, and the first has set up the table.
            let wrong = |reason: String| format!("line {}: {reason}", n + 2);
            match line {
                Line::Act(action) => {
                    table.game.act(action).map_err(wrong)?;
                    table.acted();
                }
                Line::Back(actions) if *actions <= table.game.actions() => {
                    table.given_back(*actions)
                }
                Line::Back(actions) => {
                    let found = table.game.actions();
                    return Err(wrong(format!("goes back to {actions} actions of {found}")));
                }
                Line::Resign(seat) if *seat < table.setup.seats.len() => table.resigned(*seat),
                Line::TimeUp(seat) => table.time_up(*seat),
                Line::Used(seat, time) => {
                    let time = Duration::from_millis(*time);
                    table.company.use_up(*seat, 0, time);
                }
                Line::Came(seat) => drop(table.company.has_been(*seat)),
                Line::Next(links) => table.next.clone_from(links),
                Line::Hint(seat) => drop(table.hinted.insert(*seat)),
                Line::Resign(seat) => return Err(wrong(format!("there is no seat {seat}"))),
                Line::Table(_) => return Err(wrong("a second table in one file".to_owned())),
            }
        }
        table
            .version
            .send_modify(|version| version.game = lines.len() as u64);
        Ok(table)
    }

    /// A table before its first action.
    fn with(kind: Arc<Kind>, setup: Setup, game: UnderWay, path: &Path, journal: Journal) -> Table {
        let mut table = Table {
            game,
            resigned: Vec::new(),
            remarks: Vec::new(),
            hinted: BTreeSet::new(),
            company: Company::new(setup.seats.len(), setup.limit),
            stand_in: None,
            settled: 0,
            watched: None,
            is_removed: false,
            kind,
            setup,
            path: path.to_owned(),
            journal,
            version: watch::Sender::default(),
            is_thinking: false,
            stuck: None,
            page_work: Arc::new(Semaphore::new(1)),
            review: None,
            reviews: 0,
            taken_back: 0,
            branches: 0,
            next: Vec::new(),
        };
        table.practise();
        table
    }

    /// Gives the game the facts that make it one for practice.
    fn practise(&mut self) {
        self.game.practise(Practice {
            from: self.setup.from.as_ref().map(|&(_, actions)| actions),
            taken_back: self.taken_back,
            opened: self.setup.start.is_some(),
        });
    }

    /// The time at which its file was last written, in seconds from 1970.
    pub(super) fn written(&self) -> u64 {
        let written = fs::metadata(&self.path).and_then(|data| data.modified());
        let since = written.map(|time| time.duration_since(SystemTime::UNIX_EPOCH));
        since.map_or(0, |since| since.unwrap_or_default().as_secs())
    }

    /// Counts a table that continues this game.
    pub(super) fn count_branch(&mut self) -> Result<(), TableError> {
        if self.branches >= BRANCHES {
            return Err(TableError::Branches);
        }
        self.branches += 1;
        Ok(())
    }

    /// Whether a person holds a seat.
    pub(super) fn has_people(&self) -> bool {
        self.setup.people().next().is_some()
    }

    /// Whether the same people play again at another table.
    pub(super) fn has_next(&self) -> bool {
        !self.next.is_empty()
    }

    /// Gives each person here their own link to the next table.
    pub(super) fn set_next(&mut self, links: Vec<Option<String>>) {
        // Without this line the people only lose each other if the server ends before all have gone on.
        let _ = self.journal.write(&Line::Next(links.clone()));
        self.next = links;
        self.version.send_modify(|version| version.game += 1);
    }

    /// Notes that the person at a seat has resigned. The journal is left to the caller.
    fn resigned(&mut self, seat: usize) {
        self.remark(Remarkable::Resigned, seat);
        self.resigned.push(seat);
        if self.setup.seats.len() == 2 {
            self.game.resign(seat);
        }
    }

    /// Adds a remark to the log.
    fn remark(&mut self, what: Remarkable, seat: usize) {
        let after = self.entries();
        self.remarks.push(Remark { what, seat, after });
    }

    /// Entries of the game's log. All eyes get as many, and a long game sends only the last ones.
    fn entries(&self) -> u64 {
        let view = self.game.view(Eyes::Onlooker);
        let sent = view["log"].as_array().map_or(0, Vec::len) as u64;
        view["earlier"].as_u64().unwrap_or(0) + sent
    }

    fn has_resigned(&self, seat: usize) -> bool {
        self.resigned.contains(&seat)
    }

    /// The place of each seat, from 1, once the game is over; equals share the mean of their places.
    pub(super) fn places(&self) -> Option<Vec<f64>> {
        match (self.setup.seats.len(), self.resigned.first()) {
            (2, Some(&loser)) => Some(ranking::places(&[0, 1].map(|seat| seat != loser))),
            _ => self.game.places(),
        }
    }

    /// The seat that alone has the first place.
    pub(super) fn winner(&self) -> Option<usize> {
        self.places()?.iter().position(|&place| place == 1.0)
    }

    /// The seat that acts next; none when the game is over. A game of two is over when one resigns; in one of
    /// more the strongest player takes the seat.
    pub(super) fn to_move(&self) -> Option<usize> {
        match self.setup.seats.len() {
            2 if !self.resigned.is_empty() => None,
            _ => self.game.to_move(),
        }
    }

    /// Goes back because a player takes its action back, and counts this if it makes a practice game.
    fn given_back(&mut self, actions: usize) {
        let seat = self.game.taken().get(actions).map(|&(seat, _)| seat);
        // Plain: the player has seen nothing new since its action. Otherwise the game becomes one for practice.
        let is_plain = seat.is_some_and(|seat| self.game.back(seat, false) == Some(actions));
        self.taken_back += usize::from(!is_plain);
        self.game.go_back(actions);
        self.company.gone_back(seat, actions);
        self.settled = self.settled.min(actions);
        self.stand_in = None;
        self.next.clear();
        if !self.remarks.is_empty() {
            let entries = self.entries();
            self.remarks.retain(|remark| remark.after < entries);
        }
        self.practise();
    }

    /// The seat or the onlooker whose link holds this secret; `None` if no link of this table does.
    pub(super) fn eyes(&self, secret: &str) -> Option<Eyes> {
        let holds =
            |seat: &Occupant| matches!(seat, Occupant::Person { secret: own, .. } if own == secret);
        match self.setup.seats.iter().position(holds) {
            Some(seat) => Some(Eyes::Seat(seat)),
            None => (self.setup.onlookers == secret).then_some(Eyes::Onlooker),
        }
    }

    /// The eyes for which a view is made: all eyes once the game is over, and for onlookers if no person plays.
    /// A person who has resigned becomes an onlooker.
    fn sight(&self, eyes: Eyes) -> Eyes {
        match eyes {
            _ if self.to_move().is_none() => Eyes::All,
            Eyes::Onlooker if !self.has_people() => Eyes::All,
            Eyes::Seat(seat) if self.has_resigned(seat) => Eyes::Onlooker,
            eyes => eyes,
        }
    }

    /// Whether these eyes may ask for advice for the seat that is to act.
    pub(super) fn may_ask(&self, eyes: Eyes) -> bool {
        match self.sight(eyes) {
            Eyes::Seat(seat) => {
                self.setup.hints && self.to_move() == Some(seat) && !self.has_resigned(seat)
            }
            Eyes::Onlooker => false,
            Eyes::All => self.to_move().is_some(),
        }
    }

    pub(super) fn version(&self) -> u64 {
        self.version.borrow().game
    }

    /// Wakes its holder when the version changes.
    pub(super) fn listen(&self) -> watch::Receiver<Version> {
        self.version.subscribe()
    }

    /// The decision that is due and its seat, if it is not a person's.
    pub(super) fn thought(&self) -> Option<(usize, Thought)> {
        let seat = self.to_move().filter(|_| !self.is_removed)?;
        let levels = self.kind.scene.levels;
        let game = self.game.clone();
        let level = match self.setup.seats.get(seat)? {
            // Of middling strength: to run out of time shall be no gain.
            Occupant::Person { .. } if self.stand_in == Some(seat) => levels / 2,
            _ if self.has_resigned(seat) => levels.saturating_sub(1),
            Occupant::Player(level) => *level,
            Occupant::Program(label) => {
                let label = label.clone();
                return Some((seat, Box::new(move || game.consult(&label))));
            }
            Occupant::Person { .. } => return None,
        };
        Some((seat, Box::new(move || game.think(level))))
    }

    /// Whether a decision is due that is not a person's.
    pub(super) fn is_due(&self) -> bool {
        self.to_move().is_some_and(|seat| {
            let holder = self.setup.seats.get(seat);
            let is_person = holder.is_none_or(Occupant::is_person);
            let is_open = !is_person || self.has_resigned(seat) || self.stand_in == Some(seat);
            is_open && !self.is_removed
        })
    }

    /// Notes why the player that is due has not acted; `None`: it may try again.
    pub(super) fn set_stuck(&mut self, reason: Option<Stuck>) {
        if self.stuck != reason {
            self.stuck = reason;
            self.version.send_modify(|version| version.game += 1);
        }
    }

    /// The table's only permit for work that a page waits for, such as a search, which holds it until it ends.
    pub(super) fn page_work(&self) -> Arc<Semaphore> {
        Arc::clone(&self.page_work)
    }

    /// The names of all seats, in the reader's language. Equal ones are numbered: "Sailor 1", "Sailor 2".
    pub(super) fn names(&self) -> Vec<Text> {
        let name = |seat: &Occupant| match seat {
            Occupant::Person { name, .. } => {
                neutral_name(name).unwrap_or_else(|| Text::plain(name))
            }
            Occupant::Player(level) => self.kind.scene.level(*level),
            Occupant::Program(label) => Text::plain(label),
        };
        let plain: Vec<Text> = self.setup.seats.iter().map(name).collect();
        let equal = |to: &Text, names: &[Text]| names.iter().filter(|one| *one == to).count();
        let numbered = plain.iter().enumerate().map(|(seat, name)| {
            let numbered = || {
                Text::of("name-numbered")
                    .with("name", name.clone())
                    .with("n", equal(name, &plain[..=seat]))
            };
            match equal(name, &plain) {
                1 => name.clone(),
                _ => numbered(),
            }
        });
        numbered.collect()
    }

    /// The names of all seats in the language of the catalogue; records use one.
    pub(super) fn names_in(&self, catalogue: &Catalogue) -> Vec<String> {
        let names = self.names();
        names.iter().map(|name| catalogue.say(name)).collect()
    }

    /// The reason why the player that is due has not acted, for the host.
    pub(super) fn stuck(&self) -> Option<&str> {
        let (Stuck::Undecided(reason) | Stuck::Unwritten(reason)) = self.stuck.as_ref()?;
        Some(reason)
    }

    /// The same in words. A program's message may contain its cards, so only eyes that see all cards get it.
    fn told_of(&self, stuck: &Stuck, eyes: Eyes) -> Text {
        match (stuck, self.sight(eyes)) {
            (Stuck::Undecided(reason), Eyes::All) | (Stuck::Unwritten(reason), _) => {
                Text::plain(reason)
            }
            _ => Text::of("stuck-hidden"),
        }
    }

    /// The rules in addition to the contest's, in words.
    fn rules(&self) -> Vec<Text> {
        let name = |rule: &String| Text::of(format!("{}-rule-{rule}", self.kind.scene.name));
        self.setup.rules.iter().map(name).collect()
    }

    /// The position and all else that a browser with these eyes gets.
    pub(super) fn shown(&self, eyes: Eyes) -> Value {
        let seat = match eyes {
            Eyes::Seat(seat) => Some(seat),
            _ => None,
        };
        let people = self.setup.seats.iter().enumerate();
        let people = people.map(|(number, seat)| seat.is_person() && !self.has_resigned(number));
        json!({
            "version": self.version(),
            "seat": seat,
            "names": self.names(),
            "rules": self.rules(),
            "people": people.collect::<Vec<_>>(),
            "to_move": self.to_move(),
            "over": self.to_move().is_none(),
            "resigned": self.resigned,
            "remarks": self.remarks,
            "news": self.version.borrow().news,
            "came": (0..self.setup.seats.len()).map(|seat| self.company.has_come(seat)).collect::<Vec<_>>(),
            "clocks": self.company.clocks(),
            "chat": if self.setup.chat { self.company.chat() } else { Value::Null },
            "winner": self.winner(),
            "can_resign": seat.is_some_and(|seat| self.may_resign(seat)),
            "has_record": self.check_recorded().is_ok(),
            "has_page": self.check_recorded().is_ok() && self.kind.scene.has_pages,
            "actions": self.game.actions(),
            "unit": self.kind.scene.unit,
            "stuck": self.stuck.as_ref().map(|reason| self.told_of(reason, eyes)),
            "from": self.setup.from.as_ref().map(|(_, actions)| actions),
            "next": seat.and_then(|seat| self.next.get(seat)),
            "can_take_back": seat.is_some_and(|seat| self.back(seat).is_some()),
            "hints": self.setup.hints,
            "can_ask": self.may_ask(eyes),
            "game": self.game.view(self.sight(eyes)),
        })
    }

    /// Takes an action of a seat, asked for by a page that shows this version.
    pub(super) fn act(
        &mut self,
        seat: usize,
        version: u64,
        action: &str,
    ) -> Result<(), TableError> {
        // The page shows an older position: the same words could be another action in this one.
        if version != self.version() {
            return Err(TableError::Stale);
        }
        if self.to_move() != Some(seat) {
            return Err(TableError::NotYourTurn);
        }
        // Tried first, then written. If it cannot be written, it is undone: no page may show an action that would
        // be lost in a restart.
        let before = self.game.actions();
        self.game.act(action).map_err(TableError::Illegal)?;
        if let Err(error) = self.journal.write(&Line::Act(action.to_owned())) {
            self.game.go_back(before);
            return Err(error.into());
        }
        self.acted();
        self.happened();
        Ok(())
    }

    /// Notes that an action was taken. If the time for it was up, it is final.
    fn acted(&mut self) {
        if self.stand_in.take().is_some() {
            self.settled = self.game.actions();
        }
    }

    /// Takes the last action of a seat back, and all after it.
    pub(super) fn take_back(&mut self, seat: usize, version: u64) -> Result<(), TableError> {
        if version != self.version() {
            return Err(TableError::Stale);
        }
        // Going back always succeeds, so it is written first.
        let actions = self.back(seat).ok_or(TableError::NothingToTakeBack)?;
        self.journal.write(&Line::Back(actions))?;
        self.stop_clock();
        self.given_back(actions);
        self.happened();
        Ok(())
    }

    /// A game that is over as it was after this number of actions: with all cards open, or if `own` with the sight
    /// and the legal actions of the seat that acted next.
    pub(super) fn shown_at(&self, actions: usize, own: bool) -> Result<Value, TableError> {
        self.check_over(actions)?;
        let game = self.game.at(actions);
        let seat = game.to_move().filter(|_| own);
        let eyes = seat.map_or(Eyes::All, Eyes::Seat);
        Ok(json!({ "to_move": game.to_move(), "game": game.view(eyes) }))
    }

    /// An error unless the game is over and had at least this number of actions.
    fn check_over(&self, actions: usize) -> Result<(), TableError> {
        let found = self.game.actions();
        match self.to_move() {
            Some(_) => Err(TableError::Unfinished),
            None if actions > found => Err(TableError::Beyond {
                asked: actions,
                found,
            }),
            None => Ok(()),
        }
    }

    /// An error unless the game has a record: it is over, and began with its first deal.
    pub(super) fn check_recorded(&self) -> Result<(), TableError> {
        match self.game.to_move() {
            Some(_) => Err(TableError::Unfinished),
            None if !self.game.has_record() => Err(TableError::NoRecord),
            None => Ok(()),
        }
    }

    /// The first actions of a game that is over, this many, with which another table begins.
    pub(super) fn beginning(&self, actions: usize) -> Result<Vec<String>, TableError> {
        self.check_over(actions)?;
        let taken = self.game.taken()[..actions].iter();
        Ok(taken.map(|(_, action)| action.clone()).collect())
    }

    /// The review that was begun with this number, if the game has not gone on since.
    pub(super) fn reviewed(&mut self, number: u64) -> Option<&mut Review> {
        self.review.as_mut().filter(|_| self.reviews == number)
    }

    /// The task to judge an action of a game that is over; `None` after the last.
    pub(super) fn task(&self, number: usize) -> Option<Task> {
        let (_, taken) = self.game.taken().get(number)?;
        let mut task = self.task_of(number, taken)?;
        // Luck shows in the position after the action.
        let after = self.game.at(number + 1);
        task.luck = Box::new(move || after.luck());
        Some(task)
    }

    /// The task to judge another action in place of the action `number` of a game that is over.
    pub(super) fn task_instead(&self, number: usize, action: &str) -> Result<Task, TableError> {
        self.check_over(number)?;
        let task = self.task_of(number, action).ok_or(TableError::NoAction {
            asked: number,
            found: self.game.actions(),
        })?;
        // The game itself says what is wrong with an action that is not legal.
        let mut game = self.game.at(number);
        game.act(action).map_err(TableError::Illegal)?;
        Ok(task)
    }

    /// The task to judge `action` in the position before the action `number`, by what its seat could know then;
    /// `None` after the last. It measures no luck.
    fn task_of(&self, number: usize, action: &str) -> Option<Task> {
        let &(seat, _) = self.game.taken().get(number)?;
        let before = self.game.at(number);
        let choices = before.choices();
        let (judged, actions) = (action.to_owned(), self.game.actions());
        let found = choices.iter().find(|choice| choice.action == action);
        let plain = || Choice {
            action: action.to_owned(),
            words: Text::plain(action),
        };
        Some(Task {
            number,
            seat,
            choices: choices.len(),
            luck: Box::new(|| None),
            judging: Box::new(move || before.judge(&judged, actions)),
            taken: found.cloned().unwrap_or_else(plain),
        })
    }

    /// Begins the review of a game that is over; returns its number, or `None` if one has begun already.
    pub(super) fn begin_review(&mut self) -> Result<Option<u64>, TableError> {
        self.check_over(0)?;
        if self.review.is_some() {
            return Ok(None);
        }
        self.reviews += 1;
        let seats = self.setup.seats.len();
        self.review = Some(Review::new(
            self.kind.scene.unit,
            self.game.actions(),
            seats,
        ));
        Ok(Some(self.reviews))
    }

    /// The number of actions that are left if this seat takes its last one back; `None` if it may not. After a
    /// resignation nobody may. Neither may anybody after the time for an action was up: a player would get the built-in
    /// player's action as a hint, and its time anew.
    fn back(&self, seat: usize) -> Option<usize> {
        let is_open = self.resigned.is_empty() && self.stand_in.is_none();
        let actions = self.game.back(seat, self.setup.freely)?;
        (is_open && actions >= self.settled).then_some(actions)
    }

    fn may_resign(&self, seat: usize) -> bool {
        self.to_move().is_some() && !self.has_resigned(seat)
    }

    /// Whether the person at a seat still plays.
    pub(super) fn check_present(&self, seat: usize) -> Result<(), TableError> {
        match self.has_resigned(seat) {
            true => Err(TableError::Resigned),
            false => Ok(()),
        }
    }

    /// The person at a seat resigns.
    pub(super) fn resign(&mut self, seat: usize) -> Result<(), TableError> {
        if !self.may_resign(seat) {
            return Err(TableError::Resigned);
        }
        self.journal.write(&Line::Resign(seat))?;
        self.resigned(seat);
        self.happened();
        Ok(())
    }

    /// Called after every change of the game: wakes the requests that wait for one.
    fn happened(&mut self) {
        // Programs that still run for this game are ended.
        if self.to_move().is_none() {
            self.game.close();
        }
        // These belonged to the position before.
        self.review = None;
        self.stuck = None;
        self.run_clock();
        self.version.send_modify(|version| version.game += 1);
    }
}
