use std::collections::BTreeMap;

use super::brief::Brief;
use super::exact::least_differences;
use super::greedy::greedy;
use super::split::{Method, Split};
use super::wishes::Wishes;
use super::work::Work;

/// No wishes but for the anchor, who decides what can be had at all.
pub(super) fn without_wishes(brief: &Brief<'_>) -> Wishes {
    Wishes {
        anchor: brief.wishes.anchor,
        spread: false,
        ..Wishes::default()
    }
}

/// Looks up what the differences would be without any wishes, where those are hard; soft ones
/// leave that to be seen on the way.
pub(super) fn compare_with_none(brief: &Brief<'_>, splits: &mut [Split], work: Work) {
    // Without the wishes no difference is greater, and none is below 0; but if the best player is told
    // to wait, it is without them that he must play.
    let is_freed = brief.wishes.anchor && brief.anchor != Some(0);
    let bests = splits
        .iter()
        .map(|split| (split.size, split.outcome.best_difference));
    let at_most: BTreeMap<usize, u64> = bests.filter(|_| !is_freed).collect();
    let at_most = |size| at_most.get(&size).copied();
    // Where everybody plays, hard wishes close no seats.
    let is_free = |split: &Split| split.method == Method::Exact && split.waiting.is_empty();
    let open = splits
        .iter()
        .filter(|split| at_most(split.size) != Some(0) && !is_free(split));
    let sizes: Vec<usize> = open.map(|split| split.size).collect();
    if sizes.is_empty() {
        return;
    }
    let none = without_wishes(brief);
    let least = least_differences(&Brief::new(brief.pool, &none), &sizes, at_most, work);
    for split in splits
        .iter_mut()
        .filter(|split| sizes.contains(&split.size))
    {
        let without = || greedy(brief.pool, split.size, &none).map(|found| found.difference);
        let least = least.get(&split.size).copied().or_else(without);
        if let Some(least) = least.into_iter().chain(at_most(split.size)).min() {
            split.outcome.best_difference = least;
        }
    }
}
