//! All tables of a server, their files, and the permits that limit how many searches run at a time. `web` turns
//! requests into calls of a [`House`]; `thinking` makes the decisions of built-in players and programs.

mod people;

use super::game::{Advice, Eyes};
use super::journal::{Journal, Line};
use super::kind::Kind;
use super::language::{CatalogueError, Catalogues};
use super::own_games::{Holder, OwnGames};
use super::review::{self, Judged, Review};
use super::secrets::{RandomError, make_private, random, renew_secrets, secret};
use super::setup::{self, Occupant, Setup, SetupError, TimeLimit, yes};
use super::table::{BeginError, Table, TableError, Version};
use arena::records::RecordError;
pub(super) use engine::sync::lock;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use thiserror::Error;
use tokio::sync::{Semaphore, watch};

/// The most tables of a house.
const TABLES: usize = 500;
/// Once there are this many tables, people set up no more from their own tables: the other places are for the host.
const GUEST_TABLES: usize = 400;

/// The tables of a server.
pub struct House {
    kinds: Vec<Arc<Kind>>,
    pub(super) catalogues: Catalogues,
    folder: PathBuf,
    /// By id. Whoever holds this list locks no table, so work at one table holds up no other; whoever holds a table may
    /// lock the list.
    tables: Mutex<BTreeMap<String, Arc<Mutex<Table>>>>,
    own_games: Mutex<OwnGames>,
    /// A permit for each decision or advice that may be computed at a time.
    pub(super) thinkers: Arc<Semaphore>,
    /// The number of those permits.
    places: usize,
    /// The secret in the link of the host, who may set up tables.
    pub(super) host: String,
}

/// The reasons why a house cannot open, or a table cannot be set up.
#[derive(Debug, Error)]
pub enum HouseError {
    /// The folder of the tables cannot be used.
    #[error("cannot use {path}: {source}")]
    Folder {
        path: PathBuf,
        source: std::io::Error,
    },
    /// The system gave no random numbers.
    #[error(transparent)]
    Random(#[from] RandomError),
    /// The texts cannot be read.
    #[error(transparent)]
    Texts(#[from] CatalogueError),
    /// A table's file cannot be written.
    #[error(transparent)]
    File(#[from] RecordError),
    /// There is no such game.
    #[error("there is no game {0:?} here")]
    Game(String),
    /// No game can be played like that.
    #[error("{0}")]
    Setup(String),
    /// Another game can open the text.
    #[error("this is a game or a position of {0}, so choose that game")]
    OtherGame(&'static str),
    /// There is no such table.
    #[error("there is no table {0:?} here")]
    Table(String),
    /// There are too many already.
    #[error(
        "there are {TABLES} tables already; remove old ones from the list first, or their files from {0}"
    )]
    Full(PathBuf),
    /// There are too many for another one from a table.
    #[error("there are too many tables here; the host has to remove old ones first")]
    FullForGuests,
}

/// The reasons why a game cannot go on at another table.
#[derive(Debug, Error)]
pub(super) enum BranchError {
    #[error(transparent)]
    Random(#[from] RandomError),
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    House(#[from] HouseError),
}

/// A table, and the eyes of the link that leads to it.
#[derive(Clone)]
pub(super) struct Place {
    pub table: Arc<Mutex<Table>>,
    pub eyes: Eyes,
}

/// The address of a table's page for the holder of this secret. The id may hold any characters, as it is the name of a
/// file.
pub(super) fn link(id: &str, secret: &str) -> String {
    // Letters, digits and these four mean themselves in every part of an address (RFC 3986, section 2.3).
    const ESCAPED: AsciiSet = NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'.')
        .remove(b'_')
        .remove(b'~');
    format!("/table/{}/{secret}", utf8_percent_encode(id, &ESCAPED))
}

impl House {
    /// Opens the house with the tables in a folder, which is made if it is missing. A file that is not a table,
    /// or is in use, is left alone, and the reason goes to `report`.
    ///
    /// # Errors
    /// If the folder cannot be used.
    pub fn open(
        kinds: Vec<Arc<Kind>>,
        folder: &Path,
        thinkers: usize,
        report: impl Fn(&str),
    ) -> Result<Arc<House>, HouseError> {
        let failed = |source| HouseError::Folder {
            path: folder.to_owned(),
            source,
        };
        make_private(folder).map_err(failed)?;
        let mut tables = BTreeMap::new();
        // Files in use. The first one is waited for. If it stays in use, the others are not waited for: another server
        // probably holds the whole folder.
        let mut held = Vec::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let id = path.file_stem().and_then(|name| name.to_str());
            // The name of a table's file is its id; other files in the folder are ignored.
            let Some(id) = id.filter(|_| path.extension().is_some_and(|end| end == "jsonl")) else {
                continue;
            };
            // A link that leads nowhere would be made a file.
            let table = match path.is_file() {
                true if held.is_empty() || !is_in_use(&path) => resumed(&kinds, &path),
                true => Err(String::new()),
                false => Err("it is no file".to_owned()),
            };
            match table {
                Ok(table) => drop(tables.insert(id.to_owned(), Arc::new(Mutex::new(table)))),
                Err(_) if is_in_use(&path) => held.push(path),
                Err(reason) => report(&format!("{} is not opened: {reason}", path.display())),
            }
        }
        match &held[..] {
            [] => {}
            [one] => report(&format!(
                "{} is not opened: another process uses it",
                one.display()
            )),
            all => report(&format!(
                "{} tables in {} are not opened: another process uses them",
                all.len(),
                folder.display()
            )),
        }
        Ok(Arc::new(House {
            catalogues: Catalogues::of(|language| {
                let texts = kinds.iter().flat_map(|kind| &kind.scene.texts);
                texts.map(|text| text.in_language(language)).collect()
            })?,
            kinds,
            folder: folder.to_owned(),
            tables: Mutex::new(tables),
            own_games: Mutex::new(OwnGames::open(folder, report)),
            thinkers: Arc::new(Semaphore::new(thinkers.max(1))),
            places: thinkers.max(1),
            host: secret()?,
        }))
    }

    pub(super) fn kinds(&self) -> &[Arc<Kind>] {
        &self.kinds
    }

    pub(super) fn kind(&self, name: &str) -> Option<&Arc<Kind>> {
        self.kinds.iter().find(|kind| kind.scene.name == name)
    }

    /// Starts the built-in players whose decisions are due. Called once, when the server begins.
    pub(super) fn wake(self: &Arc<House>) {
        let mut tables: Vec<_> = lock(&self.tables).values().cloned().collect();
        // Games that have ended elsewhere get their results now, in the order of their ends.
        tables.sort_by_cached_key(|table| lock(table).written());
        for table in tables {
            self.drive(&table);
        }
    }

    /// Sets up a table; returns its id.
    pub(super) fn set_up(self: &Arc<House>, wish: Wish) -> Result<String, HouseError> {
        let kind = self
            .kind(&wish.game)
            .ok_or_else(|| HouseError::Game(wish.game.clone()))?;
        // Each person gets a secret of their own, which their link holds. A program must be one that the host
        // has named.
        let occupants = wish.seats.into_iter().map(|holder| match holder {
            Holder::Person(name) => Ok(Occupant::Person {
                name: name.trim().to_owned(),
                secret: secret()?,
            }),
            Holder::Player(level) => Ok(Occupant::Player(level)),
            Holder::Program(label) if kind.programs.contains(&label) => {
                Ok(Occupant::Program(label))
            }
            Holder::Program(label) => {
                let title = kind.scene.title;
                let text = format!("{title} has no program called {label} here");
                Err(HouseError::Setup(text))
            }
        });
        let occupants = occupants.collect::<Result<_, _>>()?;
        let setup = Setup {
            freely: wish.freely,
            shared: wish.shared,
            hints: wish.hints,
            limit: wish.limit,
            chat: wish.chat,
            host: wish.host,
            rules: wish.rules,
            ..Setup::new(&wish.game, random()?, occupants, secret()?)
        };
        self.open_table(kind, setup, &[], TABLES)
    }

    /// Sets up a table with a game or a position that is read from a text; returns its id. All seats of a game
    /// that is over belong to people, who look through it. Otherwise one person plays on against the strongest
    /// players.
    pub(super) fn open_text(
        self: &Arc<House>,
        game: &str,
        text: &str,
    ) -> Result<String, HouseError> {
        let kind = self
            .kind(game)
            .ok_or_else(|| HouseError::Game(game.to_owned()))?;
        let (setup, taken) = read(&self.kinds, kind, text.as_bytes())?;
        self.open_table(kind, setup, &taken, TABLES)
    }

    /// Opens a table at which these actions have been taken already, unless there are `most` tables; returns its id.
    fn open_table(
        self: &Arc<House>,
        kind: &Arc<Kind>,
        setup: Setup,
        taken: &[String],
        most: usize,
    ) -> Result<String, HouseError> {
        let wrong = |error: SetupError| HouseError::Setup(error.to_string());
        setup.check(kind).map_err(wrong)?;
        let game = setup.game(kind).map_err(HouseError::Setup)?;
        let id = format!("{:016x}", random()?);
        match lock(&self.tables).len() {
            TABLES.. => return Err(HouseError::Full(self.folder.clone())),
            found if found >= most => return Err(HouseError::FullForGuests),
            _ => {}
        }
        // A long game takes time to begin, so the list of tables is not locked meanwhile.
        let path = self.folder.join(format!("{id}.jsonl"));
        let table = Table::begin(Arc::clone(kind), setup, game, &path, taken);
        let table = Arc::new(Mutex::new(table.map_err(|error| match error {
            BeginError::File(error) => HouseError::File(error),
            BeginError::Action(reason) => HouseError::Setup(reason),
        })?));
        lock(&self.tables).insert(id.clone(), Arc::clone(&table));
        self.drive(&table);
        Ok(id)
    }

    /// Sets up another table, where a game that is over goes on from an earlier position with the same seats
    /// and the same chance. Returns new links for the seats whose secrets at this table are in `secrets`.
    pub(super) fn branch(
        self: &Arc<House>,
        place: &Place,
        id: &str,
        secrets: &[String],
        actions: usize,
    ) -> Result<Vec<Option<String>>, BranchError> {
        place.seat()?;
        let (kind, mut setup, taken) = {
            let table = lock(&place.table);
            let taken = table.beginning(actions)?;
            (Arc::clone(&table.kind), table.setup.clone(), taken)
        };
        lock(&place.table).count_branch()?;
        // The new table says where it comes from: players may have seen cards of its future.
        setup.from = Some((id.to_owned(), actions));
        let known = |seat: &Occupant| seat.secret().is_some_and(|one| secrets.contains(&one));
        let known: Vec<bool> = setup.seats.iter().map(known).collect();
        setup.shared.retain(|&seat| known.get(seat) == Some(&true));
        // A game that was opened from a text has no other people, so players take the other seats.
        if setup.start.is_some() {
            let strongest = kind.scene.levels.saturating_sub(1);
            for (seat, _) in setup
                .seats
                .iter_mut()
                .zip(&known)
                .filter(|(_, known)| !**known)
            {
                *seat = Occupant::Player(strongest);
            }
        }
        renew_secrets(&mut setup)?;
        let links: Vec<Option<String>> = setup.seats.iter().map(Occupant::secret).collect();
        let id = self.open_table(&kind, setup, &taken, GUEST_TABLES)?;
        let links = links.into_iter().zip(known);
        let links = links.map(|(secret, known)| {
            let secret = secret.filter(|_| known)?;
            Some(link(&id, &secret))
        });
        Ok(links.collect())
    }

    /// Sets up another game for the same people, each one seat further on, unless that has been done. The old
    /// table gives each person their own new link.
    pub(super) fn again(self: &Arc<House>, place: &Place) -> Result<(), BranchError> {
        place.seat()?;
        // Locked to the end: if two ask at once, the second finds the table of the first.
        let mut table = lock(&place.table);
        table.beginning(0)?;
        if table.has_next() {
            return Ok(());
        }
        let (kind, mut setup) = (Arc::clone(&table.kind), table.setup.clone());
        if setup.start.is_some() && setup.from.is_none() {
            // Nobody but this person has a link to a game that was opened from a text.
            setup.leave_to_players(place.seat()?, kind.scene.levels);
        }
        // Everybody moves one seat on, so that over several games each begins as often. The links are turned
        // back below, since the old table knows its people by their old seats.
        setup.seats.rotate_right(1);
        setup.host = setup.host.map(|seat| (seat + 1) % setup.seats.len());
        setup.seed = random()?;
        (setup.start, setup.from) = (None, None);
        let seats = setup.seats.len();
        setup
            .shared
            .iter_mut()
            .for_each(|seat| *seat = (*seat + 1) % seats);
        renew_secrets(&mut setup)?;
        let mut links: Vec<Option<String>> = setup.seats.iter().map(Occupant::secret).collect();
        let id = self.open_table(&kind, setup, &[], GUEST_TABLES)?;
        links.rotate_left(1);
        let links = links.into_iter();
        let links = links.map(|secret| secret.map(|secret| link(&id, &secret)));
        table.set_next(links.collect());
        Ok(())
    }

    /// The review of a game that is over, as far as it has come, without its first `known` actions. The first call
    /// starts it.
    pub(super) fn review(
        self: &Arc<House>,
        place: &Place,
        known: usize,
    ) -> Result<Review, TableError> {
        let mut table = lock(&place.table);
        if let Some(run) = table.begin_review()? {
            let (house, reviewed) = (Arc::clone(self), Arc::clone(&place.table));
            tokio::spawn(async move { house.go_through(&reviewed, run).await });
        }
        let review = table.review.as_ref().ok_or(TableError::NoAdvice)?;
        Ok(review.after(known))
    }

    /// Judges the actions for the review number `run`, in order, until all are judged or the game has gone back.
    /// Up to `places` actions are judged at a time. Each takes little time, so players soon get a permit again.
    async fn go_through(&self, table: &Arc<Mutex<Table>>, run: u64) {
        let Some(unit) = lock(table).reviewed(run).map(|review| review.unit) else {
            return;
        };
        let limit = (&self.thinkers, self.places);
        let task = |number| {
            let mut table = lock(table);
            // None if the game has gone back, or a newer review has begun: this one ends.
            table.reviewed(run)?;
            table.task(number)
        };
        let push = |judged| {
            let mut table = lock(table);
            table.reviewed(run).map(|review| review.push(judged))
        };
        if let Err(error) = review::judge_in_order(limit, unit, task, push).await {
            engine::note!("contest: a review failed: {error}");
            // The next request begins it anew.
            lock(table).review = None;
        }
    }

    /// The table with this id and the sight that the secret gives; `None` if the table has no such secret.
    pub(super) fn place(&self, id: &str, secret: &str) -> Option<Place> {
        let table = lock(&self.tables).get(id).cloned()?;
        let eyes = lock(&table).eyes(secret)?;
        Some(Place { table, eyes })
    }

    /// Every table with its id, for the host.
    pub(super) fn tables(&self) -> Vec<(String, Arc<Mutex<Table>>)> {
        let tables = lock(&self.tables);
        tables
            .iter()
            .map(|(id, table)| (id.clone(), Arc::clone(table)))
            .collect()
    }

    /// Takes an action, and starts the next player if it is a built-in one.
    pub(super) fn act(
        self: &Arc<House>,
        place: &Place,
        version: u64,
        action: &str,
    ) -> Result<(), TableError> {
        let seat = place.seat()?;
        let mut table = lock(&place.table);
        table.check_present(seat)?;
        table.act(seat, version, action)?;
        drop(table);
        self.drive(&place.table);
        Ok(())
    }

    /// Takes an action back.
    pub(super) fn take_back(
        self: &Arc<House>,
        place: &Place,
        version: u64,
    ) -> Result<(), TableError> {
        let seat = place.seat()?;
        lock(&place.table).take_back(seat, version)?;
        self.drive(&place.table);
        Ok(())
    }

    /// The person at a seat resigns.
    pub(super) fn resign(self: &Arc<House>, place: &Place) -> Result<(), TableError> {
        let seat = place.seat()?;
        lock(&place.table).resign(seat)?;
        self.drive(&place.table);
        Ok(())
    }

    /// Lets a player that has failed to decide try again. The people at the table may ask for it, or onlookers
    /// if there are none.
    pub(super) fn retry(self: &Arc<House>, place: &Place) -> Result<(), TableError> {
        let has_people = lock(&place.table).has_people();
        if has_people {
            place.seat()?;
        }
        {
            let mut table = lock(&place.table);
            if table.stuck().is_none() {
                return Ok(());
            }
            table.set_stuck(None);
        }
        self.drive(&place.table);
        Ok(())
    }

    /// Does work that a page waits for, such as a search, on a thread of its own. `prepare` looks at the table and
    /// returns the work. A busy machine makes the answer late: no wait is limited here.
    ///
    /// # Errors
    /// Those of `prepare`, and if the work panics.
    pub(super) async fn work<A: Send + 'static, W: FnOnce() -> A + Send + 'static>(
        &self,
        place: &Place,
        prepare: impl FnOnce(&Table) -> Result<W, TableError>,
    ) -> Result<A, TableError> {
        let one = lock(&place.table).page_work();
        // One for each table, and this permit first: otherwise the links of one table could take all permits of the
        // house. If the browser hangs up while this waits, the request is dropped, and with it its turn.
        let one = one.acquire_owned().await;
        let permit = Arc::clone(&self.thinkers).acquire_owned().await;
        // The game may have gone on meanwhile.
        let work = prepare(&lock(&place.table))?;
        // The work goes on when the browser hangs up. It holds both permits until it ends, so this table gets no
        // second one beside it.
        let found = tokio::task::spawn_blocking(move || {
            let _permits = (permit, one);
            work()
        });
        found.await.map_err(|_| TableError::NoAdvice)
    }

    /// Advice for the seat that is to act.
    pub(super) async fn advise(&self, place: &Place) -> Result<Advice, TableError> {
        let prepare = |table: &Table| {
            if !table.may_ask(place.eyes) {
                place.seat()?;
                if !table.setup.hints {
                    return Err(TableError::NoHints);
                }
                return Err(TableError::NotYourTurn);
            }
            let game = table.game.clone();
            Ok(move || game.advise())
        };
        let found = self.work(place, prepare).await?;
        // Noted only now: if the search failed, no hint was given.
        if let Eyes::Seat(seat) = place.eyes {
            lock(&place.table).note_hint(seat)?;
        }
        Ok(found)
    }

    /// The value of another action in place of the action `number` of a game that is over.
    pub(super) async fn judge(
        &self,
        place: &Place,
        number: usize,
        action: &str,
    ) -> Result<Judged, TableError> {
        let prepare = |table: &Table| {
            let unit = table.kind.scene.unit;
            let task = table.task_instead(number, action)?;
            Ok(move || task.run(unit))
        };
        self.work(place, prepare).await
    }
}

impl Place {
    /// The seat of the link; an error for onlookers.
    fn seat(&self) -> Result<usize, TableError> {
        match self.eyes {
            Eyes::Seat(seat) => Ok(seat),
            _ => Err(TableError::Onlooker),
        }
    }

    /// The position and all else that a browser with this link gets.
    pub(super) fn shown(&self) -> Value {
        lock(&self.table).shown(self.eyes)
    }

    pub(super) fn listen(&self) -> watch::Receiver<Version> {
        lock(&self.table).listen()
    }
}

/// A request of the start page for a table, see [`Setup`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wish {
    game: String,
    /// For each seat a person by name, a level or a program.
    seats: Vec<Holder>,
    freely: bool,
    /// Seats of people at the same screen.
    #[serde(default)]
    shared: Vec<usize>,
    #[serde(default = "yes")]
    hints: bool,
    limit: Option<TimeLimit>,
    #[serde(default)]
    chat: bool,
    host: Option<usize>,
    /// Rules in addition to the contest's.
    #[serde(default)]
    rules: Vec<String>,
}

/// Whether another process has locked a table's file.
pub(super) fn is_in_use(path: &Path) -> bool {
    let file = fs::File::open(path);
    file.is_ok_and(|file| matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock)))
}

/// The table of a game or a position that is read from a text, and the actions that were taken at it. The seat that acts
/// next is a person's, and the strongest players have the others; at a game that is over all seats are people's.
///
/// # Errors
/// The mistake in the text, or the game that it is of.
pub(super) fn read(
    kinds: &[Arc<Kind>],
    kind: &Kind,
    text: &[u8],
) -> Result<(Setup, Vec<String>), HouseError> {
    let opened = kind.open(text).map_err(|reason| {
        // A reason such as a missing field says little to whoever has only chosen the wrong game. Of several lines, such as a
        // match, even the right game opens the first alone.
        let first = text.split(|&byte| byte == b'\n').next().unwrap_or(text);
        let mut others = kinds.iter().filter(|_| kind.open(first).is_err());
        let other = others.find(|other| other.open(text).is_ok() || other.open(first).is_ok());
        other.map_or(HouseError::Setup(reason), |other| {
            HouseError::OtherGame(other.scene.title)
        })
    })?;
    let seats = opened.names.into_iter().enumerate().map(|(seat, name)| {
        Ok(Occupant::Person {
            name: setup::fitting(&name, seat),
            secret: secret()?,
        })
    });
    let seats = seats.collect::<Result<_, HouseError>>()?;
    let mut setup = Setup {
        start: Some(opened.start),
        ..Setup::new(kind.scene.name, random()?, seats, secret()?)
    };
    let mut game = setup.game(kind).map_err(HouseError::Setup)?;
    // An illegal action is reported by the table.
    let _ = opened.taken.iter().try_for_each(|action| game.act(action));
    if let Some(seat) = game.to_move() {
        setup.leave_to_players(seat, kind.scene.levels);
    }
    Ok((setup, opened.taken))
}

/// Restores a table from its file.
///
/// # Errors
/// The reason why the file is not a table of one of these games, or is in use.
pub(super) fn resumed(kinds: &[Arc<Kind>], path: &Path) -> Result<Table, String> {
    let (journal, lines) = Journal::resume(path).map_err(|error| error.to_string())?;
    let Some((Line::Table(setup), lines)) = lines.split_first() else {
        return Err("its first line does not set up a table".to_owned());
    };
    let kind = kinds.iter().find(|kind| kind.scene.name == setup.game);
    let kind = kind.ok_or_else(|| format!("there is no game {:?} here", setup.game))?;
    setup.check(kind).map_err(|error| error.to_string())?;
    Table::resume(Arc::clone(kind), setup.clone(), path, journal, lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain;
    use crate::table::Stuck;
    use serde_json::json;
    use tempfile::TempDir;
    use tokio::time::timeout;

    /// Opens a house for one game with one permit.
    fn opened(folder: &Path, report: impl Fn(&str)) -> Arc<House> {
        let game = games::game("hearts", json!({ "players": 3 })).unwrap();
        let kind = Arc::new(plain(game, "Hearts", "A game."));
        House::open(vec![kind], folder, 1, report).unwrap()
    }

    /// A house in a folder of its own.
    fn house() -> (TempDir, Arc<House>) {
        let folder = tempfile::tempdir().unwrap();
        let house = opened(folder.path(), |reason| panic!("{reason}"));
        (folder, house)
    }

    /// The same with a table of three people, and the place of the one to act.
    fn with_a_table() -> (TempDir, Arc<House>, Place) {
        let (folder, house) = house();
        let place = seated(&house);
        (folder, house, place)
    }

    /// Sets up a table of three people; returns the place of the one to act.
    fn seated(house: &Arc<House>) -> Place {
        seated_on(house, json!({ "freely": false }))
    }

    /// The same on these terms.
    fn seated_on(house: &Arc<House>, mut wish: Value) -> Place {
        wish["game"] = "hearts".into();
        wish["seats"] = ["Ann", "Bob", "Cleo"]
            .map(|name| json!({ "person": name }))
            .into_iter()
            .collect();
        let id = house.set_up(serde_json::from_value(wish).unwrap()).unwrap();
        let table = lock(&house.tables)[&id].clone();
        let seat = lock(&table).to_move().unwrap();
        let secret = lock(&table).setup.seats[seat].secret().unwrap();
        house.place(&id, &secret).unwrap()
    }

    /// A house with a table at which the game is over.
    fn finished() -> (TempDir, Arc<House>, Place) {
        let (folder, house, place) = with_a_table();
        play_out(&place);
        (folder, house, place)
    }

    /// Plays a game to its end.
    fn play_out(place: &Place) {
        let mut table = lock(&place.table);
        while let Some(seat) = table.to_move() {
            let (version, choice) = (table.version(), table.game.choices().swap_remove(0));
            table.act(seat, version, &choice.action).unwrap();
        }
    }

    /// However long all processors are busy, nobody has to ask again. The paused clock jumps forward whenever all tasks
    /// wait, so the test takes no time.
    #[tokio::test(start_paused = true)]
    async fn hints_come_late_rather_than_fail() {
        let (_folder, house, place) = with_a_table();
        let busy = house.thinkers.acquire().await.unwrap();
        let ask = || Box::pin(house.advise(&place));
        let mut asked = [ask(), ask()];
        for one in &mut asked {
            let hour = std::time::Duration::from_secs(3600);
            assert!(timeout(hour, one).await.is_err(), "all are busy");
        }
        drop(busy);
        for one in asked {
            assert!(!one.await.unwrap().candidates.is_empty());
        }
    }

    /// A server that finds its folder held by another says so once, however many tables there are.
    #[tokio::test]
    async fn a_folder_that_is_held_is_told_of_once() {
        let (folder, house) = house();
        let _tables = [seated(&house), seated(&house), seated(&house)];
        let told = Mutex::new(Vec::new());
        let second = opened(folder.path(), |reason| lock(&told).push(reason.to_owned()));
        assert!(second.tables().is_empty());
        let path = folder.path().display();
        let expected = format!("3 tables in {path} are not opened: another process uses them");
        assert_eq!(*lock(&told), [expected]);
    }

    /// Players read why a disk failed, but not a program's message, which may hold its cards.
    #[tokio::test]
    async fn the_reason_of_a_failure_is_shown() {
        let (_folder, _house, place) = with_a_table();
        for (stuck, expected) in [
            (Stuck::Unwritten("the disk is full".to_owned()), true),
            (Stuck::Undecided("my cards are".to_owned()), false),
        ] {
            lock(&place.table).set_stuck(Some(stuck.clone()));
            let shown = place.shown()["stuck"].to_string();
            let (Stuck::Unwritten(reason) | Stuck::Undecided(reason)) = stuck;
            assert_eq!(shown.contains(&reason), expected, "{shown}");
        }
    }

    /// A game without a record says so once it is over, and not that it still goes on.
    #[tokio::test]
    async fn a_game_without_a_record_is_refused_with_its_reason() {
        let (_folder, _house, place) = with_a_table();
        let refused = || lock(&place.table).check_recorded().unwrap_err();
        assert!(matches!(refused(), TableError::Unfinished));
        play_out(&place);
        assert!(matches!(refused(), TableError::NoRecord));
    }

    /// Players cannot take all places of the house with *Play again* and the review.
    #[tokio::test]
    async fn the_last_places_are_for_the_host() {
        let (_folder, house, place) = finished();
        for number in 1..GUEST_TABLES {
            lock(&house.tables).insert(number.to_string(), Arc::clone(&place.table));
        }
        let refused = [
            house.again(&place).unwrap_err(),
            house.branch(&place, "1", &[], 0).unwrap_err(),
        ];
        for error in refused {
            let is_full = matches!(error, BranchError::House(HouseError::FullForGuests));
            assert!(is_full, "{error}");
        }
        seated(&house);
    }

    /// The players of a game find each other at the next one, even if the server was ended before all had gone on.
    #[tokio::test]
    async fn the_next_table_is_kept() {
        let (folder, house, place) = finished();
        house.again(&place).unwrap();
        let next = place.shown()["next"].clone();
        assert!(next.is_string(), "{next}");
        let path = lock(&place.table).path.clone();
        let Eyes::Seat(seat) = place.eyes else {
            panic!("the place is a seat");
        };
        drop((house, place));
        let house = opened(folder.path(), |reason| panic!("{reason}"));
        let id = path.file_stem().unwrap().to_str().unwrap();
        let table = lock(&house.tables)[id].clone();
        assert_eq!(lock(&table).shown(Eyes::Seat(seat))["next"], next);
    }

    /// One task waits for the end of a person's time, however often something changes or a player is to try again.
    #[tokio::test(start_paused = true)]
    async fn one_task_watches_a_clock() {
        let (_folder, house) = house();
        let wish = json!({ "freely": true, "limit": { "action": 3600 } });
        let place = seated_on(&house, wish);
        let come = |seat| {
            house.come(&Place {
                eyes: Eyes::Seat(seat),
                ..place.clone()
            });
        };
        (0..3).for_each(come);
        // Each task holds the table.
        let held = Arc::strong_count(&place.table);
        for _ in 0..10 {
            house.retry(&place).unwrap();
            house.drive(&place.table);
        }
        assert_eq!(Arc::strong_count(&place.table), held);
        for _ in 0..10 {
            let (version, choice) = {
                let table = lock(&place.table);
                (table.version(), table.game.choices().swap_remove(0))
            };
            house.act(&place, version, &choice.action).unwrap();
            house.take_back(&place, version + 1).unwrap();
        }
        // A task that was ended is dropped when it would have its next turn.
        tokio::spawn(async {}).await.unwrap();
        assert_eq!(Arc::strong_count(&place.table), held);
    }
}
