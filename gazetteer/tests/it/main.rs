//! The gazetteer's tests.

mod absent;
mod address_cases;
mod authored_tables;
mod field_cases;
mod finding;
mod hostile;
mod house_numbers;
mod locating;
mod names;
mod properties;
mod registry;
mod registry_cases;
mod supported;
