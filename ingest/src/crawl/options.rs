//! How an operator has a portal crawled, and what they may ask for.

use std::time::Duration;

use super::client::{Access, Client, Manners};
use super::error::CrawlError;
use super::guest::Base;

/// How an operator has a portal crawled.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CrawlOptions {
    /// Where the operator can be reached: an address of a page or for mail. It is told to the portal with every request,
    /// and nothing is crawled without it.
    pub contact: String,
    /// No more listings than this many: the crawl is partial then.
    pub max_listings: Option<u64>,
    /// Another host that is asked in the portal's place; `{host}` in it stands for the portal's host name.
    pub base_url: Option<String>,
    /// Who gave the operator permission to crawl the portal, in the operator's words.
    pub permission: Option<String>,
    /// The least time between the starts of two requests, instead of the declared one.
    pub pace: Option<Duration>,
    /// The most requests under way at once, instead of the declared number.
    pub concurrency: Option<usize>,
    /// Listings that are gone are ended however many they are, and lists that have shrunk are believed.
    pub accept_withdrawals: bool,
    /// Details are stored however much they differ from those before.
    pub accept_changes: bool,
}

/// How a portal is treated in the end.
#[derive(Debug, Clone)]
pub(super) struct Treatment {
    pub(super) user_agent: String,
    pub(super) manners: Manners,
    pub(super) obey_robots: bool,
    pub(super) base: Option<Base>,
}

impl CrawlOptions {
    /// What the options come to for a portal with this client.
    pub(super) fn treatment(
        &self,
        site_id: &str,
        client: &Client,
    ) -> Result<Treatment, CrawlError> {
        let contact = self.contact.trim();
        if contact.is_empty() {
            return Err(CrawlError::NoContact);
        }
        if !contact
            .chars()
            .all(|letter| letter == ' ' || letter.is_ascii_graphic())
        {
            return Err(CrawlError::Contact {
                contact: contact.to_owned(),
            });
        }
        let base = self.base_url.as_deref().map(Base::parse).transpose()?;
        let permitted = self
            .permission
            .as_deref()
            .is_some_and(|text| !text.trim().is_empty());
        if let Access::Forbidden { by } = client.access
            && base.is_none()
            && !permitted
        {
            return Err(CrawlError::Forbidden {
                site_id: site_id.to_owned(),
                by,
            });
        }
        let declared = client.manners;
        if let Some(pace) = self.pace
            && pace < declared.pace
            && base.is_none()
            && !permitted
        {
            return Err(CrawlError::TooFast {
                site_id: site_id.to_owned(),
                pace,
                declared: declared.pace,
            });
        }
        if let Some(concurrency) = self.concurrency
            && (concurrency == 0
                || concurrency > declared.concurrency && base.is_none() && !permitted)
        {
            let (site_id, declared) = (site_id.to_owned(), declared.concurrency);
            return Err(CrawlError::TooMany {
                site_id,
                concurrency,
                declared,
            });
        }
        Ok(Treatment {
            user_agent: format!("jeden/{} (+{contact})", env!("CARGO_PKG_VERSION")),
            manners: Manners {
                pace: self.pace.unwrap_or(declared.pace),
                concurrency: self.concurrency.unwrap_or(declared.concurrency).max(1),
                ..declared
            },
            obey_robots: !permitted,
            base,
        })
    }
}
