//! The gazetteer's tests.

mod address_cases;
mod registry_cases;
