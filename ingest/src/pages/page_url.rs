//! Which listing a page's URL leads to. Only this file knows how portals put a listing's number into URLs.
//!
//! URLs link listings across portals: an aggregator names the page of the advert that it copied, and an agency's
//! feed names the page that the portal made of the agency's advert.

use schema::ListingKey;

/// The form of the URLs of a portal's pages.
struct UrlForm {
    site_id: &'static str,
    /// The portal's domains. Subdomains belong to them, because some portals have a host for each region.
    domains: &'static [&'static str],
    /// Returns the listing's number from the segments of a path, or `None` if the path is not that of a listing.
    number: fn(&[&str]) -> Option<String>,
}

const URL_FORMS: &[UrlForm] = &[
    UrlForm {
        site_id: "sreality",
        domains: &["sreality.cz"],
        number: |path| match path {
            ["detail", .., number] => digits(number),
            _ => None,
        },
    },
    UrlForm {
        site_id: "bezrealitky",
        domains: &["bezrealitky.cz"],
        number: |path| match path {
            ["nemovitosti-byty-domy", slug] => digits(slug.split('-').next()?),
            _ => None,
        },
    },
    UrlForm {
        site_id: "idnes",
        domains: &["reality.idnes.cz"],
        number: |path| match path {
            ["detail", .., number] => object_id(number),
            _ => None,
        },
    },
    UrlForm {
        site_id: "bazos",
        domains: &["reality.bazos.cz"],
        number: |path| match path {
            ["inzerat", number, ..] => digits(number),
            _ => None,
        },
    },
    UrlForm {
        site_id: "ceskereality",
        domains: &["ceskereality.cz", "moravskereality.cz"],
        number: |path| match path {
            ["n", number] => digits(number),
            [.., page] => before_html(page),
            [] => None,
        },
    },
    UrlForm {
        site_id: "realitymix",
        domains: &["realitymix.cz"],
        number: |path| match path {
            ["detail", .., page] => before_html(page),
            _ => None,
        },
    },
    UrlForm {
        site_id: "remax",
        domains: &["remax-czech.cz"],
        number: |path| match path {
            ["reality", "detail", number, ..] => digits(number),
            _ => None,
        },
    },
    UrlForm {
        site_id: "mmreality",
        domains: &["mmreality.cz"],
        number: |path| match path {
            ["nemovitosti", number] => digits(number),
            _ => None,
        },
    },
    UrlForm {
        site_id: "ulovdomov",
        domains: &["ulovdomov.cz"],
        number: |path| match path {
            ["inzerat", .., number] => digits(number),
            _ => None,
        },
    },
    UrlForm {
        site_id: "realingo",
        domains: &["realingo.cz"],
        number: |path| match path {
            ["prodej" | "pronajem", .., number] => digits(number),
            _ => None,
        },
    },
];

/// Returns the listing whose page the URL leads to, or `None` for other pages and other sites.
///
/// ```
/// use ingest::pages::listing_at;
/// let listing = listing_at("https://reality.bazos.cz/inzerat/223401685/byt-2-1-kladno.php").unwrap();
/// assert_eq!(listing.to_string(), "bazos/223401685");
/// assert_eq!(listing_at("https://reality.bazos.cz/prodam/byt/"), None);
/// ```
pub fn listing_at(url: &str) -> Option<ListingKey> {
    let url = url.trim();
    let rest = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))?;
    let page = rest.split(['?', '#']).next()?;
    let (host, path) = page.split_once('/')?;
    let host = host.to_ascii_lowercase();
    let site = URL_FORMS
        .iter()
        .find(|site| site.domains.iter().any(|domain| is_within(&host, domain)))?;
    let segments: Vec<&str> = path
        .split('/')
        .filter(|segment| !segment.is_empty())
        .collect();
    Some(ListingKey::new(site.site_id, (site.number)(&segments)?))
}

/// Tells whether a host is a domain or one of its subdomains.
fn is_within(host: &str, domain: &str) -> bool {
    host.strip_suffix(domain)
        .is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// Accepts a number of up to 19 digits.
fn digits(text: &str) -> Option<String> {
    let is_number =
        (1..=19).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.to_owned())
}

/// Accepts an object id: 24 hexadecimal digits.
fn object_id(text: &str) -> Option<String> {
    let is_id = text.len() == 24 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_id.then(|| text.to_ascii_lowercase())
}

/// Returns the number at the end of a page's name, as in `prodej-bytu-2-1-52-m2-druzstevni-3668813.html`.
fn before_html(page: &str) -> Option<String> {
    let name = page.strip_suffix(".html")?;
    digits(name.rsplit('-').next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_is_known_by_the_url_of_its_page() {
        for (url, expected) in [
            (
                "https://www.sreality.cz/detail/prodej/byt/2+kk/brno-lisen-novolisenska/2947100845",
                "sreality/2947100845",
            ),
            (
                "https://www.sreality.cz/detail/x/x/x/x/7?utm_source=a#b",
                "sreality/7",
            ),
            (
                "https://www.bezrealitky.cz/nemovitosti-byty-domy/1021031-nabidka-pronajem-bytu",
                "bezrealitky/1021031",
            ),
            (
                "https://reality.idnes.cz/detail/prodej/byt/brno-udolni/6AA76330029d35b117e34c4f/",
                "idnes/6aa76330029d35b117e34c4f",
            ),
            (
                "http://reality.bazos.cz/inzerat/223401685/byt-2-1-kladno.php",
                "bazos/223401685",
            ),
            (
                "https://vychodo.ceskereality.cz/prodej/byty/byty-2-1/pardubice/prodej-bytu-2-1-52-m2-druzstevni-3668813.html",
                "ceskereality/3668813",
            ),
            (
                "https://www.ceskereality.cz/n/3668813",
                "ceskereality/3668813",
            ),
            (
                "https://jiho.moravskereality.cz/prodej/byty/x-12.html",
                "ceskereality/12",
            ),
            (
                "https://realitymix.cz/detail/praha/prodej-bytu-2-1-60-m2-8123456.html",
                "realitymix/8123456",
            ),
            (
                "https://www.remax-czech.cz/reality/detail/412345/prodej-domu-90-m2-uvaly",
                "remax/412345",
            ),
            (
                "https://www.mmreality.cz/nemovitosti/951845/",
                "mmreality/951845",
            ),
            (
                "https://www.ulovdomov.cz/inzerat/prodej-jirkov-pionyru-3-1/5650303",
                "ulovdomov/5650303",
            ),
            (
                "https://WWW.realingo.cz/prodej/byt-2+1-druzstevni-pardubice/24517158",
                "realingo/24517158",
            ),
        ] {
            assert_eq!(
                listing_at(url).map(|key| key.to_string()).as_deref(),
                Some(expected),
                "{url}"
            );
        }
    }

    #[test]
    fn other_pages_and_other_sites_do_not_lead_to_a_listing() {
        for url in [
            "",
            "www.sreality.cz/detail/prodej/byt/1",
            "https://www.sreality.cz",
            "https://www.sreality.cz/hledani/prodej/byty",
            "https://www.sreality.cz/detail/prodej/byt/nove",
            "https://notsreality.cz/detail/prodej/byt/1",
            "https://www.idnes.cz/detail/6aa76330029d35b117e34c4f",
            "https://reality.idnes.cz/detail/prodej/byt/brno/6aa7/",
            "https://auto.bazos.cz/inzerat/223401685/skoda.php",
            "https://realitymix.cz/detail-realitni-kancelare/vzor-12345678.html",
            "https://www.ceskereality.cz/",
            "https://www.mmreality.cz/nemovitosti/prodej/",
            "https://www.realingo.cz/graphql",
            "https://www.example.cz/detail/1",
        ] {
            assert_eq!(listing_at(url), None, "{url}");
        }
    }
}
