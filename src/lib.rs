//! RBS: ratings, balance and scramble for community game servers.
pub mod clock;
pub mod domain;
pub mod rating;
pub mod store;
