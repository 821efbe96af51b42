//! Converting the calls of a session to observations.

use std::io::BufRead;

use schema::{Crawl, CrawlScope, ListingKey, Observation, RawForm, RawListing, Timestamp};
use serde_json::{Map, Value};

use super::names::{self, AGENCY_NUMBER, INTERNAL_NUMBER};
use crate::xml_rpc::{Message, XmlRpcError, messages};

/// Whose adverts a feed delivers, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The portal id of the agency's adverts, as in dumps and in `portalLinks`.
    pub site_id: String,
    /// When the adverts were delivered.
    pub at: Timestamp,
    /// Whether these are all of the agency's adverts. If so, adverts that are missing are gone.
    pub complete: bool,
}

/// What a feed holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FeedContent {
    /// One observation for each advert, in the order of their first calls. A complete delivery ends with the observation
    /// of a complete crawl.
    pub observations: Vec<Observation>,
    /// What could not be read, one sentence each.
    pub rejected: Vec<String>,
}

/// Reads a session of calls, or a dump of structs, to its end.
///
/// # Errors
/// Returns [`XmlRpcError`] if any part of the text is not XML-RPC. Half a feed is not read.
pub fn read_feed(source: impl BufRead, delivery: &Delivery) -> Result<FeedContent, XmlRpcError> {
    let mut session = Session::default();
    for message in messages(source) {
        match message? {
            Message::Call { method, params } if method == "addAdvert" => {
                session.add(params.into_iter());
            }
            Message::Call { method, params } if method == "delAdvert" => session.delete(&params),
            Message::Call { .. } => {}
            Message::Response(answers) => answers
                .iter()
                .for_each(|answer| session.add_response(answer)),
            Message::Bare(Value::Array(values)) => {
                for value in values {
                    session.add_bare(value);
                }
            }
            Message::Bare(value) => session.add_bare(value),
        }
    }
    Ok(session.into_content(delivery))
}

/// Fields that are not kept: personal data and files.
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
    /// The number of adverts' structs so far.
    added: usize,
}

#[derive(Debug)]
struct Advert {
    number: String,
    /// The portal's internal number, if it is known.
    internal: Option<String>,
    fields: Map<String, Value>,
    deleted: bool,
}

impl Session {
    /// Adds the advert of a call `addAdvert`. Its struct is the last parameter; the first is the session.
    fn add(&mut self, params: impl DoubleEndedIterator<Item = Value>) {
        self.added += 1;
        let advert = params.rev().find_map(|param| match param {
            Value::Object(fields) => Some(fields),
            _ => None,
        });
        match advert {
            Some(fields) => self.merge(fields),
            None => self.rejected.push(format!(
                "addAdvert {} has no struct of an advert",
                self.added
            )),
        }
    }

    /// Adds a struct outside of calls: an advert of a dump, or a response without its envelope.
    fn add_bare(&mut self, value: Value) {
        match value {
            Value::Object(fields) if fields.contains_key(names::FUNCTION) => {
                self.added += 1;
                self.merge(fields);
            }
            value => self.add_response(&value),
        }
    }

    fn merge(&mut self, mut fields: Map<String, Value>) {
        fields.retain(|name, _| !LEFT_OUT.contains(&name.as_str()));
        let Some(advert) = self.advert(fields.get(AGENCY_NUMBER), fields.get(INTERNAL_NUMBER))
        else {
            self.rejected.push(format!(
                "addAdvert {} has neither {AGENCY_NUMBER} nor {INTERNAL_NUMBER}, so its advert is unknown",
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

    /// Marks the advert of a call `delAdvert` as deleted.
    fn delete(&mut self, params: &[Value]) {
        if let Some(advert) = self.advert(params.get(2), params.get(1)) {
            advert.deleted = true;
        } else {
            self.rejected.push(format!(
                "a delAdvert has neither {AGENCY_NUMBER} nor {INTERNAL_NUMBER}"
            ));
        }
    }

    /// Adds the URLs of pages from a response to `listAdvert`.
    fn add_response(&mut self, answer: &Value) {
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

    /// Returns the advert with the agency's or the portal's number, and makes one if there is none yet.
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

/// Returns a number as a text. 0 and an empty text mean that there is none.
fn number(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty() && text != "0").then_some(text)
}
