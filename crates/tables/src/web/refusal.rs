//! Requests that are refused: JSON for scripts, a page for people who have followed a link.

use super::{SharedHouse, html, language};
use crate::house::{BranchError, HouseError};
use crate::language::Text;
use crate::pages;
use crate::table::TableError;
use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Shows a refusal as a page if a person has followed a link: a browser asks for HTML then, a script does not.
pub(super) async fn readable(State(house): SharedHouse, request: Request, next: Next) -> Response {
    let accepted = request.headers().get_all(header::ACCEPT).into_iter();
    let is_person = accepted
        .filter_map(|value| value.to_str().ok())
        .any(|types| types.contains("text/html"));
    let is_link = request.method() == Method::GET;
    let language = language(request.headers());
    let mut response = next.run(request).await;
    match response.extensions_mut().remove::<Text>() {
        Some(reason) if is_person && is_link => {
            let status = response.status();
            let page = pages::refusal(
                &house.catalogues,
                language,
                &reason,
                status == StatusCode::NOT_FOUND,
            );
            (status, html(page)).into_response()
        }
        _ => response,
    }
}

/// A refusal. On the wire it is `{"error": "…"}`; `readable` makes pages of those that people see.
#[derive(Debug)]
pub(super) enum Refused {
    NotFound,
    Unreadable(StatusCode, String),
    House(HouseError),
    Table(TableError),
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let (status, text) = match self {
            Refused::NotFound => (StatusCode::NOT_FOUND, Text::of("no-such-page")),
            Refused::Unreadable(status, text) => (status, Text::plain(text)),
            // 400 and its like: the request cannot succeed. 503: it may later. 500: the server's own trouble.
            Refused::House(error) => {
                let status = match &error {
                    HouseError::Game(_) | HouseError::Setup(_) | HouseError::OtherGame(_) => {
                        StatusCode::BAD_REQUEST
                    }
                    HouseError::Table(_) => StatusCode::NOT_FOUND,
                    HouseError::Full(_) | HouseError::FullForGuests => {
                        StatusCode::SERVICE_UNAVAILABLE
                    }
                    _ => StatusCode::INTERNAL_SERVER_ERROR,
                };
                let text = match error {
                    HouseError::OtherGame(game) => {
                        Text::of("refused-other-game").with("game", game)
                    }
                    HouseError::FullForGuests => Text::of("refused-full"),
                    error => Text::plain(error.to_string()),
                };
                (status, text)
            }
            Refused::Table(error) => {
                let status = match &error {
                    TableError::Unwritten(_) | TableError::NoAdvice => {
                        StatusCode::INTERNAL_SERVER_ERROR
                    }
                    TableError::Onlooker | TableError::NoHints | TableError::NoChat => {
                        StatusCode::FORBIDDEN
                    }
                    TableError::Illegal(_) => StatusCode::BAD_REQUEST,
                    _ => StatusCode::CONFLICT,
                };
                (status, error.text())
            }
        };
        let mut response = (status, Json(json!({ "error": text }))).into_response();
        // The reason stays beside the answer for `readable`.
        response.extensions_mut().insert(text);
        response
    }
}

impl From<HouseError> for Refused {
    fn from(error: HouseError) -> Refused {
        Refused::House(error)
    }
}

impl From<TableError> for Refused {
    fn from(error: TableError) -> Refused {
        Refused::Table(error)
    }
}

impl From<BranchError> for Refused {
    fn from(error: BranchError) -> Refused {
        match error {
            BranchError::Table(error) => Refused::Table(error),
            BranchError::House(error) => Refused::House(error),
            BranchError::Random(error) => Refused::House(error.into()),
        }
    }
}

impl From<JsonRejection> for Refused {
    fn from(error: JsonRejection) -> Refused {
        Refused::Unreadable(error.status(), error.body_text())
    }
}

impl From<QueryRejection> for Refused {
    fn from(error: QueryRejection) -> Refused {
        Refused::Unreadable(error.status(), error.body_text())
    }
}
