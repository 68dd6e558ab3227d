//! Progress events: lines of JSON on the standard output, between timed regions only.

use std::io::Write;

use longrun_protocol::receipt::ProgressEvent;

/// Where progress events go.
pub struct Progress<W> {
    sink: W,
}

impl<W: Write> Progress<W> {
    /// Events into `sink`.
    pub fn new(sink: W) -> Self {
        Progress { sink }
    }

    /// The worker entered a phase.
    pub fn phase(&mut self, name: &str) {
        self.emit(&ProgressEvent::Phase {
            name: name.to_owned(),
        });
    }

    /// How far a repeat is; repeat 0 is the warm-up.
    pub fn repeat(&mut self, repeat: u32, fraction: f64) {
        self.emit(&ProgressEvent::Progress { repeat, fraction });
    }

    fn emit(&mut self, event: &ProgressEvent) {
        // A reader that has gone away must not end a measurement: events are for people, and the
        // receipt says everything.
        if let Ok(line) = serde_json::to_string(event) {
            let _ = writeln!(self.sink, "{line}").and_then(|()| self.sink.flush());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_one_line_of_json_each() {
        let mut sink = Vec::new();
        let mut progress = Progress::new(&mut sink);
        progress.phase("construct");
        progress.repeat(2, 1.0);
        let expected = "{\"event\":\"phase\",\"name\":\"construct\"}\n\
                        {\"event\":\"progress\",\"repeat\":2,\"fraction\":1.0}\n";
        assert_eq!(String::from_utf8_lossy(&sink), expected);
    }
}
