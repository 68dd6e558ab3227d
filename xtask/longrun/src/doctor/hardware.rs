//! Grades what the machine is: model, cores, allocation, quota, memory domains, cloud, GPUs. Pure.

use super::finding::{Finding, Grade};
use crate::machine::gpu::Gpus;
use crate::machine::{Machine, ProductionSource, quota};
use crate::text;

/// What is known of the hardware.
pub struct Hardware<'a> {
    /// The hardware set.
    pub machine: &'a Machine,
    /// CPUs of the whole machine that are online.
    pub online: Option<u32>,
    /// Whether the firmware names a cloud and not the type of the instance.
    pub type_hidden: bool,
    /// GPUs.
    pub gpus: &'a Gpus,
}

/// Grades all of it, in the order of the report.
pub fn grade(hardware: &Hardware<'_>) -> Vec<Finding> {
    let machine = hardware.machine;
    vec![
        model(machine.cpu_model.as_deref()),
        cores(machine),
        core_kinds(machine.core_classes.as_deref()),
        allocation(machine.logical_cpus, hardware.online),
        cpu_quota(machine.quota, machine.physical_cores),
        memory_domains(machine.memory_domains),
        instance(machine, hardware.type_hidden),
        gpus(hardware.gpus),
    ]
}

fn model(model: Option<&str>) -> Finding {
    let generic = |model: &str| !model.contains(|c: char| c.is_ascii_digit());
    match model {
        Some(model) if generic(model) => Finding::new("cpu", Grade::Note, model).next(
            "the name says little, as in many virtual machines: unlike machines may share one \
             history file, where cpu_signature tells them apart",
        ),
        Some(model) => Finding::new("cpu", Grade::Ok, model),
        None => Finding::unknown("cpu", Grade::Warn).next(
            "unlike machines may share one history file: compare runs of this machine only with \
             its own",
        ),
    }
}

fn cores(machine: &Machine) -> Finding {
    let width = format!("production width {}", machine.production);
    let Some((cores, logical)) = machine.physical_cores.zip(machine.logical_cpus) else {
        let found = match machine.logical_cpus {
            Some(cpus) => format!("{}, cores unknown; {width}", count(cpus, "CPU")),
            None => format!("CPUs unknown; {width}"),
        };
        return Finding::new("cores", Grade::Warn, found)
            .next("give the number of physical cores with --production");
    };
    let smt = match machine.smt {
        Some(true) => ", which share cores (SMT): runs at production width use one a core",
        _ => "",
    };
    let source = match machine.production_source {
        ProductionSource::Quota => " (lowered by the quota)",
        _ => "",
    };
    let (cores, cpus) = (count(cores, "physical core"), count(logical, "CPU"));
    Finding::new(
        "cores",
        Grade::Ok,
        format!("{cores}, {cpus}{smt}; {width}{source}"),
    )
}

fn core_kinds(classes: Option<&[u32]>) -> Finding {
    match classes {
        None => Finding::unknown("core_kinds", Grade::Ok),
        Some([_]) => Finding::new("core_kinds", Grade::Ok, "all cores are alike"),
        Some(classes) => {
            let kinds: Vec<String> = classes.iter().map(u32::to_string).collect();
            let found = format!("{} cores, fastest first", kinds.join(" + "));
            Finding::new("core_kinds", Grade::Note, found).next(
                "production counts all of them, and equal shares of work wait for the slowest; \
                 --production and a bound threading policy keep to the fast ones",
            )
        }
    }
}

fn allocation(logical: Option<u32>, online: Option<u32>) -> Finding {
    let topic = "allocation";
    match (logical, online) {
        (Some(logical), Some(online)) if logical < online => {
            let found = format!("{logical} of the machine's {online} CPUs (affinity or cpuset)");
            Finding::new(topic, Grade::Note, found)
                .next("others may use the caches and the memory beside it")
        }
        (Some(_), Some(online)) => {
            let cpus = count(online, "CPU");
            Finding::new(topic, Grade::Ok, format!("the whole machine: {cpus}"))
        }
        _ => Finding::unknown(topic, Grade::Note),
    }
}

fn cpu_quota(quota: Option<f64>, cores: Option<u32>) -> Finding {
    let topic = "quota";
    let Some(quota) = quota else {
        return Finding::new(topic, Grade::Ok, "none is set");
    };
    let found = format!("{quota:.2} cores");
    if cores.is_some_and(|cores| quota >= f64::from(cores)) {
        return Finding::new(topic, Grade::Ok, found);
    }
    let next = match quota::is_fractional(quota) {
        true => {
            "have a quota of whole cores set: the fraction is left unused, and a wider run is \
                 throttled"
        }
        false => "a run wider than the quota is throttled: keep to the production width",
    };
    Finding::new(topic, Grade::Warn, found).next(next)
}

fn memory_domains(domains: Option<u32>) -> Finding {
    let topic = "memory_domains";
    match domains {
        None => Finding::unknown(topic, Grade::Note),
        Some(1) => Finding::new(topic, Grade::Ok, "1"),
        Some(domains) => Finding::new(topic, Grade::Note, domains.to_string()).next(
            "unpinned threads may leave their memory behind: compare passive-bound, or keep to \
             one domain with numactl or taskset",
        ),
    }
}

fn instance(machine: &Machine, type_hidden: bool) -> Finding {
    let topic = "instance_type";
    match (&machine.instance_type, &machine.cloud_family) {
        _ if type_hidden => Finding::unknown(topic, Grade::Warn).next(
            "the firmware names the cloud and not the type: give it to track with \
             --instance-type, or unlike instances share one history file",
        ),
        (Some(name), Some(family)) => {
            Finding::new(topic, Grade::Ok, format!("{name} (family {family})"))
        }
        (Some(name), None) => Finding::new(topic, Grade::Ok, name.clone()),
        (None, _) => Finding::unknown(topic, Grade::Ok),
    }
}

fn gpus(gpus: &Gpus) -> Finding {
    let topic = "gpu";
    if let Some(program) = gpus.silent.first() {
        let found = format!("`{program}` is there and does not answer");
        return Finding::new(topic, Grade::Note, found)
            .next("nothing here needs a GPU; for one, look at its driver");
    }
    match gpus.names.is_empty() {
        true => Finding::new(topic, Grade::Ok, "none found, and none is needed"),
        false => Finding::new(topic, Grade::Ok, gpus.names.join(", ")),
    }
}

fn count(number: u32, thing: &str) -> String {
    // A number of CPUs fits any address space.
    text::counted(usize::try_from(number).unwrap_or(usize::MAX), thing)
}

#[cfg(test)]
mod tests {
    use super::super::finding::check;
    use super::*;
    use crate::machine::{MachineOptions, describe, facts::Facts};

    fn machine() -> Machine {
        describe(&Facts::unknown("linux"), &MachineOptions::default())
    }

    #[test]
    fn a_model_is_ok_a_generic_one_noted_and_an_unknown_one_warned_of() {
        check(
            &model(Some("Apple M5 Max")),
            Grade::Ok,
            Some("Apple M5 Max"),
            false,
        );
        check(
            &model(Some("Intel Xeon Processor")),
            Grade::Note,
            Some("Xeon"),
            true,
        );
        check(&model(None), Grade::Warn, None, true);
    }

    #[test]
    fn cores_are_counted_or_warned_of() {
        let mut known = machine();
        (known.physical_cores, known.logical_cpus, known.smt) = (Some(4), Some(8), Some(true));
        known.production = 4;
        check(
            &cores(&known),
            Grade::Ok,
            Some("4 physical cores, 8 CPUs, which share"),
            false,
        );
        known.production_source = ProductionSource::Quota;
        check(
            &cores(&known),
            Grade::Ok,
            Some("lowered by the quota"),
            false,
        );
        known.physical_cores = None;
        check(
            &cores(&known),
            Grade::Warn,
            Some("8 CPUs, cores unknown"),
            true,
        );
        check(
            &cores(&machine()),
            Grade::Warn,
            Some("CPUs unknown; production width 1"),
            true,
        );
    }

    #[test]
    fn kinds_of_cores_are_noted_where_there_are_several() {
        for (classes, grade, found, step) in [
            (None, Grade::Ok, None, false),
            (Some(vec![8]), Grade::Ok, Some("alike"), false),
            (Some(vec![6, 12]), Grade::Note, Some("6 + 12"), true),
            (Some(vec![1, 3, 4]), Grade::Note, Some("1 + 3 + 4"), true),
        ] {
            check(&core_kinds(classes.as_deref()), grade, found, step);
        }
    }

    #[test]
    fn a_part_of_the_machine_is_noted() {
        for (logical, online, grade, found, step) in [
            (Some(8), Some(8), Grade::Ok, Some("8 CPUs"), false),
            (Some(1), Some(1), Grade::Ok, Some("1 CPU"), false),
            (
                Some(4),
                Some(8),
                Grade::Note,
                Some("4 of the machine's 8"),
                true,
            ),
            (None, Some(8), Grade::Note, None, false),
            (Some(8), None, Grade::Note, None, false),
        ] {
            check(&allocation(logical, online), grade, found, step);
        }
    }

    #[test]
    fn a_quota_that_throttles_is_warned_of() {
        for (quota, cores, grade, found, step) in [
            (None, Some(4), Grade::Ok, "none", None),
            (Some(4.0), Some(4), Grade::Ok, "4.00", None),
            (Some(4.5), Some(4), Grade::Ok, "4.50", None),
            (
                Some(2.0),
                Some(4),
                Grade::Warn,
                "2.00",
                Some("production width"),
            ),
            (Some(2.5), Some(4), Grade::Warn, "2.50", Some("fraction")),
            (
                Some(2.0),
                None,
                Grade::Warn,
                "2.00",
                Some("production width"),
            ),
        ] {
            let finding = cpu_quota(quota, cores);
            check(&finding, grade, Some(found), step.is_some());
            let said = finding.next_step.unwrap_or_default();
            assert!(said.contains(step.unwrap_or_default()), "{said}");
        }
    }

    #[test]
    fn several_memory_domains_are_noted() {
        check(&memory_domains(Some(1)), Grade::Ok, Some("1"), false);
        check(&memory_domains(Some(4)), Grade::Note, Some("4"), true);
        check(&memory_domains(None), Grade::Note, None, false);
    }

    #[test]
    fn a_cloud_that_hides_the_type_is_warned_of() {
        let mut made = machine();
        check(&instance(&made, false), Grade::Ok, None, false);
        made.instance_type = Some("PowerEdge R750".to_owned());
        check(&instance(&made, false), Grade::Ok, Some("PowerEdge"), false);
        made.cloud_family = Some("aws-m8g".to_owned());
        check(
            &instance(&made, false),
            Grade::Ok,
            Some("family aws-m8g"),
            false,
        );
        check(&instance(&made, true), Grade::Warn, None, true);
    }

    #[test]
    fn gpus_are_named_and_never_needed() {
        let named = Gpus {
            names: vec!["NVIDIA A40".to_owned(), "NVIDIA A40".to_owned()],
            silent: Vec::new(),
        };
        check(
            &gpus(&named),
            Grade::Ok,
            Some("NVIDIA A40, NVIDIA A40"),
            false,
        );
        check(
            &gpus(&Gpus::default()),
            Grade::Ok,
            Some("none is needed"),
            false,
        );
        let silent = Gpus {
            names: Vec::new(),
            silent: vec!["nvidia-smi"],
        };
        check(&gpus(&silent), Grade::Note, Some("nvidia-smi"), true);
    }

    #[test]
    fn every_topic_appears_once() {
        let made = machine();
        let gpus = Gpus::default();
        let findings = grade(&Hardware {
            machine: &made,
            online: None,
            type_hidden: false,
            gpus: &gpus,
        });
        let mut topics: Vec<&str> = findings.iter().map(|finding| finding.topic).collect();
        topics.sort_unstable();
        topics.dedup();
        assert_eq!(topics.len(), findings.len());
    }
}
