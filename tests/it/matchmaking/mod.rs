//! Matches from a queue, checked by an independent implementation.

mod generated;
mod optimum;
mod oracle;
