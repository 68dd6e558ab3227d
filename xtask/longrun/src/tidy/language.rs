//! What a file is written in.

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `.rs`
    Rust,
    /// C, C++, CUDA and HIP.
    Cpp,
    /// `.md`
    Markdown,
    /// `Cargo.toml`
    Manifest,
    /// Anything else that is text.
    Other,
}
