//! The read API over merged offers
