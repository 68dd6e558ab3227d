//! `clean`: what is kept on disk, and freeing what is old.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::bench::Bench;
use crate::case::Case;
use crate::changes::changes;
use crate::ran::wait_until;

/// What became of everything of a kind, by the name of its folder.
fn fates(report: &Value, kind: &str) -> BTreeMap<String, String> {
    let items = report["items"].as_array().unwrap().iter();
    let of_kind = items.filter(|item| item["kind"] == kind);
    of_kind
        .map(|item| {
            let path = item["path"].as_str().unwrap();
            let name = path.rsplit('/').next().unwrap().to_owned();
            (name, item["fate"].as_str().unwrap().to_owned())
        })
        .collect()
}

#[test]
fn clean_alone_shows_and_removes_nothing() {
    let bench = Bench::new().native_project().case(Case::new("a")).commit();
    bench.run(["build"]).exits(0);
    bench.run(["track"]).exits(0);
    let shown = bench.run(["clean"]).exits(0);
    shown
        .says("native")
        .says("--older-than 30d")
        .says("not in any history: 1 complete run: runs");
    let report = bench.run(["clean", "--json"]).exits(0).json();
    assert_eq!(
        fates(&report, "native").into_values().collect::<Vec<_>>(),
        ["shown"]
    );
    assert!(report["bytes"].as_u64().unwrap() > 0);
    assert_eq!(report["freed_bytes"], 0);
    assert_eq!(bench.bundles().len(), 1);
    let build = bench.run(["build", "--json"]).exits(0).json();
    assert_eq!(build["status"], "up_to_date");
}

#[test]
fn what_is_old_is_freed_but_for_a_complete_run_that_nobody_recorded() {
    let bench = Bench::new().native_project().case(Case::new("a")).commit();
    bench.run(["build"]).exits(0);
    let record = ["track", "--append-history", "--json"];
    let recorded = bench.run(record).exits(0).json();
    let unrecorded = bench.run(["track", "--json"]).exits(0).json();
    let id = |run: &Value| run["run_id"].as_str().unwrap().to_owned();
    let young = bench.run(["clean", "--older-than", "30d", "--json"]);
    let young = young.exits(0).json();
    assert_eq!(young["freed_bytes"], 0);
    let freed = bench.run(["clean", "--older-than", "0s", "--json"]);
    let freed = freed.exits(0).json();
    let runs = fates(&freed, "runs");
    assert_eq!(runs[&id(&recorded)], "freed");
    assert_eq!(runs[&id(&unrecorded)], "unrecorded");
    assert_eq!(bench.bundles().len(), 1);
    assert!(freed["freed_bytes"].as_u64().unwrap() > 0);
    let build = bench.run(["build", "--json"]).exits(0).json();
    assert_eq!(build["status"], "built");
    let all = ["clean", "--older-than", "0s", "--unrecorded"];
    bench.run(all).exits(0).says(&id(&unrecorded));
    assert!(bench.bundles().is_empty());
    assert_eq!(bench.status(), "", "nothing of the checkout was touched");
    assert_eq!(bench.committed_rows().len(), 1, "rows are no rubbish");
}

#[test]
fn a_run_in_progress_keeps_its_bundle_and_what_it_was_built_of() {
    let case = Case::new("a").behaves("gated").native();
    let bench = Bench::new().native_project().case(case).commit();
    let running = bench.start(["track"]);
    wait_until("the worker runs", || !bench.ran().is_empty());
    let report = bench.run(["clean", "--older-than", "0s", "--json"]);
    let report = report.exits(0).json();
    for kind in ["native", "runs"] {
        let fates = fates(&report, kind);
        assert_eq!(
            fates.into_values().collect::<Vec<_>>(),
            ["in_use"],
            "{kind}"
        );
    }
    running.interrupt();
    running.finish().exits(130);
    let report = bench.run(["clean", "--older-than", "0s", "--json"]);
    let native = fates(&report.exits(0).json(), "native");
    assert_eq!(native.into_values().collect::<Vec<_>>(), ["freed"]);
}

#[test]
fn a_comparison_that_is_still_building_keeps_its_bundle() {
    let bench = changes();
    bench.build_without_end();
    let running = bench.start(["ab", "--baseline", "base"]);
    bench.wait_for_the_build();
    let report = bench.run(["clean", "--older-than", "0s", "--json"]);
    let comparisons = fates(&report.exits(0).json(), "ab");
    assert_eq!(comparisons.into_values().collect::<Vec<_>>(), ["in_use"]);
    assert_eq!(bench.comparisons().len(), 1);
    running.interrupt();
    running.finish().exits(130);
    bench.kill_processes();
}

#[test]
fn ages_that_are_none_and_unrecorded_alone_are_usage_errors() {
    let bench = Bench::new().case(Case::new("a")).commit();
    bench.run(["clean", "--older-than", "soon"]).exits(2);
    bench.run(["clean", "--unrecorded"]).exits(2);
}
