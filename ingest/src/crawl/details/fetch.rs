//! Requesting details, several adverts in one request if the portal allows it.

use futures::StreamExt;
use schema::Timestamp;
use schema::store::index_entries::StoredEntry;

use super::{DetailAnswer, DetailFailures, FetchedDetail, RequestedDetail, Unanswered};
use crate::crawl::interruption::Interruption;
use crate::crawl::portal_client::{FetchedAnswer, HttpValidators, PortalClient, RequestError};
use crate::crawl_definition::{CrawlDefinition, Detail, IndexEntry};

/// Requests these details. Also returns what interrupted that, if anything did.
pub(super) async fn fetch_details(
    client: &PortalClient<'_>,
    definition: &'static CrawlDefinition,
    requested: Vec<RequestedDetail>,
    failures: &mut DetailFailures,
) -> (Vec<FetchedDetail>, Option<Interruption>) {
    let groups: Vec<Vec<RequestedDetail>> = requested
        .chunks(definition.details_per_request.max(1))
        .map(<[RequestedDetail]>::to_vec)
        .collect();
    let requests = groups
        .into_iter()
        .map(|group| fetch_group(client, definition, group));
    let mut answers = futures::stream::iter(requests).buffer_unordered(client.concurrency());
    let (mut fetched, mut interruption) = (Vec::new(), None);
    while let Some(answer) = answers.next().await {
        match answer {
            Ok(group) => {
                for one in &group {
                    failures.count(one.answer.unanswered());
                }
                fetched.extend(group);
                if let Some(interruption) = failures.interruption() {
                    return (fetched, Some(interruption));
                }
            }
            // Requests in flight are awaited; no new ones are sent.
            Err(RequestError::Stopped) => interruption = Some(Interruption::Stopped),
            Err(error) => return (fetched, Some(error.into())),
        }
    }
    (fetched, interruption)
}

/// After this many adverts of a group have failed alone, the rest of the group is not divided any further.
const MOST_DIVIDED: usize = 2;

/// Requests the details of a group of adverts. If the portal fails to answer, the group is divided, so that one advert
/// does not keep the others from being read.
async fn fetch_group(
    client: &PortalClient<'_>,
    definition: &'static CrawlDefinition,
    group: Vec<RequestedDetail>,
) -> Result<Vec<FetchedDetail>, RequestError> {
    let (mut waiting, mut fetched, mut failed) = (vec![group], Vec::new(), 0);
    while let Some(mut group) = waiting.pop() {
        let error = match fetch_together(client, definition, group.clone()).await {
            Ok(answered) => {
                fetched.extend(answered);
                continue;
            }
            Err(error) => error,
        };
        let Some(unanswered) = Unanswered::from_error(&error) else {
            return Err(error);
        };
        if group.len() > 1 && failed < MOST_DIVIDED {
            let rest = group.split_off(group.len() / 2);
            waiting.extend([rest, group]);
        } else {
            failed += group.len();
            let answers = group
                .iter()
                .map(|_| DetailAnswer::Unanswered(unanswered.clone()));
            let answers = answers.collect();
            fetched.extend(with_answers(group, answers, client.now()));
        }
    }
    Ok(fetched)
}

/// Requests the details of a group of adverts in one request.
async fn fetch_together(
    client: &PortalClient<'_>,
    definition: &'static CrawlDefinition,
    group: Vec<RequestedDetail>,
) -> Result<Vec<FetchedDetail>, RequestError> {
    let asked: Vec<IndexEntry> = group
        .iter()
        .map(|requested| as_index_entry(&requested.entry))
        .collect();
    let Some(request) = (definition.details)(&asked) else {
        let why = "the URL of its page is not known";
        return Ok(all_unexpected(group, why, client.now()));
    };
    let known = known_validators(definition, &group);
    let fetched = client.fetch(&request, known.as_ref()).await;
    let at = client.now();
    match fetched {
        Ok(fetched) if known.is_some() && fetched.answer.status == 304 => {
            let answers = group.iter().map(|_| DetailAnswer::NotModified).collect();
            Ok(with_answers(group, answers, at))
        }
        Ok(fetched) => Ok(read_answer(definition, group, &asked, &fetched, at)),
        // These concern one page only; the other pages are still requested.
        Err(
            error @ (RequestError::Disallowed { .. }
            | RequestError::TooLong { .. }
            | RequestError::Url { .. }),
        ) => Ok(all_unexpected(group, &error.to_string(), at)),
        Err(error) => Err(error),
    }
}

/// The validators of the stored version, if the portal answers conditional requests and gave any.
fn known_validators(
    definition: &CrawlDefinition,
    group: &[RequestedDetail],
) -> Option<HttpValidators> {
    let [requested] = group else { return None };
    let read = requested.entry.read.as_ref()?;
    let validators = HttpValidators {
        etag: read.etag.clone(),
        last_modified: read.last_modified.clone(),
    };
    (definition.policy.conditional && validators != HttpValidators::default()).then_some(validators)
}

fn read_answer(
    definition: &CrawlDefinition,
    group: Vec<RequestedDetail>,
    asked: &[IndexEntry],
    fetched: &FetchedAnswer,
    at: Timestamp,
) -> Vec<FetchedDetail> {
    match (definition.read_details)(asked, &fetched.answer) {
        Ok(details) if details.len() == group.len() => {
            let answers = details
                .into_iter()
                .map(|detail| detail_answer(detail, &fetched.validators));
            with_answers(group, answers.collect(), at)
        }
        Ok(details) => {
            let why = format!(
                "{} details were answered for {} adverts",
                details.len(),
                group.len()
            );
            all_unexpected(group, &why, at)
        }
        Err(error) => all_unexpected(group, &error.to_string(), at),
    }
}

fn detail_answer(detail: Detail, validators: &HttpValidators) -> DetailAnswer {
    match detail {
        Detail::Payload(payload) => DetailAnswer::Payload {
            payload,
            validators: validators.clone(),
        },
        Detail::Gone { reason } => DetailAnswer::Gone(reason),
    }
}

fn all_unexpected(group: Vec<RequestedDetail>, why: &str, at: Timestamp) -> Vec<FetchedDetail> {
    let answers = group
        .iter()
        .map(|_| DetailAnswer::Unexpected(why.to_owned()))
        .collect();
    with_answers(group, answers, at)
}

fn with_answers(
    group: Vec<RequestedDetail>,
    answers: Vec<DetailAnswer>,
    at: Timestamp,
) -> Vec<FetchedDetail> {
    group
        .into_iter()
        .zip(answers)
        .map(|(requested, answer)| FetchedDetail {
            requested,
            at,
            answer,
        })
        .collect()
}

/// Whether the portal can be asked for an advert. Portals that serve HTML pages need the page's URL.
pub(in crate::crawl) fn can_be_requested(
    definition: &CrawlDefinition,
    entry: &StoredEntry,
) -> bool {
    (definition.details)(&[as_index_entry(entry)]).is_some()
}

/// An advert in the form in which its detail is requested.
fn as_index_entry(entry: &StoredEntry) -> IndexEntry {
    IndexEntry {
        offer_id: entry.offer_id.clone(),
        url: entry.url.clone(),
        teaser: String::new(),
        payload: None,
    }
}
