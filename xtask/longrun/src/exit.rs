//! Every exit code, documented. `docs/manual.md` shows the same table.

use std::process;

/// Why the program ended. Where several apply, the first of [`Exit::PRECEDENCE`] wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exit {
    /// 0: done.
    #[default]
    Success,
    /// 1: a configuration failed, timed out or was inconsistent; a failed oracle; or an
    /// unexpected error.
    Failed,
    /// 2: usage: arguments, registry, revision names.
    Usage,
    /// 3: regressed; under `--gate` and `--policy acceptance` any failed check of the policy.
    Regressed,
    /// 4: inconclusive, under `--strict`.
    Inconclusive,
    /// 5: refused to record or to resume, or the rows could not be committed.
    Refused,
    /// 6: the environment cannot do it: compiler, library, device, disk, a revision that does not
    /// build.
    Environment,
    /// 7: results differ numerically between the sides of a comparison.
    ResultsDiffer,
    /// 130: interrupted; what finished is kept.
    Interrupted,
}

impl Exit {
    /// Most important first.
    pub const PRECEDENCE: [Exit; 9] = [
        Exit::Interrupted,
        Exit::Usage,
        Exit::Environment,
        Exit::Failed,
        Exit::ResultsDiffer,
        Exit::Regressed,
        Exit::Refused,
        Exit::Inconclusive,
        Exit::Success,
    ];

    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::Regressed => 3,
            Exit::Inconclusive => 4,
            Exit::Refused => 5,
            Exit::Environment => 6,
            Exit::ResultsDiffer => 7,
            Exit::Interrupted => 130,
        }
    }

    /// The more important of two.
    pub fn or(self, other: Exit) -> Exit {
        Exit::PRECEDENCE
            .into_iter()
            .find(|exit| *exit == self || *exit == other)
            .unwrap_or(self)
    }
}

impl From<Exit> for process::ExitCode {
    fn from(exit: Exit) -> Self {
        process::ExitCode::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_precedence_wins() {
        assert_eq!(Exit::Refused.or(Exit::Failed), Exit::Failed);
        assert_eq!(Exit::Success.or(Exit::Refused), Exit::Refused);
        assert_eq!(Exit::Interrupted.or(Exit::Usage), Exit::Interrupted);
        assert_eq!(Exit::Environment.or(Exit::Usage), Exit::Usage);
    }

    #[test]
    fn every_exit_has_its_own_code() {
        let mut codes: Vec<u8> = Exit::PRECEDENCE.iter().map(|exit| exit.code()).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes, [0, 1, 2, 3, 4, 5, 6, 7, 130]);
    }
}
