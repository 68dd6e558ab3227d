//! Nothing is allocated while something is timed, and a worker that allocates is found out: by the
//! worker that really runs, in whose process every `malloc` is counted.

use longrun_optics::native::allocations::Allocations;
use longrun_optics::worker::OpticsFacts;
use longrun_protocol::Size;
use longrun_protocol::receipt::{Receipt, Status};
use longrun_protocol::sampling::AllocationReport;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::kernels;
use crate::library::{defective_path, engine};
use crate::registry::case;
use crate::worker::{call, receipt, request};

/// Answers a request that is to succeed.
fn answer(request: &Value) -> Receipt {
    let folder = TempDir::new().unwrap();
    call(folder.path(), &request.to_string());
    let receipt = receipt(folder.path());
    assert_eq!(receipt.status, Status::Complete, "{:?}", receipt.failure);
    receipt
}

/// What a block of a kernel allocated.
fn of_kernel(mut request: Value) -> AllocationReport {
    request["count_allocations"] = json!(true);
    let report = answer(&request).sampled.unwrap();
    let allocations = report.allocations.unwrap();
    assert_eq!(allocations.ops, report.ops);
    allocations
}

/// Allocations of each repeat of a complete run, of which the context tells.
fn of_repeats(request: &Value) -> Vec<Option<u64>> {
    let facts = answer(request).context.unwrap().facts;
    let facts: OpticsFacts = serde_json::from_value(Value::Object(facts)).unwrap();
    facts
        .repeats
        .iter()
        .map(|repeat| repeat.allocations)
        .collect()
}

#[test]
fn a_block_of_every_kernel_allocates_nothing() {
    for threads in [1, 2] {
        for name in kernels::names() {
            let allocations = of_kernel(kernels::request(&name, threads));
            let process = allocations.process.unwrap();
            assert_eq!(
                (process.allocations, process.bytes),
                (0, 0),
                "{name} {threads}"
            );
            let rust = allocations.rust.unwrap();
            assert_eq!((rust.allocations, rust.bytes), (0, 0), "{name} {threads}");
            assert_eq!(
                (process.live_bytes, rust.live_bytes),
                (0, 0),
                "{name} {threads}"
            );
        }
    }
}

#[test]
fn a_timed_repeat_of_every_stepper_allocates_nothing() {
    for (name, stepper) in [
        ("gnlse_raman_shock", "multistep"),
        ("gnlse_raman_shock", "multistep-interaction"),
        ("gnlse_raman_shock", "rk"),
        ("gnlse_soliton_fixed", "rk4ip"),
    ] {
        for threads in [1, 2] {
            let mut request = request(name);
            request["configuration"]["stepper"] = json!(stepper);
            request["configuration"]["width"] = json!(threads.to_string());
            request["threads"] = json!(threads);
            request["length"] = json!(0.05);
            let allocations = of_repeats(&request);
            assert_eq!(allocations, [Some(0); 3], "{name} {stepper} {threads}");
        }
    }
}

#[test]
fn an_allocation_that_is_planted_in_the_library_is_caught() {
    let mut kernel = kernels::request("polarise", 1);
    kernel["library"]["path"] = json!(defective_path());
    let allocations = of_kernel(kernel);
    let process = allocations.process.unwrap();
    // Once in each block, whatever the number of operations, and given back at once: 8 B by C++, 64
    // by FFTW, and 64 and a header by OpenMP.
    assert_eq!((process.allocations, process.live_bytes), (3, 0));
    assert!((8 + 64 + 64..300).contains(&process.bytes), "{process:?}");
    assert_eq!(allocations.rust.unwrap().allocations, 0, "none is Rust's");

    let mut run = request("gnlse_soliton");
    run["library"]["path"] = json!(defective_path());
    // One advance to each of two planes.
    assert_eq!(of_repeats(&run), [Some(2); 3]);
}

/// Other tests of this program allocate at the same time. What is Rust's is in both counters, so
/// their difference has what the libraries allocated, and perhaps more.
#[test]
fn what_a_loaded_library_and_fftw_allocate_is_seen_and_is_not_rusts() {
    let case = case("gnlse_raman_shock", Size::Smoke);
    let before = Allocations::now();
    let engine = engine(&case, "rk");
    let taken = Allocations::now().since(before);
    let (process, rust) = (taken.process.unwrap(), taken.rust);
    // Twenty arrays of 4096 complex values and more.
    let bytes = process.bytes.saturating_sub(rust.bytes);
    assert!(bytes > 20 * 4096 * 16, "{taken:?}");
    // The library makes few blocks; the planner of its FFT provider makes thousands.
    let blocks = process.allocations.saturating_sub(rust.allocations);
    assert!(blocks > 1000, "{taken:?}");
    drop(engine);
}
