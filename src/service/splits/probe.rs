//! Probes: scrambles whose teams are drawn at random, so that results show whether the odds are honest.

use std::sync::Arc;

use crate::domain::{PlayerId, Probability};
use crate::partition::{Pool, Split, SplitTable, Wishes};
use crate::random::Dice;

/// Maximum win probability of the stronger team in a scramble that draws its teams at random, from 0 to 1.
const MOST: f64 = 0.65;
/// Number of draws after which the best split is taken.
const DRAWS: usize = 50;

/// Returns `table` with teams drawn at random in place of the best ones, if this scramble is a probe: with the
/// probability `share`. A request that locks players to teams or roles is never a probe. Parties stay together, the
/// same players wait, and `odds` stay below 65 %.
pub(super) fn draw<E>(
    table: &Arc<SplitTable>,
    (pool, wishes): (&Pool, &Wishes),
    (share, seed): (f64, u64),
    odds: impl Fn(&Split) -> Result<Probability, E>,
) -> Result<Option<Arc<SplitTable>>, E> {
    let mut dice = Dice(seed);
    let is_bound = !wishes.apart.is_empty() || !wishes.roles.is_empty();
    if dice.roll() >= share || is_bound || table.splits.is_empty() {
        return Ok(None);
    }
    let mut splits = Vec::with_capacity(table.splits.len());
    for best in &table.splits {
        let mut drawn = best.clone();
        for _ in 0..DRAWS {
            let Some(team) = draw_team(best, wishes, &mut dice) else {
                continue;
            };
            let split = best.with_team(pool, wishes, &team);
            let odds = odds(&split)?;
            if odds.get().max(odds.complement().get()) <= MOST {
                drawn = split;
                break;
            }
        }
        splits.push(drawn);
    }
    Ok(Some(Arc::new(SplitTable {
        splits,
        alternatives: Vec::new(),
    })))
}

/// Draws the players of one team, or returns `None` if the parties drawn first leave seats that no other party fits.
fn draw_team(split: &Split, wishes: &Wishes, dice: &mut Dice) -> Option<Vec<PlayerId>> {
    let mut alone: Vec<PlayerId> = split.a.iter().chain(&split.b).map(|one| one.id).collect();
    let mut groups: Vec<Vec<PlayerId>> = Vec::new();
    for party in &wishes.parties {
        let (members, others) = alone.into_iter().partition(|id| party.contains(id));
        alone = others;
        groups.push(members);
    }
    groups.extend(alone.into_iter().map(|id| vec![id]));
    for (last, choices) in (1..groups.len()).zip(2..) {
        groups.swap(last, dice.below(choices) as usize);
    }
    let mut team = Vec::with_capacity(split.a.len());
    for group in groups {
        if team.len() + group.len() <= split.a.len() {
            team.extend(group);
        }
    }
    (team.len() == split.a.len()).then_some(team)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Rating;
    use crate::partition::{Candidate, Limits, solve};
    use crate::rating::win_probability;

    #[test]
    fn a_probe_draws_other_teams_with_odds_below_the_limit_and_keeps_parties() {
        let id = |account: u32| format!("[U:1:{account}]").parse::<PlayerId>().unwrap();
        let candidates = (1..=12).map(|account| Candidate {
            id: id(account),
            rating: Rating::new(i32::try_from(800 + 50 * account).unwrap()).unwrap(),
        });
        let pool = Pool::new(candidates).unwrap();
        let wishes = Wishes {
            sizes: Some(vec![6]),
            parties: vec![vec![id(12), id(11), id(10)]],
            party_price: 1000,
            ..Wishes::default()
        };
        let table = Arc::new(solve(&pool, &wishes, &Limits::default()));
        let odds = |split: &Split| Ok::<_, ()>(win_probability(split.sum_a, split.sum_b, 600.0));
        let mut leads = Vec::new();
        for seed in 0..200 {
            let probe = draw(&table, (&pool, &wishes), (1.0, seed), odds)
                .unwrap()
                .unwrap();
            let split = &probe.splits[0];
            assert_eq!((split.a.len(), split.b.len()), (6, 6));
            let together = |team: &[Candidate]| {
                let members = team
                    .iter()
                    .filter(|one| wishes.parties[0].contains(&one.id));
                members.count()
            };
            assert!([0, 3].contains(&together(&split.a)), "{split:?}");
            let for_a = odds(split).unwrap().get();
            assert!((0.35..=0.65).contains(&for_a), "{for_a}");
            leads.push(split.difference);
        }
        leads.sort_unstable();
        leads.dedup();
        assert!(leads.len() > 3, "{leads:?}");
        let probes = (0..1000).filter(|seed| {
            let drawn = draw(&table, (&pool, &wishes), (0.1, *seed), odds);
            drawn.unwrap().is_some()
        });
        assert!((60..140).contains(&probes.count()));
        let bound = Wishes {
            apart: vec![[id(1), id(2)]],
            ..wishes.clone()
        };
        assert_eq!(draw(&table, (&pool, &bound), (1.0, 1), odds), Ok(None));
    }
}
