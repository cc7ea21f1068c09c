//! HTTP handlers of resources that exist only below `/v1/admin`.

pub(crate) mod audit;
pub(crate) mod interventions;
pub(crate) mod login_links;
pub(crate) mod pools;
pub(crate) mod quality;
pub(crate) mod rebuild;
pub(crate) mod seasons;
pub(crate) mod settings;
