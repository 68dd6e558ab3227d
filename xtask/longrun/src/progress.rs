//! Progress of a run on stderr: a bar with the time left on a terminal, plain lines otherwise.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use longrun_protocol::receipt::ProgressEvent;

use crate::output;
use crate::text;

/// How often the bar is drawn anew. Rare: what it shows must not disturb what is measured.
const REDRAW: Duration = Duration::from_secs(1);

/// What is known of the time that a run takes. Pure.
#[derive(Clone, Debug, Default)]
pub struct Forecast {
    estimates_s: Vec<Option<f64>>,
    done: usize,
    /// Estimated and real seconds of what has finished, where there was an estimate.
    finished_s: (f64, f64),
}

impl Forecast {
    /// The forecast of a plan with these estimates.
    pub fn new(estimates_s: Vec<Option<f64>>) -> Self {
        Forecast {
            estimates_s,
            ..Forecast::default()
        }
    }

    /// Notes that the next configuration has finished after `real_s`.
    pub fn finish(&mut self, real_s: f64) {
        if let Some(Some(estimate_s)) = self.estimates_s.get(self.done) {
            self.finished_s.0 += estimate_s;
            self.finished_s.1 += real_s;
        }
        self.done += 1;
    }

    /// Notes that the next one is not run.
    pub fn skip(&mut self) {
        self.done += 1;
    }

    /// Seconds left when the current configuration has been running for `current_s`; `None` if
    /// something that is left has no estimate. Estimates are scaled by how they have held so far.
    pub fn left_s(&self, current_s: f64) -> Option<f64> {
        let left: Option<f64> = self.estimates_s.iter().skip(self.done).copied().sum();
        let scale = match self.finished_s {
            (estimated, real) if estimated > 0.0 => real / estimated,
            _ => 1.0,
        };
        let current = self.estimates_s.get(self.done).copied().flatten();
        let elapsed = current_s.min(current.unwrap_or_default() * scale);
        left.map(|left| (left * scale - elapsed).max(0.0))
    }
}

/// The progress of one run.
pub struct Progress {
    bar: Option<ProgressBar>,
    forecast: Forecast,
    total: usize,
    name: String,
    began: Instant,
}

impl Progress {
    /// Begins to show the progress of a plan with these estimates.
    pub fn begin(estimates_s: Vec<Option<f64>>) -> Self {
        let total = estimates_s.len();
        let bar = stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total.try_into().unwrap_or(u64::MAX));
            let template = "[{pos}/{len}] {bar:24} {elapsed} {wide_msg}";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.enable_steady_tick(REDRAW);
            bar
        });
        Progress {
            bar,
            forecast: Forecast::new(estimates_s),
            total,
            name: String::new(),
            began: Instant::now(),
        }
    }

    /// The next configuration begins.
    pub fn start(&mut self, name: &str) {
        self.name = name.to_owned();
        self.began = Instant::now();
        self.show("");
    }

    /// The worker says where it is.
    pub fn event(&mut self, event: &ProgressEvent) {
        match event {
            ProgressEvent::Phase { name } => self.show(name),
            ProgressEvent::Progress { repeat, fraction } => {
                self.show(&format!("repeat {repeat}, {:.0} %", fraction * 100.0));
            }
        }
    }

    fn show(&self, what: &str) {
        if let Some(bar) = &self.bar {
            let left = self.forecast.left_s(self.began.elapsed().as_secs_f64());
            // The time left comes first: the end of a long line is cut.
            let left = left.map(|left| format!("about {} left, ", text::seconds(left)));
            bar.set_message(format!("{}{} {what}", left.unwrap_or_default(), self.name));
        }
    }

    /// Nothing runs until the next round of processes begins.
    pub fn rest(&mut self) {
        self.began = Instant::now();
        self.name.clear();
        self.show("waiting, so that processes are spread over some time");
    }

    /// What is current has finished.
    pub fn pass(&mut self) {
        self.forecast.finish(self.began.elapsed().as_secs_f64());
        self.advance();
    }

    /// What would come next is not run.
    pub fn skip(&mut self) {
        self.forecast.skip();
        self.advance();
    }

    fn advance(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    /// One line about `name`.
    pub fn say(&self, name: &str, outcome: &str) {
        let line = format!("[{}/{}] {name} {outcome}", self.forecast.done, self.total);
        match &self.bar {
            Some(bar) => bar.println(&line),
            None => output::note(&line),
        }
    }

    /// Takes the bar away.
    pub fn end(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp)]
    use super::*;

    #[test]
    fn what_is_left_shrinks_with_what_is_done() {
        let mut forecast = Forecast::new(vec![Some(10.0), Some(20.0)]);
        assert_eq!(forecast.left_s(0.0), Some(30.0));
        assert_eq!(forecast.left_s(4.0), Some(26.0));
        forecast.finish(10.0);
        assert_eq!(forecast.left_s(5.0), Some(15.0));
    }

    #[test]
    fn a_machine_twice_as_slow_doubles_what_is_left() {
        let mut forecast = Forecast::new(vec![Some(10.0), Some(20.0)]);
        forecast.finish(20.0);
        assert_eq!(forecast.left_s(0.0), Some(40.0));
    }

    #[test]
    fn a_configuration_that_overruns_leaves_the_others() {
        let forecast = Forecast::new(vec![Some(10.0), Some(20.0)]);
        assert_eq!(forecast.left_s(99.0), Some(20.0));
    }

    #[test]
    fn what_is_not_run_takes_no_time_and_says_nothing_of_the_machine() {
        let mut forecast = Forecast::new(vec![Some(10.0), Some(10.0), Some(10.0)]);
        forecast.finish(20.0);
        forecast.skip();
        assert_eq!(forecast.left_s(0.0), Some(20.0));
    }

    #[test]
    fn an_unknown_estimate_makes_what_is_left_unknown() {
        let mut forecast = Forecast::new(vec![None, Some(20.0)]);
        assert_eq!(forecast.left_s(0.0), None);
        forecast.finish(3.0);
        assert_eq!(forecast.left_s(0.0), Some(20.0));
    }
}
