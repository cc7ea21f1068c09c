//! Matches from a queue, checked by an independent implementation.

mod bound;
mod generated;
mod optimum;
mod oracle;
