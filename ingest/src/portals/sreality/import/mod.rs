//! The portal's import interface, version 4.0.0, through which agencies' software delivers adverts. A feed holds an
//! agency's own adverts, and is read as the portal would read it.
//!
//! # How it delivers
//!
//! XML-RPC. An advert is the struct of a call `addAdvert`. Its codes are those of the portal ([`super`]); some of its
//! names are others. [`read_payload`] reads one advert: the struct as JSON, or the XML of a call or of the bare struct.
//! [`read_feed`] makes observations of a whole session or
//! dump, with the agency's own number of each advert.
//!
//! # Traps
//!
//! | trap | what is done |
//! |---|---|
//! | the agency's number, `advert_rkid`, is unique within one branch | each feed has a portal id of its own |
//! | a call for an existing advert changes only the fields that it names | the calls of one delivery are merged; across deliveries adverts come whole |
//! | "not given" is 0, an empty text or an empty list; the price 0 or 1 is "on request" | absent |
//! | storeys count from 1 at the ground | n ≥ 1 becomes n − 1 |
//! | a level of inaccuracy above 1 means that the exact place must not be shown | no pin and no number in the address, and from level 3 on no street; the number stays as evidence |
//! | a RÚIAN code is that of one of seven kinds of unit | an address point if the kind is 11 |
//! | booleans may be sent as 0 and 1, and codes as booleans | both are read |
//! | an inactive advert, `user_status` | gone |
//! | sellers, photographs and attachments | not read |
//! | answers of `listAdvert` name the page that the portal made of an advert | its address, and evidence of that listing |

mod advert;
mod calls;
mod names;

use serde_json::Value;

use crate::reading::{PayloadError, Reading};
use crate::xml_rpc::{Message, messages};

pub use calls::{Delivery, FeedContent, read_feed};

/// What a payload of this format has to be.
const EXPECTED: &str =
    "an advert struct with advert_function and advert_type, as JSON or in an addAdvert call";

/// Tells whether a payload looks like an advert of an agency's feed. XML is only searched for a name that every advert
/// has.
pub fn is_feed_advert(payload: &Value) -> bool {
    match payload {
        Value::String(text) => text.trim_start().starts_with('<') && text.contains(names::FUNCTION),
        payload => names::is_advert(payload),
    }
}

/// Reads one advert.
///
/// # Errors
/// Returns [`PayloadError`] if the payload holds no advert, or says that the advert is inactive.
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

/// Returns the advert of an XML text, if the text holds exactly one.
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
