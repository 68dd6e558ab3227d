//! Which packages bring what is missing, and the command that installs them. Pure.

/// Something that the build needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// The program `git`: the checks of the repository's own rules use it.
    Git,
    /// A C compiler that links.
    CCompiler,
    /// A C++ compiler that knows C++20.
    CxxCompiler,
    /// CMake, new enough.
    Cmake,
    /// Ninja or make.
    BuildTool,
    /// pkg-config, which finds the libraries.
    PkgConfig,
    /// FFTW in double precision.
    Fftw,
    /// OpenBLAS.
    Openblas,
    /// OpenMP in the C++ compiler.
    OpenMp,
    /// Python 3, in which one worker of the tests is written.
    Python,
}

impl Need {
    /// Its name in JSON.
    pub fn key(self) -> &'static str {
        match self {
            Need::Git => "git",
            Need::CCompiler => "c_compiler",
            Need::CxxCompiler => "cxx_compiler",
            Need::Cmake => "cmake",
            Need::BuildTool => "build_tool",
            Need::PkgConfig => "pkg_config",
            Need::Fftw => "fftw",
            Need::Openblas => "openblas",
            Need::OpenMp => "openmp",
            Need::Python => "python",
        }
    }

    /// Its name in text.
    pub fn label(self) -> &'static str {
        match self {
            Need::Git => "git",
            Need::CCompiler => "C compiler",
            Need::CxxCompiler => "C++ compiler with C++20",
            Need::Cmake => "CMake",
            Need::BuildTool => "Ninja or make",
            Need::PkgConfig => "pkg-config",
            Need::Fftw => "FFTW",
            Need::Openblas => "OpenBLAS",
            Need::OpenMp => "OpenMP",
            Need::Python => "Python 3",
        }
    }

    /// Whether the build of the optics library fails without it. What is not required is named
    /// and installed all the same: git for `tidy`, Python for the tests.
    pub fn required(self) -> bool {
        !matches!(self, Need::Git | Need::Python)
    }
}

/// A package manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manager {
    /// Debian and its relatives.
    Apt,
    /// Fedora and its relatives.
    Dnf,
    /// Arch and its relatives.
    Pacman,
    /// Homebrew.
    Brew,
}

impl Manager {
    /// Every one, in the order in which they are looked for.
    pub const ALL: [Manager; 4] = [Manager::Apt, Manager::Dnf, Manager::Pacman, Manager::Brew];

    /// The program.
    pub fn program(self) -> &'static str {
        match self {
            Manager::Apt => "apt-get",
            Manager::Dnf => "dnf",
            Manager::Pacman => "pacman",
            Manager::Brew => "brew",
        }
    }

    /// Packages that bring one need. `clang` says which compiler OpenMP is for.
    fn packages(self, need: Need, clang: bool) -> &'static [&'static str] {
        match (self, need) {
            (_, Need::Git) => &["git"],
            (_, Need::Cmake) => &["cmake"],
            (Manager::Apt | Manager::Dnf, Need::Python) => &["python3"],
            (Manager::Pacman | Manager::Brew, Need::Python) => &["python"],
            // The compiler alone recommends, but does not need, the C library's headers.
            (Manager::Apt, Need::CCompiler) => &["gcc", "libc6-dev"],
            (Manager::Apt, Need::CxxCompiler) => &["g++"],
            (Manager::Apt, Need::BuildTool) => &["ninja-build"],
            (Manager::Apt, Need::PkgConfig) => &["pkg-config"],
            (Manager::Apt, Need::Fftw) => &["libfftw3-dev"],
            (Manager::Apt, Need::Openblas) => &["libopenblas-dev"],
            (Manager::Apt, Need::OpenMp) if clang => &["libomp-dev"],
            (Manager::Apt, Need::OpenMp) => &["g++"],
            (Manager::Dnf, Need::CCompiler) => &["gcc"],
            (Manager::Dnf, Need::CxxCompiler) => &["gcc-c++"],
            (Manager::Dnf, Need::BuildTool) => &["ninja-build"],
            (Manager::Dnf, Need::PkgConfig) => &["pkgconf-pkg-config"],
            (Manager::Dnf, Need::Fftw) => &["fftw-devel"],
            (Manager::Dnf, Need::Openblas) => &["openblas-devel"],
            (Manager::Dnf, Need::OpenMp) if clang => &["libomp-devel"],
            (Manager::Dnf, Need::OpenMp) => &["libgomp"],
            (Manager::Pacman, Need::OpenMp) if clang => &["openmp"],
            (Manager::Pacman, Need::CCompiler | Need::CxxCompiler | Need::OpenMp) => &["gcc"],
            (Manager::Brew, Need::OpenMp) if clang => &["libomp"],
            (Manager::Brew, Need::CCompiler | Need::CxxCompiler | Need::OpenMp) => &["gcc"],
            (Manager::Pacman | Manager::Brew, Need::BuildTool) => &["ninja"],
            (Manager::Pacman | Manager::Brew, Need::PkgConfig) => &["pkgconf"],
            (Manager::Pacman | Manager::Brew, Need::Fftw) => &["fftw"],
            (Manager::Pacman | Manager::Brew, Need::Openblas) => &["openblas"],
        }
    }
}

/// How a command becomes one of the administrator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rights {
    /// This user is the administrator.
    Root,
    /// `sudo` is there.
    Sudo,
    /// Neither.
    Neither,
}

/// What decides the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct System {
    /// The package manager, where there is one.
    pub manager: Option<Manager>,
    /// What this user may do.
    pub rights: Rights,
    /// Whether the manager has lists of packages; a fresh container has none.
    pub lists: bool,
    /// Whether the C++ compiler is Clang.
    pub clang: bool,
}

/// What would be installed and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Packages, each once, sorted.
    pub packages: Vec<&'static str>,
    /// Fetches the package lists, where that is a step of its own.
    pub refresh: Option<Vec<String>>,
    /// Whether the lists have to be fetched first.
    pub lists_missing: bool,
    /// Installs the packages.
    pub install: Vec<String>,
    /// Whether this user can run it.
    pub runnable: bool,
}

impl Plan {
    /// The whole command line.
    pub fn line(&self) -> String {
        let install = self.install.join(" ");
        match self.refresh.as_ref().filter(|_| self.lists_missing) {
            Some(refresh) => format!("{} && {install}", refresh.join(" ")),
            None => install,
        }
    }
}

/// The plan that brings what is missing; `None` where nothing is, or no manager is known.
pub fn plan(missing: &[Need], system: &System) -> Option<Plan> {
    let manager = system.manager?;
    let mut packages: Vec<&'static str> = missing
        .iter()
        .flat_map(|need| manager.packages(*need, system.clang))
        .copied()
        .collect();
    packages.sort_unstable();
    packages.dedup();
    if packages.is_empty() {
        return None;
    }
    let (refresh, install): (Option<&[&str]>, &[&str]) = match manager {
        Manager::Apt => (
            Some(&["apt-get", "update"]),
            &[
                "env",
                "DEBIAN_FRONTEND=noninteractive",
                "apt-get",
                "install",
                "--yes",
                "--no-install-recommends",
            ],
        ),
        Manager::Dnf => (None, &["dnf", "install", "--assumeyes"]),
        Manager::Pacman => (
            Some(&["pacman", "--sync", "--refresh"]),
            &["pacman", "--sync", "--needed", "--noconfirm"],
        ),
        Manager::Brew => (None, &["brew", "install"]),
    };
    // Homebrew belongs to the user and refuses the administrator.
    let own = manager == Manager::Brew;
    let sudo = !own && system.rights != Rights::Root;
    let words = |command: &[&str]| -> Vec<String> {
        let prefix = sudo.then_some("sudo").into_iter();
        prefix
            .chain(command.iter().copied())
            .map(str::to_owned)
            .collect()
    };
    let mut install = words(install);
    install.extend(packages.iter().map(|package| (*package).to_owned()));
    Some(Plan {
        packages,
        lists_missing: refresh.is_some() && !system.lists,
        refresh: refresh.map(words),
        install,
        runnable: own || system.rights != Rights::Neither,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const EVERYTHING: [Need; 10] = [
        Need::Git,
        Need::CCompiler,
        Need::CxxCompiler,
        Need::Cmake,
        Need::BuildTool,
        Need::PkgConfig,
        Need::Fftw,
        Need::Openblas,
        Need::OpenMp,
        Need::Python,
    ];

    fn system(manager: Option<Manager>, rights: Rights) -> System {
        System {
            manager,
            rights,
            lists: true,
            clang: false,
        }
    }

    #[test]
    fn each_manager_has_its_command() {
        for (manager, line) in [
            (
                Manager::Apt,
                "env DEBIAN_FRONTEND=noninteractive apt-get install --yes \
                 --no-install-recommends cmake g++ gcc git libc6-dev libfftw3-dev libopenblas-dev \
                 ninja-build pkg-config python3",
            ),
            (
                Manager::Dnf,
                "dnf install --assumeyes cmake fftw-devel gcc gcc-c++ git libgomp ninja-build \
                 openblas-devel pkgconf-pkg-config python3",
            ),
            (
                Manager::Pacman,
                "pacman --sync --needed --noconfirm cmake fftw gcc git ninja openblas pkgconf \
                 python",
            ),
            (
                Manager::Brew,
                "brew install cmake fftw gcc git ninja openblas pkgconf python",
            ),
        ] {
            let plan = plan(&EVERYTHING, &system(Some(manager), Rights::Root)).unwrap();
            assert_eq!(plan.line(), line, "{manager:?}");
            assert!(plan.runnable);
        }
    }

    #[test]
    fn without_a_manager_or_without_a_need_there_is_no_plan() {
        assert_eq!(plan(&EVERYTHING, &system(None, Rights::Root)), None);
        for manager in Manager::ALL {
            assert_eq!(plan(&[], &system(Some(manager), Rights::Root)), None);
        }
    }

    #[test]
    fn sudo_is_used_only_by_users_that_are_not_root_and_never_for_homebrew() {
        for (manager, rights, start, runnable) in [
            (Manager::Dnf, Rights::Root, "dnf install", true),
            (Manager::Dnf, Rights::Sudo, "sudo dnf install", true),
            (Manager::Dnf, Rights::Neither, "sudo dnf install", false),
            (Manager::Brew, Rights::Sudo, "brew install", true),
            (Manager::Brew, Rights::Neither, "brew install", true),
            (Manager::Apt, Rights::Sudo, "sudo env DEBIAN_FRONTEND", true),
        ] {
            let plan = plan(&[Need::Fftw], &system(Some(manager), rights)).unwrap();
            assert!(plan.line().starts_with(start), "{}", plan.line());
            assert_eq!(plan.runnable, runnable, "{manager:?} {rights:?}");
        }
    }

    #[test]
    fn absent_package_lists_are_fetched_first() {
        let mut fresh = system(Some(Manager::Apt), Rights::Sudo);
        fresh.lists = false;
        let line = plan(&[Need::Cmake], &fresh).unwrap().line();
        assert!(
            line.starts_with("sudo apt-get update && sudo env "),
            "{line}"
        );
        fresh.manager = Some(Manager::Dnf);
        let line = plan(&[Need::Cmake], &fresh).unwrap().line();
        assert_eq!(line, "sudo dnf install --assumeyes cmake");
    }

    #[test]
    fn openmp_comes_with_the_compiler_that_needs_it() {
        for (manager, gcc, clang) in [
            (Manager::Apt, "g++", "libomp-dev"),
            (Manager::Dnf, "libgomp", "libomp-devel"),
            (Manager::Pacman, "gcc", "openmp"),
            (Manager::Brew, "gcc", "libomp"),
        ] {
            let mut system = system(Some(manager), Rights::Root);
            assert_eq!(plan(&[Need::OpenMp], &system).unwrap().packages, [gcc]);
            system.clang = true;
            assert_eq!(plan(&[Need::OpenMp], &system).unwrap().packages, [clang]);
        }
    }

    #[test]
    fn names_in_json_differ() {
        let mut keys: Vec<&str> = EVERYTHING.iter().map(|need| need.key()).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), EVERYTHING.len());
    }
}
