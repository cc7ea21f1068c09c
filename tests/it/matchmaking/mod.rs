//! Matches from a queue, judged by code that has nothing in common with what makes them.

mod bound;
mod generated;
mod optimum;
mod oracle;
