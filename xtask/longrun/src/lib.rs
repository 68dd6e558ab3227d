//! Longrun: builds, runs, checks and records native numerical workloads.
//!
//! A repository's own `xtask` calls [`main`] and nothing else. The verbs are the modules `setup`,
//! `doctor`, `list`, `build`, `track`, `verify`, `plot`, `ab`, `history`, `cases`, `clean` and
//! `tidy`; each reads from top to bottom.
//! `docs/architecture.md` has the map.

#![forbid(unsafe_code)]

mod ab;
mod baseline;
mod build;
mod cases;
mod clean;
mod cli;
mod colour;
mod digest;
mod doctor;
mod exit;
mod failure;
mod file_lock;
mod held;
mod history;
mod in_use;
mod interrupt;
mod list;
mod machine;
mod markdown;
mod native;
mod output;
mod patience;
mod plot;
mod progress;
mod project;
mod redact;
mod registry;
mod repo;
mod run;
mod setup;
mod shell;
mod text;
mod tidy;
mod track;
mod untimed;
mod user_cache;
mod verify;
mod whole_file;
mod wisdom;
mod workers;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use cli::{Cli, Command};
use exit::Exit;
use failure::Outcome;

/// Parses the command line, carries the command out, and ends with its documented exit code.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors and go to stdout; clap knows which is which.
            let _ = error.print();
            let exit = match error.use_stderr() {
                true => Exit::Usage,
                false => Exit::Success,
            };
            return exit.into();
        }
    };
    interrupt::survive_file_limit();
    match carry_out(&cli.command) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            let _ = writeln!(io::stderr(), "error: {failure}");
            failure.exit.into()
        }
    }
}

fn carry_out(command: &Command) -> Outcome<Exit> {
    match command {
        Command::Setup(args) => setup::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::List(args) => list::run(args),
        Command::Build(args) => build::run(args),
        Command::Track(args) => track::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Plot(args) => plot::run(args),
        Command::Ab(args) => ab::run(args),
        Command::History(args) => history::run(args),
        Command::Cases(args) => cases::run(args),
        Command::Clean(args) => clean::run(args),
        Command::Tidy(args) => tidy::run(args, &Cli::command()),
        Command::Cmake { order } => native::cmake::carry_out(order).map(|()| Exit::Success),
    }
}
