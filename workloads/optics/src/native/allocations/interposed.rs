//! Every function of the C file does what the C library's does, and is counted.
//!
//! Other tests of this program allocate meanwhile, so the blocks are so large that it does not
//! matter, and those here take turns. Blocks are not touched as a whole, so they take no memory.

#![cfg(all(target_os = "linux", target_env = "gnu"))]
#![allow(clippy::unwrap_used, clippy::float_cmp)]

use std::ffi::{c_int, c_void};
use std::hint::black_box;
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Allocations;

unsafe extern "C" {
    fn malloc(bytes: usize) -> *mut c_void;
    fn calloc(count: usize, bytes: usize) -> *mut c_void;
    fn realloc(block: *mut c_void, bytes: usize) -> *mut c_void;
    fn reallocarray(block: *mut c_void, count: usize, bytes: usize) -> *mut c_void;
    fn memalign(alignment: usize, bytes: usize) -> *mut c_void;
    fn aligned_alloc(alignment: usize, bytes: usize) -> *mut c_void;
    fn posix_memalign(place: *mut *mut c_void, alignment: usize, bytes: usize) -> c_int;
    fn free(block: *mut c_void);
}

/// Bytes of a block.
const LARGE: usize = 1 << 28;

/// More than a block can have.
const TOO_LARGE: usize = usize::MAX / 2 + 1;

/// What they are aligned to where that is said.
const ALIGNMENT: usize = 256;

/// Every function that gives a block.
const WAYS: [&str; 7] = [
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "memalign",
    "aligned_alloc",
    "posix_memalign",
];

/// Held while a test has blocks.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A new block of `LARGE` bytes.
fn ask(way: &str) -> *mut c_void {
    let mut block = ptr::null_mut();
    // SAFETY: each of them takes any size; what they are told to move is no block, and the place is
    // one for a pointer.
    unsafe {
        match way {
            "malloc" => block = malloc(LARGE),
            "calloc" => block = calloc(2, LARGE / 2),
            "realloc" => block = realloc(block, LARGE),
            "reallocarray" => block = reallocarray(block, 2, LARGE / 2),
            "memalign" => block = memalign(ALIGNMENT, LARGE),
            "aligned_alloc" => block = aligned_alloc(ALIGNMENT, LARGE),
            "posix_memalign" => {
                assert_eq!(posix_memalign(&raw mut block, ALIGNMENT, LARGE), 0);
            }
            other => unreachable!("there is no `{other}`"),
        }
    }
    // A compiler may leave out a block that nobody looks at.
    black_box(block)
}

fn give_back(block: *mut c_void) {
    // SAFETY: the block is null or one of `ask`, and is not used after this.
    unsafe { free(block) }
}

/// Changes the size of a block, which is not used under its old address after this.
fn resized(block: *mut c_void, bytes: usize) -> *mut c_void {
    // SAFETY: the block is one of `ask`.
    black_box(unsafe { realloc(block, bytes) })
}

/// What is asked for and what is held more by `work`, both in blocks of `LARGE` bytes.
fn counted(work: impl FnOnce()) -> (f64, f64) {
    let before = Allocations::now();
    work();
    let taken = Allocations::now().since(before).process.unwrap();
    let blocks = |bytes: f64| (bytes / LARGE as f64).round();
    (blocks(taken.bytes as f64), blocks(taken.live_bytes as f64))
}

#[test]
fn every_way_to_allocate_is_counted_and_so_is_giving_back() {
    let _turn = turn();
    for way in WAYS {
        let mut block = ptr::null_mut();
        assert_eq!(counted(|| block = ask(way)), (1.0, 1.0), "{way}");
        assert!(!block.is_null(), "{way}");
        let aligned = block.addr().is_multiple_of(ALIGNMENT);
        assert!(aligned || !way.contains("align"), "{way}");
        assert_eq!(counted(|| give_back(block)), (0.0, -1.0), "{way}");
    }
    assert_eq!(counted(|| give_back(ptr::null_mut())), (0.0, 0.0));
}

#[test]
fn a_block_of_zeros_is_empty_at_both_ends() {
    let _turn = turn();
    let block = ask("calloc").cast::<u8>();
    // SAFETY: the block has `LARGE` bytes.
    let ends = unsafe { [block.read(), block.add(LARGE - 1).read()] };
    assert_eq!(ends, [0, 0]);
    give_back(block.cast());
}

#[test]
fn a_block_that_changes_its_size_is_counted_once_more_and_keeps_what_is_in_it() {
    let _turn = turn();
    let mut block = ask("malloc");
    // SAFETY: the block has `LARGE` bytes.
    unsafe { block.cast::<u8>().write(7) };
    for (bytes, due) in [(2 * LARGE, (2.0, 1.0)), (LARGE, (1.0, -1.0))] {
        assert_eq!(counted(|| block = resized(block, bytes)), due, "{bytes}");
        // SAFETY: the block has moved with what was in it.
        let kept = unsafe { block.cast::<u8>().read() };
        assert_eq!(kept, 7, "{bytes}");
    }
    assert_eq!(counted(|| block = resized(block, 0)), (0.0, -1.0));
    assert!(block.is_null(), "a size of 0 gives a block back");
}

#[test]
fn what_cannot_be_had_is_not_counted_and_leaves_a_block_as_it_was() {
    let _turn = turn();
    let block = ask("malloc");
    let refused = counted(|| {
        let mut place = ptr::null_mut();
        // SAFETY: as in `ask`; the block is one of it, and one that cannot be moved stays.
        let (blocks, statuses) = unsafe {
            let blocks = [
                malloc(TOO_LARGE),
                calloc(usize::MAX, 16),
                realloc(block, TOO_LARGE),
                reallocarray(block, usize::MAX, 16),
                memalign(ALIGNMENT, TOO_LARGE),
            ];
            let odd = posix_memalign(&raw mut place, 3, LARGE);
            let large = posix_memalign(&raw mut place, ALIGNMENT, TOO_LARGE);
            (blocks, [odd, large])
        };
        assert!(black_box(blocks).iter().all(|block| block.is_null()));
        // EINVAL and ENOMEM, and nothing is written.
        assert_eq!(statuses, [22, 12]);
        assert!(place.is_null());
    });
    assert_eq!(refused, (0.0, 0.0));
    assert_eq!(counted(|| give_back(block)), (0.0, -1.0));
}
