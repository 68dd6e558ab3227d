//! CPU time that the control groups of this process allow (cgroup v1 and v2).
//!
//! A process is held to the smallest limit on the path to its own group.

use std::path::Path;

use super::cgroup::{self, Version};
use super::files::text;

/// Cores that this process may use on average; `None` where no limit is set or can be read.
pub fn read(root: &Path) -> Option<f64> {
    let groups = cgroup::groups(root, "cpu");
    let limits = groups
        .iter()
        .filter_map(|group| limit(root, &group.folder, group.version));
    limits.reduce(f64::min)
}

/// Threads that a quota pays for: whole cores, at least one.
pub fn whole_cores(quota: f64) -> u32 {
    // A float to integer cast saturates, and the bounds make it exact.
    quota.floor().clamp(1.0, 65536.0) as u32
}

/// Whether part of a quota pays for no whole core: threads then share it, throttled in turn.
pub fn is_fractional(quota: f64) -> bool {
    quota.fract() > 0.0
}

fn limit(root: &Path, folder: &str, version: Version) -> Option<f64> {
    match version {
        Version::Two => {
            let text = text(root, &format!("{folder}/cpu.max"))?;
            let mut words = text.split_whitespace();
            let quota = words.next()?;
            cores(quota, words.next().unwrap_or("100000"))
        }
        Version::One => {
            let quota = text(root, &format!("{folder}/cpu.cfs_quota_us"))?;
            let period = text(root, &format!("{folder}/cpu.cfs_period_us"))?;
            cores(quota.trim(), period.trim())
        }
    }
}

/// Quota ÷ period, both in microseconds; `max` and `-1` are no limit.
fn cores(quota_us: &str, period_us: &str) -> Option<f64> {
    let quota_us: u32 = quota_us.parse().ok().filter(|quota| *quota > 0)?;
    let period_us: u32 = period_us.parse().ok().filter(|period| *period > 0)?;
    Some(f64::from(quota_us) / f64::from(period_us))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::made::MadeMachine;
    use super::*;

    fn machine(cgroup: &str, files: &[(&str, &str)]) -> MadeMachine {
        let made = MadeMachine::empty();
        made.file("proc/self/cgroup", cgroup);
        for (path, text) in files {
            made.file(path, text);
        }
        made
    }

    fn quota(cgroup: &str, files: &[(&str, &str)]) -> Option<f64> {
        read(machine(cgroup, files).root())
    }

    #[test]
    fn version_two_is_quota_over_period() {
        let limit = |text| quota("0::/a/b\n", &[("sys/fs/cgroup/a/b/cpu.max", text)]);
        assert_eq!(limit("200000 100000\n"), Some(2.0));
        assert_eq!(limit("150000 100000\n"), Some(1.5));
        assert_eq!(limit("max 100000\n"), None);
        assert_eq!(limit("50000\n"), Some(0.5));
        assert_eq!(limit("0 100000\n"), None);
        assert_eq!(limit("rubbish"), None);
        assert_eq!(limit(""), None);
    }

    #[test]
    fn the_smallest_limit_on_the_path_counts() {
        let files = [
            ("sys/fs/cgroup/a/cpu.max", "100000 100000"),
            ("sys/fs/cgroup/a/b/cpu.max", "400000 100000"),
            ("sys/fs/cgroup/other/cpu.max", "10000 100000"),
        ];
        assert_eq!(quota("0::/a/b\n", &files), Some(1.0));
    }

    #[test]
    fn version_one_is_read_from_two_files_and_minus_one_is_no_limit() {
        let cgroup = "4:memory:/x\n2:cpu,cpuacct:/job\n";
        let files = |value| {
            [
                ("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", value),
                (
                    "sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us",
                    "100000\n",
                ),
            ]
        };
        assert_eq!(quota(cgroup, &files("250000\n")), Some(2.5));
        assert_eq!(quota(cgroup, &files("-1\n")), None);
    }

    #[test]
    fn the_mounts_say_where_the_groups_are_and_which_one_is_on_top() {
        let mounts = "30 23 0:26 /docker/abc /cg rw,nosuid - cgroup2 cgroup2 rw\n\
                      31 23 0:27 / /v1/mem rw - cgroup cgroup rw,memory\n";
        let files = [
            ("proc/self/mountinfo", mounts),
            ("cg/inner/cpu.max", "300000 100000"),
            ("sys/fs/cgroup/docker/abc/inner/cpu.max", "100000 100000"),
        ];
        assert_eq!(quota("0::/docker/abc/inner\n", &files), Some(3.0));
    }

    #[test]
    fn a_group_outside_the_name_space_falls_back_to_what_is_visible() {
        let files = [("sys/fs/cgroup/cpu.max", "700000 100000")];
        assert_eq!(quota("0::/../elsewhere\n", &files), Some(7.0));
        assert_eq!(quota("0::/not/visible\n", &files), Some(7.0));
    }

    #[test]
    fn a_machine_without_groups_has_no_quota() {
        assert_eq!(read(MadeMachine::empty().root()), None);
        assert_eq!(quota("", &[]), None);
    }

    #[test]
    fn a_quota_pays_for_whole_cores_and_at_least_one() {
        for (quota, whole) in [(0.5, 1), (1.0, 1), (1.99, 1), (2.5, 2), (16.0, 16)] {
            assert_eq!(whole_cores(quota), whole, "{quota}");
        }
    }
}
