use crate::balance::sums::Item;

/// Improves a selection of players or parties by hill climbing, if exact tables of weight sums would be too large.
/// Repeats the best step until no step improves the score.
///
/// A step exchanges a selected item for an unselected item of its group. If `may_change_count` is set, the number of
/// selected players may change, and a step may add or drop a single item. `score` rates a selection by its number of
/// players and its total weight in billionths of a point; lower is better. Of equally good steps, the first is taken.
pub(crate) fn climb<K: Ord>(
    items: &[(usize, Item)],
    chosen: &mut [bool],
    may_change_count: bool,
    score: impl Fn(usize, i64) -> K,
) -> K {
    let total = |chosen: &[bool]| {
        let taken = items.iter().zip(chosen).filter(|(_, chosen)| **chosen);
        taken.fold((0_usize, 0_i64), |(players, sum), ((_, item), _)| {
            (players + item.players, sum + item.value)
        })
    };
    let (mut players, mut sum) = total(chosen);
    let mut best = score(players, sum);
    loop {
        let mut step: Option<(K, [Option<usize>; 2])> = None;
        let mut consider = |players: usize, sum: i64, changed: [Option<usize>; 2]| {
            let key = score(players, sum);
            let bar = step.as_ref().map_or(&best, |(key, _)| key);
            if key < *bar {
                step = Some((key, changed));
            }
        };
        for (place, (group, item)) in items.iter().enumerate() {
            if may_change_count {
                if chosen[place] {
                    consider(
                        players - item.players,
                        sum - item.value,
                        [Some(place), None],
                    );
                } else {
                    consider(
                        players + item.players,
                        sum + item.value,
                        [Some(place), None],
                    );
                }
            }
            if !chosen[place] {
                continue;
            }
            for (other, (of, taken)) in items.iter().enumerate() {
                let is_open = !chosen[other] && of == group;
                if is_open && (may_change_count || taken.players == item.players) {
                    let players = players - item.players + taken.players;
                    consider(
                        players,
                        sum - item.value + taken.value,
                        [Some(place), Some(other)],
                    );
                }
            }
        }
        let Some((key, changed)) = step else {
            return best;
        };
        for place in changed.into_iter().flatten() {
            chosen[place] = !chosen[place];
        }
        (players, sum) = total(chosen);
        best = key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_where_no_step_is_better() {
        let item = |group, value| (group, Item { players: 1, value });
        let items = [
            item(0, 1),
            item(0, 2),
            item(0, 4),
            item(1, 100),
            item(1, 50),
        ];
        let mut chosen = [true, false, false, true, false];
        // One selected item in each group stays one in each group.
        let key = climb(&items, &mut chosen, false, |players, sum| {
            assert_eq!(players, 2);
            (sum - 53).abs()
        });
        assert_eq!((key, chosen), (1, [false, true, false, false, true]));
        let key = climb(&items, &mut chosen, true, |_, sum| (sum - 7).abs());
        assert_eq!((key, chosen), (0, [true, true, true, false, false]));
    }
}
