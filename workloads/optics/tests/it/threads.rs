//! The threads of a receipt are those that worked, whatever the library was asked for.

use longrun_protocol::receipt::Status;
use serde_json::json;
use tempfile::TempDir;

use crate::library::defective_path;
use crate::worker::{call, receipt, request};

/// Threads that a receipt says did work, at width 2, with the library at `path`.
fn observed_at_width_2(path: Option<&std::path::Path>) -> Option<u32> {
    let mut request = request("gnlse_dudley_8192");
    if let Some(path) = path {
        request["library"]["path"] = json!(path);
    }
    request["configuration"]["width"] = json!("2");
    request["threads"] = json!(2);
    request["repeats"] = json!(1);
    request["parameters"]["points"] = json!(2048);
    request["length"] = json!(0.01);
    let folder = TempDir::new().unwrap();
    call(folder.path(), &request.to_string());
    let receipt = receipt(folder.path());
    assert_eq!(receipt.status, Status::Complete, "{:?}", receipt.failure);
    assert_eq!(receipt.resolved.unwrap().threads, 2);
    receipt.witnesses[0].threads_observed
}

#[test]
fn a_library_whose_team_is_one_thread_is_caught() {
    assert_eq!(observed_at_width_2(None), Some(2));
    assert_eq!(observed_at_width_2(Some(&defective_path())), Some(1));
}
