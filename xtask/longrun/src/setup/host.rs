//! What `setup` needs to know of the machine before it asks any tool: where programs are looked
//! for, which compilers are meant, what this user may do.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use super::packages::{Manager, Rights, System};

/// Where apt keeps its lists of packages.
const APT_LISTS: &str = "/var/lib/apt/lists";

/// A machine to set up.
#[derive(Clone, Debug)]
pub struct Host {
    /// Folders in which programs are looked for.
    pub path: OsString,
    /// The C compiler that a build would call, with the words that come before its arguments.
    pub cc: Vec<OsString>,
    /// The same for C++.
    pub cxx: Vec<OsString>,
    /// Whether the C++ compiler is Clang.
    pub clang: bool,
    /// Whether this user is the administrator.
    pub root: bool,
    /// Folder with the lists of apt.
    pub apt_lists: PathBuf,
}

impl Host {
    /// This machine and this user.
    pub fn current() -> Host {
        let (cc, _) = compiler(false, "cc");
        let (cxx, clang) = compiler(true, "c++");
        Host {
            path: env::var_os("PATH").unwrap_or_default(),
            cc,
            cxx,
            clang,
            root: is_root(),
            apt_lists: PathBuf::from(APT_LISTS),
        }
    }

    /// Where a program is; a path is taken as it is.
    pub fn which(&self, program: impl AsRef<OsStr>) -> Option<PathBuf> {
        which::which_in(program, Some(&self.path), Path::new(".")).ok()
    }

    /// What decides how packages are installed.
    pub fn system(&self) -> System {
        let manager = Manager::ALL
            .into_iter()
            .find(|manager| self.which(manager.program()).is_some());
        let rights = match (self.root, self.which("sudo")) {
            (true, _) => Rights::Root,
            (false, Some(_)) => Rights::Sudo,
            (false, None) => Rights::Neither,
        };
        let lists = manager != Some(Manager::Apt) || has_lists(&self.apt_lists);
        System {
            manager,
            rights,
            lists,
            clang: self.clang,
        }
    }
}

/// The compiler as the `cc` crate chooses it (`CC`, `CXX`, else by platform), and whether it is
/// Clang. Without an answer, the usual name.
fn compiler(cpp: bool, usual: &str) -> (Vec<OsString>, bool) {
    let target = std::env!("LONGRUN_TARGET");
    let tool = cc::Build::new()
        .cpp(cpp)
        .no_default_flags(true)
        .target(target)
        .host(target)
        .opt_level(0)
        .debug(false)
        .cargo_metadata(false)
        .cargo_warnings(false)
        .try_get_compiler();
    let Ok(tool) = tool else {
        return (vec![usual.into()], false);
    };
    let command = tool.to_command();
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    (words.map(OsStr::to_owned).collect(), tool.is_like_clang())
}

fn is_root() -> bool {
    #[cfg(unix)]
    {
        rustix::process::geteuid().is_root()
    }
    #[cfg(not(unix))]
    {
        false
    }
}

/// Package lists are files whose names end in `_Packages`, maybe compressed.
fn has_lists(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else {
        return false;
    };
    entries
        .filter_map(Result::ok)
        .any(|entry| entry.file_name().to_string_lossy().contains("_Packages"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_lists_has_none() {
        assert!(!has_lists(Path::new("no such folder")));
    }

    #[test]
    fn this_host_names_its_compilers() {
        let host = Host::current();
        assert!(!host.cc.is_empty());
        assert!(!host.cxx.is_empty());
    }
}
