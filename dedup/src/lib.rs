//! Which listings are one property: blocking, comparison, scoring, clustering, merging
