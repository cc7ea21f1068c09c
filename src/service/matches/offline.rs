use super::answer::describe;
use super::queue::{queue_of, with_policy};
use crate::api::{MatchesAnswer, Object, RatedMatchRequest};
use crate::config::MatchmakingSettings;
use crate::domain::{FieldProblem, PlayerId, Rating, Timestamp};
use crate::matchmaking::{Effort, MatchPolicies, make_matches};
use crate::rating::win_probability;
use crate::service::ServiceError;

/// The matches to begin of those who wait, without a service and its database: by the built-in policies, and with odds
/// by the logistic scale `theta` in points of a team's sum. `now` counts where the request names no moment.
///
/// # Errors
/// A policy that there is not, and somebody without a rating.
pub fn match_offline(
    RatedMatchRequest { request, ratings }: &RatedMatchRequest,
    theta: f64,
    now: Timestamp,
) -> Result<MatchesAnswer, ServiceError> {
    let settings = MatchmakingSettings {
        policy: "standard".parse().map_err(ServiceError::internal)?,
        policies: MatchPolicies::built_in().map_err(ServiceError::internal)?,
    };
    let (name, policy) = with_policy(request, &settings)?;
    let rated = |player| {
        let rating = ratings.get(&player).copied();
        let missing = || FieldProblem::new("/ratings", format!("has none of {player}"));
        rating.ok_or_else(|| ServiceError::Invalid(vec![missing()]))
    };
    let listed: Vec<Rating> = request.players().map(rated).collect::<Result<_, _>>()?;
    let now = request.now.unwrap_or(now);
    for (index, Object(server)) in request.servers.iter().enumerate() {
        if !server.bots.is_empty() {
            let place = format!("/servers/{index}/bots");
            let problem = "has levels, and a file has no settings that say what they are worth";
            return Err(ServiceError::Invalid(vec![FieldProblem::new(
                place, problem,
            )]));
        }
    }
    // Without settings all maps are even.
    let queue = queue_of(request, &listed, now, theta, |_, _| 0);
    let matches = make_matches(&queue, &policy, Effort::usual(queue.tickets.len()));
    let matches = matches.map_err(ServiceError::internal)?;
    let sum = |team: &[PlayerId]| -> i64 {
        let points = team.iter().filter_map(|player| ratings.get(player));
        points.map(|rating| i64::from(rating.points())).sum()
    };
    let pool = request.pool.clone().unwrap_or_default();
    describe(
        request,
        &listed,
        &matches,
        (&pool, name, &policy, now),
        |_, a, b| Ok(win_probability(sum(a), sum(b), theta)),
    )
}
