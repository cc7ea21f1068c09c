//! The figures in docs/ratings.md match the code.

use rbs::domain::{Presence, Probability, Rating, Score};
use rbs::rating::{
    Parameters, Standing, Totals, TotalsStep, Window, boundaries, brier_term, k_factor, new_rating,
    participation_weight, rate, theta_for_team_size, win_probability,
};

const PAGE: &str = include_str!("../../../docs/ratings.md");

/// The page as one line, independent of line breaks.
fn page() -> String {
    PAGE.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn shows(text: &str) {
    assert!(page().contains(text), "docs/ratings.md lacks: {text}");
}

fn rating(points: i32) -> Rating {
    Rating::new(points).expect("a rating")
}

/// Window of these rounds: the rating after each, the win probability and the score.
fn window(rounds: &[(i32, f64, Score)]) -> Window {
    let mut totals = vec![Totals::default()];
    for (after, expected, score) in rounds {
        let expected = Probability::new(*expected).expect("a probability");
        let step = TotalsStep::of(rating(*after), expected, *score);
        totals.push(totals[totals.len() - 1].with(step));
    }
    let rounds = u32::try_from(rounds.len()).expect("few");
    let ends = boundaries(rounds.into(), rounds, Parameters::default().window);
    let at = |entry: u64| totals[usize::try_from(entry).expect("few")];
    let (start, old_end, new_start) = (at(ends.start), at(ends.old_end), at(ends.new_start));
    Window::between(ends, start, old_end, new_start, at(rounds.into()))
}

#[test]
fn the_worked_round_is_what_the_code_computes() {
    let parameters = Parameters::default();
    let for_a = win_probability(1100 + 1000, 1500 + 1000, parameters.theta);
    shows(&format!(
        "so P_A = 1 / (1 + e^0.1667) = {:.4}.",
        for_a.get()
    ));
    let anns = window(&[
        (1040, 0.50, Score::WIN),
        (1080, 0.52, Score::WIN),
        (1120, 0.54, Score::WIN),
        (1100, 0.56, Score::LOSS),
    ]);
    shows(&format!("√(3500 / 4) = {:.2}:", anns.deviation()));
    for (name, points, window, of_a) in [
        ("Ann", 1100, anns, true),
        ("Ben", 1000, window(&[]), true),
        ("Cid", 1500, window(&[]), false),
        ("Dee", 1000, window(&[]), false),
    ] {
        let standing = Standing {
            rating: rating(points),
            rounds: window.length(),
            window,
            since_return: None,
        };
        let (expected, score) = if of_a {
            (for_a, Score::WIN)
        } else {
            (for_a.complement(), Score::LOSS)
        };
        let rated = rate(&standing, expected, score, 1.0, &parameters);
        let c = rated.convergence;
        if name == "Ann" {
            shows(&format!("v_vel = 50 / 72 = {:.4}.", c.velocity));
            shows(&format!("v_wre = 0.22 / 0.1 = {:.1}.", c.win_rate_excess));
            shows(&format!("v_vol = 29.58 / 72 = {:.4}.", c.volatility));
            shows(&format!("+ 0.5 × 0.4108 = {:.4}.", c.score));
        }
        let g = (rated.k - parameters.k_min) / (parameters.k_max - parameters.k_min) / c.score;
        let surplus = score.value() - expected.get();
        let sum = f64::from(points) + rated.k * surplus;
        let surplus = format!("{surplus:+.4}").replace('-', "−");
        shows(&format!(
            "| {name} | {points} | {:.4} | {g:.4} | {:.4} | {surplus} | {sum:.4} | {} |",
            c.score, rated.k, rated.rating
        ));
    }
    let term = brier_term(for_a, Score::WIN);
    shows(&format!("(0.4584 − 1)² = {term:.4}:"));
}

#[test]
fn the_single_figures_are_what_the_code_computes() {
    let sizes = [1, 2, 3, 6, 9, 12];
    let cells = |of: &dyn Fn(u32) -> String| sizes.map(of).join(" | ");
    shows(&format!("| k | {} |", cells(&|size| size.to_string())));
    let thetas = cells(&|size| theta_for_team_size(size).to_string());
    shows(&format!("| Θ | {thetas} |"));
    let parameters = Parameters::default();
    let odds = win_probability(1400, 1000, 400.0).get();
    shows(&format!("here of e to 1 ({:.1} %)", 100.0 * odds));
    // Elo's curve, with its odds of 10 to 1.
    let elo = win_probability(1400, 1000, 173.7).get();
    assert!((elo - 10.0 / 11.0).abs() < 1e-4, "{elo}");
    // The sum is rounded, with halves to even.
    for before in [1001, 1002] {
        let (half, win) = (Probability::HALF, Score::WIN);
        let after = new_rating(rating(before), 1.0, half, win, 1, &parameters);
        assert_eq!(after, rating(1002), "{before}");
    }
    shows("1001 + 0.5 is 1002, and so is 1002 + 0.5.");
    let k = k_factor(rating(1700), 1.0, &parameters);
    let g = (k - parameters.k_min) / (parameters.k_max - parameters.k_min);
    shows(&format!("set to 1700 moves by {k:.0} points at most"));
    shows(&format!("G is {g:.2} there."));
    let first = Presence::from_the_start(600, 1800).expect("a part");
    let last = Presence::until_the_end(600, 1800).expect("a part");
    for (presence, weight) in [(first, 4.0), (last, 1.0)] {
        let found = participation_weight(presence, 600);
        assert!((found - weight / 7.0).abs() < 1e-12, "{found}");
    }
    shows("the first third weighs 4/7, the last 1/7, and the whole 1.");
}
