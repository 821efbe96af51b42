//! What other servers of the program share with the API: its tokens, plans, history windows, quota, index and connections.
//! Each is a door of its own to the same records, with another protocol.
//!
//! # Layout
//!
//! [`serve_door`] (`listener`) serves the routes of a door; every request needs a valid token. [`Guest`] is who asks;
//! [`ApiState::count`] counts what is asked (`guest`). A counted question is answered by `questions`, as the API answers it,
//! or refused by a [`Refusal`].

mod guest;
mod listener;
mod questions;
mod refusal;

pub use guest::{Counted, Guest};
pub use listener::serve_door;
pub use questions::Matching;
pub use refusal::Refusal;
