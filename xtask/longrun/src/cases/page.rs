//! The page of the cases: text by hand, and between markers what is made. Pure.
//!
//! A part begins with a comment that says what belongs there, of one line or several, and ends with
//! a line `<!-- end -->`. All else is left as it is.

use super::Damage;
use super::directive::Directive;

/// How a marker begins.
const BEGIN: &str = "<!-- cases:";

/// How the comment ends.
const CLOSE: &str = "-->";

/// The line behind what is made.
const END: &str = "<!-- end -->";

/// Tables that a page may have.
const TABLES_MAX: usize = 200;

/// A table of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Line of its marker, from 1.
    pub line: usize,
    /// What belongs there.
    pub directive: Directive,
    /// What is there.
    pub content: String,
}

/// A page in pieces, which together are all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Text before each table, its marker included; and what is behind the last one.
    texts: Vec<String>,
    /// The tables, in order.
    pub regions: Vec<Region>,
}

impl Page {
    /// Finds the tables of a page.
    ///
    /// # Errors
    /// The first marker that is wrong, or is not closed.
    pub fn parse(text: &str) -> Result<Page, Damage> {
        let damage = |line, cause: &str| Damage {
            line,
            cause: cause.to_owned(),
        };
        let mut lines = (1..).zip(text.split_inclusive('\n'));
        let (mut texts, mut regions) = (Vec::new(), Vec::new());
        let mut before = String::new();
        while let Some((number, line)) = lines.next() {
            before.push_str(line);
            let Some(first) = line.trim().strip_prefix(BEGIN) else {
                if line.trim() == END {
                    return Err(damage(number, "nothing begins before this end"));
                }
                continue;
            };
            if regions.len() == TABLES_MAX {
                return Err(damage(number, "there are too many tables"));
            }
            let mut comment = format!("{first}\n");
            while !comment.trim_end().ends_with(CLOSE) {
                let next = lines.next().filter(|(_, line)| !line.contains("<!--"));
                let Some((_, line)) = next else {
                    return Err(damage(number, "this comment is not closed"));
                };
                before.push_str(line);
                comment.push_str(line);
            }
            let said = comment.trim_end().trim_end_matches(CLOSE);
            let directive = Directive::parse(said).map_err(|cause| damage(number, &cause))?;
            let mut content = String::new();
            loop {
                match lines.next() {
                    Some((_, line)) if line.trim() == END => {
                        texts.push(std::mem::replace(&mut before, line.to_owned()));
                        break;
                    }
                    Some((_, line)) if !line.contains(BEGIN) => content.push_str(line),
                    _ => return Err(damage(number, "no `<!-- end -->` follows this marker")),
                }
            }
            regions.push(Region {
                line: number,
                directive,
                content,
            });
        }
        texts.push(before);
        Ok(Page { texts, regions })
    }

    /// The page with other contents, one for each table.
    pub fn with(&self, contents: &[String]) -> String {
        let mut page = String::new();
        let mut contents = contents.iter();
        for text in &self.texts {
            page.push_str(text);
            page.extend(contents.next().map(String::as_str));
        }
        page
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const PAGE: &str = "\
# Cases

By hand.

<!-- cases: cost size=quick -->
old
<!-- end -->

Between.

<!-- cases: sizes case=a
points = fact.points
-->
<!-- end -->
Behind.
";

    #[test]
    fn only_what_is_between_markers_is_replaced() {
        let page = Page::parse(PAGE).unwrap();
        let lines: Vec<usize> = page.regions.iter().map(|region| region.line).collect();
        assert_eq!(lines, [5, 11]);
        assert_eq!(page.regions[0].content, "old\n");
        assert_eq!(page.regions[1].content, "");
        let same = page.with(&["old\n".to_owned(), String::new()]);
        assert_eq!(same, PAGE);
        let other = page.with(&["new\n".to_owned(), "| a |\n".to_owned()]);
        let expected = PAGE.replace("old\n", "new\n").replace(
            "-->\n<!-- end -->\nBehind",
            "-->\n| a |\n<!-- end -->\nBehind",
        );
        assert_eq!(other, expected);
        assert_eq!(
            Page::parse(&other).unwrap().with(&["".into(), "".into()]),
            PAGE.replace("old\n", "")
        );
    }

    #[test]
    fn a_page_without_markers_is_left_as_it_is() {
        for text in ["", "a", "a\n", "<!-- a comment -->\n"] {
            let page = Page::parse(text).unwrap();
            assert_eq!(page.regions, []);
            assert_eq!(page.with(&[]), text);
        }
    }

    #[test]
    fn a_marker_that_is_wrong_or_not_closed_is_named_with_its_line() {
        for (text, line, cause) in [
            ("a\n<!-- cases: cost -->\n| x |\n", 2, "no `<!-- end -->`"),
            ("<!-- end -->\n", 1, "nothing begins"),
            ("<!-- cases: sizes case=a\nb = c\n", 1, "not closed"),
            (
                "<!-- cases: sizes case=a\n<!-- end -->\n",
                1,
                "is not closed",
            ),
            (
                "<!-- cases: cost -->\n<!-- cases: cost -->\n<!-- end -->\n",
                1,
                "no `<!-- end -->`",
            ),
            (
                "<!-- cases: paint -->\n<!-- end -->\n",
                1,
                "no kind of table",
            ),
        ] {
            let damage = Page::parse(text).unwrap_err();
            assert_eq!(damage.line, line, "{text}");
            assert!(damage.cause.contains(cause), "{text}: {}", damage.cause);
        }
    }
}
