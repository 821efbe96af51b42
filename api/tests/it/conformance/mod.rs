//! The interface specification, sentence by sentence: `docs/CONFORMANCE.md` lists the tests of each.
//!
//! A test in any file cites the sentences it checks in its doc comment, as `Spec, Limits 3: …`. Sentences that are
//! checked in other files are cited there; these files check the rest.

mod document;
mod endpoints;
mod faults;
mod parameters;
mod shapes;
mod specification;
mod statuses;
