//! Control groups of this process: which folders hold the files of a controller (v1 and v2).
//!
//! A process is held to every group on the path from its own to the root that it can see. Inside a
//! container the path may name groups that are not visible; those that are count.

use std::path::Path;

use super::files::text;

/// Deepest path of groups that is followed.
const DEPTH_MAX: usize = 64;

/// Which kind of hierarchy a folder belongs to: the names of its files depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// One hierarchy for some controllers.
    One,
    /// One hierarchy for all.
    Two,
}

/// One group, as a folder relative to the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Which kind.
    pub version: Version,
    /// Folder with its files.
    pub folder: String,
}

/// A mounted hierarchy of control groups.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mount {
    version: Version,
    /// Group that is seen at the mount point.
    top: String,
    /// Mount point, without the leading slash.
    point: String,
}

/// The groups on the path to this process that `controller` (`cpu`, `cpuset`, `memory`) may limit,
/// the outermost first, in each hierarchy that has it.
pub fn groups(root: &Path, controller: &str) -> Vec<Group> {
    let Some(own) = text(root, "proc/self/cgroup") else {
        return Vec::new();
    };
    let mountinfo = text(root, "proc/self/mountinfo").unwrap_or_default();
    let mut mounts = parse_mounts(&mountinfo, controller);
    if mounts.is_empty() {
        mounts = usual_mounts(controller);
    }
    let mut groups = Vec::new();
    for (version, group) in own_groups(&own, controller) {
        for mount in mounts.iter().filter(|mount| mount.version == version) {
            let folders = folders(mount, &group).into_iter();
            groups.extend(folders.map(|folder| Group { version, folder }));
        }
    }
    groups
}

/// Where control groups are mounted by custom, for when the mounts cannot be read.
fn usual_mounts(controller: &str) -> Vec<Mount> {
    let mount = |version, point: String| Mount {
        version,
        top: "/".to_owned(),
        point,
    };
    vec![
        mount(Version::Two, "sys/fs/cgroup".to_owned()),
        mount(Version::Two, "sys/fs/cgroup/unified".to_owned()),
        mount(Version::One, format!("sys/fs/cgroup/{controller}")),
        mount(Version::One, "sys/fs/cgroup/cpu,cpuacct".to_owned()),
    ]
}

/// The groups of this process with that controller, from `/proc/self/cgroup`.
fn own_groups(text: &str, controller: &str) -> Vec<(Version, String)> {
    text.lines()
        .filter_map(|line| {
            let (number, rest) = line.split_once(':')?;
            let (controllers, group) = rest.split_once(':')?;
            if number == "0" && controllers.is_empty() {
                return Some((Version::Two, group.to_owned()));
            }
            let limits = controllers.split(',').any(|name| name == controller);
            limits.then(|| (Version::One, group.to_owned()))
        })
        .collect()
}

/// Hierarchies that may have that controller, from `/proc/self/mountinfo`.
fn parse_mounts(text: &str, controller: &str) -> Vec<Mount> {
    text.lines()
        .filter_map(|line| {
            let (before, after) = line.split_once(" - ")?;
            let mut before = before.split(' ').skip(3);
            let (top, point) = (before.next()?, before.next()?);
            let mut after = after.split(' ');
            let (kind, _source, options) = (after.next()?, after.next()?, after.next()?);
            let version = match kind {
                "cgroup2" => Version::Two,
                "cgroup" if options.split(',').any(|option| option == controller) => Version::One,
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

/// Folders from the mount point down to the group of this process, relative to the root.
fn folders(mount: &Mount, group: &str) -> Vec<String> {
    let top = mount.top.trim_end_matches('/');
    let below = match group.strip_prefix(top) {
        Some(below) if below.is_empty() || below.starts_with('/') => below,
        _ => "",
    };
    let mut folder = mount.point.clone();
    let mut folders = vec![folder.clone()];
    let parts = below.split('/').filter(|part| !part.is_empty());
    // A path out of the name space cannot be followed.
    for part in parts.take(DEPTH_MAX).take_while(|part| *part != "..") {
        folder = format!("{folder}/{part}");
        folders.push(folder.clone());
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::super::made::MadeMachine;
    use super::*;

    fn found(files: &[(&str, &str)], controller: &str) -> Vec<String> {
        let made = MadeMachine::empty();
        for (path, text) in files {
            made.file(path, text);
        }
        let groups = groups(made.root(), controller);
        groups.into_iter().map(|group| group.folder).collect()
    }

    #[test]
    fn the_path_goes_from_the_mount_point_to_the_own_group() {
        let files = [
            ("proc/self/cgroup", "0::/a/b\n"),
            (
                "proc/self/mountinfo",
                "30 23 0:26 / /cg rw - cgroup2 c rw\n",
            ),
        ];
        assert_eq!(found(&files, "cpu"), ["cg", "cg/a", "cg/a/b"]);
    }

    #[test]
    fn each_controller_of_version_one_has_a_hierarchy_of_its_own() {
        let files = [
            (
                "proc/self/cgroup",
                "4:memory:/m\n3:cpuset:/s\n2:cpu,cpuacct:/c\n0::/\n",
            ),
            (
                "proc/self/mountinfo",
                "30 23 0:26 / /v1/cpu rw - cgroup cgroup rw,cpu,cpuacct\n\
                 31 23 0:27 / /v1/set rw - cgroup cgroup rw,cpuset\n\
                 32 23 0:28 / /v1/mem rw - cgroup cgroup rw,memory\n\
                 33 23 0:29 / /v2 rw - cgroup2 cgroup2 rw\n",
            ),
        ];
        assert_eq!(found(&files, "cpu"), ["v1/cpu", "v1/cpu/c", "v2"]);
        assert_eq!(found(&files, "cpuset"), ["v1/set", "v1/set/s", "v2"]);
        assert_eq!(found(&files, "memory"), ["v1/mem", "v1/mem/m", "v2"]);
    }

    #[test]
    fn a_machine_without_groups_has_none() {
        assert_eq!(found(&[], "cpu"), Vec::<String>::new());
        assert_eq!(
            found(&[("proc/self/cgroup", "rubbish")], "cpu"),
            Vec::<String>::new()
        );
    }
}
