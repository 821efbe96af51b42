//! Counted questions, answered from the index of this process as the API answers them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use futures::future::BoxFuture;
use gazetteer::{Located, NotLocated};
use schema::OfferDetail;
use schema::store::offers::FoundOffer;

use crate::beside::refusal::Refusal;
use crate::beside::token_holder::Counted;
use crate::endpoints;
use crate::error::ApiError;
use crate::index::{Figures, Filter, Stop, View};
use crate::inside::InsideSearch;
use crate::state::ApiState;

/// Everything that matches a search.
#[derive(Debug)]
pub struct Matching {
    view: Arc<View>,
    filter: Filter,
    deadline: Instant,
    timed_out: Refusal,
}

impl Matching {
    /// Shows `visit` the figures of every match, in no particular order. Call it on a thread that may block.
    ///
    /// # Errors
    /// [`Refusal`] if the time of a search is over.
    pub fn visit(&self, visit: &mut dyn FnMut(Figures<'_>)) -> Result<(), Refusal> {
        let stop = Stop::new(self.deadline, Arc::new(AtomicBool::new(false)));
        let visited = self.view.visit(&self.filter, &stop, visit);
        visited.ok().ok_or_else(|| self.timed_out.clone())
    }
}

impl ApiState {
    /// Checks what can be checked of a search before it is counted: every parameter of the query, and whether its cursor
    /// belongs to it.
    ///
    /// # Errors
    /// [`Refusal`] with each wrong parameter.
    pub fn check_search(&self, query: &str) -> Result<(), Refusal> {
        Ok(endpoints::check(self, query)?)
    }

    /// Searches like `GET /v1/offers` with this query.
    ///
    /// # Errors
    /// [`Refusal`] like the API.
    pub fn search_as<'a>(
        &'a self,
        counted: &'a Counted,
        query: &'a str,
    ) -> BoxFuture<'a, Result<InsideSearch, Refusal>> {
        Box::pin(async move {
            let (body, located) = endpoints::search_as(self, query, counted.asker()).await?;
            Ok(InsideSearch::read(&body, located).map_err(ApiError::internal)?)
        })
    }

    /// Finds a listing like `GET /v1/offers/{offerId}`.
    ///
    /// # Errors
    /// [`Refusal`] like the API.
    pub fn offer_as<'a>(
        &'a self,
        counted: &'a Counted,
        id: &'a str,
    ) -> BoxFuture<'a, Result<FoundOffer, Refusal>> {
        Box::pin(async move {
            let found = endpoints::find_shown(self, id, &counted.admitted()).await?;
            let detail: OfferDetail =
                serde_json::from_slice(&found.body).map_err(ApiError::internal)?;
            Ok(FoundOffer {
                detail,
                expired_at: found.expired_at,
            })
        })
    }

    /// Everything that matches a search with this query. Its `limit` and `cursor` are of no effect.
    ///
    /// # Errors
    /// [`Refusal`] like the API.
    pub fn matching_as<'a>(
        &'a self,
        counted: &'a Counted,
        query: &'a str,
    ) -> BoxFuture<'a, Result<Matching, Refusal>> {
        Box::pin(async move {
            let found = endpoints::matching(self, query, counted.asker()).await?;
            let (view, filter, deadline) = found;
            let timed_out = ApiError::QueryTimeout(self.config().search_timeout);
            Ok(Matching {
                view,
                filter,
                deadline,
                timed_out: timed_out.into(),
            })
        })
    }

    /// What an address resolves to for searches, from the gazetteer alone.
    ///
    /// # Errors
    /// Why it does not resolve to a place; the outer error says that looking failed.
    pub fn locate_as<'a>(
        &'a self,
        _: &'a Counted,
        text: &'a str,
    ) -> BoxFuture<'a, Result<Result<Located, NotLocated>, Refusal>> {
        Box::pin(async move {
            let found = self.geocoder().find_place(text).await;
            Ok(found.map_err(ApiError::internal)?)
        })
    }

    /// The names of the districts that offers have, in order of the alphabet.
    ///
    /// # Errors
    /// [`Refusal`] if the database fails.
    pub fn districts(&self) -> BoxFuture<'_, Result<Vec<Box<str>>, Refusal>> {
        Box::pin(async move {
            let view = self.index().catch_up(i64::MAX).await;
            Ok(view.map_err(ApiError::from)?.districts())
        })
    }
}
