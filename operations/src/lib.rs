//! What operators look at and change, computed once for the commands and for the console.
//!
//! # Layout
//!
//! [`watch`] tells how each portal and the queue are, [`status`] how everything is, and [`concerns`] what of it needs
//! attention. [`cron_line`] says when a schedule is due, [`crawl_requests`] has a worker crawl a portal now, and
//! [`daily`] keeps the figures of each day. [`explained`] gathers the explanation of a record or of two listings, and
//! [`words`] says it in plain words.
//! [`reviewed`] says how right matching is by what people decided. [`shown_time`] writes instants and durations.

pub mod concerns;
pub mod crawl_requests;
pub mod cron_line;
pub mod daily;
pub mod explained;
pub mod reviewed;
pub mod shown_time;
pub mod status;
pub mod watch;
pub mod words;
