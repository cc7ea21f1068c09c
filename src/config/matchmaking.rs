use super::InvalidSetting;
use super::catalogs::{self, CatalogTable};
use crate::domain::PolicyName;
use crate::matchmaking::{MatchPolicies, MatchPolicyTable};

/// Matchmaking settings of one pool.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchmakingSettings {
    /// Matchmaking policy for requests that name none; one of `policies`.
    pub policy: PolicyName,
    /// Built-in matchmaking policies with this pool's changes, and policies that the configuration adds.
    pub policies: MatchPolicies,
}

/// Table `[matchmaking]` or `[pools.NAME.matchmaking]` of the configuration file.
pub(super) type MatchmakingTable = CatalogTable<MatchPolicyTable>;

pub(super) fn check(
    common: &MatchmakingTable,
    place: &str,
    own: Option<&MatchmakingTable>,
) -> Result<MatchmakingSettings, InvalidSetting> {
    let (policy, policies) = catalogs::check(("matchmaking", common), (place, own), |_| Ok(()))?;
    Ok(MatchmakingSettings {
        policy: policy.ok_or_else(|| {
            InvalidSetting("matchmaking.policy is missing and has no default; set it".into())
        })?,
        policies,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::merged;

    fn settings(common: &str, own: &str) -> Result<MatchmakingSettings, String> {
        merged([common, own], |common, own| {
            check(common, "pools.arena.matchmaking", own)
        })
    }

    #[test]
    fn a_pools_own_parts_win_over_the_common_ones_and_those_over_the_built_in() {
        let settings = settings(
            "policy = \"quick\"\n[quick]\ndue_seconds = 60\nping_ms = 50",
            "policy = \"ours\"\n[quick]\ndue_seconds = 70\n[ours]\nlike = \"even\"",
        )
        .unwrap();
        assert_eq!(settings.policy.as_str(), "ours");
        let quick = settings.policies.named(&"quick".parse().unwrap()).unwrap();
        assert_eq!((quick.due_seconds, quick.ping_ms), (70, 50.0));
    }

    #[test]
    fn what_makes_no_sense_is_named_with_its_place() {
        for (common, own, expected) in [
            (
                "policy = \"best\"",
                "",
                "matchmaking.policy is not a known policy",
            ),
            ("", "", "matchmaking.policy is missing"),
            (
                "policy = \"even\"",
                "[even]\nwaiting = -1",
                "pools.arena.matchmaking.even.waiting must be 0 to 100",
            ),
        ] {
            let error = settings(common, own).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
        for (own, expected) in [
            ("due_seconds = 0", "due_seconds must be 1 to 86400"),
            (
                "widen_seconds = 100",
                "widen_seconds must be at most due_seconds",
            ),
            (
                "evenness = 0.9",
                "evenness, spread, ping and roles must be at most 0.99",
            ),
            ("uneven_at_once = 0.6", "uneven_at_once must be 0 to 0.5"),
            (
                "ping_at_once = 301",
                "uneven_at_once must be at most uneven_widened",
            ),
        ] {
            let own = format!("[quick]\n{own}");
            let error = settings("policy = \"quick\"", &own).unwrap_err();
            let expected = format!("pools.arena.matchmaking.quick.{expected}");
            assert!(error.starts_with(&expected), "{error}");
        }
    }
}
