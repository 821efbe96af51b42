//! The codes of errors, which clients branch on (spec, Errors).

/// 401.
pub(crate) const UNAUTHORIZED: &str = "unauthorized";
/// 403: the token has no access. Reserved: every token may send every request that its plan allows.
pub(crate) const FORBIDDEN: &str = "forbidden";
/// 403: the plan has no access.
pub(crate) const PLAN_LIMIT_EXCEEDED: &str = "plan-limit-exceeded";
/// 404.
pub(crate) const NOT_FOUND: &str = "not-found";
/// 400, 405, 414, 431.
pub(crate) const INVALID_REQUEST: &str = "invalid-request";
/// 413.
pub(crate) const PAYLOAD_TOO_LARGE: &str = "payload-too-large";
/// 429.
pub(crate) const QUOTA_EXCEEDED: &str = "quota-exceeded";
/// 504.
pub(crate) const QUERY_TIMEOUT: &str = "query-timeout";
/// 500, 503.
pub(crate) const INTERNAL_ERROR: &str = "internal-error";

/// 410: a read of changes from before the ones that are kept. Only on the listener of the feed.
pub(crate) const CHANGES_EXPIRED: &str = "changes-expired";

/// Every code of the API.
pub(crate) const ALL: [&str; 9] = [
    UNAUTHORIZED,
    FORBIDDEN,
    PLAN_LIMIT_EXCEEDED,
    NOT_FOUND,
    INVALID_REQUEST,
    PAYLOAD_TOO_LARGE,
    QUOTA_EXCEEDED,
    QUERY_TIMEOUT,
    INTERNAL_ERROR,
];
