//! Another host in the portal's place.

use reqwest::Url;

use crate::crawl::error::CrawlError;

/// The address that is put before a portal's paths in place of the portal's own; `{host}` in it stands for the host
/// that was meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::crawl) struct Base {
    template: String,
}

impl Base {
    /// Reads a base URL.
    ///
    /// # Errors
    /// Where it is no address of HTTP, or has a query.
    pub(in crate::crawl) fn parse(text: &str) -> Result<Self, CrawlError> {
        let refused = |reason: &str| CrawlError::BaseUrl {
            url: text.to_owned(),
            reason: reason.to_owned(),
        };
        let template = text.trim_end_matches('/').to_owned();
        let url = Url::parse(&template.replace("{host}", "portal.example"))
            .map_err(|error| refused(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(refused("it is neither http:// nor https://"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(refused("it has a query or a fragment"));
        }
        Ok(Self { template })
    }

    /// Where the portal's `url` is asked for.
    pub(super) fn address(&self, url: &Url) -> Option<Url> {
        let query = url
            .query()
            .map(|query| format!("?{query}"))
            .unwrap_or_default();
        Url::parse(&format!("{}{}{query}", self.root(url), url.path())).ok()
    }

    /// The portal's address that a redirect from the portal's `from` leads to: it may name either host.
    pub(super) fn portal_address(&self, from: &Url, location: &str) -> Option<Url> {
        let sent = self.address(from)?;
        let target = sent.join(location).ok()?;
        if target.origin() != sent.origin() {
            return Some(target);
        }
        let inside = match self.template.split_once("{host}") {
            Some((before, after)) => target.as_str().strip_prefix(before).and_then(|rest| {
                let (host, path) = rest.split_once('/')?;
                // The server may know nothing of the place it stands in for.
                let path = host.contains('.').then(|| format!("/{path}"))?;
                Some(format!(
                    "{}://{host}{}",
                    from.scheme(),
                    path.strip_prefix(after)?
                ))
            }),
            None => target
                .as_str()
                .strip_prefix(&self.template)
                .map(str::to_owned),
        };
        from.join(inside.as_deref().unwrap_or(location)).ok()
    }

    fn root(&self, url: &Url) -> String {
        self.template
            .replace("{host}", url.host_str().unwrap_or_default())
    }
}

/// Whether two addresses are of one portal: the last two labels of their hosts are the same.
pub(super) fn same_portal(one: &Url, other: &Url) -> bool {
    let registered = |url: &Url| -> Option<String> {
        let host = url.domain()?.to_ascii_lowercase();
        let labels: Vec<&str> = host.rsplit('.').take(2).collect();
        Some(labels.join("."))
    };
    matches!(other.scheme(), "http" | "https")
        && (one.host_str() == other.host_str()
            || registered(one).is_some() && registered(one) == registered(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn another_host_takes_the_portals_place_and_its_redirects_lead_back() {
        let base = Base::parse("http://127.0.0.1:8080/{host}/").unwrap();
        let page = url("https://www.portal.cz/a%20b?x=1&y=%C5%99");
        assert_eq!(
            base.address(&page).unwrap().as_str(),
            "http://127.0.0.1:8080/www.portal.cz/a%20b?x=1&y=%C5%99"
        );
        for (location, leads) in [
            ("/c", "https://www.portal.cz/c"),
            ("/www.portal.cz/c?x=1", "https://www.portal.cz/c?x=1"),
            ("/m.portal.cz/c", "https://m.portal.cz/c"),
            (
                "http://127.0.0.1:8080/www.portal.cz/c",
                "https://www.portal.cz/c",
            ),
            ("https://api.portal.cz/c", "https://api.portal.cz/c"),
        ] {
            assert_eq!(
                base.portal_address(&page, location).unwrap().as_str(),
                leads,
                "{location}"
            );
        }
        for wrong in ["portal", "ftp://host", "http://host/?a"] {
            assert!(Base::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_portal_is_its_registered_name() {
        let page = url("https://www.portal.cz/");
        assert!(same_portal(&page, &url("https://api.v2.portal.cz/")));
        assert!(!same_portal(&page, &url("https://portal.example.cz/")));
        assert!(!same_portal(&page, &url("https://notportal.cz/")));
        assert!(!same_portal(
            &url("http://10.0.0.1/"),
            &url("http://11.0.0.1/")
        ));
    }
}
