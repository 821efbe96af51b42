//! The layers around every endpoint, from the outermost to the innermost in the order of `router`.

pub(crate) mod access_log;
pub(crate) mod compression;
pub(crate) mod concurrency;
pub(crate) mod cors;
pub(crate) mod envelope;
pub(crate) mod head;
pub(crate) mod limits;
pub(crate) mod metrics;
pub(crate) mod request_id;
pub(crate) mod v1_headers;
