//! An HTTP client for servers under test.

/// A client with the defaults.
///
/// # Panics
/// If the system's certificates cannot be read.
pub fn http_client() -> reqwest::Client {
    http_client_builder()
        .build()
        .expect("a client with the defaults")
}

/// A client builder. Building a client needs a cryptography provider, although no test uses TLS.
pub fn http_client_builder() -> reqwest::ClientBuilder {
    // An error means that a provider is installed already.
    let _installed = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
}
