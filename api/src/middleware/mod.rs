//! What every request passes on its way in and every answer on its way out, from the outside in.

pub mod access_log;
pub mod cors;
pub mod encoding;
pub mod envelope;
pub mod head;
pub mod limits;
pub mod metrics;
pub mod request_id;
pub mod turns;
pub mod v1_headers;
