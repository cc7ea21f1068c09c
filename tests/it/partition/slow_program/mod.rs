//! A dynamic program over all wishes except `recent`: simple, slow, and independent of the exact method except for the
//! idea.
//!
//! Players are seated one after another. The state consists of the number of players on each team, the difference, and
//! the state of every link (a party, a pair or a role) with unseated members. For each state of the links, a dense
//! table holds the minimum cost by counts and difference.

mod links;
mod prices;
mod tables;

use std::collections::BTreeMap;

use super::merits::{Case, Merits, Order};
use links::{LinkState, advance, links, order_of_players};
use prices::{Cost, Prices, UNREACHABLE, merits_of};
use tables::{Bound, Scaled, Table, extend};

/// Seats of each player that keep the hard wishes, or violate as few as possible.
fn open_seats(case: &Case, size: usize) -> Vec<Vec<i64>> {
    if !case.bench {
        return vec![vec![1, -1]; case.players()];
    }
    let anchored = |player: usize| player == 0 && case.is_anchored(size);
    let compulsory = |player: usize| case.must_play[player] || anchored(player);
    let playing = (0..case.players())
        .filter(|player| compulsory(*player))
        .count();
    let waiting = case.must_wait.iter().filter(|must| **must).count();
    let seats = |player: usize| {
        if anchored(player) {
            vec![1, -1]
        } else if playing > 2 * size {
            // Too few places for all players who must play.
            if compulsory(player) {
                vec![1, -1, 0]
            } else {
                vec![0]
            }
        } else if case.players() - waiting < 2 * size {
            // Too few players without those who must wait.
            if case.must_wait[player] {
                vec![1, -1, 0]
            } else {
                vec![1, -1]
            }
        } else if compulsory(player) {
            vec![1, -1]
        } else if case.must_wait[player] {
            vec![0]
        } else {
            vec![1, -1, 0]
        }
    };
    (0..case.players()).map(seats).collect()
}

/// Minimum cost of every difference in points up to `limit`; `None` if the tables exceed the maximum number of cells.
fn least_costs(
    case: &Case,
    (target, seats): ((usize, usize), &[Vec<i64>]),
    limit: i64,
    priced: Option<&Prices>,
    most_cells: usize,
) -> Option<BTreeMap<i64, Cost>> {
    let scaled = Scaled::new(&case.points);
    let links = priced.map_or_else(Vec::new, |prices| links(case, prices));
    let players = order_of_players(&scaled.x, &links);
    let mut start = Table::new((0, 0), 0);
    start.costs[0] = priced.map_or(0, |prices| prices.of_empty_roles(case));
    let mut cells = 0;
    let mut tables = BTreeMap::from([(vec![LinkState::Idle; links.len()], start)]);
    for (step, &player) in players.iter().enumerate() {
        let bound = Bound::new(&scaled, seats, &players[step + 1..], target, limit);
        let most = (target.0.min(step + 1), target.1.min(step + 1));
        let reach = scaled.reach(&players[..=step], target).min(bound.widest);
        let mut next: BTreeMap<Vec<LinkState>, Table> = BTreeMap::new();
        for (states, table) in &tables {
            for &seat in &seats[player] {
                let (states, cost) = priced.map_or((states.clone(), 0), |prices| {
                    let (states, cost) = advance(
                        &links,
                        states,
                        (&players[..step], player, seat),
                        (case, prices),
                    );
                    (states, cost + prices.of_seat(case, player, seat))
                });
                let into = next
                    .entry(states)
                    .or_insert_with(|| Table::new(most, reach));
                extend(
                    table,
                    into,
                    (seat, scaled.x[player] * seat, cost),
                    (target, &bound),
                );
            }
            if cells + next.len() * Table::cells(most, reach) > most_cells {
                return None;
            }
        }
        cells += next.len() * Table::cells(most, reach);
        tables = next;
    }
    let mut least: BTreeMap<i64, Cost> = BTreeMap::new();
    for table in tables.values().filter(|table| table.most == target) {
        for d in -table.reach..=table.reach {
            let cost = table.costs[table.at(target, d)];
            if cost < UNREACHABLE {
                let (a, b) = (
                    i64::try_from(target.0).unwrap(),
                    i64::try_from(target.1).unwrap(),
                );
                let difference = (scaled.base * (a - b) + scaled.unit * d).abs();
                let known = least.entry(difference).or_insert(cost);
                *known = cost.min(*known);
            }
        }
    }
    Some(least)
}

/// Like [`least_costs`], for both cases of uneven teams: either team may be larger by one.
fn costs_of_all(
    case: &Case,
    size: usize,
    limit: i64,
    priced: Option<&Prices>,
    most_cells: usize,
) -> Option<BTreeMap<i64, Cost>> {
    let (a, b) = case.team_sizes(size);
    let seats = open_seats(case, size);
    let mut least = least_costs(case, ((a, b), &seats), limit, priced, most_cells)?;
    if a != b {
        for (difference, cost) in least_costs(case, ((b, a), &seats), limit, priced, most_cells)? {
            let known = least.entry(difference).or_insert(cost);
            *known = cost.min(*known);
        }
    }
    Some(least)
}

/// Minimum difference under the hard wishes; `None` if its tables exceed the maximum number of cells.
pub fn least_difference(case: &Case, size: usize, most_cells: usize) -> Option<i64> {
    let mut limit = 16;
    loop {
        let differences = costs_of_all(case, size, limit, None, most_cells)?;
        if let Some((&least, _)) = differences.first_key_value() {
            return Some(least);
        }
        limit *= 4;
    }
}

/// Merits of the best split of `size`; `None` if the tables of a run exceed the maximum number of cells.
pub fn best(case: &Case, size: usize, most_cells: usize) -> Option<Merits> {
    let cheapest = |costs: &BTreeMap<i64, Cost>, limit: i64, order: Order| {
        let merits =
            |difference: &i64, cost: &Cost| merits_of(case, order, *cost, *difference, size);
        let within = || costs.range(..=limit);
        let (difference, cost) = within().min_by_key(|(_, cost)| **cost)?;
        let first = merits(difference, cost).first_key(order);
        // The wishes after the newcomers choose from the closest of the remaining splits.
        let mut served = within()
            .filter(|(difference, cost)| merits(difference, cost).first_key(order) == first);
        let limit = limit.min(served.next()?.0 + case.tolerance);
        let within = costs.range(..=limit);
        let (difference, cost) = within.min_by_key(|(difference, cost)| (**cost, **difference))?;
        Some(merits(difference, cost))
    };
    let tolerated = least_difference(case, size, most_cells)? + case.first_tolerance;
    let paid_for = tolerated + case.party_price;
    if !case.parties.is_empty() && case.party_price > 0 {
        let order = Order::PartiesFirst;
        let prices = Prices::new(case, order);
        let costs = costs_of_all(case, size, paid_for, Some(&prices), most_cells)?;
        let fewest = cheapest(&costs, paid_for, order)?.split_parties;
        if fewest < cheapest(&costs, tolerated, order)?.split_parties {
            let splits_fewest = |(difference, cost): &(&i64, &Cost)| {
                merits_of(case, order, **cost, **difference, size).split_parties == fewest
            };
            let (kept, _) = costs.iter().find(splits_fewest)?;
            return cheapest(&costs, paid_for.min(kept + case.first_tolerance), order);
        }
    }
    let order = Order::TurnsFirst;
    let prices = Prices::new(case, order);
    let costs = costs_of_all(case, size, tolerated, Some(&prices), most_cells)?;
    cheapest(&costs, tolerated, order)
}
