//! The portal's import interface, version 4.0.0, by which agencies' software hands adverts over: a feed of an agency's
//! own adverts, read as the portal would read it.
//!
//! # How it comes
//!
//! XML-RPC. An advert is the struct of a call `addAdvert`; its codes are those of the portal ([`super`]), its names
//! partly others. [`read`] reads one advert: the struct as JSON, or the XML of a call or of the bare struct.
//! [`read_feed`] makes observations of a whole session or dump, each advert under the agency's own number.
//!
//! # Traps
//!
//! | trap | what is done |
//! |---|---|
//! | the agency's number, `advert_rkid`, is unique within one branch | each feed has a portal id of its own |
//! | a call for an advert that is there already changes what it names and leaves the rest | the calls of one handover are laid over one another; across handovers adverts come whole |
//! | "not given" is 0, an empty text, an empty list; the price 0 or 1 is "on request" | absent |
//! | the storey counts from 1 at the ground | n ≥ 1 becomes n − 1 |
//! | a degree of inaccuracy above 1 means that the exact place must not be shown | no pin and no number in the address; from degree 3 on no street; the number stays as evidence |
//! | a code of RÚIAN is one of seven kinds of unit | an address point where its kind is 11 |
//! | truths are sent as booleans or as 0 and 1, codes as either | both |
//! | an inactive advert, `user_status` | gone |
//! | sellers, photographs and attachments | not taken over |
//! | answers of `listAdvert` name the page that the portal made of an advert | its address, and evidence of that listing |

mod advert;
mod calls;
mod names;

use serde_json::Value;

use crate::reading::{PayloadError, Reading};
use crate::xml_rpc::{Message, messages};

pub use calls::{Delivery, FeedContent, read_feed};

/// What an advert of the interface has to be.
const EXPECTED: &str =
    "an advert struct with advert_function and advert_type, as JSON or in an addAdvert call";

/// Whether a payload looks like an advert in this format. Of XML only reading it can tell.
pub fn is_feed_advert(payload: &Value) -> bool {
    match payload {
        Value::String(text) => text.trim_start().starts_with('<') && text.contains(names::FUNCTION),
        payload => names::is_advert(payload),
    }
}

/// Reads one advert.
///
/// # Errors
/// [`PayloadError`] where the payload holds no advert, or where it says that the advert is inactive.
pub(crate) fn read_payload(payload: &Value) -> Result<Reading, PayloadError> {
    let in_text = payload.as_str().map(advert_in);
    let advert = match &in_text {
        Some(advert) => advert.as_ref(),
        None => Some(payload).filter(|payload| names::is_advert(payload)),
    };
    let Some(Value::Object(fields)) = advert else {
        return Err(PayloadError::shape(EXPECTED, payload));
    };
    if names::is_inactive(fields) {
        return Err(PayloadError::Gone {
            said: "user_status is false",
        });
    }
    Ok(advert::to_reading(fields))
}

/// The advert of a text that holds one alone.
fn advert_in(text: &str) -> Option<Value> {
    let mut adverts = Vec::new();
    for message in messages(text.as_bytes()) {
        match message.ok()? {
            Message::Call { params, .. } => {
                adverts.extend(params.into_iter().filter(names::is_advert))
            }
            Message::Bare(value) => adverts.extend(Some(value).filter(names::is_advert)),
            Message::Response(_) => {}
        }
    }
    let only = adverts.pop()?;
    adverts.is_empty().then_some(only)
}
