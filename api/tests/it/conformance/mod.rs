//! The interface specification, sentence by sentence: `docs/CONFORMANCE.md` says which test holds which.
//!
//! A test of any file here names its sentences in its doc comment, as `Spec, Limits 3: …`. What other topics hold
//! already is cited there; these files have the rest.

mod document;
mod endpoints;
mod faults;
mod parameters;
mod shapes;
mod specification;
mod statuses;
