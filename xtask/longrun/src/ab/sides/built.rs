//! The two sides as they were built, and how their builds differ.

use std::collections::BTreeMap;

use longrun_protocol::BuildIdentity;
use longrun_protocol::duet::Side;
use longrun_protocol::registry::WorkerSpec;

use crate::ab::kept::record::ArmRecord;
use crate::ab::rounds::copies::Image;
use crate::ab::sides::arms::Arm;
use crate::ab::sides::difference::{self, ArmBuild, Difference, NativeArm};
use crate::ab::sides::ground::{Ground, Planned};
use crate::cli::BackendChoice;
use crate::cli::ab::Harness;
use crate::failure::Outcome;
use crate::interrupt::Interrupt;
use crate::native::NativeBuild;
use crate::repo::ContentMap;
use crate::workers::{self, Workers};

/// Path of the lock file in the content of an arm.
const LOCK: &str = "Cargo.lock";

/// Both sides.
pub struct Built {
    /// Native builds of the baseline and of the candidate, where something needs one.
    pub native: [Option<NativeBuild>; 2],
    /// Their libraries in memory, as they were when they were checked.
    pub images: [Option<Image>; 2],
    /// Digests of the workers that run each side, by worker.
    pub digests: [BTreeMap<String, String>; 2],
    /// How the builds differ.
    pub difference: Difference,
}

impl Built {
    /// Builds the native libraries of both sides, and learns what their workers will be.
    ///
    /// # Errors
    /// Exit 6 where a revision does not build.
    pub fn of(ground: &Ground, backend: BackendChoice, interrupt: &Interrupt) -> Outcome<Built> {
        let [baseline, candidate] = ground.arms.both();
        let needed = ground.planned.iter().any(needs_library);
        let build = |arm: &Arm| -> Outcome<(Option<NativeBuild>, Option<Image>)> {
            if !needed {
                return Ok((None, None));
            }
            let build = arm.build(backend.into(), interrupt)?;
            let image = Image::of(&build)?;
            Ok((Some(build), Some(image)))
        };
        let (first, first_image) = build(baseline)?;
        let (second, second_image) = match ground.arms.is_one() {
            true => (first.clone(), first_image.clone()),
            false => build(candidate)?,
        };
        let digests = [
            digests(ground, Side::Baseline)?,
            digests(ground, Side::Candidate)?,
        ];
        let native = [first, second];
        let workloads = [0, 1].map(|side| without_lock(&ground.harness[side]));
        let sides = [0, 1].map(|side| ArmBuild {
            native: native[side].as_ref().map(|build| NativeArm {
                identity: &build.identity,
                library: &build.library,
            }),
            workers: &digests[side],
            workloads: &workloads[side],
            lock: ground.harness[side].get(LOCK).map(String::as_str),
        });
        let difference = difference::between(&sides[0], &sides[1])?;
        Ok(Built {
            native,
            images: [first_image, second_image],
            digests,
            difference,
        })
    }

    /// Builds the workers that run each side.
    ///
    /// # Errors
    /// Exit 6 where a revision does not build.
    pub fn workers(&self, ground: &Ground, interrupt: &Interrupt) -> Outcome<[Workers; 2]> {
        let own = ground.planned.iter().any(is_own);
        let candidate = ground.arms.of(Side::Candidate);
        let second = candidate.workers(specs(ground, Side::Candidate), interrupt)?;
        let first = match own && !ground.arms.is_one() {
            true => {
                let baseline = ground.arms.of(Side::Baseline);
                baseline.workers(specs(ground, Side::Baseline), interrupt)?
            }
            false => second.clone(),
        };
        Ok([first, second])
    }

    /// One side for the record.
    pub fn arm_record(&self, ground: &Ground, side: Side) -> ArmRecord {
        let arm = ground.arms.of(side);
        let index = side.index();
        let identity = self.native[index].as_ref().map(|build| &build.identity);
        ArmRecord {
            revision: arm.revision.clone(),
            commit: arm.commit.clone(),
            dirty: arm.dirty,
            subject: arm.subject.clone(),
            version: arm.project.version.clone(),
            build_key: identity.map(|identity| identity.build_key.clone()),
            workers: self.digests[index].clone(),
            toolchain: identity.map(toolchain).unwrap_or_default(),
        }
    }
}

/// Whose workers and root run a side of the comparison.
pub fn server(planned: &[Planned], side: Side) -> Side {
    match planned.iter().any(is_own) {
        true => side,
        false => Side::Candidate,
    }
}

fn is_own(planned: &Planned) -> bool {
    planned.is_comparable() && planned.method.harness == Harness::Own
}

fn needs_library(planned: &Planned) -> bool {
    planned.is_comparable() && planned.compared.configuration.engine.needs_library()
}

fn specs(ground: &Ground, side: Side) -> Vec<&WorkerSpec> {
    let comparable = ground.planned.iter().filter(|one| one.is_comparable());
    let items = comparable.filter_map(|one| match side {
        Side::Baseline => one.couple.baseline.as_ref(),
        Side::Candidate => one.couple.candidate.as_ref(),
    });
    items.map(|item| &item.worker).collect()
}

/// Digests of what the workers that run `side` are built from.
fn digests(ground: &Ground, side: Side) -> Outcome<BTreeMap<String, String>> {
    let server = server(&ground.planned, side);
    let arm = ground.arms.of(server);
    workers::digests(&arm.project, arm.repo(), specs(ground, server))
}

fn without_lock(harness: &ContentMap) -> ContentMap {
    let mut workloads = harness.clone();
    workloads.remove(LOCK);
    workloads
}

/// What a native build was made with, by name.
fn toolchain(identity: &BuildIdentity) -> BTreeMap<String, String> {
    let compiler = &identity.compiler;
    let mut toolchain = BTreeMap::from([
        (
            "compiler".to_owned(),
            format!("{} {}", compiler.family, compiler.version),
        ),
        ("target".to_owned(), compiler.target.clone()),
        ("flags".to_owned(), identity.flags.join(" ")),
        ("instruction set".to_owned(), identity.isa.clone()),
        ("profile".to_owned(), identity.profile.clone()),
    ]);
    let libraries = identity.libraries.iter();
    toolchain.extend(libraries.map(|(name, version)| (format!("library {name}"), version.clone())));
    toolchain
}
