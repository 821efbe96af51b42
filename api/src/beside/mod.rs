//! What other servers of the program share with the API: its tokens, plans, history windows, quota, index and connections.
//!
//! # Layout
//!
//! Two kinds of servers are served here. The feed has routes like the API's: each request is counted when it arrives
//! (`routes`). The server for assistants speaks a protocol whose connection carries calls that count and calls that do not:
//! [`serve_uncounted`] only checks the token (`listener`), [`TokenHolder`] is who asks, [`ApiState::count`] counts a question
//! (`token_holder`), and `questions` answers it as the API does. A [`Refusal`] says why either is not answered.
//!
//! [`ApiState::count`]: crate::ApiState::count

mod listener;
mod questions;
mod refusal;
mod routes;
mod token_holder;

pub use listener::serve_uncounted;
pub use questions::Matching;
pub use refusal::Refusal;
pub use routes::{
    ChangesRequest, Reader, Routes, current_plan, permit, serve_beside, tagged_json,
    without_parameters,
};
pub use token_holder::{Counted, TokenHolder};
