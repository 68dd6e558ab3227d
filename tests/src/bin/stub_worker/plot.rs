//! The picture that the stub worker leaves, and what may be wrong with one.

use std::fs;
use std::path::{Path, PathBuf};

use longrun_protocol::receipt::Artifact;
use longrun_protocol::{Receipt, Witness};

use crate::Outcome;

/// A picture, and its SHA-256.
const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"><title>made</title></svg>\n";
const SVG_SHA256: &str = "813ab3a9125e5bdf60bb9ef663fdc414c28d571e889548e425934366d7acad7c";

/// Something else, and its SHA-256.
const PAGE: &str = "<html>no picture</html>\n";
const PAGE_SHA256: &str = "8994c285f50c0ff6aee62b148672e05acfbd3661f7bb5496d43cfe883f1b8607";

/// Leaves a sound picture beside the receipt, of a run that was not timed.
pub fn leave(beside: &Path, witness: Witness, receipt: &mut Receipt) -> Outcome<()> {
    fs::write(place(beside), SVG)?;
    receipt.witnesses.push(witness);
    receipt.artifacts.push(Artifact {
        kind: "plot".to_owned(),
        file: "plot.svg".to_owned(),
        sha256: SVG_SHA256.to_owned(),
        description: "a made picture".to_owned(),
    });
    Ok(())
}

fn place(beside: &Path) -> PathBuf {
    beside.with_file_name("plot.svg")
}

/// Makes the picture, or what the receipt says of it, something else.
pub fn falsify(behaviour: &str, beside: &Path, receipt: &mut Receipt) -> Outcome<()> {
    let plot = receipt.artifacts.first_mut().ok_or("there is no plot")?;
    match behaviour {
        "unnamed_plot" => receipt.artifacts.clear(),
        "double_plot" => {
            let again = plot.clone();
            receipt.artifacts.push(again);
        }
        "stray_plot" => plot.file = "../plot.svg".to_owned(),
        "lost_plot" => fs::remove_file(place(beside))?,
        "torn_plot" => fs::write(place(beside), &SVG[..SVG.len() / 2])?,
        "html_plot" => {
            fs::write(place(beside), PAGE)?;
            plot.sha256 = PAGE_SHA256.to_owned();
        }
        other => return Err(format!("unknown behaviour `{other}`").into()),
    }
    Ok(())
}
