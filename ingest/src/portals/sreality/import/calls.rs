//! From the calls of a session to observations.

use std::io::BufRead;

use schema::{Crawl, CrawlScope, ListingKey, Observation, RawForm, RawListing, Timestamp};
use serde_json::{Map, Value};

use super::names::{self, AGENCY_NUMBER, INTERNAL_NUMBER};
use crate::xml_rpc::{Message, XmlRpcError, messages};

/// Whose adverts are handed over, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The id that the agency's adverts get, as in dumps and in `portalLinks`.
    pub site_id: String,
    /// When they were handed over.
    pub at: Timestamp,
    /// Whether these are all adverts that the agency has: what is not among them is gone.
    pub complete: bool,
}

/// What a session or a dump holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FeedContent {
    /// One observation an advert, in the order of their first mention; then, of a complete handover, its end.
    pub observations: Vec<Observation>,
    /// What could not be taken over, one sentence each.
    pub rejected: Vec<String>,
}

/// Reads a session of calls, or a dump of structs, to its end.
///
/// # Errors
/// [`XmlRpcError`] where the text is no XML-RPC from beginning to end: a half is no handover.
pub fn read_feed(source: impl BufRead, delivery: &Delivery) -> Result<FeedContent, XmlRpcError> {
    let mut session = Session::default();
    for message in messages(source) {
        match message? {
            Message::Call { method, params } if method == "addAdvert" => {
                session.add(params.into_iter())
            }
            Message::Call { method, params } if method == "delAdvert" => session.delete(&params),
            Message::Call { .. } => {}
            Message::Response(answers) => answers.iter().for_each(|answer| session.learn(answer)),
            Message::Bare(Value::Array(values)) => {
                values.into_iter().for_each(|value| session.bare(value))
            }
            Message::Bare(value) => session.bare(value),
        }
    }
    Ok(session.into_content(delivery))
}

/// Personal data and files, which are not taken over, and the session's secrets, which are no part of an advert.
const LEFT_OUT: [&str; 5] = [
    "auction_advertisement_pdf",
    "auction_review_pdf",
    "energy_performance_attachment",
    "seller_id",
    "seller_rkid",
];

/// The adverts of a session so far.
#[derive(Debug, Default)]
struct Session {
    adverts: Vec<Advert>,
    rejected: Vec<String>,
    /// Structs of adverts seen.
    added: usize,
}

#[derive(Debug)]
struct Advert {
    number: String,
    /// The portal's internal number, where it is known.
    internal: Option<String>,
    fields: Map<String, Value>,
    deleted: bool,
}

impl Session {
    /// The call's struct is the last of its parameters; the first is the session.
    fn add(&mut self, params: impl DoubleEndedIterator<Item = Value>) {
        self.added += 1;
        let advert = params.rev().find_map(|param| match param {
            Value::Object(fields) => Some(fields),
            _ => None,
        });
        match advert {
            Some(fields) => self.lay_over(fields),
            None => self.rejected.push(format!(
                "addAdvert {} has no struct of an advert",
                self.added
            )),
        }
    }

    /// A struct that stands alone: an advert of a dump, or an answer without its envelope.
    fn bare(&mut self, value: Value) {
        match value {
            Value::Object(fields) if fields.contains_key(names::FUNCTION) => {
                self.added += 1;
                self.lay_over(fields);
            }
            value => self.learn(&value),
        }
    }

    fn lay_over(&mut self, mut fields: Map<String, Value>) {
        fields.retain(|name, _| !LEFT_OUT.contains(&name.as_str()));
        let Some(advert) = self.advert(fields.get(AGENCY_NUMBER), fields.get(INTERNAL_NUMBER))
        else {
            self.rejected.push(format!(
                "addAdvert {} has neither {AGENCY_NUMBER} nor {INTERNAL_NUMBER}: nothing tells which advert it is",
                self.added
            ));
            return;
        };
        if advert.deleted {
            advert.fields.clear();
            advert.deleted = false;
        }
        advert.fields.extend(fields);
    }

    fn delete(&mut self, params: &[Value]) {
        if let Some(advert) = self.advert(params.get(2), params.get(1)) {
            advert.deleted = true;
        } else {
            self.rejected.push(format!(
                "a delAdvert has neither {AGENCY_NUMBER} nor {INTERNAL_NUMBER}"
            ));
        }
    }

    /// An answer of `listAdvert` says which page the portal made of an advert.
    fn learn(&mut self, answer: &Value) {
        let items = answer.get("output").and_then(Value::as_array);
        for item in items.into_iter().flatten() {
            if item.get(AGENCY_NUMBER).and_then(number).is_none() {
                continue;
            }
            let page = ["hash_id", "advert_url"].map(|name| (name, item.get(name)));
            let Some(advert) = self.advert(item.get(AGENCY_NUMBER), item.get(INTERNAL_NUMBER))
            else {
                continue;
            };
            for (name, value) in page {
                if let Some(value) = value.filter(|value| !names::is_empty(value)) {
                    advert.fields.insert(name.to_owned(), value.clone());
                }
            }
        }
    }

    /// The advert of the agency's or the portal's number, made where there is none yet.
    fn advert(&mut self, agency: Option<&Value>, internal: Option<&Value>) -> Option<&mut Advert> {
        let (agency, internal) = (agency.and_then(number), internal.and_then(number));
        let wanted = agency.clone().or_else(|| internal.clone())?;
        let known = self.adverts.iter().position(|advert| {
            advert.number == wanted || (internal.is_some() && advert.internal == internal)
        });
        let place = known.unwrap_or_else(|| {
            self.adverts.push(Advert {
                number: wanted.clone(),
                internal: None,
                fields: Map::new(),
                deleted: false,
            });
            self.adverts.len() - 1
        });
        let advert = self.adverts.get_mut(place)?;
        advert.internal = advert.internal.take().or(internal);
        if let Some(agency) = agency {
            advert.number = agency;
        }
        Some(advert)
    }

    fn into_content(self, delivery: &Delivery) -> FeedContent {
        let Delivery {
            site_id,
            at,
            complete,
        } = delivery;
        let mut observations = Vec::new();
        for advert in self.adverts {
            let key = ListingKey::new(site_id.clone(), advert.number);
            if advert.deleted {
                observations.push(Observation::Gone { key, at: *at });
            } else if advert.fields.contains_key(names::FUNCTION) {
                let body = Value::Object(advert.fields).to_string();
                let raw = RawListing {
                    form: RawForm::Payload,
                    url: None,
                    body,
                };
                observations.push(Observation::Seen { key, at: *at, raw });
            }
        }
        if *complete {
            observations.push(Observation::Crawled(Crawl {
                site_id: site_id.clone(),
                started_at: *at,
                observed_at: *at,
                scope: CrawlScope::default(),
            }));
        }
        FeedContent {
            observations,
            rejected: self.rejected,
        }
    }
}

/// A number as its text; 0 and an empty text are none.
fn number(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty() && text != "0").then_some(text)
}
