//! The operator's options for a crawl, checked against the portal's definition.

use std::time::Duration;

use super::error::CrawlError;
use super::portal_client::BaseUrl;
use crate::crawl_definition::{Access, CrawlDefinition, CrawlPolicy};

/// How the operator wants a portal crawled.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CrawlOptions {
    /// Where the operator can be reached: the address of a page or an e-mail address. The portal gets it with every
    /// request, and nothing is crawled without it.
    pub contact: String,
    /// Stop after this many listings; the crawl is then partial.
    pub max_listings: Option<u64>,
    /// Another host to ask instead of the portal; `{host}` in it stands for the portal's host name.
    pub base_url: Option<String>,
    /// Who permitted the operator to crawl the portal, in the operator's words.
    pub permission: Option<String>,
    /// The least time between the starts of two requests, instead of the policy's.
    pub pace: Option<Duration>,
    /// The most requests in flight at once, instead of the policy's.
    pub concurrency: Option<usize>,
    /// How long a detail is valid at most while the index page says nothing new about the advert; seven days if `None`.
    pub reread_after: Option<Duration>,
    /// Only walk the lists, and ask for the listings that they do not show. New and changed adverts wait for the next crawl
    /// that reads details.
    pub lists_only: bool,
    /// End listings that are gone however many there are, and accept sections that have shrunk.
    pub accept_withdrawals: bool,
    /// Store details however much they differ from the stored ones.
    pub accept_changes: bool,
}

/// What a [`PortalClient`](super::portal_client::PortalClient) is configured with.
#[derive(Debug, Clone)]
pub(super) struct ClientSettings {
    pub(super) user_agent: String,
    pub(super) policy: CrawlPolicy,
    pub(super) obey_robots: bool,
    pub(super) base_url: Option<BaseUrl>,
}

impl CrawlOptions {
    /// The settings that these options give for a portal.
    ///
    /// # Errors
    /// An option is missing or malformed, or asks for more than the portal's definition allows.
    pub(super) fn client_settings(
        &self,
        site_id: &str,
        definition: &CrawlDefinition,
    ) -> Result<ClientSettings, CrawlError> {
        let contact = self.checked_contact()?;
        let base_url = self.base_url.as_deref().map(BaseUrl::parse).transpose()?;
        let has_permission = self
            .permission
            .as_deref()
            .is_some_and(|text| !text.trim().is_empty());
        if base_url.is_none() && !has_permission {
            self.check_against(site_id, definition)?;
        }
        let declared = definition.policy;
        if self.concurrency == Some(0) {
            return Err(too_many(site_id, 0, declared));
        }
        Ok(ClientSettings {
            user_agent: format!("jeden/{} (+{contact})", env!("CARGO_PKG_VERSION")),
            policy: CrawlPolicy {
                pace: self.pace.unwrap_or(declared.pace),
                concurrency: self.concurrency.unwrap_or(declared.concurrency).max(1),
                ..declared
            },
            obey_robots: !has_permission,
            base_url,
        })
    }

    fn checked_contact(&self) -> Result<&str, CrawlError> {
        let contact = self.contact.trim();
        if contact.is_empty() {
            return Err(CrawlError::NoContact);
        }
        let fits_header = |letter: char| letter == ' ' || letter.is_ascii_graphic();
        if !contact.chars().all(fits_header) {
            return Err(CrawlError::Contact {
                contact: contact.to_owned(),
            });
        }
        Ok(contact)
    }

    /// Whether the portal itself may be crawled like this without its permission.
    fn check_against(&self, site_id: &str, definition: &CrawlDefinition) -> Result<(), CrawlError> {
        let declared = definition.policy;
        if let Access::Forbidden { by } = definition.access {
            return Err(CrawlError::Forbidden {
                site_id: site_id.to_owned(),
                by,
            });
        }
        match self.pace {
            Some(pace) if pace < declared.pace => {
                return Err(CrawlError::TooFast {
                    site_id: site_id.to_owned(),
                    pace,
                    declared: declared.pace,
                });
            }
            _ => {}
        }
        match self.concurrency {
            Some(concurrency) if concurrency > declared.concurrency => {
                Err(too_many(site_id, concurrency, declared))
            }
            _ => Ok(()),
        }
    }
}

fn too_many(site_id: &str, concurrency: usize, declared: CrawlPolicy) -> CrawlError {
    CrawlError::TooMany {
        site_id: site_id.to_owned(),
        concurrency,
        declared: declared.concurrency,
    }
}
