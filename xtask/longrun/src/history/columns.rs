//! The columns of a history file, in the order in which they are written.
//!
//! Columns are added at the end and never removed or renamed. `docs/manual.md` prints this table.

/// What a history column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnInfo {
    /// The column.
    pub column: Column,
    /// Its name in the header.
    pub name: &'static str,
    /// Whether a file without it is no history.
    pub required: bool,
    /// What it holds, with unit and source.
    pub description: &'static str,
}

/// Makes the enumeration and the table from one list, so that they cannot disagree.
macro_rules! columns {
    ($($column:ident, $name:literal, $required:literal, $description:literal;)*) => {
        /// A column that this version knows.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Column {
            $(#[doc = $description] $column,)*
        }

        /// Every column, in order.
        pub const COLUMNS: &[ColumnInfo] = &[
            $(ColumnInfo {
                column: Column::$column,
                name: $name,
                required: $required,
                description: $description,
            },)*
        ];

        impl Column {
            /// Its name in the header.
            pub fn name(self) -> &'static str {
                match self {
                    $(Column::$column => $name,)*
                }
            }
        }
    };
}

columns! {
    SchemaVersion, "schema_version", true, "Version of the row; always the first column.";
    RunId, "run_id", true, "Run that the row belongs to.";
    Date, "date", true, "When the run began, RFC 3339 in UTC.";
    Version, "version", false, "Version of the measured project.";
    Commit, "commit", true, "Full id of the measured commit.";
    Dirty, "dirty", false, "`true` if uncommitted changes were measured.";
    Suite, "suite", true, "Suite of the run.";
    Case, "case", true, "Name of the case.";
    Size, "size", true, "Size of the case: `full`, `quick` or `smoke`.";
    Revision, "revision", true, "Revision of the case at this size; rows compare within one.";
    Engine, "engine", true, "What computed: `native`, `reference` or `auto`.";
    Stepper, "stepper", true, "Stepper that was requested.";
    Variant, "variant", true, "Other distinctions as sorted `k=v` text.";
    Width, "width", true, "Host threads, or `device`.";
    Integrator, "integrator", false, "Integrator that the stepper resolved to.";
    Tolerances, "tolerances", true, "Tolerances as sorted `name=value`; empty: fixed schedule.";
    NoiseModel, "noise_model", false, "Noise model that was applied.";
    Threading, "threading", false, "Threading policy.";
    MemoryDomains, "memory_domains", false, "Memory domains that the allocation spans.";
    Slug, "slug", false, "Hardware set.";
    CpuModel, "cpu_model", false, "CPU model, as the system names it.";
    CpuSignature, "cpu_signature", false, "Family, model, stepping, caches and top frequency.";
    GpuModel, "gpu_model", false, "GPU model, for device rows.";
    InstanceType, "instance_type", false, "Cloud instance type.";
    Os, "os", false, "Operating system and version.";
    NativeVersion, "native_version", false, "Version of the native project.";
    NativeProfile, "native_profile", false, "Build profile of the native library.";
    NativeCompiler, "native_compiler", false, "Compiler of the native library and its version.";
    BuildKey, "build_key", false, "Digest that names the native build.";
    WorkerDigest, "worker_digest", false, "Digest of what the worker was built from.";
    FftPlans, "fft_plans", false, "Digest of the FFT plans that were used.";
    MedianS, "median_s", true, "Median time of one operation, in seconds.";
    MinS, "min_s", false, "Shortest time, in seconds.";
    MaxS, "max_s", false, "Longest time, in seconds.";
    Repeats, "repeats", false, "Number of timed repeats, or of samples.";
    RawS, "raw_s", false, "Times of all repeats in order, in seconds, joined by `;`.";
    CpuMedianS, "cpu_median_s", false, "Median CPU time of one operation, in seconds.";
    Accepted, "accepted", false, "Accepted steps.";
    Rejected, "rejected", false, "Rejected steps.";
    SourceEvaluations, "source_evaluations", false, "Source evaluations.";
    PeakRssBytes, "peak_rss_bytes", false, "Peak resident memory of the worker, in bytes.";
    DeviceMemoryBytes, "device_memory_bytes", false, "Device memory that the run held, in bytes.";
    Busy, "busy", false, "`true` if the machine was busy during the set-up or a repeat.";
    Kind, "kind", false, "`run`, or `retracted` for a row that takes a run back.";
    Reason, "reason", false, "Why a run was taken back.";
}

/// Where each known column is in the header of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// By the number of the column, which is its place in [`COLUMNS`].
    positions: Vec<Option<usize>>,
}

impl Layout {
    /// The layout of a header; `Err` says what is wrong with it.
    pub(super) fn of(header: &[String]) -> Result<Layout, String> {
        let first = header.first().map(String::as_str);
        if first != Some(Column::SchemaVersion.name()) {
            return Err("its first column is not `schema_version`".to_owned());
        }
        for (index, name) in header.iter().enumerate() {
            if name.is_empty() || header.iter().take(index).any(|earlier| earlier == name) {
                return Err(format!("the column `{name}` is empty or there twice"));
            }
        }
        if let Some((name, known)) = header.iter().find_map(|name| other_unit(name)) {
            return Err(format!(
                "its column `{name}` has another unit than `{known}`, and numbers of two units \
                 are never compared"
            ));
        }
        let mut positions = Vec::new();
        for info in COLUMNS {
            match header.iter().position(|name| name == info.name) {
                None if info.required => {
                    return Err(format!("it has no column `{}`", info.name));
                }
                position => positions.push(position),
            }
        }
        Ok(Layout { positions })
    }

    /// Where a column is; `None` where the file lacks it.
    pub(super) fn position(&self, column: Column) -> Option<usize> {
        self.positions.get(column as usize).copied().flatten()
    }
}

/// Endings of column names that are units.
const UNITS: [&str; 16] = [
    "s", "ms", "us", "ns", "min", "h", "cycles", "bytes", "b", "kb", "mb", "gb", "kib", "mib",
    "gib", "pages",
];

/// A column that holds a known quantity in another unit, and the known column.
fn other_unit(name: &str) -> Option<(&str, &'static str)> {
    let (quantity, unit) = quantity_and_unit(name)?;
    let mut known = COLUMNS.iter().map(|info| info.name);
    let known = known.find(|known| {
        quantity_and_unit(known).is_some_and(|(other, of)| other == quantity && of != unit)
    })?;
    Some((name, known))
}

fn quantity_and_unit(name: &str) -> Option<(&str, &str)> {
    let split = name.rsplit_once('_');
    split.filter(|(_, unit)| UNITS.contains(unit))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn header(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn every_column_has_a_name_of_its_own_and_a_description() {
        let names: Vec<&str> = COLUMNS.iter().map(|info| info.name).collect();
        let layout = Layout::of(&header(&names)).unwrap();
        for (index, info) in COLUMNS.iter().enumerate() {
            assert_eq!(layout.position(info.column), Some(index));
            assert_eq!(info.column.name(), info.name);
            assert!(info.description.ends_with('.'), "{}", info.name);
        }
    }

    #[test]
    fn a_broken_header_is_refused_with_what_is_wrong() {
        let names: Vec<&str> = COLUMNS.iter().map(|info| info.name).collect();
        let mut twice = names.clone();
        twice.push("case");
        let mut unnamed = names.clone();
        unnamed.push("");
        let without: Vec<&str> = names.iter().copied().filter(|n| *n != "median_s").collect();
        let mut milliseconds = names.clone();
        milliseconds.push("median_ms");
        let pages = ["peak_rss_pages"];
        let counted = [&without[..], &["median_cycles"]].concat();
        let table = [
            (milliseconds, "`median_ms` has another unit than `median_s`"),
            (counted, "`median_cycles` has another unit than `median_s`"),
            ([&names[..], &pages].concat(), "than `peak_rss_bytes`"),
            (vec!["date", "schema_version"], "first column"),
            (vec![], "first column"),
            (twice, "`case` is empty or there twice"),
            (unnamed, "there twice"),
            (without, "no column `median_s`"),
        ];
        for (names, expected) in table {
            let message = Layout::of(&header(&names)).unwrap_err();
            assert!(message.contains(expected), "{message}");
        }
    }
}
