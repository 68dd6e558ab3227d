//! Rows for the tests of this folder.
#![allow(clippy::unwrap_used)]

use longrun_protocol::{Configuration, Engine, Size, Width};

use super::{Entry, Row};

/// A row with nothing unknown.
pub fn full_row(run_id: &str, case: &str, median_s: f64) -> Row {
    let text = |value: &str| Some(value.to_owned());
    Row {
        run_id: run_id.to_owned(),
        date: "2026-10-27T12:00:00Z".to_owned(),
        version: text("0.1.0"),
        commit: "0123456789abcdef0123456789abcdef01234567".to_owned(),
        dirty: Some(false),
        configuration: Configuration {
            suite: "tracking".to_owned(),
            case: case.to_owned(),
            size: Size::Full,
            revision: 1,
            engine: Engine::Native,
            stepper: "default".to_owned(),
            variant: "dtype=f64".to_owned(),
            width: Width::Threads(1),
        },
        integrator: text("multistep"),
        tolerances: "atol=1e-10,rtol=1e-8".to_owned(),
        noise_model: text("input"),
        threading: text("passive"),
        memory_domains: Some(1),
        slug: text("some-cpu-2c"),
        cpu_model: text("Some CPU, \"fast\""),
        cpu_signature: text("25-1-1"),
        gpu_model: text("nvidia-a40"),
        instance_type: text("m8g.4xlarge"),
        os: text("Linux 6.1"),
        native_version: text("0.1.0"),
        native_profile: text("Release"),
        native_compiler: text("gnu 14.2.0"),
        build_key: text("b1"),
        worker_digest: text("w1"),
        fft_plans: text("f1"),
        median_s,
        min_s: Some(0.5),
        max_s: Some(1.5),
        repeats: Some(3),
        raw_s: vec![0.5, 1.0, 1.5],
        cpu_median_s: Some(0.9),
        accepted: Some(100),
        rejected: Some(0),
        source_evaluations: Some(704),
        peak_rss_bytes: Some(1 << 30),
        device_memory_bytes: Some(1 << 20),
        busy: Some(true),
    }
}

/// Rows as entries.
pub fn entries(rows: &[Row]) -> Vec<Entry> {
    rows.iter()
        .map(|row| Entry::Run(Box::new(row.clone())))
        .collect()
}

/// A small generator of numbers that look random and are the same in every run (splitmix64).
pub struct Generator(pub u64);

impl Generator {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// A finite time of any magnitude above zero.
    pub fn seconds(&mut self) -> f64 {
        loop {
            let value = f64::from_bits(self.next() >> 1);
            if value.is_finite() && value > 0.0 {
                return value;
            }
        }
    }

    /// Text out of everything that is awkward in CSV.
    pub fn text(&mut self) -> String {
        const PARTS: [&str; 14] = [
            ",", "\"", "\n", "\r\n", "\r", ";", " ", "=1+1", "@a", "-", "'", "é", "🚀", "plain",
        ];
        let length = self.below(6);
        (0..length)
            .map(|_| PARTS[usize::try_from(self.below(14)).unwrap()])
            .collect()
    }
}
