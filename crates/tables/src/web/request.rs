//! What requests bring, checked before their handlers run: the link in the address, and the body.

use super::refusal::Refused;
use crate::house::{House, Place};
use axum::Json;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The time for a request's body.
const BODY_TIME: Duration = Duration::from_secs(60);

/// The table of the link in the address. A wrong link gets the same answer as a page that does not exist.
pub(super) struct Here {
    pub house: Arc<House>,
    pub place: Place,
    pub id: String,
    pub secret: String,
}

/// The house for its host. A wrong secret gets the same answer as a page that does not exist.
pub(super) struct Hosted(pub Arc<House>);

/// A body in JSON.
pub(super) struct Body<T>(pub T);

/// The named parts of an address.
#[derive(Deserialize)]
struct Address {
    #[serde(default)]
    id: String,
    secret: String,
}

async fn address(parts: &mut Parts, house: &Arc<House>) -> Result<Address, Refused> {
    let read = Path::<Address>::from_request_parts(parts, house).await;
    let Path(address) = read.map_err(|_| Refused::NotFound)?;
    Ok(address)
}

impl FromRequestParts<Arc<House>> for Here {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, house: &Arc<House>) -> Result<Here, Refused> {
        let Address { id, secret } = address(parts, house).await?;
        let place = house.place(&id, &secret).ok_or(Refused::NotFound)?;
        Ok(Here {
            house: Arc::clone(house),
            place,
            id,
            secret,
        })
    }
}

impl FromRequestParts<Arc<House>> for Hosted {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, house: &Arc<House>) -> Result<Hosted, Refused> {
        let is_host = address(parts, house).await?.secret == house.host;
        let own = is_host.then(|| Hosted(Arc::clone(house)));
        own.ok_or(Refused::NotFound)
    }
}

impl<T: DeserializeOwned> FromRequest<Arc<House>> for Body<T> {
    type Rejection = Refused;

    async fn from_request(request: Request, house: &Arc<House>) -> Result<Body<T>, Refused> {
        // Connections give each request the time for a slow answer; a body gets less.
        let body = timeout(BODY_TIME, Json::from_request(request, house)).await;
        let late = || {
            Refused::Unreadable(
                StatusCode::REQUEST_TIMEOUT,
                "the body came too slowly".to_owned(),
            )
        };
        let Json(body) = body.map_err(|_| late())??;
        Ok(Body(body))
    }
}
