//! Another host that is asked instead of the portal.

use reqwest::Url;

use crate::crawl::error::CrawlError;

/// The URL that replaces a portal's host in requests. `{host}` in it stands for the portal's host name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::crawl) struct BaseUrl {
    template: String,
}

impl BaseUrl {
    /// Parses a base URL.
    ///
    /// # Errors
    /// It is not an HTTP URL, or it has a query or a fragment.
    pub(in crate::crawl) fn parse(text: &str) -> Result<Self, CrawlError> {
        let error = |reason: &str| CrawlError::BaseUrl {
            url: text.to_owned(),
            reason: reason.to_owned(),
        };
        let template = text.trim_end_matches('/').to_owned();
        let url = Url::parse(&template.replace("{host}", "portal.example"))
            .map_err(|invalid| error(&invalid.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(error("it is neither http:// nor https://"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(error("it has a query or a fragment"));
        }
        Ok(Self { template })
    }

    /// The URL to which a request for the portal's `url` is sent.
    pub(super) fn to_sent_url(&self, url: &Url) -> Option<Url> {
        let query = url
            .query()
            .map(|query| format!("?{query}"))
            .unwrap_or_default();
        Url::parse(&format!("{}{}{query}", self.prefix(url), url.path())).ok()
    }

    /// The portal's URL to which a redirect from the portal's `from` leads. `location` may name either host.
    pub(super) fn to_portal_url(&self, from: &Url, location: &str) -> Option<Url> {
        let sent = self.to_sent_url(from)?;
        let target = sent.join(location).ok()?;
        if target.origin() != sent.origin() {
            return Some(target);
        }
        let inside = match self.template.split_once("{host}") {
            Some((before, after)) => target.as_str().strip_prefix(before).and_then(|rest| {
                let (host, path) = rest.split_once('/')?;
                // The server may not know that it stands in for the portal, and redirect to a plain path.
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

    fn prefix(&self, url: &Url) -> String {
        self.template
            .replace("{host}", url.host_str().unwrap_or_default())
    }
}

/// Whether two URLs belong to one portal: the last two labels of their hosts are the same.
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
    fn requests_go_to_the_base_url_and_redirects_lead_back_to_the_portal() {
        let base = BaseUrl::parse("http://127.0.0.1:8080/{host}/").unwrap();
        let page = url("https://www.portal.cz/a%20b?x=1&y=%C5%99");
        assert_eq!(
            base.to_sent_url(&page).unwrap().as_str(),
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
                base.to_portal_url(&page, location).unwrap().as_str(),
                leads,
                "{location}"
            );
        }
        for wrong in ["portal", "ftp://host", "http://host/?a"] {
            assert!(BaseUrl::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn hosts_of_one_registered_domain_belong_to_one_portal() {
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
