//! One row of history, and its text.
//!
//! Absent is empty and never zero. Numbers are written as the shortest decimal that reads back as
//! the same number. What does not read back exactly is refused and never guessed.

use std::fmt::Display;
use std::str::FromStr;

use csv::StringRecord;
use longrun_protocol::Configuration;
use serde::Serialize;

use super::columns::{Column, Layout};

/// Version of the rows that are written.
pub const ROW_SCHEMA_VERSION: u32 = 1;

/// One line of a history file.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// One configuration of one recorded run.
    Run(Box<Row>),
    /// A recorded run that is taken back.
    Retracted(Retraction),
}

/// A recorded run that is taken back. Its rows stay, and are left out of every comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Retraction {
    /// The run.
    pub run_id: String,
    /// When it was taken back, RFC 3339 in UTC.
    pub date: String,
    /// Suite of the run.
    pub suite: String,
    /// Hardware set.
    pub slug: Option<String>,
    /// Why.
    pub reason: String,
}

/// One configuration of one recorded run.
///
/// `None` is unknown, or not applicable. Times are in seconds, memory in bytes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Run that the row belongs to.
    pub run_id: String,
    /// When the run began, RFC 3339 in UTC.
    pub date: String,
    /// Version of the measured project.
    pub version: Option<String>,
    /// Full id of the measured commit.
    pub commit: String,
    /// Whether uncommitted changes were measured.
    pub dirty: Option<bool>,
    /// What the worker process did; the stepper as it was requested.
    pub configuration: Configuration,
    /// Integrator that the stepper resolved to.
    pub integrator: Option<String>,
    /// Tolerances as sorted `name=value` text; empty for a fixed schedule.
    pub tolerances: String,
    /// Noise model that was applied.
    pub noise_model: Option<String>,
    /// Threading policy.
    pub threading: Option<String>,
    /// Memory domains that the allocation spans.
    pub memory_domains: Option<u32>,
    /// Hardware set.
    pub slug: Option<String>,
    /// CPU model, as the system names it.
    pub cpu_model: Option<String>,
    /// Family, model, stepping, cache sizes and maximum frequency.
    pub cpu_signature: Option<String>,
    /// GPU model, for device rows.
    pub gpu_model: Option<String>,
    /// Cloud instance type.
    pub instance_type: Option<String>,
    /// Operating system and version.
    pub os: Option<String>,
    /// Version of the native project.
    pub native_version: Option<String>,
    /// Build profile of the native library.
    pub native_profile: Option<String>,
    /// Compiler of the native library and its version.
    pub native_compiler: Option<String>,
    /// Digest that names the native build.
    pub build_key: Option<String>,
    /// Digest of what the worker was built from.
    pub worker_digest: Option<String>,
    /// Digest of the FFT plans that were used.
    pub fft_plans: Option<String>,
    /// Median time of one operation.
    pub median_s: f64,
    /// Shortest time.
    pub min_s: Option<f64>,
    /// Longest time.
    pub max_s: Option<f64>,
    /// Number of timed repeats, or of samples.
    pub repeats: Option<u32>,
    /// Time of every repeat, in order; of samples there are too many.
    pub raw_s: Vec<f64>,
    /// Median CPU time of one operation.
    pub cpu_median_s: Option<f64>,
    /// Accepted steps.
    pub accepted: Option<u64>,
    /// Rejected steps.
    pub rejected: Option<u64>,
    /// Source evaluations.
    pub source_evaluations: Option<u64>,
    /// Peak resident memory of the worker.
    pub peak_rss_bytes: Option<u64>,
    /// Device memory that the run held.
    pub device_memory_bytes: Option<u64>,
    /// Whether the machine was busy while the worker was set up or in a repeat.
    pub busy: Option<bool>,
}

/// A known [`longrun_protocol::HistoryIdentity`], as a view of its row: a long history has many
/// rows and few identities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity<'a> {
    /// What the worker process did.
    pub configuration: &'a Configuration,
    /// Memory domains that the allocation spans.
    pub memory_domains: u32,
    /// Threading policy.
    pub threading: &'a str,
    /// Integrator that the stepper resolved to.
    pub integrator: &'a str,
    /// Tolerances as sorted `name=value` text.
    pub tolerances: &'a str,
    /// Noise model.
    pub noise_model: &'a str,
}

impl Row {
    /// What must be equal before this row is compared; `None` where a part of it is unknown.
    pub fn identity(&self) -> Option<Identity<'_>> {
        Some(Identity {
            configuration: &self.configuration,
            memory_domains: self.memory_domains?,
            threading: self.threading.as_deref()?,
            integrator: self.integrator.as_deref()?,
            tolerances: &self.tolerances,
            noise_model: self.noise_model.as_deref()?,
        })
    }

    fn text(&self, column: Column) -> String {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let configuration = &self.configuration;
        match column {
            Column::SchemaVersion => ROW_SCHEMA_VERSION.to_string(),
            Column::RunId => self.run_id.clone(),
            Column::Date => self.date.clone(),
            Column::Version => text(&self.version),
            Column::Commit => self.commit.clone(),
            Column::Dirty => shown(self.dirty),
            Column::Suite => configuration.suite.clone(),
            Column::Case => configuration.case.clone(),
            Column::Size => configuration.size.to_string(),
            Column::Revision => configuration.revision.to_string(),
            Column::Engine => configuration.engine.to_string(),
            Column::Stepper => configuration.stepper.clone(),
            Column::Variant => configuration.variant.clone(),
            Column::Width => configuration.width.to_string(),
            Column::Integrator => text(&self.integrator),
            Column::Tolerances => self.tolerances.clone(),
            Column::NoiseModel => text(&self.noise_model),
            Column::Threading => text(&self.threading),
            Column::MemoryDomains => shown(self.memory_domains),
            Column::Slug => text(&self.slug),
            Column::CpuModel => text(&self.cpu_model),
            Column::CpuSignature => text(&self.cpu_signature),
            Column::GpuModel => text(&self.gpu_model),
            Column::InstanceType => text(&self.instance_type),
            Column::Os => text(&self.os),
            Column::NativeVersion => text(&self.native_version),
            Column::NativeProfile => text(&self.native_profile),
            Column::NativeCompiler => text(&self.native_compiler),
            Column::BuildKey => text(&self.build_key),
            Column::WorkerDigest => text(&self.worker_digest),
            Column::FftPlans => text(&self.fft_plans),
            Column::MedianS => self.median_s.to_string(),
            Column::MinS => shown(self.min_s),
            Column::MaxS => shown(self.max_s),
            Column::Repeats => shown(self.repeats),
            Column::RawS => joined(&self.raw_s),
            Column::CpuMedianS => shown(self.cpu_median_s),
            Column::Accepted => shown(self.accepted),
            Column::Rejected => shown(self.rejected),
            Column::SourceEvaluations => shown(self.source_evaluations),
            Column::PeakRssBytes => shown(self.peak_rss_bytes),
            Column::DeviceMemoryBytes => shown(self.device_memory_bytes),
            Column::Busy => shown(self.busy),
            Column::Kind => RUN.to_owned(),
            Column::Reason => String::new(),
        }
    }
}

/// Value of `kind` for an ordinary row; also what an absent kind means.
const RUN: &str = "run";

/// Value of `kind` for a row that takes a run back.
const RETRACTED: &str = "retracted";

impl Retraction {
    fn text(&self, column: Column) -> String {
        match column {
            Column::SchemaVersion => ROW_SCHEMA_VERSION.to_string(),
            Column::RunId => self.run_id.clone(),
            Column::Date => self.date.clone(),
            Column::Suite => self.suite.clone(),
            Column::Slug => self.slug.clone().unwrap_or_default(),
            Column::Kind => RETRACTED.to_owned(),
            Column::Reason => self.reason.clone(),
            _ => String::new(),
        }
    }
}

impl Entry {
    /// Text of one column.
    pub(super) fn text(&self, column: Column) -> String {
        match self {
            Entry::Run(row) => row.text(column),
            Entry::Retracted(retraction) => retraction.text(column),
        }
    }

    /// Run that the line belongs to.
    pub fn run_id(&self) -> &str {
        match self {
            Entry::Run(row) => &row.run_id,
            Entry::Retracted(retraction) => &retraction.run_id,
        }
    }

    /// Hardware set of the line; `None` where an older version did not write it.
    pub(super) fn slug(&self) -> Option<&str> {
        match self {
            Entry::Run(row) => row.slug.as_deref(),
            Entry::Retracted(retraction) => retraction.slug.as_deref(),
        }
    }

    /// Reads one line and the version that it was written in; `Err` says which column is damaged
    /// and how. A line of a newer version is read as far as its columns are known.
    pub(super) fn read(record: &StringRecord, layout: &Layout) -> Result<(u32, Entry), String> {
        let fields = Fields { record, layout };
        let version = match fields.count(Column::SchemaVersion)? {
            Some(version) => version,
            None => return Err(fields.damage(Column::SchemaVersion, COUNT)),
        };
        let entry = match fields.get(Column::Kind) {
            None | Some(RUN) => read_row(&fields).map(|row| Entry::Run(Box::new(row))),
            Some(RETRACTED) => read_retraction(&fields).map(Entry::Retracted),
            Some(_) => Err(fields.damage(Column::Kind, "`run` or `retracted`")),
        };
        match entry {
            Ok(entry) => Ok((version, entry)),
            Err(what) if version > ROW_SCHEMA_VERSION => Err(format!(
                "it has schema version {version}, this program knows {ROW_SCHEMA_VERSION}, and \
                 {what}; use a newer version of Longrun"
            )),
            Err(what) => Err(what),
        }
    }
}

fn read_retraction(fields: &Fields<'_>) -> Result<Retraction, String> {
    Ok(Retraction {
        run_id: fields.required(Column::RunId)?,
        date: fields.date()?,
        suite: fields.required(Column::Suite)?,
        slug: fields.text(Column::Slug),
        reason: fields.required(Column::Reason)?,
    })
}

fn read_row(fields: &Fields<'_>) -> Result<Row, String> {
    Ok(Row {
        run_id: fields.required(Column::RunId)?,
        date: fields.date()?,
        version: fields.text(Column::Version),
        commit: fields.required(Column::Commit)?,
        dirty: fields.flag(Column::Dirty)?,
        configuration: read_configuration(fields)?,
        integrator: fields.text(Column::Integrator),
        tolerances: fields.text(Column::Tolerances).unwrap_or_default(),
        noise_model: fields.text(Column::NoiseModel),
        threading: fields.text(Column::Threading),
        memory_domains: fields.count(Column::MemoryDomains)?,
        slug: fields.text(Column::Slug),
        cpu_model: fields.text(Column::CpuModel),
        cpu_signature: fields.text(Column::CpuSignature),
        gpu_model: fields.text(Column::GpuModel),
        instance_type: fields.text(Column::InstanceType),
        os: fields.text(Column::Os),
        native_version: fields.text(Column::NativeVersion),
        native_profile: fields.text(Column::NativeProfile),
        native_compiler: fields.text(Column::NativeCompiler),
        build_key: fields.text(Column::BuildKey),
        worker_digest: fields.text(Column::WorkerDigest),
        fft_plans: fields.text(Column::FftPlans),
        median_s: match fields.get(Column::MedianS).and_then(seconds) {
            Some(median_s) if median_s > 0.0 => median_s,
            _ => return Err(fields.damage(Column::MedianS, MEDIAN)),
        },
        min_s: fields.seconds(Column::MinS)?,
        max_s: fields.seconds(Column::MaxS)?,
        repeats: fields.count(Column::Repeats)?,
        raw_s: fields.all_seconds(Column::RawS)?,
        cpu_median_s: fields.seconds(Column::CpuMedianS)?,
        accepted: fields.number(Column::Accepted)?,
        rejected: fields.number(Column::Rejected)?,
        source_evaluations: fields.number(Column::SourceEvaluations)?,
        peak_rss_bytes: fields.number(Column::PeakRssBytes)?,
        device_memory_bytes: fields.number(Column::DeviceMemoryBytes)?,
        busy: fields.flag(Column::Busy)?,
    })
}

fn read_configuration(fields: &Fields<'_>) -> Result<Configuration, String> {
    let revision = fields.count(Column::Revision)?;
    Ok(Configuration {
        suite: fields.required(Column::Suite)?,
        case: fields.required(Column::Case)?,
        size: fields.parse(Column::Size, "`full`, `quick` or `smoke`")?,
        revision: match revision {
            Some(revision) => revision,
            None => return Err(fields.damage(Column::Revision, COUNT)),
        },
        engine: fields.parse(Column::Engine, "`native`, `reference` or `auto`")?,
        stepper: fields.required(Column::Stepper)?,
        variant: fields.text(Column::Variant).unwrap_or_default(),
        width: fields.parse(Column::Width, "a number of threads or `device`")?,
    })
}

/// What a time must be.
const SECONDS: &str = "seconds, finite and at least 0";

/// What a median must be: a ratio is taken to it.
const MEDIAN: &str = "seconds, finite and above 0";

/// What a count of things that exist must be.
const COUNT: &str = "a whole number of at least 1";

/// The fields of one line, by column.
struct Fields<'a> {
    record: &'a StringRecord,
    layout: &'a Layout,
}

impl<'a> Fields<'a> {
    /// Text of a column; `None` where it is empty or the file lacks the column.
    fn get(&self, column: Column) -> Option<&'a str> {
        let text = self.record.get(self.layout.position(column)?)?;
        (!text.is_empty()).then_some(text)
    }

    fn text(&self, column: Column) -> Option<String> {
        self.get(column).map(str::to_owned)
    }

    fn required(&self, column: Column) -> Result<String, String> {
        let text = self.text(column);
        text.ok_or_else(|| self.damage(column, "some text"))
    }

    fn parse<T: FromStr>(&self, column: Column, wanted: &str) -> Result<T, String> {
        let parsed = self.get(column).and_then(|text| text.parse().ok());
        parsed.ok_or_else(|| self.damage(column, wanted))
    }

    fn optional<T: FromStr>(&self, column: Column, wanted: &str) -> Result<Option<T>, String> {
        match self.get(column) {
            None => Ok(None),
            Some(_) => self.parse(column, wanted).map(Some),
        }
    }

    fn number(&self, column: Column) -> Result<Option<u64>, String> {
        self.optional(column, "a whole number")
    }

    fn count(&self, column: Column) -> Result<Option<u32>, String> {
        match self.optional(column, COUNT)? {
            Some(0) => Err(self.damage(column, COUNT)),
            count => Ok(count),
        }
    }

    fn flag(&self, column: Column) -> Result<Option<bool>, String> {
        self.optional(column, "`true`, `false` or nothing")
    }

    fn seconds(&self, column: Column) -> Result<Option<f64>, String> {
        let Some(text) = self.get(column) else {
            return Ok(None);
        };
        let value = seconds(text);
        value.map(Some).ok_or_else(|| self.damage(column, SECONDS))
    }

    fn all_seconds(&self, column: Column) -> Result<Vec<f64>, String> {
        let texts = self.get(column).into_iter().flat_map(|all| all.split(';'));
        let values: Option<Vec<f64>> = texts.map(seconds).collect();
        values.ok_or_else(|| self.damage(column, SECONDS))
    }

    fn date(&self) -> Result<String, String> {
        let text = self.required(Column::Date)?;
        match humantime::parse_rfc3339(&text) {
            Ok(_) => Ok(text),
            Err(_) => Err(self.damage(Column::Date, "a date such as `2026-10-27T12:00:00Z`")),
        }
    }

    fn damage(&self, column: Column, wanted: &str) -> String {
        let text = self.get(column).unwrap_or_default();
        format!("`{}` is `{text}` and not {wanted}", column.name())
    }
}

/// A time; `None` where the text is none. A negative zero is a zero with a damaged sign.
fn seconds(text: &str) -> Option<f64> {
    let value: f64 = text.parse().ok()?;
    (value.is_finite() && !value.is_sign_negative()).then_some(value)
}

/// Empty for what is unknown.
fn shown<T: Display>(value: Option<T>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn joined(values: &[f64]) -> String {
    let texts: Vec<String> = values.iter().map(f64::to_string).collect();
    texts.join(";")
}

#[cfg(test)]
mod tests;
