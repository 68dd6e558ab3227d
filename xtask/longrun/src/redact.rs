//! What leaves the machine names no path of it: gate files and summaries are shown to others.

/// What stands for a path.
const HIDDEN: &str = "<path>";

/// `text` with every absolute path replaced. Pure.
///
/// A word that begins with `/`, `\` or `~/` is one, also behind a drive (`C:`), an `=` or the
/// letters of a flag (`-I/usr`). Relative paths are names inside a repository and stay.
pub fn redacted(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let (word, after) = rest.split_at(rest.find(delimits).unwrap_or(rest.len()));
        shown.push_str(&without_path(word));
        let next = after.chars().next().map_or(0, char::len_utf8);
        let (delimiter, following) = after.split_at(next);
        shown.push_str(delimiter);
        rest = following;
    }
    shown
}

fn delimits(c: char) -> bool {
    c.is_whitespace() || "`'\",;:=()|<>[]{}".contains(c)
}

fn without_path(word: &str) -> String {
    let Some((before, after)) = word.split_once(['/', '\\']) else {
        return word.to_owned();
    };
    let flag = before.starts_with('-');
    match after.is_empty() || !(before.is_empty() || before == "~" || flag) {
        true => word.to_owned(),
        false if flag => format!("{before}{HIDDEN}"),
        false => HIDDEN.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_are_hidden_and_nothing_else() {
        for (text, shown) in [
            (
                "failed to load `/home/u/lib.so`: no",
                "failed to load `<path>`: no",
            ),
            ("flags -I/usr/include -O3", "flags -I<path> -O3"),
            ("(/opt/a b)", "(<path> b)"),
            ("a/b and native/src, 1 / 2", "a/b and native/src, 1 / 2"),
            ("~/x, C:\\Users\\u\\a, D:/b", "<path>, C:<path>, D:<path>"),
            ("--prefix=/home/u", "--prefix=<path>"),
            ("/", "/"),
            ("", ""),
            ("é/é /é", "é/é <path>"),
        ] {
            assert_eq!(redacted(text), shown, "{text}");
        }
    }
}
