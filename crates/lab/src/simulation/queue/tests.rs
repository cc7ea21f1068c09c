use super::scenario::GIVE_UP_SECONDS;
use super::*;
use rbs::matchmaking::{MatchPolicies, MatchPolicy};

fn policy(name: &str) -> MatchPolicy {
    let policies = MatchPolicies::built_in().unwrap();
    *policies.named(&name.parse().unwrap()).unwrap()
}

fn queued(matcher: Matcher) -> Queued {
    let scenario = QueueScenario::of(150).unwrap().with_days(2);
    simulate_queue(&scenario, &matcher, 1).unwrap()
}

#[test]
fn matches_of_the_service_are_more_even_than_those_that_take_as_long() {
    let service = queued(Matcher::Service(policy("standard")));
    let windows = Trade::new([(50.0, 50.0), (100.0, 200.0), (400.0, 1600.0)].map(
        |(points, a_minute)| {
            let windows = queued(Matcher::Windows {
                points,
                points_a_minute: a_minute,
            });
            assert_eq!(windows.parties_kept, 1.0);
            (windows.mean_wait, windows.imbalance)
        },
    ));
    let at_wait = windows.at_wait(service.mean_wait).unwrap_or(0.5);
    assert!(service.imbalance < at_wait, "{service:?} {windows:?}");
    assert_eq!(service.parties_kept, 1.0);
    assert!((0.0..1.0).contains(&service.left) && service.mean_wait <= service.p95_wait);
}

#[test]
fn who_waits_for_more_players_waits_longer() {
    let [soon, late] = [8, 16].map(|waiting| queued(Matcher::FirstCome { waiting }));
    assert!(soon.mean_wait < late.mean_wait, "{soon:?} {late:?}");
    assert!(late.p95_wait <= f64::from(GIVE_UP_SECONDS));
    assert!(soon.left < late.left, "{soon:?} {late:?}");
}

#[test]
fn parties_are_only_cut_where_that_is_meant() {
    let [whole, cut] = [false, true].map(|cuts_parties| {
        queued(Matcher::Sorted {
            every_seconds: 60,
            cuts_parties,
        })
    });
    assert_eq!(whole.parties_kept, 1.0);
    assert!((0.0..0.5).contains(&cut.parties_kept), "{cut:?}");
    // Players who queue alone can be divided in any way.
    assert!(cut.imbalance < whole.imbalance, "{cut:?} {whole:?}");
}

#[test]
fn narrow_windows_have_likes_meet_likes_and_take_longer() {
    let [narrow, wide] = [25.0, 1_000.0].map(|points| {
        queued(Matcher::Windows {
            points,
            points_a_minute: points,
        })
    });
    assert!(narrow.spread < wide.spread, "{narrow:?} {wide:?}");
    assert!(narrow.mean_wait > wide.mean_wait, "{narrow:?} {wide:?}");
}

#[test]
fn what_cannot_be_played_is_refused() {
    assert!(QueueScenario::of(19).is_err());
    assert!(QueueScenario::of(MAX_MEMBERS + 1).is_err());
    let scenario = QueueScenario::of(20).unwrap().with_days(1);
    let never = Matcher::FirstCome { waiting: 1_000 };
    let error = simulate_queue(&scenario, &never, 1)
        .unwrap_err()
        .to_string();
    assert_eq!(error, "had no match at all; give it more members or days");
}
