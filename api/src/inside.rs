//! What the rest of the program asks the API's search engine without HTTP: the console's search and its address field.

use futures::future::BoxFuture;
use gazetteer::{Located, NotLocated};
use schema::Offer;
use serde::Deserialize;

use crate::endpoints::search_from_inside;
use crate::error::ApiError;
use crate::geocode::{LocateError, LocatedAddress};
use crate::state::ApiState;

/// A page of a search.
#[derive(Debug)]
pub struct InsideSearch {
    /// The offers, newest change first.
    pub offers: Vec<Offer>,
    /// The cursor of the next page.
    pub next_cursor: Option<String>,
    /// Where the `address` of the search was found.
    pub located: Option<Located>,
}

/// Why a search was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchRefused {
    /// Parameters are wrong: each with what is wrong about it.
    #[error("{}", .0.iter().map(|(name, message)| format!("{name} {message}")).collect::<Vec<_>>().join("; "))]
    Parameters(Vec<(String, String)>),
    /// The search took too long or failed.
    #[error("{0}")]
    Failed(String),
}

impl From<ApiError> for SearchRefused {
    fn from(error: ApiError) -> Self {
        match error {
            ApiError::InvalidRequest(errors) => {
                let named = errors.into_iter().map(|error| (error.path, error.message));
                Self::Parameters(named.collect())
            }
            other => Self::Failed(other.to_string()),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    data: Vec<Offer>,
    pagination: Cursor,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Cursor {
    next_cursor: Option<String>,
}

impl InsideSearch {
    /// Reads the body of an answer.
    pub(crate) fn read(body: &[u8], located: Option<LocatedAddress>) -> serde_json::Result<Self> {
        let body: Body = serde_json::from_slice(body)?;
        Ok(Self {
            offers: body.data,
            next_cursor: body.pagination.next_cursor,
            located: located.and_then(|located| located.place),
        })
    }
}

impl ApiState {
    /// Searches like `GET /v1/offers` with this query, without a token and without being counted.
    ///
    /// # Errors
    /// [`SearchRefused`].
    pub fn search_from_inside<'a>(
        &'a self,
        query: &'a str,
    ) -> BoxFuture<'a, Result<InsideSearch, SearchRefused>> {
        Box::pin(async move {
            let (body, located) = search_from_inside(self, query).await?;
            InsideSearch::read(&body, located)
                .map_err(|error| SearchRefused::Failed(error.to_string()))
        })
    }

    /// What an address resolves to for searches, from the gazetteer alone.
    ///
    /// # Errors
    /// Why it does not resolve to a place; the outer error says that looking failed.
    pub fn locate_from_inside<'a>(
        &'a self,
        text: &'a str,
    ) -> BoxFuture<'a, Result<Result<Located, NotLocated>, SearchRefused>> {
        Box::pin(async move {
            match self.geocoder().find_place(text).await {
                Ok(found) => Ok(found),
                Err(error) => Err(SearchRefused::Failed(LocateError::from(error).to_string())),
            }
        })
    }
}
