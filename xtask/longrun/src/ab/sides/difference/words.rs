//! The difference of two builds in words.

use super::{Changes, Difference, Setting};
use crate::text;

/// Lines of a difference; more are counted.
const LINES_MAX: usize = 12;

/// Names that one line spells out; more are counted.
const NAMES_MAX: usize = 3;

impl Difference {
    /// What differs, most telling first, one sentence each, or why nothing does. At most twelve;
    /// the last counts those that are left out.
    pub fn reasons(&self) -> Vec<String> {
        let inputs = self.input_sentences();
        let mut reasons = match self.same {
            true => vec![self.why_same()],
            false => self.what_differs(),
        };
        reasons.extend(inputs);
        if reasons.len() > LINES_MAX {
            let more = reasons.len() - (LINES_MAX - 1);
            reasons.truncate(LINES_MAX - 1);
            reasons.push(format!("and {more} more"));
        }
        reasons
    }

    /// The difference for a terminal: a heading and one line for each reason.
    pub fn to_text(&self) -> String {
        let heading = match self.same {
            true => "same build: nothing that would be measured differs",
            false => "the builds differ:",
        };
        let mut text = format!("{heading}\n");
        for reason in self.reasons() {
            text.push_str(&format!("  {reason}\n"));
        }
        text
    }

    /// Why two builds are one thing to measure, whatever went into them.
    fn why_same(&self) -> String {
        let native = &self.native;
        if native.present == [false; 2] {
            return "no native library is needed, and workers, workloads and Cargo.lock are equal"
                .to_owned();
        }
        if native.one_build {
            return "both sides are one native build".to_owned();
        }
        let mut causes = Vec::new();
        if !native.sources.is_empty() {
            let files = text::counted(native.sources.len(), "native file");
            causes.push(format!("{files} changed"));
        }
        let settings = native.settings.iter();
        causes.extend(settings.map(|setting| format!("the {} changed", setting.name)));
        let causes = causes.join(" and ");
        match native.sources.len() {
            0 if causes.is_empty() => "the two native builds have the same code".to_owned(),
            0 => format!("{causes}, and the code is the same"),
            1 => format!("{causes}, and the compiler made the same code of it"),
            _ => format!("{causes}, and the compiler made the same code of them"),
        }
    }

    /// What is not the same and is measured.
    fn what_differs(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        match self.native.present {
            [true, false] => sentences.push("only the baseline has a native library".to_owned()),
            [false, true] => sentences.push("only the candidate has a native library".to_owned()),
            _ => {}
        }
        let code = self.code.as_ref();
        match code.filter(|code| code.same && !self.native.one_build) {
            Some(_) => sentences.push("the native code is the same".to_owned()),
            None => sentences.extend(code.map(|code| code.sentences()).unwrap_or_default()),
        }
        sentences
    }

    /// What went into the builds and is not equal, one line a kind.
    fn input_sentences(&self) -> Vec<String> {
        let native = &self.native;
        let mut sentences = Vec::new();
        sentences.extend(sentence("native file", &native.sources));
        for (what, settings) in [
            ("", &native.settings),
            ("library ", &native.libraries),
            ("ABI of area ", &native.abi),
        ] {
            let line = |setting: &Setting| setting_sentence(what, setting);
            sentences.extend(settings.iter().map(line));
        }
        sentences.extend(sentence("worker", &self.workers));
        sentences.extend(sentence("workload file", &self.workloads));
        if self.lock {
            sentences.push("Cargo.lock changed".to_owned());
        }
        sentences
    }
}

impl Changes {
    /// What changed in one line, its first names spelt out; `None` where nothing did.
    pub fn to_sentence(&self, thing: &str) -> Option<String> {
        sentence(thing, self)
    }
}

/// Changes of one kind as one line: `2 native files changed: `a`, `b`; 1 new: `c``.
fn sentence(thing: &str, changes: &Changes) -> Option<String> {
    let kinds = [
        ("changed", &changes.changed),
        ("new", &changes.new),
        ("gone", &changes.gone),
    ];
    let mut parts = Vec::new();
    for (verb, names) in kinds.into_iter().filter(|(_, names)| !names.is_empty()) {
        let count = match parts.is_empty() {
            true => text::counted(names.len(), thing),
            false => names.len().to_string(),
        };
        let shown = names.iter().take(NAMES_MAX);
        let shown: Vec<String> = shown.map(|name| format!("`{name}`")).collect();
        let more = match names.len().saturating_sub(NAMES_MAX) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        parts.push(format!("{count} {verb}: {}{more}", shown.join(", ")));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn setting_sentence(what: &str, setting: &Setting) -> String {
    let name = format!("{what}{}", setting.name);
    match (&setting.before, &setting.after) {
        (Some(before), Some(after)) => {
            format!("{name} changed from `{before}` to `{after}`")
        }
        (None, _) => format!("{name} is new"),
        (_, None) => format!("{name} is gone"),
    }
}
