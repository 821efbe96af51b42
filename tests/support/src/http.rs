//! A client for servers under test.

/// A client with the defaults.
///
/// # Panics
/// Where the system's certificates cannot be read.
pub fn http_client() -> reqwest::Client {
    http_client_builder()
        .build()
        .expect("a client with the defaults")
}

/// A client to be configured. Building one needs to know who does the cryptography, though no test uses TLS.
pub fn http_client_builder() -> reqwest::ClientBuilder {
    // A provider that is there already will do.
    let _installed = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
}
