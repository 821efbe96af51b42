//! What goes wrong at a simulated portal.

use std::time::Duration;

use rand::RngExt;
use rand::rngs::StdRng;

use super::portal::Reply;

/// How probable each fault is at a request; the rest is answered well.
#[derive(Debug, Clone, Copy, Default)]
pub struct Faults {
    /// 429 with `Retry-After: 1`.
    pub throttled: f64,
    /// 500.
    pub broken: f64,
    /// The connection is cut within the answer.
    pub reset: f64,
    /// The answer comes late, by [`LATE`].
    pub late: f64,
}

/// How late a late answer is.
pub const LATE: Duration = Duration::from_millis(200);

impl Faults {
    /// Every fault now and then.
    pub const SOME: Self = Self {
        throttled: 0.01,
        broken: 0.02,
        reset: 0.02,
        late: 0.02,
    };

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

/// One request's fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    Throttled,
    Broken,
    Reset,
    Late,
}

/// What a portal as a whole has become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mood {
    /// It is as it was.
    #[default]
    Usual,
    /// It answers every request with 403 and a page for humans.
    Blocking,
    /// Its pages and records are built otherwise: classes and members have other names.
    Rebuilt,
    /// It shows no advert at all, politely.
    Emptied,
}

impl Mood {
    pub(super) fn disguise(self, reply: Reply) -> Reply {
        match self {
            Self::Usual | Self::Emptied => reply,
            Self::Blocking => Reply {
                status: 403,
                ..Reply::page(
                    "<html><body><h1>Ověřte, že nejste robot</h1></body></html>".to_owned(),
                )
            },
            Self::Rebuilt => Reply {
                body: rebuilt(&reply.body),
                ..reply
            },
        }
    }
}

/// The same content under other names, in HTML as in JSON.
fn rebuilt(body: &str) -> String {
    body.replace("class=\"", "class=\"v2-")
        .replace("id=\"", "id=\"v2-")
        .replace("\": ", "V2\": ")
        .replace("\":", "V2\":")
        .replace("itemprop=", "data-itemprop=")
        .replace("data-", "data-v2-")
}
