//! The server of tables in browsers: its addresses, their answers, and the headers that isolate its pages. Each
//! answer comes from the `House`.
//!
//! A link opens one seat of one table, a table for onlookers, or the host's page. It holds a secret of 128
//! bits, without which nothing is shown.

mod refusal;
mod request;

use super::game::Advice;
use super::house::{House, Wish, link};
use super::invitation::{Invitation, Reach};
use super::kind::LARGEST;
use super::language::Language;
use super::pages;
use super::review::{Judged, Review};
use super::secrets::secret;
use super::setup::Occupant;
use super::table::{Table, TableError};
use super::{guard::guard, house::lock};
use crate::connections::{LimitedListener, PlaceLimits, Places};
use axum::extract::rejection::QueryRejection;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router, middleware};
use refusal::{Refused, readable};
use request::{Body, Here, Hosted};
use serde::Deserialize;
use serde_json::{Value, json};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Connections at a time. One address may need many, for a browser with many tables.
const PLACES: PlaceLimits = PlaceLimits {
    per_address: 300,
    all: 400,
};
/// The longest body of a request, in bytes.
const BODY: usize = 8 << 10;
/// How long a request for the position waits for a change.
const NEWS: Duration = Duration::from_secs(4);

/// The content security policy: a page loads only its own server's scripts and styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A server that is ready to run.
pub struct Door {
    pub address: SocketAddr,
    /// The path of the page on which tables are set up.
    pub path: String,
    /// A path that leads to this page once. A browser is started with it: everybody may read command lines.
    pub once: String,
    listener: TcpListener,
    house: Arc<House>,
    reach: Reach,
    entrance: Arc<Entrance>,
}

/// The secret of the path that works once.
#[derive(Debug)]
struct Entrance {
    secret: String,
    is_used: AtomicBool,
}

/// Gets a server for a house ready. It is reached by addresses, and by the names of proxies in front of it.
///
/// # Errors
/// If the listener cannot be used, or the system has no random numbers.
pub fn serve(
    listener: TcpListener,
    house: Arc<House>,
    names: impl Into<Arc<[String]>>,
) -> io::Result<Door> {
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let entrance = Entrance {
        secret: secret().map_err(io::Error::other)?,
        is_used: AtomicBool::new(false),
    };
    Ok(Door {
        reach: Reach {
            bound: address,
            names: names.into(),
        },
        address,
        path: format!("/host/{}", house.host),
        once: format!("/once/{}", entrance.secret),
        listener,
        house,
        entrance: Arc::new(entrance),
    })
}

impl Door {
    /// Serves until the process ends.
    ///
    /// # Errors
    /// If the system refuses threads or the listener.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            self.house.wake();
            axum::serve(
                LimitedListener::new(listener, Places::new(PLACES)),
                router(self.house, self.reach, self.entrance),
            )
            .await
        })
    }
}

type SharedHouse = State<Arc<House>>;

/// The addresses. A handler of a table looks up the link in its address, calls the house, and answers with the
/// position as this link may see it.
fn router(house: Arc<House>, reach: Reach, entrance: Arc<Entrance>) -> Router {
    let names = Arc::clone(&reach.names);
    Router::new()
        .route("/once/{secret}", get(enter))
        .route("/host/{secret}", get(start))
        .route("/host/{secret}/tables", post(set_up).get(tables))
        .route("/host/{secret}/tables/{id}/remove", post(remove))
        .route("/host/{secret}/games", get(own_games))
        .route(
            "/host/{secret}/open",
            post(open).layer(DefaultBodyLimit::max(LARGEST)),
        )
        .route("/table/{id}/{secret}", get(table))
        .route("/table/{id}/{secret}/state", get(state))
        .route("/table/{id}/{secret}/act", post(act))
        .route("/table/{id}/{secret}/back", post(take_back))
        .route("/table/{id}/{secret}/hint", post(hint))
        .route("/table/{id}/{secret}/resign", post(resign))
        .route("/table/{id}/{secret}/retry", post(retry))
        .route("/table/{id}/{secret}/say", post(chat))
        .route("/table/{id}/{secret}/invitation", get(invitation))
        .route("/table/{id}/{secret}/review", post(review))
        .route("/table/{id}/{secret}/at/{actions}", get(at))
        .route("/table/{id}/{secret}/judge", post(judge))
        .route("/table/{id}/{secret}/branch", post(branch))
        .route("/table/{id}/{secret}/again", post(again))
        .route("/table/{id}/{secret}/record", get(record))
        .route("/table/{id}/{secret}/page", get(page))
        .route("/assets/{*name}", get(asset))
        .fallback(|| async { Refused::NotFound })
        // The last layer is the outermost: `headers` marks every answer, also those of `guard`, which comes
        // before any handler.
        .layer(DefaultBodyLimit::max(BODY))
        .layer(Extension(reach))
        .layer(Extension(entrance))
        .layer(middleware::from_fn_with_state(Arc::clone(&house), readable))
        .layer(middleware::from_fn_with_state(names, guard))
        .layer(middleware::map_response(headers))
        .with_state(house)
}

/// The headers of every answer.
async fn headers(mut response: Response) -> Response {
    let all = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        // Addresses hold secrets, so no other site may learn them.
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        all.insert(name, header::HeaderValue::from_static(value));
    }
    response
}

/// The language of the answer: the one chosen on the start page, else the one that the browser prefers.
fn language(headers: &HeaderMap) -> Language {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let cookies = text(header::COOKIE).unwrap_or_default().split(';');
    let mut chosen = cookies.filter_map(|cookie| cookie.trim().strip_prefix("language="));
    let accepted = text(header::ACCEPT_LANGUAGE).unwrap_or_default();
    Language::of(chosen.next(), accepted)
}

/// The answer of most requests: the new position, or what was set up.
type Answer = Result<Json<Value>, Refused>;

/// Leads whoever comes first to the page on which tables are set up.
async fn enter(
    State(house): SharedHouse,
    Extension(entrance): Extension<Arc<Entrance>>,
    Path(secret): Path<String>,
) -> Result<Redirect, Refused> {
    match secret == entrance.secret && !entrance.is_used.swap(true, Ordering::Relaxed) {
        true => Ok(Redirect::to(&format!("/host/{}", house.host))),
        false => Err(Refused::NotFound),
    }
}

async fn start(Hosted(house): Hosted, headers: HeaderMap) -> Result<Response, Refused> {
    let language = language(&headers);
    Ok(html(pages::start(
        house.kinds(),
        &house.catalogues,
        language,
    )))
}

async fn set_up(Hosted(house): Hosted, Body(wish): Body<Wish>) -> Answer {
    let id = house.set_up(wish)?;
    found(&house, &id)
}

/// A game or a position to be opened.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Open {
    game: String,
    text: String,
}

async fn open(Hosted(house): Hosted, Body(Open { game, text }): Body<Open>) -> Answer {
    let opening = Arc::clone(&house);
    // A long game takes time to be replayed, which would hold up other requests on this thread.
    let runtime = tokio::runtime::Handle::current();
    let opened = tokio::task::spawn_blocking(move || {
        let _runtime = runtime.enter();
        opening.open_text(&game, &text)
    });
    // A panic of the reader becomes an error of this request alone.
    let id = opened.await.map_err(|_| TableError::NoAdvice)??;
    found(&house, &id)
}

/// A table that has just been set up, with its links.
fn found(house: &House, id: &str) -> Answer {
    let tables = house.tables();
    let (_, table) = tables
        .iter()
        .find(|(other, _)| other == id)
        .ok_or(Refused::NotFound)?;
    Ok(Json(listed(id, &lock(table))))
}

async fn tables(Hosted(house): Hosted) -> Answer {
    let list: Vec<Value> = house
        .tables()
        .iter()
        .map(|(id, table)| listed(id, &lock(table)))
        .collect();
    Ok(Json(json!(list)))
}

/// Removes a table from the list, with its file.
async fn remove(Hosted(house): Hosted, Path((_, id)): Path<(String, String)>) -> Answer {
    house.remove(&id)?;
    Ok(Json(json!({})))
}

/// Answers with the host's own games that are over, and the ratings from them.
async fn own_games(Hosted(house): Hosted) -> Answer {
    Ok(Json(house.own_games()))
}

/// A table with its links, for the host.
fn listed(id: &str, table: &Table) -> Value {
    let link_of = |secret: &str| link(id, secret);
    let secret = |seat: &usize| table.setup.seats.get(*seat).and_then(Occupant::secret);
    let seats = table.setup.seats.iter().enumerate().map(|(number, seat)| {
        // Seats of players and programs have no link.
        let own = link_of(&seat.secret()?);
        let shared = &table.setup.shared;
        // People at one screen use one page: its link has the secrets of the other seats after `#`, a part that
        // browsers do not send.
        let others = shared.iter().filter(|&&other| other != number);
        let others: Vec<String> = others.filter_map(secret).collect();
        Some(match shared.contains(&number) && !others.is_empty() {
            true => format!("{own}#{}", others.join(",")),
            false => own,
        })
    });
    json!({
        "id": id,
        "game": table.kind.scene.title,
        "names": table.names(),
        "links": seats.collect::<Vec<_>>(),
        "onlookers": link_of(&table.setup.onlookers),
        "actions": table.game.actions(),
        "at": table.written(),
        "over": table.to_move().is_none(),
        "from": table.setup.from,
        "stuck": table.stuck(),
    })
}

async fn table(Here { house, place, .. }: Here, headers: HeaderMap) -> Result<Response, Refused> {
    // The table is locked for this line only, not while the page is written.
    let kind = Arc::clone(&lock(&place.table).kind);
    let language = language(&headers);
    Ok(html(pages::table(&kind, &house.catalogues, language)))
}

/// A page's request for the position.
#[derive(Deserialize)]
struct News {
    /// The version that the page has. With it the answer waits a while for a newer one.
    after: Option<u64>,
    /// The number of its latest news; without it the page does not wait for news.
    news: Option<u64>,
}

/// Answers with the position; with `after`, once it has changed or `NEWS` is over.
async fn state(
    Here { house, place, .. }: Here,
    news: Result<Query<News>, QueryRejection>,
) -> Answer {
    let Query(News { after, news }) = news?;
    house.come(&place);
    if let Some(known) = after {
        // Long polling: the answer comes with the next change, or unchanged after `NEWS`.
        let mut versions = place.listen();
        let other = versions.wait_for(|version| {
            version.game != known || news.is_some_and(|news| version.news != news)
        });
        let _ = tokio::time::timeout(NEWS, other).await;
    }
    Ok(Json(place.shown()))
}

/// A page's request to take an action.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Act {
    /// The version that the page shows.
    version: u64,
    /// The action as the contest writes it; empty to end the turn.
    action: String,
}

async fn act(Here { house, place, .. }: Here, Body(Act { version, action }): Body<Act>) -> Answer {
    house.act(&place, version, &action)?;
    Ok(Json(place.shown()))
}

/// A request to take the last action back, from a page that shows this version.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Back {
    version: u64,
}

async fn take_back(Here { house, place, .. }: Here, Body(Back { version }): Body<Back>) -> Answer {
    house.take_back(&place, version)?;
    Ok(Json(place.shown()))
}

/// Answers with advice for the seat that is to act.
async fn hint(Here { house, place, .. }: Here) -> Result<Json<Advice>, Refused> {
    Ok(Json(house.advise(&place).await?))
}

/// A line for the chat.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChatLine {
    line: String,
}

async fn chat(Here { house, place, .. }: Here, Body(line): Body<ChatLine>) -> Answer {
    house.say(&place, &line.line)?;
    Ok(Json(place.shown()))
}

/// A request for the invitation to a link.
#[derive(Deserialize)]
struct Asking {
    /// The origin of the page that asks.
    origin: String,
}

/// Answers with the address of this link for other devices.
async fn invitation(
    Here { id, secret, .. }: Here,
    Extension(reach): Extension<Reach>,
    asking: Result<Query<Asking>, QueryRejection>,
) -> Result<Json<Invitation>, Refused> {
    Ok(Json(reach.invitation(&asking?.origin, &link(&id, &secret))))
}

async fn resign(Here { house, place, .. }: Here) -> Answer {
    house.resign(&place)?;
    Ok(Json(place.shown()))
}

/// Lets a player that has failed to decide try again.
async fn retry(Here { house, place, .. }: Here) -> Answer {
    house.retry(&place)?;
    Ok(Json(place.shown()))
}

/// A request for the review.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reviewed {
    /// How many judged actions the page has already.
    #[serde(default)]
    from: usize,
}

/// Answers with the review as far as it has come; pages ask again until it is complete.
async fn review(
    Here { house, place, .. }: Here,
    Body(Reviewed { from }): Body<Reviewed>,
) -> Result<Json<Review>, Refused> {
    Ok(Json(house.review(&place, from)?))
}

/// A request for an earlier position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sight {
    /// Whether the position is shown as the seat that acted next saw it.
    #[serde(default)]
    own: bool,
}

/// Answers with an earlier position of a game that is over.
async fn at(
    Here { place, .. }: Here,
    Path((_, _, actions)): Path<(String, String, usize)>,
    sight: Result<Query<Sight>, QueryRejection>,
) -> Answer {
    let shown = lock(&place.table).shown_at(actions, sight?.own)?;
    Ok(Json(shown))
}

/// A request to judge another action in place of the action number `number` of a game that is over, from 0.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Instead {
    number: usize,
    /// The action as the contest writes it; empty to end the turn.
    action: String,
}

/// Answers with the value of an action that was not taken.
async fn judge(
    Here { house, place, .. }: Here,
    Body(Instead { number, action }): Body<Instead>,
) -> Result<Json<Judged>, Refused> {
    Ok(Json(house.judge(&place, number, &action).await?))
}

/// A request to go on at another table from the position after `actions` actions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Branch {
    actions: usize,
    /// Secrets of other seats at the same screen.
    #[serde(default)]
    with: Vec<String>,
}

/// Sets up a table where the game goes on from an earlier position, and answers with its links.
async fn branch(
    Here {
        house,
        place,
        id,
        secret,
    }: Here,
    Body(Branch { actions, mut with }): Body<Branch>,
) -> Answer {
    // The seat that asks gets its new link in any case.
    with.push(secret);
    let runtime = tokio::runtime::Handle::current();
    // The game is replayed to its position, as in `open`.
    let branched = tokio::task::spawn_blocking(move || {
        let _runtime = runtime.enter();
        house.branch(&place, &id, &with, actions)
    });
    // A panic of the replay becomes an error of this request alone.
    let links = branched.await.map_err(|_| TableError::NoAdvice)??;
    Ok(Json(json!({ "links": links })))
}

/// Sets up another game for the same people. Each finds the new link in the old table's position.
async fn again(Here { house, place, .. }: Here) -> Answer {
    house.again(&place)?;
    Ok(Json(place.shown()))
}

/// Answers with the record of a game that is over, as a file.
async fn record(
    Here {
        house, place, id, ..
    }: Here,
) -> Result<Response, Refused> {
    let table = lock(&place.table);
    table.check_recorded()?;
    let record = table
        .game
        .record(&table.names_in(house.catalogues.english()));
    let record = record.ok_or(TableError::NoRecord)?;
    // The id is that of an existing table, so it cannot break the header with the file's name.
    let name = format!("{}-{}.jsonl", table.kind.scene.name, id);
    Ok(download("application/json", &name, record))
}

/// Answers with a game that is over as one page, as a file.
async fn page(
    Here {
        house, place, id, ..
    }: Here,
) -> Result<Response, Refused> {
    let name = format!("{}-{id}.html", lock(&place.table).kind.scene.name);
    let prepare = |table: &Table| {
        table.check_recorded()?;
        let names = table.names_in(house.catalogues.english());
        // The page is made from a copy, so that the table is not locked meanwhile.
        let game = table.game.clone();
        Ok(move || game.page(&names))
    };
    let page = house.work(&place, prepare).await?;
    let page = page.ok_or(TableError::NoRecord)?;
    Ok(download("text/html; charset=utf-8", &name, page))
}

/// An answer that browsers save as a file.
fn download(kind: &str, name: &str, bytes: Vec<u8>) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    (headers, bytes).into_response()
}

async fn asset(State(house): SharedHouse, Path(name): Path<String>) -> Result<Response, Refused> {
    let (kind, text) = pages::asset(house.kinds(), &name).ok_or(Refused::NotFound)?;
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}

fn html(text: String) -> Response {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], text).into_response()
}
