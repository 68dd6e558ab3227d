//! History files that were never measured: rows with round numbers, written by hand.

use crate::bench::Bench;

/// Hardware set of the made file.
pub const SLUG: &str = "made-cpu-2c";

/// Columns of schema version 1, as `docs/manual.md` lists them.
const COLUMNS: [&str; 45] = [
    "schema_version",
    "run_id",
    "date",
    "version",
    "commit",
    "dirty",
    "suite",
    "case",
    "size",
    "revision",
    "engine",
    "stepper",
    "variant",
    "width",
    "integrator",
    "tolerances",
    "noise_model",
    "threading",
    "memory_domains",
    "slug",
    "cpu_model",
    "cpu_signature",
    "gpu_model",
    "instance_type",
    "os",
    "native_version",
    "native_profile",
    "native_compiler",
    "build_key",
    "worker_digest",
    "fft_plans",
    "median_s",
    "min_s",
    "max_s",
    "repeats",
    "raw_s",
    "cpu_median_s",
    "accepted",
    "rejected",
    "source_evaluations",
    "peak_rss_bytes",
    "device_memory_bytes",
    "busy",
    "kind",
    "reason",
];

/// One row, by column; what is not set is empty.
#[derive(Clone)]
pub struct Made {
    fields: Vec<(&'static str, String)>,
}

/// A row of a case in a run at width 1. Runs of a day begin at noon.
pub fn row(run: &str, day: u32, case: &str, median_s: f64) -> Made {
    let made = Made { fields: Vec::new() };
    let date = format!("2026-10-{day:02}T12:00:00Z");
    [
        ("schema_version", "1"),
        ("run_id", run),
        ("date", &date),
        ("version", "1.0.0"),
        ("commit", "0123456789abcdef0123456789abcdef01234567"),
        ("dirty", "false"),
        ("suite", "tracking"),
        ("case", case),
        ("size", "full"),
        ("revision", "1"),
        ("engine", "native"),
        ("stepper", "default"),
        ("width", "1"),
        ("integrator", "rk"),
        ("tolerances", "rtol=1e-8"),
        ("noise_model", "none"),
        ("threading", "passive"),
        ("memory_domains", "1"),
        ("slug", SLUG),
        ("median_s", &median_s.to_string()),
        ("min_s", &(median_s / 2.0).to_string()),
        ("max_s", &(median_s * 2.0).to_string()),
        ("repeats", "3"),
        ("accepted", "100"),
        ("rejected", "2"),
        ("source_evaluations", "704"),
        ("busy", "false"),
        ("kind", "run"),
    ]
    .into_iter()
    .fold(made, |made, (column, value)| made.with(column, value))
}

impl Made {
    /// The row with another value in a column.
    pub fn with(mut self, column: &'static str, value: &str) -> Made {
        assert!(COLUMNS.contains(&column), "{column}");
        self.fields.retain(|(name, _)| *name != column);
        self.fields.push((column, value.to_owned()));
        self
    }

    fn line(&self) -> String {
        let field = |column: &&str| {
            let found = self.fields.iter().find(|(name, _)| name == column);
            found.map_or(String::new(), |(_, value)| value.clone())
        };
        let fields: Vec<String> = COLUMNS.iter().map(field).collect();
        fields.join(",")
    }
}

/// A file of these rows.
pub fn text(rows: &[Made]) -> String {
    let lines: Vec<String> = rows.iter().map(Made::line).collect();
    format!("{}\n{}\n", COLUMNS.join(","), lines.join("\n"))
}

/// Path of the history of a hardware set.
pub fn path(slug: &str) -> String {
    format!("history/{slug}.csv")
}

/// A repository with the rows as its only history, committed. It has no registry.
pub fn bench(rows: &[Made]) -> Bench {
    let bench = Bench::new().written();
    bench.write(&path(SLUG), &text(rows));
    bench.initialised()
}
