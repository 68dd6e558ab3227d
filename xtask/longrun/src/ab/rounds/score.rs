//! The preparation of duets: what every process of a configuration plays, and where it is kept.
//!
//! The states along the guide cost a complete run, so they are kept under a digest of everything
//! that decides them and used again by later comparisons with the same baseline.

use std::fs;
use std::path::{Path, PathBuf};

use longrun_protocol::duet::CheckpointReport;
use longrun_protocol::registry::{BLOCK_OPS_MAX, SamplingPolicy};
use longrun_protocol::request::{BlockPlan, Library, Request, Task};
use longrun_protocol::{PROTOCOL_VERSION, Receipt};
use serde::{Deserialize, Serialize};

use crate::ab::rounds::duet::{self, Score};
use crate::digest;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::run::bundle::Place;
use crate::run::judge::{Reading, answered};
use crate::run::launch::{Common, ask, definition, request};
use crate::run::plan::PlanItem;
use crate::whole_file::write_json;

/// Version of what is kept.
const VERSION: u32 = 1;

/// Characters of a digest that name a folder.
const NAME_LENGTH: usize = 32;

/// Name of the file of states.
const STATES: &str = "states.npy";

/// Name of what says what is in it; written last.
const REPORT: &str = "score.json";

/// Longest report that is read.
const REPORT_BYTES_MAX: u64 = 64 << 20;

/// Blocks by which the size of a block is found.
const TRIAL_BLOCKS: u32 = 3;

/// Why there is no score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The worker speaks another version of the protocol.
    Protocol(u32),
    /// Something else.
    Because(String),
}

/// What a preparation needs.
pub struct Preparation<'a> {
    /// What the workers have in common; the root and the limits of the side that serves.
    pub common: &'a Common<'a>,
    /// What is prepared.
    pub item: &'a PlanItem,
    /// How it is sampled.
    pub sampling: SamplingPolicy,
    /// Command and arguments of its worker.
    pub program: &'a [String],
    /// Digest of what the worker was built from; absent for a command of the registry, which says
    /// nothing of its content: then nothing is used again.
    pub worker: Option<&'a str>,
    /// The baseline's library.
    pub library: Library,
    /// FFT plans to read.
    pub wisdom: Option<PathBuf>,
    /// Fraction of the workload that is run.
    pub length: f64,
    /// Folder of what is kept from comparison to comparison.
    pub shelf: &'a Path,
}

/// What is kept beside the states.
#[derive(Serialize, Deserialize)]
struct Kept {
    version: u32,
    report: CheckpointReport,
}

impl Preparation<'_> {
    /// Finds or makes the score. `place` is claimed only where a worker has to run.
    pub fn score(&self, place: impl FnOnce() -> Outcome<Place>) -> Outcome<Result<Score, Refusal>> {
        match self.sampling {
            SamplingPolicy::Complete { .. } => self.states(place),
            SamplingPolicy::Sampled { block_ns, .. } | SamplingPolicy::Fixed { block_ns, .. } => {
                self.blocks(block_ns, &place()?)
            }
        }
    }

    fn states(&self, place: impl FnOnce() -> Outcome<Place>) -> Outcome<Result<Score, Refusal>> {
        let name = self.name()?;
        if let Some(name) = &name
            && let Some(score) = kept(&self.shelf.join(name))
        {
            return Ok(Ok(score));
        }
        let place = place()?;
        let folder = name.map_or_else(|| place.folder.clone(), |name| self.shelf.join(name));
        fs::create_dir_all(&folder).map_err(|e| Failure::file("create", &folder, e))?;
        let file = folder.join(STATES);
        output::note(format!(
            "preparing duets of {} (one complete run)",
            self.item.configuration
        ));
        let request = Request {
            task: Task::Checkpoint,
            checkpoint: Some(duet::checkpoint_plan(file.clone())),
            ..self.request(&place)
        };
        let receipt = match self.answer(&request, &place)? {
            Ok(receipt) => receipt,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let because = |why: String| Ok(Err(Refusal::Because(why)));
        let Some(report) = receipt.checkpoints else {
            return because("checkpoint: the receipt has no checkpoints".to_owned());
        };
        if let Some(why) = duet::unusable(&report) {
            return because(format!("checkpoint: {why}"));
        }
        let found = digest::of_file(&file).map_err(|e| Failure::file("read", &file, e))?;
        if found != report.sha256 {
            return because(
                "checkpoint: the file of states is not what its worker says".to_owned(),
            );
        }
        let kept = Kept {
            version: VERSION,
            report,
        };
        write_json(&folder.join(REPORT), &kept)?;
        let report = kept.report;
        Ok(Ok(Score::States { file, report }))
    }

    /// One preparation freezes the size of a block for both sides: sizes that each side found for
    /// itself would be another difference between them.
    fn blocks(&self, block_ns: u64, place: &Place) -> Outcome<Result<Score, Refusal>> {
        let request = Request {
            task: Task::Run,
            repeats: TRIAL_BLOCKS,
            stop: None,
            block_plan: Some(BlockPlan::Target {
                target_ns: block_ns.max(duet::SEGMENT_NS),
                ops_max: BLOCK_OPS_MAX,
            }),
            ..self.request(place)
        };
        let receipt = match self.answer(&request, place)? {
            Ok(receipt) => receipt,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let Some(last) = receipt.samples.last().filter(|last| last.ops > 0) else {
            let why = "preparation: the receipt has no block".to_owned();
            return Ok(Err(Refusal::Because(why)));
        };
        Ok(Ok(Score::of_blocks(last.ops, last.interval_ns)))
    }

    fn request(&self, place: &Place) -> Request {
        Request {
            repeats: 1,
            library: Some(self.library.clone()),
            wisdom: self.wisdom.clone(),
            length: self.length,
            ..request(self.common, self.item, &place.request_id)
        }
    }

    fn answer(&self, request: &Request, place: &Place) -> Outcome<Result<Receipt, Refusal>> {
        let asked = ask(
            self.common,
            request,
            &place.folder,
            self.program,
            &mut |_| {},
        )?;
        if self.common.interrupt.raised() {
            return Err(Failure::interrupted("interrupted; nothing was compared"));
        }
        let answer = answered(
            request,
            self.common.timeout,
            &asked.aftermath,
            &asked.reading,
        );
        Ok(match answer {
            Ok(receipt) => Ok(receipt.clone()),
            Err(judgement) => Err(match other_protocol(&asked.reading, &place.folder) {
                Some(version) => Refusal::Protocol(version),
                None => Refusal::Because(judgement.reason),
            }),
        })
    }

    /// Name of what is kept: everything that decides it. `None` where that is not known.
    fn name(&self) -> Outcome<Option<String>> {
        let Some(worker) = self.worker else {
            return Ok(None);
        };
        let definition = definition(self.item, self.common.policy, self.common.places, false)?;
        let plan = duet::checkpoint_plan(PathBuf::new());
        let text = serde_json::to_string(&(
            VERSION,
            definition,
            &self.library.build_key,
            worker,
            self.length,
            plan,
        ))
        .map_err(|e| Failure::failed(format!("failed to name a preparation: {e}")))?;
        let name = digest::of_bytes(text.as_bytes());
        Ok(Some(name.chars().take(NAME_LENGTH).collect()))
    }
}

/// What an earlier comparison has kept in `folder`, where it is whole.
fn kept(folder: &Path) -> Option<Score> {
    let path = folder.join(REPORT);
    let length = fs::metadata(&path).ok()?.len();
    let bytes = fs::read(&path)
        .ok()
        .filter(|_| length <= REPORT_BYTES_MAX)?;
    let kept: Kept = serde_json::from_slice(&bytes).ok()?;
    let file = folder.join(STATES);
    let sound = kept.version == VERSION
        && duet::unusable(&kept.report).is_none()
        && digest::of_file(&file).ok()? == kept.report.sha256;
    sound.then_some(Score::States {
        file,
        report: kept.report,
    })
}

/// The version of the protocol that a worker speaks, where it is not ours. A receipt of another
/// version may have another shape: its version is looked for all the same.
pub fn other_protocol(reading: &Reading, folder: &Path) -> Option<u32> {
    let version = match reading {
        Reading::Read(receipt) => receipt.protocol_version,
        Reading::Missing => return None,
        Reading::Broken(_) => {
            let path = folder.join("receipt.json");
            let length = fs::metadata(&path).ok()?.len();
            let bytes = fs::read(&path)
                .ok()
                .filter(|_| length <= REPORT_BYTES_MAX)?;
            let value: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
            u32::try_from(value["protocol_version"].as_u64()?).ok()?
        }
    };
    (version != PROTOCOL_VERSION).then_some(version)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::ab::made;
    use crate::interrupt::Interrupt;
    use crate::machine::threading::Policy;
    use longrun_protocol::duet::Stretch;
    use std::time::Duration;

    fn report(states: &str) -> CheckpointReport {
        CheckpointReport {
            sha256: digest::of_bytes(states.as_bytes()),
            stretches: vec![Stretch {
                checkpoint: 0,
                z_m: 0.0,
                warm_up_m: 0.1,
                planes_m: vec![0.2, 0.3],
            }],
            visited: 4,
            step_ns: 1,
            run_ns: 2,
            accepted: 3,
            evaluations: 4,
        }
    }

    #[test]
    fn only_a_whole_preparation_is_used_again() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(kept(folder.path()), None);
        fs::write(folder.path().join(STATES), "states").unwrap();
        assert_eq!(kept(folder.path()), None, "the report is written last");
        let whole = Kept {
            version: VERSION,
            report: report("states"),
        };
        write_json(&folder.path().join(REPORT), &whole).unwrap();
        let expected = Score::States {
            file: folder.path().join(STATES),
            report: report("states"),
        };
        assert_eq!(kept(folder.path()), Some(expected));
        fs::write(folder.path().join(STATES), "edited").unwrap();
        assert_eq!(kept(folder.path()), None);
        fs::write(folder.path().join(STATES), "states").unwrap();
        let other = Kept {
            version: VERSION + 1,
            ..whole
        };
        write_json(&folder.path().join(REPORT), &other).unwrap();
        assert_eq!(kept(folder.path()), None);
    }

    #[test]
    fn a_preparation_is_named_by_what_decides_it() {
        let interrupt = &Interrupt::made(false);
        let folder = tempfile::tempdir().unwrap();
        let common = Common {
            run_id: "run",
            task: Task::Checkpoint,
            library: None,
            policy: Policy::Passive,
            places: "cores",
            timeout: Duration::from_secs(1),
            keep_state: false,
            breakdown: false,
            cpus: None,
            root: folder.path(),
            interrupt,
        };
        let item = made::item("a");
        let preparation = |worker, key: &str, length| Preparation {
            common: &common,
            item: &item,
            sampling: SamplingPolicy::default(),
            program: &[],
            worker,
            library: Library {
                path: PathBuf::from("/l"),
                build_key: key.to_owned(),
            },
            wisdom: None,
            length,
            shelf: folder.path(),
        };
        let name = |worker, key, length| preparation(worker, key, length).name().unwrap();
        let first = name(Some("w"), "k", 1.0).unwrap();
        assert_eq!(first.len(), NAME_LENGTH);
        assert_eq!(name(Some("w"), "k", 1.0).unwrap(), first);
        for (worker, key, length) in [("x", "k", 1.0), ("w", "l", 1.0), ("w", "k", 0.5)] {
            assert_ne!(name(Some(worker), key, length).unwrap(), first);
        }
        assert_eq!(
            name(None, "k", 1.0),
            None,
            "what a command runs is not known"
        );
    }

    #[test]
    fn another_protocol_is_seen_in_a_receipt_of_any_shape() {
        let folder = tempfile::tempdir().unwrap();
        let broken = Reading::Broken("it has another shape".to_owned());
        assert_eq!(other_protocol(&broken, folder.path()), None);
        let receipt = folder.path().join("receipt.json");
        fs::write(&receipt, r#"{"protocol_version": 0}"#).unwrap();
        assert_eq!(other_protocol(&broken, folder.path()), Some(0));
        fs::write(&receipt, "rubbish").unwrap();
        assert_eq!(other_protocol(&broken, folder.path()), None);
        let mut read = made::receipt(&made::request("a"));
        assert_eq!(
            other_protocol(&Reading::Read(Box::new(read.clone())), folder.path()),
            None
        );
        read.protocol_version = 7;
        assert_eq!(
            other_protocol(&Reading::Read(Box::new(read)), folder.path()),
            Some(7)
        );
        assert_eq!(other_protocol(&Reading::Missing, folder.path()), None);
    }
}
