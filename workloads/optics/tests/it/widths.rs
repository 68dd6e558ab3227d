//! What a run computes does not depend on how many threads compute it.

use longrun_optics::case::{Case, Problem};
use longrun_optics::engine::Counts;
use longrun_optics::witness::relative_l2;
use longrun_protocol::Size;

use crate::reference::{assert_all_cases, for_each_case, integration, native_at, run, steppers};
use crate::registry::{any_case, entry};

/// More steps than a case at size `smoke` takes, but for the longest of the multistep methods.
const STEPS_MAX: i64 = 3000;

for_each_case!(on_one_thread_and_on_two_a_run_is_the_same, super::is_the_same,
    gnlse_raman_shock gnlse_soliton gnlse_dudley_8192 gnlse_soliton_noise gnlse_soliton_fixed
    gnlse_self_frequency_shift rdw he_rdw_averaged argon_blueshift argon_blueshift_averaged
    argon_blueshift_envelope h2_raman_averaged ctc grin_nonlinear radial_filament_256
    kerr_beam_384 kerr_beam_192);

#[test]
fn every_case_of_the_registry_is_run_at_both_widths() {
    assert_all_cases(on_one_thread_and_on_two_a_run_is_the_same::CASES);
}

/// Whether the state is small and meets itself at one node: then a team shares its planes, which
/// these runs have none of.
fn steps_are_the_leaders(case: &Case) -> bool {
    match case.problem() {
        Problem::Gnlse(_) => false,
        Problem::Guided(problem) => problem.nodes == 1,
        Problem::Cartesian(_) => false,
    }
}

fn is_the_same(name: &str) {
    let (case, entry) = (any_case(name, Size::Smoke), entry(name));
    for stepper in steppers(&entry) {
        let integration = integration(&case, stepper);
        let [one, two] = [1, 2].map(|threads| {
            let outcome = run(&case, native_at(threads, &case, &integration), STEPS_MAX);
            let expected = if steps_are_the_leaders(&case) {
                1
            } else {
                threads
            };
            let observed = outcome.counts.threads_observed;
            assert_eq!(observed, u64::from(expected), "{name} {stepper}");
            outcome
        });
        let of = |c: &Counts| (c.accepted, c.rejected, c.evaluations, c.absorptions);
        assert_eq!(of(&one.counts), of(&two.counts), "{name} {stepper}");
        // Norms are summed in a shape that does not depend on the threads, and so are nodes.
        let differ = |(a, b): (&f64, &f64)| (a / b - 1.0).abs();
        let steps = one.steps_m.iter().zip(&two.steps_m);
        let most = steps.map(differ).fold(0.0, f64::max);
        assert!(most < 1e-6, "{name} {stepper}: {most:e}");
        let apart = relative_l2(&one.state, &two.state).unwrap();
        let bound = if entry.chaotic { 1e-6 } else { 1e-12 };
        assert!(apart < bound, "{name} {stepper}: {apart:e}");
    }
}
