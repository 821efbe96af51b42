//! Faults of a simulated portal.

use std::time::Duration;

use rand::RngExt;
use rand::rngs::StdRng;

use super::portal::Reply;

/// The probability of each fault at a request. All other requests are answered normally.
#[derive(Debug, Clone, Copy, Default)]
pub struct Faults {
    /// 429 with `Retry-After: 1`.
    pub throttled: f64,
    /// 500.
    pub broken: f64,
    /// The connection breaks within the answer.
    pub reset: f64,
    /// The answer comes late, by [`LATE`].
    pub late: f64,
}

/// How late a late answer is.
pub const LATE: Duration = Duration::from_millis(200);

impl Faults {
    /// Every fault occasionally.
    pub const SOME: Self = Self {
        throttled: 0.01,
        broken: 0.02,
        reset: 0.02,
        late: 0.02,
    };

    /// Draws the fault of a request, if it has one.
    pub(super) fn draw(self, rng: &mut StdRng) -> Option<Fault> {
        let mut lot = rng.random_range(0.0..1.0);
        let faults = [
            (self.throttled, Fault::Throttled),
            (self.broken, Fault::Broken),
            (self.reset, Fault::Reset),
            (self.late, Fault::Late),
        ];
        for (probability, fault) in faults {
            if lot < probability {
                return Some(fault);
            }
            lot -= probability;
        }
        None
    }
}

/// A fault of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// 429 with `Retry-After: 1`.
    Throttled,
    /// 500.
    Broken,
    /// The connection breaks within the answer.
    Reset,
    /// The answer comes late.
    Late,
}

impl Fault {
    /// Every fault.
    pub const ALL: [Self; 4] = [Self::Throttled, Self::Broken, Self::Reset, Self::Late];
}

/// The condition of a portal as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Condition {
    /// It works normally.
    #[default]
    Normal,
    /// It answers every request with 403 and a bot check.
    Blocking,
    /// Its layout has changed: classes and JSON members are renamed.
    Redesigned,
    /// Its pages are valid but show no advert.
    Empty,
    /// It answers every request with 429 and `Retry-After: 3600`.
    Throttling,
    /// Its lists work, and every page of an advert redirects to the front page, as a consent gate does.
    Gate,
}

impl Condition {
    /// Changes a reply to the one that a portal in this condition gives.
    pub(super) fn disguise(self, reply: Reply) -> Reply {
        match self {
            Self::Normal | Self::Empty | Self::Gate => reply,
            Self::Throttling => Reply {
                headers: vec![("retry-after", "3600".to_owned())],
                ..Reply::status(429)
            },
            Self::Blocking => Reply {
                status: 403,
                ..Reply::page(
                    "<html><body><h1>Ověřte, že nejste robot</h1></body></html>".to_owned(),
                )
            },
            Self::Redesigned => Reply {
                body: redesigned(&reply.body),
                ..reply
            },
        }
    }
}

/// Renames classes, ids and JSON members in a body.
fn redesigned(body: &str) -> String {
    body.replace("class=\"", "class=\"v2-")
        .replace("id=\"", "id=\"v2-")
        .replace("\": ", "V2\": ")
        .replace("\":", "V2\":")
        .replace("itemprop=", "data-itemprop=")
        .replace("data-", "data-v2-")
}
