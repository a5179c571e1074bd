//! The contest's web page: standings, results and games under way, every finished game as a replay.
//!
//! The page runs on its own thread and cannot hold up a game. It reads finished games from the journal, and asks the
//! server for a [`Snapshot`] at most a few times a second, however many browsers there are.

mod archive;
mod pages;

pub use archive::{Archive, Filter, Listed};
pub use pages::{CARDS, finished};

use super::descriptors::{Budget, raised};
use super::journal::VoidGame;
use super::record::Entry;
use super::record::GameLine;
use super::snapshot::{LiveGame, Snapshot, SnapshotSource, snapshot};
use super::summary::Summary;
use arena::records::RecordError;
use axum::Router;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use engine::sync::lock;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use tables::connections::{LimitedListener, Places};

/// The age up to which a snapshot is shown again.
const FRESH: Duration = Duration::from_millis(300);
/// Games in a list, and the most that a request may ask for.
const SHOWN: usize = 30;
const MOST: usize = 500;

/// The contents of the web page.
pub struct Site {
    /// Title of its first page.
    pub title: String,
    /// Names of the teams.
    pub names: BTreeMap<u64, String>,
    pub archive: Archive,
    /// Snapshots of the running server; none if only games are shown.
    pub snapshots: Option<SnapshotSource>,
    /// The number of teams. Descriptors are reserved for them before onlookers get any.
    pub reserved: u64,
}

/// Serves the pages on another thread until the process ends. Returns the page's address.
///
/// # Errors
/// If the thread cannot be started, or the listener cannot be used.
pub fn serve(listener: TcpListener, site: Site) -> io::Result<SocketAddr> {
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let places = Places::new(Budget::of(raised(), site.reserved).strangers);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    thread::Builder::new()
        .name("web".to_owned())
        .spawn(move || {
            // The page shares the processor with the games, which come first.
            lower_priority();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener)?;
                axum::serve(LimitedListener::new(listener, places), router(site)).await
            })
        })?;
    Ok(address)
}

/// Lowers the priority below that of the games. Under Linux this affects the calling thread alone.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(5);
}

/// The state that all requests share.
struct Shared {
    title: String,
    names: BTreeMap<u64, String>,
    archive: Mutex<Archive>,
    snapshots: Option<SnapshotSource>,
    /// The last snapshot, and when it was made. A request that renews it holds the lock meanwhile, so that the server
    /// is asked once.
    last: tokio::sync::Mutex<Option<(Instant, Arc<Snapshot>)>>,
}

type SharedState = State<Arc<Shared>>;

/// The paths of the pages, and of the same data as JSON below `/api`.
fn router(site: Site) -> Router {
    let shared = Shared {
        title: site.title,
        names: site.names,
        archive: Mutex::new(site.archive),
        snapshots: site.snapshots,
        last: tokio::sync::Mutex::default(),
    };
    Router::new()
        .route("/", get(home))
        .route("/game/{id}", get(game))
        .route("/api/state", get(api_state))
        .route("/api/games", get(api_games))
        .route("/api/games/{id}", get(api_game))
        .route("/api/head-to-head", get(api_head_to_head))
        // Unknown paths below /api get their error as JSON, all others as a page.
        .route("/api/{*rest}", get(|| async { Failure::NoPage }))
        .fallback(|| async { failure(StatusCode::NOT_FOUND, "there is no such page") })
        .method_not_allowed_fallback(|| async { Failure::NoMethod })
        .with_state(Arc::new(shared))
}

/// The data of the first page.
#[derive(Serialize)]
struct Overview<'a> {
    state: Option<&'a Snapshot>,
    names: &'a BTreeMap<u64, String>,
    recent: Vec<Summary>,
    total: u64,
}

/// A finished game, or one under way.
#[derive(Serialize)]
struct Shown {
    players: [String; 2],
    #[serde(flatten)]
    what: What,
}

/// The state of a game, with its data for the page's script.
#[derive(Serialize)]
#[serde(untagged)]
enum What {
    Finished {
        id: u64,
        teams: [u64; 2],
        winner: usize,
        is_final: bool,
        entries: Vec<Entry>,
    },
    UnderWay {
        live: LiveGame,
    },
    /// It will never end.
    Void {
        void: VoidGame,
    },
}

impl Shared {
    /// Brings the archive up to date and reads from it. New lines are few and short, so reading them
    /// delays no page.
    fn archive<T>(
        &self,
        read: impl FnOnce(&mut Archive) -> Result<T, RecordError>,
    ) -> Result<T, Failure> {
        let mut archive = lock(&self.archive);
        Ok(archive.refresh().and_then(|()| read(&mut archive))?)
    }

    /// The state of the contest, at most `FRESH` old while its server runs; none without a server.
    async fn snapshot(&self) -> Option<Arc<Snapshot>> {
        let source = self.snapshots.as_ref()?;
        // Held while the server answers: concurrent requests wait and share one snapshot.
        let mut last = self.last.lock().await;
        if let Some((at, snapshot)) = &*last
            && at.elapsed() < FRESH
        {
            return Some(Arc::clone(snapshot));
        }
        if let Some(snapshot) = snapshot(source).await {
            *last = Some((Instant::now(), Arc::new(snapshot)));
        }
        // A server that has ended answers no more; its last snapshot remains.
        last.as_ref().map(|(_, snapshot)| Arc::clone(snapshot))
    }

    /// The data of the first page, in the form that `write` gives it.
    async fn overview(
        &self,
        write: impl FnOnce(&Overview) -> Option<Vec<u8>>,
    ) -> Result<Vec<u8>, Failure> {
        let snapshot = self.snapshot().await;
        let (recent, total) = self.archive(|archive| {
            let recent = archive.latest(Filter::default(), SHOWN)?;
            let recent = recent.map_or_else(Vec::new, |listed| listed.games);
            Ok((recent, archive.len()))
        })?;
        let overview = Overview {
            state: snapshot.as_deref(),
            names: &self.names,
            recent,
            total,
        };
        write(&overview).ok_or(Failure::Unwritten)
    }

    /// The names of a game's players. `names` are those in its record, if any.
    fn players(&self, teams: [u64; 2], names: Option<[String; 2]>) -> [String; 2] {
        let name = |team| self.names.get(&team).cloned();
        // Names in the record come first: the players had them when they played.
        names.unwrap_or_else(|| teams.map(|team| name(team).unwrap_or(format!("team {team}"))))
    }

    /// A game of this number: finished, under way or void.
    async fn shown(&self, id: u64) -> Result<Shown, Failure> {
        // The snapshot comes before the journal is read. A game that ends in between is then found in the journal; in
        // the other order it would be in neither.
        let snapshot = self.snapshot().await;
        if let Some(game) = self.archive(|archive| archive.game(id))? {
            return Ok(self.finished(game));
        }
        let now = snapshot.ok_or(Failure::NoGame(id))?;
        if let Some(live) = now.live.iter().find(|game| game.id == id) {
            return Ok(Shown {
                players: self.players(live.teams, None),
                what: What::UnderWay { live: live.clone() },
            });
        }
        // Neither finished nor under way: perhaps void.
        let void = now.void.iter().find(|game| game.id == id);
        let void = *void.ok_or(Failure::NoGame(id))?;
        Ok(Shown {
            players: self.players(void.teams, None),
            what: What::Void { void },
        })
    }

    fn finished(&self, game: GameLine) -> Shown {
        Shown {
            players: self.players(game.teams, game.names),
            what: What::Finished {
                id: game.id,
                teams: game.teams,
                winner: game.winner.min(1),
                is_final: game.is_final,
                entries: game.entries,
            },
        }
    }
}

async fn home(State(site): SharedState) -> Result<Response, Failure> {
    let with_standings = site.snapshots.is_some();
    let write = |overview: &Overview| pages::home(&site.title, overview, with_standings);
    Ok(page(site.overview(write).await?))
}

/// The answer to an address in which the number of a game is none.
const NO_NUMBER: &str = "expected the number of a game, such as 7";

async fn game(State(site): SharedState, id: Result<Path<u64>, PathRejection>) -> Response {
    let id = match id {
        Ok(Path(id)) => id,
        Err(error) => return failure(error.status(), NO_NUMBER),
    };
    let shown = match site.shown(id).await {
        Ok(shown) => shown,
        Err(error) => return failure(error.status(), &error.to_string()),
    };
    match pages::game(id, &shown.players, &shown) {
        Some(text) => page(text),
        None => failure(
            StatusCode::INTERNAL_SERVER_ERROR,
            &Failure::Unwritten.to_string(),
        ),
    }
}

async fn api_state(State(site): SharedState) -> Result<Response, Failure> {
    let write = |overview: &Overview| serde_json::to_vec(overview).ok();
    Ok(data(site.overview(write).await?))
}

/// The query of `/api/games`: a team, a game before which the list ends, and its length.
#[derive(Deserialize)]
struct Which {
    team: Option<u64>,
    before: Option<u64>,
    limit: Option<usize>,
}

async fn api_games(
    State(site): SharedState,
    which: Result<Query<Which>, QueryRejection>,
) -> Result<Response, Failure> {
    let expected = "expected whole numbers for team, before and limit, as in ?team=3&limit=50";
    let Query(which) = which.map_err(|_| Failure::Request(expected.to_owned()))?;
    let limit = which.limit.unwrap_or(SHOWN).min(MOST);
    let filter = Filter {
        team: which.team,
        before: which.before,
    };
    let listed = site.archive(|archive| archive.latest(filter, limit))?;
    let Listed { games, more } = listed.ok_or(Failure::NoGame(which.before.unwrap_or(0)))?;
    json_of(&serde_json::json!({ "games": games, "more": more }))
}

/// Every pair's games, and their winners.
async fn api_head_to_head(State(site): SharedState) -> Result<Response, Failure> {
    let snapshot = site.snapshot().await.ok_or(Failure::NoPage)?;
    json_of(&serde_json::json!({ "meetings": snapshot.head_to_head }))
}

async fn api_game(
    State(site): SharedState,
    id: Result<Path<u64>, PathRejection>,
) -> Result<Response, Failure> {
    let Path(id) = id.map_err(|_| Failure::Request(NO_NUMBER.to_owned()))?;
    json_of(&site.shown(id).await?)
}

fn json_of(value: &impl Serialize) -> Result<Response, Failure> {
    let text = serde_json::to_vec(value).map_err(|_| Failure::Unwritten)?;
    Ok(data(text))
}

/// Why a page cannot be shown.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("there is no game {0}")]
    NoGame(u64),
    #[error("there is no such page")]
    NoPage,
    #[error("expected the method GET")]
    NoMethod,
    #[error("{0}")]
    Request(String),
    #[error(transparent)]
    Archive(#[from] RecordError),
    #[error("the answer cannot be written")]
    Unwritten,
}

impl Failure {
    fn status(&self) -> StatusCode {
        match self {
            Failure::NoGame(_) | Failure::NoPage => StatusCode::NOT_FOUND,
            Failure::NoMethod => StatusCode::METHOD_NOT_ALLOWED,
            Failure::Request(_) => StatusCode::BAD_REQUEST,
            Failure::Archive(_) | Failure::Unwritten => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let text = serde_json::json!({ "error": self.to_string() }).to_string();
        (self.status(), data(text.into_bytes())).into_response()
    }
}

fn page(text: Vec<u8>) -> Response {
    answer("text/html; charset=utf-8", text)
}

fn data(text: Vec<u8>) -> Response {
    answer("application/json", text)
}

fn failure(status: StatusCode, text: &str) -> Response {
    (status, page(pages::error(text))).into_response()
}

fn answer(kind: &'static str, text: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        // Nothing may be cached (scores change all the time), guessed (`nosniff`) or put into a frame of
        // another site.
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    (headers, text).into_response()
}
