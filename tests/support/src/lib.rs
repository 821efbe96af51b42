//! Test databases, servers and builders shared by the tests of all crates
