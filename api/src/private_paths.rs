//! Which paths need a token.

/// Whether the answers of this path belong to an account: the data of the API, and the changes on a listener beside it.
pub(crate) fn is_private(path: &str) -> bool {
    path.starts_with("/v1/") || path == "/changes"
}
