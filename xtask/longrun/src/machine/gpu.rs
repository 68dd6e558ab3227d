//! GPUs, as the programs of their vendors name them. The parsers take text.

use std::io::ErrorKind;
use std::process::Command;
use std::time::Duration;

use super::process;

/// How long one program may take: a driver that is not loaded yet needs seconds.
const ANSWER_LIMIT: Duration = Duration::from_secs(20);

/// What the vendors' programs say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gpus {
    /// Model of each device.
    pub names: Vec<String>,
    /// Programs that are there and do not answer.
    pub silent: Vec<&'static str>,
}

/// Asks `nvidia-smi` and `rocm-smi`, where they are there.
pub fn read() -> Gpus {
    let nvidia = ("nvidia-smi", ["--query-gpu=name", "--format=csv,noheader"]);
    let amd = ("rocm-smi", ["--showproductname", "--csv"]);
    let mut gpus = Gpus::default();
    for ((program, arguments), parse) in [
        (nvidia, parse_nvidia as fn(&str) -> Vec<String>),
        (amd, parse_rocm),
    ] {
        let mut command = Command::new(program);
        command.args(arguments).env("LC_ALL", "C");
        match process::output_within(command, ANSWER_LIMIT) {
            Ok(output) if output.status.success() => {
                let text = String::from_utf8_lossy(&output.stdout);
                gpus.names.extend(parse(&text));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            _ => gpus.silent.push(program),
        }
    }
    gpus
}

/// One model a line.
fn parse_nvidia(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(str::to_owned).collect()
}

/// A table with commas; the first line names the columns, of which one is the card's series.
fn parse_rocm(text: &str) -> Vec<String> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let Some(head) = lines.find(|line| line.starts_with("device")) else {
        return Vec::new();
    };
    let mut columns = head.split(',').map(str::to_lowercase);
    let Some(series) = columns.position(|column| column == "card series") else {
        return Vec::new();
    };
    let names = lines.filter_map(|line| line.split(',').nth(series));
    let names = names.map(str::trim).filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nvidia_names_one_device_a_line() {
        assert_eq!(
            parse_nvidia("NVIDIA A40\nNVIDIA A40\n\n"),
            ["NVIDIA A40", "NVIDIA A40"]
        );
        assert_eq!(parse_nvidia(""), Vec::<String>::new());
    }

    #[test]
    fn rocm_names_devices_in_a_column() {
        let table = "\ndevice,Card Series,Card Model,Card Vendor\n\
                     card0,Instinct MI210,0x0c34,AMD\ncard1,Instinct MI210,0x0c34,AMD\n";
        assert_eq!(parse_rocm(table), ["Instinct MI210", "Instinct MI210"]);
        for nothing in ["", "device,Other\ncard0,x\n", "WARNING: no devices\n"] {
            assert_eq!(parse_rocm(nothing), Vec::<String>::new(), "{nothing}");
        }
    }
}
