//! How many stretches a run has room for, and how long they are: pure arithmetic.

use longrun_protocol::duet::CheckpointPlan;

/// Least segments of each side in one duet process.
const SEGMENTS_MIN: u32 = 8;

/// Least steps after a restart before anything is timed: a predictor of order 5 has its order.
pub const WARM_UP_STEPS_MIN: u32 = 8;

/// Steps of the run over which a warm-up is reckoned to go: on a schedule the least number, else
/// less, as steps after a restart are short. Measured: 4 in `gnlse_raman_shock`.
const WARM_UP_SHARE_STEPS: u64 = 10;

/// Part of its share of the run that a stretch may fill: steps differ along a guide.
const FILL: f64 = 0.8;

/// Part of the time of a process's segments that its warm-ups may take.
const WARM_UP_FILL: f64 = 0.5;

/// What is known of a run that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Steps accepted.
    pub accepted: u64,
    /// Source evaluations.
    pub evaluations: u64,
    /// Median time of one accepted step, ns.
    pub step_ns: u64,
}

/// The shape of all stretches of a guide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Stretches.
    pub stretches: u32,
    /// Stretches that one process visits.
    pub visited: u32,
    /// Segments of each: an even number.
    pub segments: u32,
    /// Accepted steps of each segment.
    pub steps: u32,
}

impl Layout {
    /// As many stretches as are asked for, or as fit; then as many segments as fill a process, or
    /// as fit. A short run is spread over its guide before its processes are made long.
    pub fn of(plan: &CheckpointPlan, run: Summary) -> Result<Self, String> {
        let step_ns = run.step_ns.max(1);
        let steps = u32::try_from(plan.segment_ns.div_ceil(step_ns)).unwrap_or(u32::MAX);
        let steps = steps.max(1);
        let pair_ns = u128::from(step_ns) * u128::from(steps) * 2;
        let worth = worth_visiting(plan, step_ns);
        for stretches in (1..=plan.count).rev() {
            let visited = worth.min(stretches);
            let least = even_up(SEGMENTS_MIN.div_ceil(visited));
            let process_pair_ns = pair_ns * u128::from(visited);
            let wanted = u128::from(plan.process_ns).div_ceil(process_pair_ns);
            let wanted = even_up(u32::try_from(wanted).unwrap_or(u32::MAX - 1));
            let room = room(run.accepted, stretches, steps);
            if room >= least {
                return Ok(Layout {
                    stretches,
                    visited,
                    segments: wanted.clamp(least, even_down(room)),
                    steps,
                });
            }
        }
        let due = SEGMENTS_MIN as u64 * u64::from(steps) + WARM_UP_SHARE_STEPS;
        Err(format!(
            "failed to lay down a stretch: the run has {} accepted steps, and {SEGMENTS_MIN} \
             segments with their warm-up take {due}, in at most {:.0} % of a run; run a longer \
             part of the guide, or compare whole runs in pairs of processes",
            run.accepted,
            100.0 * FILL
        ))
    }

    /// Evaluations of the run at which each stretch is to begin, so that it lies in the middle of
    /// its share. Ascending.
    pub fn starts(self, run: Summary) -> Vec<u64> {
        let steps = u64::from(self.segments) * u64::from(self.steps) + WARM_UP_SHARE_STEPS;
        let half = steps as f64 / (2.0 * run.accepted.max(1) as f64);
        let start = |index: u32| {
            let middle = (f64::from(index) + 0.5) / f64::from(self.stretches);
            // Not negative, and below the number of evaluations.
            ((middle - half).max(0.0) * run.evaluations as f64) as u64
        };
        (0..self.stretches).map(start).collect()
    }
}

/// How many stretches a process should visit. Each begins with a warm-up of both sides that is not
/// timed: where steps are long, a process that visits many is mostly warm-up, and more processes
/// see more of the guide for the same time.
fn worth_visiting(plan: &CheckpointPlan, step_ns: u64) -> u32 {
    let warm_up_ns = 2.0 * WARM_UP_SHARE_STEPS as f64 * step_ns as f64;
    let fitting = WARM_UP_FILL * plan.process_ns as f64 / warm_up_ns;
    // Truncation takes the whole warm-ups that fit; the cast saturates.
    (fitting as u32).clamp(1, plan.visited.max(1))
}

/// Segments that fit into one share of a run.
fn room(accepted: u64, stretches: u32, steps: u32) -> u32 {
    // Truncation takes the whole steps that fit.
    let share = (accepted as f64 * FILL / f64::from(stretches)) as u64;
    let segments = share.saturating_sub(WARM_UP_SHARE_STEPS) / u64::from(steps);
    u32::try_from(segments).unwrap_or(u32::MAX - 1)
}

fn even_up(number: u32) -> u32 {
    number.next_multiple_of(2)
}

fn even_down(number: u32) -> u32 {
    number & !1
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn plan(count: u32, visited: u32, segment_ns: u64, process_ns: u64) -> CheckpointPlan {
        CheckpointPlan {
            file: "states.npy".into(),
            count,
            visited,
            segment_ns,
            process_ns,
        }
    }

    fn run(accepted: u64, step_ns: u64) -> Summary {
        Summary {
            accepted,
            evaluations: 2 * accepted + 1,
            step_ns,
        }
    }

    #[test]
    fn segments_are_long_enough_and_fill_a_process() {
        let table = [
            // A step is longer than a segment need be: one step, 0.2 s in 2 stretches.
            (
                (16, 4, 1_000_000, 200_000_000),
                (8000, 2_400_000),
                (16, 22, 1),
            ),
            // Steps of 0.3 ms: four make a millisecond; 21 segments are wanted, and 22 even.
            (
                (16, 4, 1_000_000, 200_000_000),
                (8000, 300_000),
                (16, 22, 4),
            ),
            // A process that has no time still has eight segments a side.
            ((16, 4, 1_000_000, 1), (8000, 300_000), (16, 8, 4)),
            ((16, 1, 1_000_000, 1), (8000, 300_000), (16, 8, 4)),
            ((16, 3, 1_000_000, 15_000_000), (8000, 300_000), (16, 8, 4)),
            // A clock without resolution does not divide by nothing.
            ((1, 1, 1, 20), (8000, 0), (1, 10, 1)),
        ];
        for ((count, visited, segment_ns, process_ns), (accepted, step_ns), due) in table {
            let plan = plan(count, visited, segment_ns, process_ns);
            let layout = Layout::of(&plan, run(accepted, step_ns)).unwrap();
            let found = (layout.stretches, layout.segments, layout.steps);
            assert_eq!(found, due, "{plan:?}");
        }
    }

    #[test]
    fn a_process_of_long_steps_visits_fewer_stretches() {
        let plan = plan(16, 4, 1_000_000, 200_000_000);
        for (step_ns, visited) in [
            (1_000_000, 4),
            (1_300_000, 3),
            (2_400_000, 2),
            (90_000_000, 1),
        ] {
            let layout = Layout::of(&plan, run(8000, step_ns)).unwrap();
            assert_eq!(layout.visited, visited, "{step_ns}");
        }
    }

    #[test]
    fn a_short_run_has_fewer_segments_and_then_fewer_stretches() {
        let plan = plan(16, 4, 1_000_000, 200_000_000);
        let table = [
            (2000, (16, 22, 4)),
            (1000, (16, 10, 4)),
            (500, (16, 2, 4)),
            (200, (8, 2, 4)),
            (100, (4, 2, 4)),
            (53, (1, 8, 4)),
        ];
        for (accepted, due) in table {
            let layout = Layout::of(&plan, run(accepted, 250_000)).unwrap();
            let found = (layout.stretches, layout.segments, layout.steps);
            assert_eq!(found, due, "{accepted}");
        }
        let reason = Layout::of(&plan, run(52, 250_000)).unwrap_err();
        assert!(reason.contains("52 accepted steps"), "{reason}");
    }

    #[test]
    fn stretches_lie_in_the_middle_of_equal_shares_and_inside_the_run() {
        let plan = plan(8, 2, 1_000_000, 50_000_000);
        for accepted in [300, 801, 5000, 100_000] {
            let run = run(accepted, 400_000);
            let layout = Layout::of(&plan, run).unwrap();
            let starts = layout.starts(run);
            assert_eq!(starts.len(), 8);
            let share = run.evaluations as f64 / 8.0;
            let steps = u64::from(layout.segments * layout.steps) + WARM_UP_SHARE_STEPS;
            for (index, start) in starts.iter().enumerate() {
                let end = start + 2 * steps;
                let begins = share * index as f64;
                assert!(*start as f64 >= begins, "{accepted} {index}");
                assert!((end as f64) < begins + share, "{accepted} {index}");
                let off = (start + end) as f64 / 2.0 - (begins + share / 2.0);
                assert!(off.abs() < 2.0, "{accepted} {index}: {off}");
            }
        }
    }
}
