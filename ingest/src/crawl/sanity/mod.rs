//! Whether what a portal answers is to be believed.

mod details;
mod fields;
mod pages;
mod stored;
mod withdrawals;

pub(super) use details::{DetailChecks, Looked};
pub(super) use pages::{Pages, has_shrunk};
pub(super) use withdrawals::bound;
