//! RBS: ratings, balance and scramble for community game servers.
pub mod domain;
pub mod partition;
pub mod rating;
