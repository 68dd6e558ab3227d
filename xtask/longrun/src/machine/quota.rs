//! CPU time that the control groups of this process allow (cgroup v1 and v2).
//!
//! A process is held to the smallest limit on the path from its own group to the root that it can
//! see. Inside a container the path may name groups that are not visible; those that are count.

use std::path::Path;

use super::files::text;

/// Deepest path of groups that is followed.
const DEPTH_MAX: usize = 64;

/// Where control groups are usually mounted, when the mounts cannot be read.
const USUAL_MOUNTS: [(&str, Version); 4] = [
    ("sys/fs/cgroup", Version::Two),
    ("sys/fs/cgroup/unified", Version::Two),
    ("sys/fs/cgroup/cpu", Version::One),
    ("sys/fs/cgroup/cpu,cpuacct", Version::One),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// A mounted hierarchy of control groups that can limit CPU time.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mount {
    version: Version,
    /// Group that is seen at the mount point.
    top: String,
    /// Mount point, without the leading slash.
    point: String,
}

/// Cores that this process may use on average; `None` where no limit is set or can be read.
pub fn read(root: &Path) -> Option<f64> {
    let groups = own_groups(&text(root, "proc/self/cgroup")?);
    let mut mounts = text(root, "proc/self/mountinfo").map_or_else(Vec::new, |t| parse_mounts(&t));
    if mounts.is_empty() {
        mounts = USUAL_MOUNTS
            .iter()
            .map(|&(point, version)| Mount {
                version,
                top: "/".into(),
                point: point.into(),
            })
            .collect();
    }
    let mut smallest: Option<f64> = None;
    for (version, group) in &groups {
        for mount in mounts.iter().filter(|mount| mount.version == *version) {
            for folder in folders(mount, group) {
                if let Some(limit) = limit(root, &folder, *version) {
                    smallest = Some(smallest.map_or(limit, |other| other.min(limit)));
                }
            }
        }
    }
    smallest
}

/// Threads that a quota pays for: whole cores, at least one.
pub fn whole_cores(quota: f64) -> u32 {
    // A float to integer cast saturates, and the bounds make it exact.
    quota.floor().clamp(1.0, 65536.0) as u32
}

/// The groups of this process that can limit CPU time, from `/proc/self/cgroup`.
fn own_groups(text: &str) -> Vec<(Version, String)> {
    text.lines()
        .filter_map(|line| {
            let (number, rest) = line.split_once(':')?;
            let (controllers, group) = rest.split_once(':')?;
            if number == "0" && controllers.is_empty() {
                return Some((Version::Two, group.to_owned()));
            }
            let limits = controllers.split(',').any(|name| name == "cpu");
            limits.then(|| (Version::One, group.to_owned()))
        })
        .collect()
}

/// Hierarchies that can limit CPU time, from `/proc/self/mountinfo`.
fn parse_mounts(text: &str) -> Vec<Mount> {
    text.lines()
        .filter_map(|line| {
            let (before, after) = line.split_once(" - ")?;
            let mut before = before.split(' ').skip(3);
            let (top, point) = (before.next()?, before.next()?);
            let mut after = after.split(' ');
            let (kind, _source, options) = (after.next()?, after.next()?, after.next()?);
            let version = match kind {
                "cgroup2" => Version::Two,
                "cgroup" if options.split(',').any(|option| option == "cpu") => Version::One,
                _ => return None,
            };
            let point = point.trim_start_matches('/').to_owned();
            Some(Mount {
                version,
                top: top.to_owned(),
                point,
            })
        })
        .collect()
}

/// Folders from the group of this process up to the mount point, relative to the root.
fn folders(mount: &Mount, group: &str) -> Vec<String> {
    let top = mount.top.trim_end_matches('/');
    let below = match group.strip_prefix(top) {
        Some(below) if below.is_empty() || below.starts_with('/') => below,
        _ => "",
    };
    let mut folder = mount.point.clone();
    let mut folders = vec![folder.clone()];
    for part in below
        .split('/')
        .filter(|part| !part.is_empty())
        .take(DEPTH_MAX)
    {
        // A path out of the name space cannot be followed.
        if part == ".." {
            break;
        }
        folder = format!("{folder}/{part}");
        folders.push(folder.clone());
    }
    folders
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
