//! What a multistep method remembers: slopes at the ends of the last steps.

use std::collections::VecDeque;

use super::fields::Field;

/// Slopes, the newest first, each with the distance that the position has moved on since, in m.
pub struct History {
    order: usize,
    entries: VecDeque<(f64, Field)>,
}

impl History {
    /// A history of at most `order` slopes: the order of the predictor, once there are as many.
    pub fn new(order: usize) -> Self {
        History {
            order,
            entries: VecDeque::new(),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The order of the predictor now: the number of slopes.
    pub fn order(&self) -> u32 {
        // A handful.
        u32::try_from(self.entries.len()).unwrap_or(u32::MAX)
    }

    /// Where the slopes lie in a step of `h` metres that begins at the newest: 0 and below.
    pub fn nodes(&self, h: f64) -> Vec<f64> {
        let node = |(behind, _): &(f64, Field)| -behind / h;
        self.entries.iter().map(node).collect()
    }

    /// The slopes, in the order of the nodes.
    pub fn slopes(&self) -> impl Iterator<Item = &Field> {
        self.entries.iter().map(|(_, slope)| slope)
    }

    /// Moves on by `h` metres to where `slope` is.
    pub fn push(&mut self, h: f64, slope: Field) {
        for (behind, _) in &mut self.entries {
            *behind += h;
        }
        self.entries.push_front((0.0, slope));
        self.entries.truncate(self.order);
    }
}
