//! Sampled work as a table, with what must be known of a row below it. Pure.
//!
//! Rows have the order of the plan. A note is there only where it says something; the mean closes
//! every row that has times, because it answers another question than the median.

use longrun_measure::sampling::is_a_note;
use longrun_protocol::sampling::Stopped;

use crate::colour::{Palette, Tone};
use crate::doctor::roof::kept::Reached;
use crate::run::judge::ResultStatus;
use crate::text::{self, count, mean_bytes, plain, shortened};
use crate::track::report::load::busy_note;
use crate::track::results::{ConfigurationResult, percent};
use crate::track::sampled::{Allocated, Reservation, SampledResult};

/// Least width of the first column.
const NAME_WIDTH: usize = 28;

/// Characters of a name that are shown; JSON has the whole of it.
const NAME_SHOWN: usize = 60;

/// What stands for a value that there is none of.
const NONE: &str = "-";

/// Median over minimum above which something else must have used the machine.
const INTERFERENCE: f64 = 1.5;

/// Distance of the medians of processes, as a part of the median, that is worth a note.
const PROCESSES_APART: f64 = 0.05;

/// What is said of rates that stand beside no roof.
const NO_ROOF: &str = "note: the roof of this machine is not known for so many threads; `cargo \
                       xtask doctor --roof` measures and keeps it";

/// One column of numbers.
pub struct Column {
    /// What stands above it.
    pub heading: &'static str,
    /// Its width, the blanks before it included.
    width: usize,
    /// Whether it is left out where no row has a value.
    optional: bool,
    /// What it shows.
    pub value: fn(&SampledResult) -> Option<String>,
}

static COLUMNS: [Column; 8] = [
    Column {
        heading: "median",
        width: 12,
        optional: false,
        value: median,
    },
    Column {
        heading: "IQR",
        width: 12,
        optional: false,
        value: |sampled| Some(time(sampled.statistics.iqr)),
    },
    Column {
        heading: "min",
        width: 12,
        optional: false,
        value: |sampled| Some(time(sampled.statistics.min)),
    },
    Column {
        heading: "n",
        width: 6,
        optional: false,
        value: |sampled| Some(sampled.statistics.count.to_string()),
    },
    Column {
        heading: "GFLOP/s",
        width: 10,
        optional: true,
        value: |sampled| sampled.gflops.map(text::three_digits),
    },
    Column {
        heading: "GB/s",
        width: 8,
        optional: true,
        value: |sampled| sampled.gbytes_per_s.map(text::three_digits),
    },
    Column {
        heading: "of roof",
        width: 20,
        optional: true,
        value: |sampled| sampled.reached.as_ref().map(of_roof),
    },
    Column {
        heading: "allocs",
        width: 8,
        optional: true,
        value: |sampled| sampled.allocated().map(|allocated| count(allocated.count)),
    },
];

/// A line below a row.
struct Note {
    tone: Option<Tone>,
    text: String,
}

/// One table for each suite, in the order of the plan; nothing where there is no sampled work.
pub fn to_text(results: &[&ConfigurationResult], palette: Palette) -> String {
    let tables: Vec<String> = by_suite(results)
        .iter()
        .map(|(suite, results)| table(suite, results, palette))
        .collect();
    tables.join("\n")
}

/// The results of each suite, in the order of the plan.
pub fn by_suite<'a>(
    results: &[&'a ConfigurationResult],
) -> Vec<(&'a str, Vec<&'a ConfigurationResult>)> {
    let mut suites: Vec<(&str, Vec<&ConfigurationResult>)> = Vec::new();
    for &result in results {
        let suite = result.configuration.suite.as_str();
        match suites.iter_mut().find(|(known, _)| *known == suite) {
            Some((_, of_suite)) => of_suite.push(result),
            None => suites.push((suite, vec![result])),
        }
    }
    suites
}

fn table(suite: &str, results: &[&ConfigurationResult], palette: Palette) -> String {
    let columns = columns(results);
    let names: Vec<String> = results.iter().map(|result| name(result)).collect();
    let longest = names.iter().map(|name| name.chars().count() + 2).max();
    let width = longest.unwrap_or_default().max(NAME_WIDTH);
    let mut text = format!("{}\n{:<width$}", plain(suite), "configuration");
    for column in &columns {
        text.push_str(&format!("{:>1$}", column.heading, column.width));
    }
    text.push('\n');
    for (result, name) in results.iter().zip(names) {
        let cells = cells(result, &columns, palette);
        text.push_str(&format!("{name:<width$}{cells}\n"));
        for Note { tone, text: said } in notes(result) {
            text.push_str(&format!("    {}\n", painted(palette, tone, plain(&said))));
        }
    }
    let has = |end: &str| columns.iter().any(|column| column.heading.ends_with(end));
    if has("/s") && !has("of roof") {
        text.push_str(&format!("{NO_ROOF}\n"));
    }
    text
}

fn painted(palette: Palette, tone: Option<Tone>, text: String) -> String {
    match tone {
        Some(tone) => palette.paint(tone, &text),
        None => text,
    }
}

/// The columns that some row has a value for, and those that are always there.
pub fn columns(results: &[&ConfigurationResult]) -> Vec<&'static Column> {
    let shown = |column: &&Column| !column.optional || is_known(column, results);
    COLUMNS.iter().filter(shown).collect()
}

fn is_known(column: &Column, results: &[&ConfigurationResult]) -> bool {
    let mut sampled = results.iter().filter_map(|result| result.sampled.as_ref());
    sampled.any(|sampled| (column.value)(sampled).is_some())
}

fn name(result: &ConfigurationResult) -> String {
    shortened(&result.configuration.to_string(), NAME_SHOWN)
}

/// The numbers of a row, aligned and then painted. A row without times says in the first what
/// became of it.
fn cells(result: &ConfigurationResult, columns: &[&Column], palette: Palette) -> String {
    let mut text = String::new();
    let mut tone = tone(result);
    for (column, value) in columns.iter().zip(values(result, columns)) {
        let cell = format!("{value:>0$}", column.width);
        text.push_str(&painted(palette, tone.take(), cell));
    }
    text
}

/// What the columns of a row say.
pub fn values(result: &ConfigurationResult, columns: &[&Column]) -> Vec<String> {
    let sampled = result.sampled.as_ref();
    let known = |column: &&Column| sampled.and_then(|sampled| (column.value)(sampled));
    let mut values: Vec<String> = columns
        .iter()
        .map(|column| known(column).unwrap_or_else(|| NONE.to_owned()))
        .collect();
    if let Some(first) = values.first_mut().filter(|_| sampled.is_none()) {
        result.status.as_str().clone_into(first);
    }
    values
}

fn tone(result: &ConfigurationResult) -> Option<Tone> {
    let Some(sampled) = &result.sampled else {
        return Some(Tone::Bad).filter(|_| result.status != ResultStatus::Skipped);
    };
    sampled.warning.as_ref().and_then(tone_of)
}

fn tone_of(warning: &Reservation) -> Option<Tone> {
    (!is_a_note(&warning.code)).then_some(Tone::Doubtful)
}

/// What must be known of a row, most telling first.
pub fn remarks(result: &ConfigurationResult) -> Vec<String> {
    let notes = remarkable(result).into_iter();
    notes.map(|note| note.text).collect()
}

/// The same, and the mean.
fn notes(result: &ConfigurationResult) -> Vec<Note> {
    let mut notes = remarkable(result);
    notes.extend(result.sampled.as_ref().map(|sampled| {
        let mean = time(sampled.statistics.mean);
        Note {
            tone: Some(Tone::Muted),
            text: format!("mean {mean} (adds up to the total time; compare medians)"),
        }
    }));
    notes
}

fn remarkable(result: &ConfigurationResult) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut say = |tone, text| notes.push(Note { tone, text });
    if let Some(reason) = &result.reason {
        say(tone(result), reason.clone());
    }
    if let Some(sampled) = &result.sampled {
        if let Some(warning) = &sampled.warning {
            say(tone_of(warning), reserved(warning));
        }
        for text in of_samples(sampled) {
            say(None, text);
        }
    }
    if let Some(text) = busy_note(result) {
        say(None, text);
    }
    for note in &result.notes {
        say(None, note.clone());
    }
    notes
}

/// A warning as a sentence.
fn reserved(warning: &Reservation) -> String {
    let word = match is_a_note(&warning.code) {
        true => "note",
        false => "warning",
    };
    format!("{word}: {}", warning.sentence)
}

/// What else the samples say, as far as it is out of the ordinary.
fn of_samples(sampled: &SampledResult) -> Vec<String> {
    let statistics = &sampled.statistics;
    let mut said = Vec::new();
    if statistics.outliers_high > 0 {
        said.push(format!(
            "{} of {} lie far above the others; the longest took {}",
            statistics.outliers_high,
            text::counted(statistics.count, "sample"),
            time(statistics.max)
        ));
    }
    said.extend(of_processes(sampled));
    let over_min = statistics.median_over_min;
    if let Some(ratio) = over_min.filter(|ratio| *ratio > INTERFERENCE) {
        said.push(format!(
            "the median is {ratio:.2} times the minimum: something else used the machine"
        ));
    }
    said.extend(sampled.allocated().and_then(in_words));
    if sampled.target_met == Some(false) {
        said.push(format!(
            "blocks of {} operations, the most there may be, last less than was wanted",
            sampled.ops
        ));
    }
    if sampled.lost > 0 {
        let lost = usize::try_from(sampled.lost).unwrap_or(usize::MAX);
        let lost = text::counted(lost, "block");
        said.push(format!("the clock gave no interval for {lost}"));
    }
    said.extend(ended_early(sampled.stopped).map(str::to_owned));
    said
}

/// How far the processes are apart, where that is far.
fn of_processes(sampled: &SampledResult) -> Option<String> {
    let range = sampled.process_range()?;
    (range > PROCESSES_APART).then(|| {
        format!(
            "the medians of {} lie {} of the median apart",
            text::counted(sampled.process_medians_ns.len(), "process"),
            percent(range)
        )
    })
}

fn ended_early(stopped: Stopped) -> Option<&'static str> {
    match stopped {
        Stopped::Enough => None,
        Stopped::SamplesMax => Some("sampling ended at the most samples, short of time"),
        Stopped::TotalMax => Some("sampling ended at the most time, short of samples"),
        Stopped::AttemptsMax => Some("sampling ended because the clock gave too few intervals"),
    }
}

/// What an operation allocates, where it does.
fn in_words(allocated: Allocated) -> Option<String> {
    let Allocated {
        count: times,
        bytes: asked,
        kept,
    } = allocated;
    let kept_in_words = if kept > 0.0 {
        format!("{} of it kept", mean_bytes(kept))
    } else if kept < 0.0 {
        format!("{} more freed", mean_bytes(-kept))
    } else {
        "none of it kept".to_owned()
    };
    (times > 0.0 || kept < 0.0).then(|| {
        format!(
            "allocations in an operation: {}, {} together, {kept_in_words}",
            count(times),
            mean_bytes(asked)
        )
    })
}

/// `41 % L2`.
fn of_roof(reached: &Reached) -> String {
    format!("{:.0} % {}", 100.0 * reached.share, reached.of)
}

/// Zero is what a clock shows that is too coarse for the blocks, and no time.
fn median(sampled: &SampledResult) -> Option<String> {
    let median = sampled.statistics.median;
    (median > 0.0).then(|| time(median))
}

/// A time of one operation, given in ns.
fn time(ns: f64) -> String {
    text::seconds(ns * 1e-9)
}

#[cfg(test)]
mod tests;
