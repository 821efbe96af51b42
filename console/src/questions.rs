//! The review queue, kept for some minutes: computing it matches all listings, which takes minutes for a million. Until it
//! is there, the questions about the newest listings are.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use dedup::questions::QuestionKind;
use dedup::worker::{self, Listings, ReviewQueue};
use schema::store::{Db, listings};
use schema::{
    Asked, ListingId, ListingKey, ListingPair, OfferType, PropertyType, StoredListing, Timestamp,
};

use crate::config::ProgramParts;

/// The age from which the queue is computed again, in milliseconds.
const STALE: i64 = 10 * 60_000;
/// How long a question is reserved for the person to whom it was shown, in milliseconds.
const RESERVED: i64 = 10 * 60_000;
/// How many questions are kept, the most valuable ones.
const KEPT: usize = 2_000;
/// How many listings are read at a time.
const PAGE: usize = 500;
/// About how many of the newest listings the first questions are.
const NEWEST: u32 = 40;
/// How many kept pairs those listings have at most: as many as are read well within a second.
const MOST_PAIRS: usize = 300;

/// A question, with what it can be filtered by.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) pair: ListingPair,
    pub(crate) asked: Asked,
    /// How many adverts are on either side, in the order of the pair.
    pub(crate) adverts: (u64, u64),
    /// What joins the two sides, or what joining them lacks: log₂.
    pub(crate) agreement: f64,
    pub(crate) offer_type: Option<OfferType>,
    pub(crate) property_type: Option<PropertyType>,
    pub(crate) district: Option<String>,
}

/// What a person wants to be asked about.
#[derive(Debug, Clone, Default, serde::Deserialize)]
#[serde(default)]
pub(crate) struct QuestionFilter {
    /// A portal on either side.
    pub(crate) portal: String,
    /// The kind of offer.
    pub(crate) offer: String,
    /// The property type.
    pub(crate) kind: String,
    /// The district.
    pub(crate) district: String,
}

impl QuestionFilter {
    pub(crate) fn accepts(&self, question: &Question) -> bool {
        use schema::SpecEnum;
        let (left, right) = (&question.pair.left.site_id, &question.pair.right.site_id);
        let is = |wanted: &str, found: Option<&str>| wanted.is_empty() || found == Some(wanted);
        (self.portal.is_empty() || *left == self.portal || *right == self.portal)
            && is(&self.offer, question.offer_type.map(SpecEnum::as_str))
            && is(&self.kind, question.property_type.map(SpecEnum::as_str))
            && is(&self.district, question.district.as_deref())
    }
}

/// The questions of one time.
#[derive(Debug, Clone)]
pub(crate) struct Queue {
    pub(crate) at: Timestamp,
    /// Whether these are only the questions about the newest listings, because the others are being computed.
    pub(crate) is_partial: bool,
    pub(crate) questions: Vec<Question>,
}

/// What is known of the queue.
#[derive(Debug, Clone)]
pub(crate) enum QueueState {
    /// It is being computed for the first time.
    Computing,
    /// It could not be computed.
    Failed(String),
    /// The questions.
    Ready(Arc<Queue>),
}

/// Computes and keeps the queue, and reserves questions.
#[derive(Clone)]
pub(crate) struct Questions(Arc<Kept>);

struct Kept {
    db: Db,
    program: ProgramParts,
    state: RwLock<QueueState>,
    is_computing: AtomicBool,
    reserved: Mutex<HashMap<ListingPair, (String, Timestamp)>>,
}

impl Questions {
    pub(crate) fn new(db: Db, program: ProgramParts) -> Self {
        Self(Arc::new(Kept {
            db,
            program,
            state: RwLock::new(QueueState::Computing),
            is_computing: AtomicBool::new(false),
            reserved: Mutex::default(),
        }))
    }

    /// The queue. It is computed in the background if it is missing or old.
    pub(crate) fn current(&self, now: Timestamp) -> QueueState {
        let state = self.state();
        let is_fresh = match &state {
            QueueState::Ready(queue) => now.millis() - queue.at.millis() < STALE,
            QueueState::Computing | QueueState::Failed(_) => false,
        };
        if !is_fresh {
            self.compute(now);
        }
        state
    }

    fn compute(&self, now: Timestamp) {
        if self.0.is_computing.swap(true, Ordering::AcqRel) {
            return;
        }
        let this = self.clone();
        let runtime = tokio::runtime::Handle::current();
        // Matching keeps its thread busy.
        tokio::task::spawn_blocking(move || {
            if !matches!(this.state(), QueueState::Ready(_)) {
                this.keep(runtime.block_on(this.read(now, Some(NEWEST))));
            }
            this.keep(runtime.block_on(this.read(now, None)));
            this.0.is_computing.store(false, Ordering::Release);
        });
    }

    fn state(&self) -> QueueState {
        let state = self.0.state.read();
        state.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn keep(&self, computed: Result<Queue, String>) {
        let state = match computed {
            Ok(queue) => QueueState::Ready(Arc::new(queue)),
            Err(error) => {
                tracing::error!(error, "computing the review queue failed");
                QueueState::Failed(error)
            }
        };
        let mut kept = self.0.state.write().unwrap_or_else(PoisonError::into_inner);
        *kept = state;
    }

    /// Computes the questions about all listings, or about this many of the newest.
    async fn read(&self, now: Timestamp, newest: Option<u32>) -> Result<Queue, String> {
        let addresses = (self.0.program.addresses)().await?;
        let source = Listings {
            db: &self.0.db,
            addresses: &addresses,
        };
        let queue = match newest {
            Some(count) => match listings::newest(&self.0.db, count).await {
                Ok(newest) => worker::questions_about(source, &newest, MOST_PAIRS).await,
                Err(error) => Err(error),
            },
            None => worker::review_queue(source).await,
        };
        let mut queue = queue.map_err(|error| error.to_string())?;
        queue.questions.truncate(KEPT);
        let wanted: Vec<ListingId> = queue
            .questions
            .iter()
            .map(|one| queue.adverts[one.left as usize].id)
            .collect();
        let mut known: HashMap<ListingKey, StoredListing> = HashMap::new();
        for page in wanted.chunks(PAGE) {
            let read = async {
                let mut tx = self.0.db.begin_read().await?;
                let found = listings::get(&mut tx, page).await?;
                tx.rollback().await?;
                Ok::<_, schema::store::StoreError>(found)
            };
            let found = read.await.map_err(|error| error.to_string())?;
            known.extend(found.into_iter().map(|one| (one.key.clone(), one)));
        }
        let questions = queue.questions.iter();
        let questions = questions.filter_map(|question| as_asked(question, &queue, &known));
        Ok(Queue {
            at: now,
            is_partial: newest.is_some(),
            questions: questions.collect(),
        })
    }

    /// Reserves a question for a person. Returns whether no one else has it.
    pub(crate) fn reserve(&self, pair: &ListingPair, person: &str, now: Timestamp) -> bool {
        let mut reserved = self
            .0
            .reserved
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        reserved.retain(|_, (_, at)| now.millis() - at.millis() < RESERVED);
        if reserved.get(pair).is_some_and(|(by, _)| by != person) {
            return false;
        }
        // A person sees one question at a time.
        reserved.retain(|_, (by, _)| by != person);
        reserved.insert(pair.clone(), (person.to_owned(), now));
        true
    }
}

/// A question in the order of its pair.
fn as_asked(
    question: &dedup::questions::Question,
    queue: &ReviewQueue,
    known: &HashMap<ListingKey, StoredListing>,
) -> Option<Question> {
    let key = |member: u32| queue.adverts[member as usize].key.clone();
    let (left, right) = (key(question.left), key(question.right));
    let pair = ListingPair::new(left.clone(), right)?;
    let [one, other] = [&question.sides[0], &question.sides[1]].map(|side| side.len() as u64);
    let facts = known
        .get(&left)
        .map(|listing| &listing.state.listing.attributes);
    Some(Question {
        adverts: if pair.left == left {
            (one, other)
        } else {
            (other, one)
        },
        pair,
        asked: match question.asked {
            QuestionKind::Join => Asked::Join,
            QuestionKind::Split => Asked::Split,
        },
        agreement: f64::from(question.agreement),
        offer_type: facts.and_then(|facts| facts.offer_type),
        property_type: facts.and_then(|facts| facts.property_type),
        district: facts.and_then(|facts| facts.district.clone()),
    })
}
