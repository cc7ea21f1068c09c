use crate::domain::ChangeId;
use crate::service::Told;
use crate::wire::ReasonText;

/// What a request says of the change that it asks for.
pub(super) fn told(reason: Option<ReasonText>, change_id: Option<ChangeId>) -> Told {
    Told {
        reason: reason.map(|reason| reason.as_str().to_owned()),
        change_id,
    }
}
