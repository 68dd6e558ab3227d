//! What this process has asked of its allocators.
//!
//! There are two counters. Rust's is the global allocator of every program that contains this
//! crate. That of the process is `malloc` itself, in the C file beside this one: it sees Rust, C++
//! and every library that is loaded. It is there with glibc on Linux only, and only where libraries
//! find it; elsewhere the process is not counted, which is not the same as counting nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use longrun_protocol::sampling::AllocationCounts;

#[cfg(test)]
mod interposed;

/// The allocator of the system, counted.
struct Counted;

#[global_allocator]
static ALLOCATOR: Counted = Counted;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);
static LIVE_BYTES: AtomicI64 = AtomicI64::new(0);

/// A size as the counters hold it. A layout is at most `isize::MAX` long.
fn signed(bytes: usize) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// Counts a block of `bytes`, unless there was none to be had.
fn taken(block: *mut u8, bytes: usize) -> *mut u8 {
    if !block.is_null() {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        BYTES.fetch_add(bytes as u64, Ordering::Relaxed);
        LIVE_BYTES.fetch_add(signed(bytes), Ordering::Relaxed);
    }
    block
}

fn given_back(bytes: usize) {
    LIVE_BYTES.fetch_sub(signed(bytes), Ordering::Relaxed);
}

// SAFETY: every call is handed on to the system's allocator as it came, and what that returns is
// returned; the counters allocate nothing.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`.
        taken(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        taken(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `realloc`.
        let moved = unsafe { System.realloc(block, layout, bytes) };
        // A failure leaves the block as it was.
        if !moved.is_null() {
            given_back(layout.size());
        }
        taken(moved, bytes)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        given_back(layout.size());
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(block, layout) }
    }
}

/// The counters at one moment, or their differences over a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocations {
    /// Of the Rust code.
    pub rust: AllocationCounts,
    /// Of everything in the process; absent where it is not counted.
    pub process: Option<AllocationCounts>,
}

impl Allocations {
    /// What has been counted since the process began. Exact only while no other thread allocates.
    pub fn now() -> Self {
        Allocations {
            rust: AllocationCounts {
                allocations: ALLOCATIONS.load(Ordering::Relaxed),
                bytes: BYTES.load(Ordering::Relaxed),
                live_bytes: LIVE_BYTES.load(Ordering::Relaxed),
            },
            process: process::now(),
        }
    }

    /// What has been counted since `before`.
    pub fn since(self, before: Self) -> Self {
        let processes = self.process.zip(before.process);
        Allocations {
            rust: difference(self.rust, before.rust),
            process: processes.map(|(after, before)| difference(after, before)),
        }
    }
}

/// Counters wrap after 2^64, and their differences do not show it.
fn difference(after: AllocationCounts, before: AllocationCounts) -> AllocationCounts {
    AllocationCounts {
        allocations: after.allocations.wrapping_sub(before.allocations),
        bytes: after.bytes.wrapping_sub(before.bytes),
        live_bytes: after.live_bytes.wrapping_sub(before.live_bytes),
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod process {
    use std::ffi::c_int;
    use std::sync::OnceLock;

    use super::AllocationCounts;

    /// `struct longrun_allocated` of the C file.
    #[repr(C)]
    #[derive(Default)]
    struct Allocated {
        allocations: u64,
        bytes: u64,
        live_bytes: i64,
    }

    unsafe extern "C" {
        fn longrun_counts_libraries() -> c_int;
        fn longrun_read_allocated(counts: *mut Allocated);
    }

    /// What `malloc` and its kin have counted; none where libraries find another one.
    pub fn now() -> Option<AllocationCounts> {
        static FOUND: OnceLock<bool> = OnceLock::new();
        let found = FOUND.get_or_init(|| {
            // SAFETY: the function takes nothing and looks up a name.
            unsafe { longrun_counts_libraries() != 0 }
        });
        if !found {
            return None;
        }
        let mut counts = Allocated::default();
        // SAFETY: the function writes one structure of this layout into the place.
        unsafe { longrun_read_allocated(&raw mut counts) };
        Some(AllocationCounts {
            allocations: counts.allocations,
            bytes: counts.bytes,
            live_bytes: counts.live_bytes,
        })
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
mod process {
    use super::AllocationCounts;

    /// Nothing stands between the process and its allocator here.
    pub fn now() -> Option<AllocationCounts> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(allocations: u64, bytes: u64, live_bytes: i64) -> AllocationCounts {
        AllocationCounts {
            allocations,
            bytes,
            live_bytes,
        }
    }

    #[test]
    fn a_difference_is_that_of_each_counter_and_may_give_back_more_than_it_took() {
        let before = Allocations {
            rust: counts(u64::MAX, 10, 500),
            process: Some(counts(7, 100, 900)),
        };
        let after = Allocations {
            rust: counts(1, 30, 400),
            process: Some(counts(7, 100, 900)),
        };
        let due = Allocations {
            rust: counts(2, 20, -100),
            process: Some(counts(0, 0, 0)),
        };
        assert_eq!(after.since(before), due);
    }

    #[test]
    fn a_process_that_is_not_counted_has_no_difference() {
        let unknown = Allocations {
            rust: counts(1, 1, 1),
            process: None,
        };
        assert_eq!(Allocations::now().since(unknown).process, None);
        assert_eq!(unknown.since(Allocations::now()).process, None);
    }

    // Other tests of this program allocate at the same time, so there are least numbers only.
    #[test]
    fn what_rust_allocates_is_seen_by_both_counters() {
        let before = Allocations::now();
        let planted = std::hint::black_box(vec![1_u8; 1 << 20]);
        let mut grown = std::hint::black_box(Vec::with_capacity(8));
        grown.extend_from_slice(&planted);
        let taken = Allocations::now().since(before);
        assert!(taken.rust.allocations >= 3, "{taken:?}");
        assert!(taken.rust.bytes >= 2 << 20, "{taken:?}");
        let counted = cfg!(all(target_os = "linux", target_env = "gnu"));
        assert_eq!(taken.process.is_some(), counted);
        let enough = |process: AllocationCounts| process.bytes >= 2 << 20;
        assert!(taken.process.is_none_or(enough), "{taken:?}");
        assert_eq!(grown.len(), planted.len());
    }
}
