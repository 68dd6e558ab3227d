//! Cases of a bench's registry, run by the stub worker.

/// One case: what the registry says of it.
#[derive(Clone)]
pub struct Case {
    /// Name.
    pub name: String,
    engine: &'static str,
    /// What stands before the stub worker in its command.
    launcher: Vec<String>,
    /// What stands behind it.
    options: Vec<String>,
    lines: Vec<String>,
    parameters: Vec<String>,
    revision: u32,
    size: &'static str,
    widths: &'static str,
    size_lines: Vec<String>,
}

impl Case {
    /// A sound case of full size at width 1 that needs no native library.
    pub fn new(name: &str) -> Self {
        Case {
            name: name.to_owned(),
            engine: "reference",
            launcher: Vec::new(),
            options: Vec::new(),
            lines: Vec::new(),
            parameters: Vec::new(),
            revision: 1,
            size: "full",
            widths: r#"["1"]"#,
            size_lines: Vec::new(),
        }
    }

    /// What the stub worker does when it runs this case.
    pub fn behaves(self, behaviour: &str) -> Self {
        self.parameter(&format!("behaviour = \"{behaviour}\""))
    }

    /// Times that the stub worker reports, one per repeat.
    pub fn takes_ns(mut self, times: [u64; 3]) -> Self {
        self.parameters.retain(|line| !line.starts_with("times_ns"));
        self.parameter(&format!("times_ns = {times:?}"))
    }

    /// A parameter, as a line of TOML.
    pub fn parameter(mut self, line: &str) -> Self {
        self.parameters.push(line.to_owned());
        self
    }

    /// The stub worker is run by this command, which gets its path as an argument.
    pub fn launched_by(mut self, words: &[&str]) -> Self {
        self.launcher = words.iter().map(|word| (*word).to_owned()).collect();
        self
    }

    /// The stub worker has these options.
    pub fn options(mut self, words: &[&str]) -> Self {
        self.options = words.iter().map(|word| (*word).to_owned()).collect();
        self
    }

    /// Another key of the case, as a line of TOML.
    pub fn line(mut self, line: &str) -> Self {
        self.lines.push(line.to_owned());
        self
    }

    /// Another key of its size, as a line of TOML.
    pub fn size_line(mut self, line: &str) -> Self {
        self.size_lines.push(line.to_owned());
        self
    }

    /// The case has this size as well, at width 1. Keys of a size added later belong to it.
    pub fn also(self, size: &str) -> Self {
        self.size_line(&format!("[case.sizes.{size}]"))
            .size_line("revision = 1")
            .size_line(r#"widths = ["1"]"#)
    }

    /// The case is an operation, sampled twelve times in blocks of a millisecond.
    pub fn sampled(self) -> Self {
        self.line(&format!("sampling = {}", sampling(12, 60, "1000000000")))
    }

    /// It is sampled by so many processes.
    pub fn processes(self, processes: usize) -> Self {
        self.line(&format!("processes = {processes}"))
    }

    /// It is sampled by processes of which each takes such a percentage of its times.
    pub fn processes_take(self, percents: &[u64]) -> Self {
        self.processes(percents.len())
            .parameter(&format!("launch_percents = {percents:?}"))
    }

    /// What the stub worker does in one launch of this case in a run, from 1; the others are sound.
    pub fn behaves_in_launch(self, launch: u32, behaviour: &str) -> Self {
        self.behaves(behaviour)
            .parameter(&format!("only_launch = {launch}"))
    }

    /// The case is computed by the native library.
    pub fn native(mut self) -> Self {
        self.engine = "native";
        self
    }

    /// Its only size, instead of `full`.
    pub fn size(mut self, size: &'static str) -> Self {
        self.size = size;
        self
    }

    /// Its widths, as TOML.
    pub fn widths(mut self, widths: &'static str) -> Self {
        self.widths = widths;
        self
    }

    /// Its revision.
    pub fn revision(mut self, revision: u32) -> Self {
        self.revision = revision;
        self
    }

    /// The text in the registry. The name stands in the second line, the worker in the fifth.
    pub fn to_toml(&self) -> String {
        let Case {
            name,
            engine,
            revision,
            size,
            widths,
            ..
        } = self;
        let stub = env!("CARGO_BIN_EXE_stub-worker").to_owned();
        let words = self.launcher.iter().chain([&stub]).chain(&self.options);
        let command: Vec<String> = words.map(|word| format!("'{word}'")).collect();
        let command = command.join(", ");
        let mut lines = vec![
            "[[case]]".to_owned(),
            format!("name = \"{name}\""),
            format!("title = \"The case {name}\""),
            "interface = \"stub\"".to_owned(),
            format!("worker = {{ command = [{command}] }}"),
            format!("engines = [\"{engine}\"]"),
            "repeat_bound = 1e-9".to_owned(),
            "revision_bound = 1e-6".to_owned(),
        ];
        lines.extend(self.lines.iter().cloned());
        lines.push("[case.parameters]".to_owned());
        lines.extend(self.parameters.iter().cloned());
        lines.push(format!("[case.sizes.{size}]"));
        lines.push(format!("revision = {revision}"));
        lines.push(format!("widths = {widths}"));
        lines.extend(self.size_lines.iter().cloned());
        lines.join("\n") + "\n"
    }
}

/// How a case is sampled, as TOML: at least `min` samples and at most `max`, none begun after so
/// much measured time, each a block of a millisecond.
pub fn sampling(min: u32, max: u32, total_ns_max: &str) -> String {
    format!(
        "{{ kind = \"sampled\", block_ns = 1000000, samples_min = {min}, samples_max = {max}, \
         total_ns_min = 1, total_ns_max = {total_ns_max} }}"
    )
}
