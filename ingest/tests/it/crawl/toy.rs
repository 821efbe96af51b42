//! A portal for these tests: its crawl definition and its server. Sreality's adapter reads its adverts.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, Uri};
use ingest::crawl_definition::{
    Access, Answer, CrawlDefinition, CrawlPolicy, Detail, IndexEntry, IndexPage, Request, Section,
    UnexpectedAnswer, Volatile,
};
use ingest::portals::{PORTALS, Portal};
use schema::{CrawlScope, OfferType, PropertyType};
use serde_json::{Value, json};

const POLICY: CrawlPolicy = CrawlPolicy {
    pace: Duration::from_millis(100),
    concurrency: 2,
    timeout: Duration::from_secs(10),
    conditional: false,
    headers: &[("accept", "application/json")],
};

const CRAWL: CrawlDefinition = CrawlDefinition {
    access: Access::Open,
    policy: POLICY,
    sections,
    split,
    page,
    read_page,
    details_per_request: 1,
    details,
    read_details,
    volatile: Volatile::Members(&["views"]),
};

static PLAIN: CrawlDefinition = CRAWL;
static CONDITIONAL: CrawlDefinition = CrawlDefinition {
    policy: CrawlPolicy {
        conditional: true,
        ..POLICY
    },
    ..CRAWL
};
static FORBIDDEN: CrawlDefinition = CrawlDefinition {
    access: Access::Forbidden { by: "its terms" },
    ..CRAWL
};
static WHOLE: CrawlDefinition = CrawlDefinition {
    page: page_of_payloads,
    ..CRAWL
};
static PAGES: CrawlDefinition = CrawlDefinition {
    details: details_by_address,
    ..CRAWL
};

/// The portal with its defaults.
pub const PORTAL: Portal = Portal {
    site_id: "sreality",
    adapter: PORTALS[0].adapter,
    crawl: &PLAIN,
};
/// It answers conditional requests.
pub const WITH_VALIDATORS: Portal = Portal {
    crawl: &CONDITIONAL,
    ..PORTAL
};
/// Its terms forbid programs.
pub const CLOSED: Portal = Portal {
    crawl: &FORBIDDEN,
    ..PORTAL
};
/// Its index pages carry the payloads, so details are not needed.
pub const WITH_PAYLOADS: Portal = Portal {
    crawl: &WHOLE,
    ..PORTAL
};

/// Its details are requested by their addresses.
pub const WITH_PAGES: Portal = Portal {
    crawl: &PAGES,
    ..PORTAL
};

fn sections() -> Vec<Section> {
    let section = |name: &str, property_type| Section {
        name: name.to_owned(),
        scope: CrawlScope {
            offer_type: Some(OfferType::Sale),
            property_type: Some(property_type),
        },
        query: format!("kind={name}"),
    };
    vec![
        section("flats", PropertyType::Apartment),
        section("houses", PropertyType::House),
    ]
}

/// The most adverts that a section shows.
const WINDOW: u64 = 90;

fn split(section: &Section, total: u64) -> Vec<Section> {
    let half = |half: u64| Section {
        name: format!("{}/{half}", section.name),
        query: format!("{}&half={half}", section.query),
        scope: section.scope,
    };
    if total > WINDOW {
        vec![half(0), half(1)]
    } else {
        Vec::new()
    }
}

fn page(section: &Section, page: u32) -> Request {
    Request {
        url: format!("https://www.toy.cz/list?{}&page={page}", section.query),
        body: None,
    }
}

fn page_of_payloads(section: &Section, number: u32) -> Request {
    let Request { url, body } = page(section, number);
    Request {
        url: format!("{url}&whole=1"),
        body,
    }
}

fn unexpected(answer: &Answer, expected: &'static str) -> UnexpectedAnswer {
    UnexpectedAnswer {
        url: answer.url.clone(),
        found: format!("HTTP {}", answer.status),
        expected,
    }
}

fn read_page(_: &Section, _: u32, answer: &Answer) -> Result<IndexPage, UnexpectedAnswer> {
    let page: Value = serde_json::from_str(&answer.body).unwrap_or_default();
    let (200, Some(items)) = (answer.status, page["items"].as_array()) else {
        return Err(unexpected(answer, "a list"));
    };
    let entry = |item: &Value| IndexEntry {
        offer_id: item["id"].as_str().unwrap_or_default().to_owned(),
        url: format!(
            "https://www.toy.cz/advert/{}",
            item["id"].as_str().unwrap_or_default()
        ),
        teaser: item["teaser"].to_string(),
        payload: item.get("payload").cloned(),
    };
    Ok(IndexPage {
        entries: items.iter().map(entry).collect(),
        total: page["total"].as_u64(),
        more: page["more"].as_bool().unwrap_or_default(),
    })
}

fn details(asked: &[IndexEntry]) -> Option<Request> {
    let [entry] = asked else { return None };
    Some(Request {
        url: format!("https://www.toy.cz/advert/{}", entry.offer_id),
        body: None,
    })
}

fn details_by_address(asked: &[IndexEntry]) -> Option<Request> {
    let url = asked[0].url.clone();
    (!url.is_empty()).then_some(Request { url, body: None })
}

fn read_details(_: &[IndexEntry], answer: &Answer) -> Result<Vec<Detail>, UnexpectedAnswer> {
    match answer.status {
        200 => match serde_json::from_str(&answer.body) {
            Ok(payload) => Ok(vec![Detail::Payload(payload)]),
            Err(_) => Err(unexpected(answer, "JSON")),
        },
        404 | 410 => Ok(vec![Detail::Gone {
            reason: format!("HTTP {}", answer.status),
        }]),
        _ => Err(unexpected(answer, "an advert")),
    }
}

/// An advert on the portal.
#[derive(Debug, Clone)]
pub struct Ad {
    pub house: bool,
    pub price: u64,
    pub area: u64,
    pub city: &'static str,
    pub lat: f64,
    pub text: String,
    /// Whether the index page shows it.
    pub listed: bool,
    /// The status of its detail.
    pub status: u16,
}

/// A request that arrived.
#[derive(Debug, Clone)]
pub struct ReceivedRequest {
    pub at: Instant,
    pub path: String,
    pub user_agent: String,
    pub if_none_match: Option<String>,
}

/// An answer of the server.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
    /// Whether the connection breaks within the body.
    pub cut: bool,
}

impl Reply {
    pub fn new(status: u16, body: impl Into<String>) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: body.into(),
            cut: false,
        }
    }

    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }
}

/// Answers some requests instead of the portal.
type Interceptor = Box<dyn FnMut(&ReceivedRequest) -> Option<Reply> + Send>;

/// The portal's state.
pub struct ToyState {
    pub ads: BTreeMap<u64, Ad>,
    pub robots: Reply,
    pub requests: Vec<ReceivedRequest>,
    pub interceptor: Option<Interceptor>,
    pub length: usize,
    views: u64,
}

/// The portal's server; it ends with the test's runtime.
pub struct Toy {
    pub address: SocketAddr,
    state: Arc<Mutex<ToyState>>,
}

impl Toy {
    /// A portal with `count` adverts; every fourth is a house.
    pub async fn with(count: u64) -> Self {
        let ads = (1..=count)
            .map(|number| (number, Ad::new(number)))
            .collect();
        let robots = Reply::new(404, "");
        let state = ToyState {
            ads,
            robots,
            requests: Vec::new(),
            interceptor: None,
            length: 20,
            views: 0,
        };
        let state = Arc::new(Mutex::new(state));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new()
            .fallback(answer)
            .with_state(Arc::clone(&state));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, state }
    }

    pub fn state(&self) -> MutexGuard<'_, ToyState> {
        self.state.lock().unwrap()
    }

    pub fn base_url(&self) -> String {
        format!("http://{}/{{host}}", self.address)
    }

    /// The paths that were requested since the last call, without robots.txt.
    pub fn asked(&self) -> Vec<String> {
        let requests = std::mem::take(&mut self.state().requests);
        let paths = requests.into_iter().map(|request| request.path);
        paths.filter(|path| path != "/robots.txt").collect()
    }

    /// How many details were requested since the last call.
    pub fn details_asked(&self) -> usize {
        self.asked()
            .iter()
            .filter(|path| path.starts_with("/advert/"))
            .count()
    }

    pub fn change(&self, number: u64, change: impl FnOnce(&mut Ad)) {
        change(self.state().ads.get_mut(&number).unwrap());
    }

    pub fn change_all(&self, change: impl Fn(u64, &mut Ad)) {
        self.state()
            .ads
            .iter_mut()
            .for_each(|(number, ad)| change(*number, ad));
    }

    pub fn intercept(
        &self,
        interceptor: impl FnMut(&ReceivedRequest) -> Option<Reply> + Send + 'static,
    ) {
        self.state().interceptor = Some(Box::new(interceptor));
    }

    pub fn stop_intercepting(&self) {
        self.state().interceptor = None;
    }
}

impl Ad {
    fn new(number: u64) -> Self {
        Self {
            house: number.is_multiple_of(4),
            price: 3_000_000 + number * 10_000,
            area: 40 + number,
            city: "Olomouc",
            lat: 49.5 + number as f64 / 10_000.0,
            text: format!("Nabídka číslo {number}."),
            listed: true,
            status: 200,
        }
    }

    /// A payload that sreality's adapter reads.
    pub fn payload(&self, number: u64, views: u64) -> Value {
        let (kind, name) = if self.house {
            (2, "domu")
        } else {
            (1, "bytu 2+kk")
        };
        json!({
            "hash_id": number, "advert_name": format!("Prodej {name} {} m²", self.area),
            "advert_description": self.text, "category_main_cb": {"value": kind, "name": ""},
            "category_type_cb": {"value": 1, "name": "Prodej"}, "price_summary_czk": self.price,
            "price_czk": self.price, "usable_area": self.area, "views": views,
            "locality": {"city": self.city, "gps_lat": self.lat, "gps_lon": 17.25, "inaccuracy_type": "gps"},
        })
    }
}

impl ToyState {
    fn list(&self, query: &str) -> Reply {
        let parameter = |name: &str| {
            let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            pairs
                .find(|(given, _)| *given == name)
                .map(|(_, value)| value.to_owned())
        };
        let number = |name| parameter(name).and_then(|value| value.parse::<u64>().ok());
        let houses = parameter("kind").as_deref() == Some("houses");
        let half = number("half");
        let shown: Vec<_> = self
            .ads
            .iter()
            .filter(|(id, ad)| {
                ad.listed && ad.house == houses && half.is_none_or(|half| **id / 4 % 2 == half)
            })
            .collect();
        let page = number("page").unwrap_or_default() as usize;
        let item = |(id, ad): &(&u64, &Ad)| {
            let mut item = json!({"id": id.to_string(), "teaser": [ad.price, ad.area]});
            if parameter("whole").is_some() {
                item["payload"] = ad.payload(**id, self.views);
            }
            item
        };
        let items: Vec<Value> = shown
            .iter()
            .skip(page * self.length)
            .take(self.length)
            .map(item)
            .collect();
        let more = (page + 1) * self.length < shown.len();
        Reply::new(
            200,
            json!({"items": items, "total": shown.len(), "more": more}).to_string(),
        )
    }

    fn advert(&mut self, number: &str, known: Option<&str>) -> Reply {
        self.views += 1;
        let found = number
            .parse::<u64>()
            .ok()
            .and_then(|number| Some((number, self.ads.get(&number)?)));
        let Some((number, ad)) = found else {
            return Reply::new(404, "");
        };
        let payload = ad.payload(number, self.views);
        let mark = format!("\"{}-{}-{}\"", ad.price, ad.area, ad.text.len());
        if known == Some(mark.as_str()) && ad.status == 200 {
            return Reply::new(304, "");
        }
        Reply::new(ad.status, payload.to_string()).with("etag", &mark)
    }
}

async fn answer(
    State(state): State<Arc<Mutex<ToyState>>>,
    uri: Uri,
    headers: HeaderMap,
    _body: Bytes,
) -> Response<Body> {
    let header = |name: &str| {
        headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned)
    };
    let path = uri.path_and_query().unwrap().as_str();
    let path = path.strip_prefix("/www.toy.cz").unwrap_or(path).to_owned();
    let request = ReceivedRequest {
        at: Instant::now(),
        path: path.clone(),
        user_agent: header("user-agent").unwrap_or_default(),
        if_none_match: header("if-none-match"),
    };
    let mut state = state.lock().unwrap();
    state.requests.push(request.clone());
    let intercepted = state
        .interceptor
        .as_mut()
        .and_then(|interceptor| interceptor(&request));
    let reply = match (
        intercepted,
        path.split_once('?'),
        path.strip_prefix("/advert/"),
    ) {
        (Some(reply), ..) => reply,
        (None, Some(("/list", query)), _) => state.list(query),
        (None, _, Some(number)) => state.advert(number, request.if_none_match.as_deref()),
        _ if path == "/robots.txt" => state.robots.clone(),
        _ => Reply::new(500, ""),
    };
    drop(state);
    let body = if reply.cut {
        let broken = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
        Body::from_stream(futures::stream::iter([
            Ok(Bytes::from("{\"items\"")),
            Err(broken),
        ]))
    } else {
        Body::from(reply.body)
    };
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap();
    for (name, value) in reply.headers {
        response.headers_mut().insert(
            HeaderName::from_static(name),
            HeaderValue::from_str(&value).unwrap(),
        );
    }
    response
}
