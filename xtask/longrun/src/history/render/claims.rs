//! What stands out of the noise of earlier runs, in words.

use super::words;
use crate::history::case::Point;
use crate::history::compare::{Claims, RunLine};
use crate::history::suspect::{Judged, ROWS_MIN, Standing, Suspicion};
use crate::text;

/// Configurations of a run that have a line of their own; more are counted.
const NAMED_MAX: usize = 3;

/// Lines below a run: what stands out, and by which noise. `before` are the runs before it.
pub fn of_run(line: &RunLine, before: &[RunLine]) -> Vec<String> {
    let suspects = &line.claims.suspects;
    let named = suspects.iter().take(NAMED_MAX).filter_map(|suspect| {
        let out = |line: &&RunLine| {
            let mut suspects = line.claims.suspects.iter();
            suspects.any(|other| other.configuration == suspect.configuration)
        };
        let old = before.iter().rev().find(|line| !out(line));
        let next = next_step(old.map(|line| line.commit.as_str()), &line.commit);
        let found = standing_out(&suspect.suspicion, &next)?;
        Some(format!("{}: {found}", suspect.configuration))
    });
    let mut lines: Vec<String> = named.collect();
    let more = suspects.len().saturating_sub(NAMED_MAX);
    if more > 0 {
        let more = text::counted(more, "more configuration");
        lines.push(format!("{more} stand out: see --json"));
    }
    lines
}

/// What the last run of a table could and could not say.
pub fn of_table(last: &RunLine) -> String {
    let Claims {
        judged,
        too_few_rows,
        unknown,
        smallest_steps,
        ..
    } = last.claims;
    let mut parts = Vec::new();
    let all = judged + too_few_rows + unknown;
    let of_all = |count: usize| format!("{count} of {all} configurations");
    if let Some([least, most]) = smallest_steps {
        let judged = of_all(judged);
        let seen = match percent(least) == percent(most) {
            true => percent(least),
            false => format!("{} to {}", percent(least), percent(most)),
        };
        parts.push(format!("{judged} judged, by steps from {seen} on"));
    }
    if too_few_rows > 0 {
        let few = of_all(too_few_rows);
        parts.push(format!(
            "too few rows for {few} (fewer than {ROWS_MIN} comparable runs before)"
        ));
    }
    if unknown > 0 {
        parts.push(format!("identity or noise unknown for {}", of_all(unknown)));
    }
    match parts.is_empty() {
        true => String::new(),
        false => format!("{}: {}\n", last.run_id, parts.join("; ")),
    }
}

/// The line below a point that stands out. `before` are the points before it.
pub fn of_point(point: &Point, before: &[Point]) -> Option<String> {
    let suspicion = point.suspicion.as_ref()?;
    let out = |point: &&Point| {
        let suspicion = point.suspicion.as_ref();
        suspicion.is_some_and(Suspicion::stands_out)
    };
    let old = before.iter().rev().find(|point| !out(point));
    let next = next_step(old.map(|point| point.commit.as_str()), &point.commit);
    standing_out(suspicion, &next)
}

/// What could be said of the last point of a series.
pub fn of_last(point: &Point) -> String {
    let run = &point.run_id;
    let Some(suspicion) = &point.suspicion else {
        return format!("{run}: not judged, because a part of its identity is unknown\n");
    };
    let rows = text::counted(suspicion.rows, "comparable run");
    match (suspicion.standing, &suspicion.judged) {
        (Standing::TooFewRows, _) => {
            format!("{run}: too few rows: {rows} before it, and {ROWS_MIN} are needed\n")
        }
        (Standing::WithinNoise, Some(judged)) => format!(
            "{run}: within the noise of {rows}: {}; steps below {} are not seen\n",
            figures(judged),
            percent(judged.smallest_step)
        ),
        (Standing::UnknownNoise, _) => {
            format!("{run}: not judged, because {rows} before it show no noise\n")
        }
        _ => String::new(),
    }
}

/// What stands out; `None` where nothing does.
fn standing_out(suspicion: &Suspicion, next: &str) -> Option<String> {
    let judged = suspicion.judged.as_ref()?;
    let word = match suspicion.standing {
        Standing::Suspect => "suspect",
        Standing::Confirmed => "confirmed by three runs",
        Standing::TooFewRows | Standing::UnknownNoise | Standing::WithinNoise => return None,
    };
    let rows = suspicion.rows;
    let step = words::percent(judged.step);
    let figures = figures(judged);
    Some(format!(
        "{word}: {step} against the median of {rows} runs; {figures}; {next}"
    ))
}

/// The noise that a row was judged by, and how far away it is.
fn figures(judged: &Judged) -> String {
    let within = match judged.floor_within {
        Some(within) => percent(within),
        None => "unknown".to_owned(),
    };
    let Judged { z, threshold, .. } = judged;
    let sign = if z > threshold { '>' } else { '<' };
    format!(
        "noise {} (within runs {within}, between runs {}, scatter {}), \
         z {z:.1} {sign} {threshold:.1}",
        percent(judged.noise),
        percent(judged.floor_between),
        percent(judged.scatter),
    )
}

/// What to do about it, given the commit of the last run that did not stand out.
fn next_step(before: Option<&str>, commit: &str) -> String {
    match before {
        Some(before) if before == commit => {
            "an earlier run of this commit does not stand out: look at the machine".to_owned()
        }
        Some(before) => {
            let before = words::commit(before, Some(false));
            format!("run cargo xtask ab --baseline {before}")
        }
        None => "run cargo xtask ab".to_owned(),
    }
}

/// A fraction without a sign.
fn percent(fraction: f64) -> String {
    format!("{:.1} %", fraction * 100.0)
}
