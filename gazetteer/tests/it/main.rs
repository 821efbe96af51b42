//! The gazetteer's tests.

mod address_cases;
mod authored_tables;
mod field_cases;
mod finding;
mod house_numbers;
mod locating;
mod names;
mod properties;
mod registry;
mod registry_cases;
