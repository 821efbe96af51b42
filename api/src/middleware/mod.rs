//! The layers around every endpoint, from the outermost to the innermost in the order of `router`.

pub mod access_log;
pub mod compression;
pub mod concurrency;
pub mod cors;
pub mod envelope;
pub mod head;
pub mod limits;
pub mod metrics;
pub mod request_id;
pub mod v1_headers;
