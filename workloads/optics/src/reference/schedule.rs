//! Steps laid down in advance.

use super::pace::Proposal;

/// How far, relative to the length, a restart may miss the boundary of a step.
const BOUNDARY_TOLERANCE: f64 = 1e-9;

/// The steps of a run, each with its end.
#[derive(Clone, Debug)]
pub struct Schedule {
    steps: Vec<Proposal>,
    length_m: f64,
}

impl Schedule {
    /// The schedule of checked steps that end at `length_m`.
    pub fn new(steps_m: &[f64], length_m: f64) -> Self {
        let mut end_m = 0.0;
        let mut steps = Vec::new();
        for step_m in steps_m {
            end_m += step_m;
            steps.push(Proposal {
                step_m: *step_m,
                end_m,
            });
        }
        // The sum is that of the length but for rounding.
        if let Some(last) = steps.last_mut() {
            last.end_m = length_m;
        }
        Schedule { steps, length_m }
    }

    /// Number of the step that begins at `z_m`, and where exactly that is; the number of steps at
    /// the end, and none elsewhere.
    pub fn find(&self, z_m: f64) -> Option<(usize, f64)> {
        let ends = self.steps.iter().map(|step| step.end_m);
        let near = |boundary: f64| (z_m - boundary).abs() <= BOUNDARY_TOLERANCE * self.length_m;
        std::iter::once(0.0)
            .chain(ends)
            .enumerate()
            .find(|(_, boundary)| near(*boundary))
    }

    /// Step `index`.
    pub fn step(&self, index: usize) -> Option<Proposal> {
        self.steps.get(index).copied()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp)]
    use super::*;

    #[test]
    fn steps_end_where_the_next_begins_and_the_last_at_the_end() {
        let schedule = Schedule::new(&[0.1; 10], 1.0);
        assert_eq!(schedule.step(9).map(|step| step.end_m), Some(1.0));
        assert_eq!(schedule.step(10), None);
        let second = Proposal {
            step_m: 0.1,
            end_m: 0.2,
        };
        assert_eq!(schedule.step(1), Some(second));
    }

    #[test]
    fn boundaries_are_found_and_met_exactly() {
        let schedule = Schedule::new(&[0.25, 0.5, 0.25], 1.0);
        assert_eq!(schedule.find(0.0), Some((0, 0.0)));
        assert_eq!(schedule.find(0.25 + 1e-10), Some((1, 0.25)));
        assert_eq!(schedule.find(1.0), Some((3, 1.0)));
        assert_eq!(schedule.find(0.3), None);
    }
}
