//! Longrun seen from outside, as an adopting repository uses it.
//!
//! Each test makes a repository of its own (`bench`), runs the program there and reads what it
//! says, what it leaves and how it exits. Nothing here looks inside the program.

#![allow(
    clippy::unwrap_used,
    reason = "a test fails where its ground is missing"
)]

mod bench;
mod case;
mod changes;
mod csv_file;
mod git;
mod kernels;
mod made_history;
mod native_project;
mod page;
mod ran;
mod saved;

mod ab;
mod ab_gate;
mod ab_report;
mod ab_repository;
mod ab_sides;
mod ab_stopped;
mod archive;
mod baseline;
mod baseline_file;
mod baseline_processes;
mod breakdown;
mod build;
mod busy;
mod cases;
mod checklist;
mod checkout;
mod clean;
mod doctor;
mod exit_codes;
mod faults_storage;
mod history;
mod history_faults;
mod history_file;
mod history_retract;
mod history_suspect;
mod history_views;
mod interrupt;
mod list;
mod machine;
mod named_files;
mod plot;
mod python_worker;
mod recording;
mod recording_git;
mod refusals;
mod registry;
mod requirements;
mod resume;
mod resume_refused;
mod sampled;
mod sampled_history;
mod sampled_output;
mod sampled_processes;
mod sampled_workers;
mod selection;
mod toolchain;
mod track;
mod verify;
mod wisdom;
mod worker_builds;
mod workers;
