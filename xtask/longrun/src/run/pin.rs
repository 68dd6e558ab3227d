//! Starting a child on one CPU.
//!
//! A child inherits the CPUs of the thread that starts it, so that thread moves there for the
//! moment of the start and comes back. The threads that copy output stay where they may run.

use std::io;

/// A thread that is on one CPU until this goes.
#[derive(Debug)]
pub struct Pinned {
    #[cfg(target_os = "linux")]
    before: rustix::thread::CpuSet,
}

/// Moves the calling thread to the CPU with this number.
///
/// # Errors
/// Where the system has no such call, or the process may not run on that CPU.
#[cfg(target_os = "linux")]
pub fn move_to(cpu: u32) -> io::Result<Pinned> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let number = usize::try_from(cpu).unwrap_or(usize::MAX);
    if number >= CpuSet::MAX_CPU {
        return Err(io::Error::other(format!(
            "CPU {cpu} is beyond the {} that can be named",
            CpuSet::MAX_CPU
        )));
    }
    let before = sched_getaffinity(None)?;
    let mut only = CpuSet::new();
    only.set(number);
    sched_setaffinity(None, &only)?;
    Ok(Pinned { before })
}

/// The same where there is no such call.
#[cfg(not(target_os = "linux"))]
pub fn move_to(_cpu: u32) -> io::Result<Pinned> {
    Err(io::Error::other("this system has no call for that"))
}

#[cfg(target_os = "linux")]
impl Drop for Pinned {
    fn drop(&mut self) {
        // Where it fails, this thread goes on waiting on one CPU: slower, and nothing else.
        let _ = rustix::thread::sched_setaffinity(None, &self.before);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use rustix::thread::{CpuSet, sched_getaffinity};

    #[test]
    fn a_thread_is_on_the_cpu_and_comes_back() {
        let before = sched_getaffinity(None).unwrap();
        let mut allowed = (0..CpuSet::MAX_CPU).rev().filter(|cpu| before.is_set(*cpu));
        let last = allowed.next().unwrap();
        let pinned = move_to(u32::try_from(last).unwrap()).unwrap();
        let on = sched_getaffinity(None).unwrap();
        assert!(on.is_set(last));
        assert_eq!(on.count(), 1);
        drop(pinned);
        assert_eq!(sched_getaffinity(None).unwrap(), before);
    }

    #[test]
    fn a_cpu_that_is_not_there_is_refused() {
        assert!(move_to(u32::MAX).is_err());
    }
}
