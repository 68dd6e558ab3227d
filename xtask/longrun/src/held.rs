//! A file that is locked until it is dropped, and not a moment longer.
//!
//! Closing a file gives its lock back only when no process has it open any more. A program that
//! another thread starts has a copy of every open file for the moment between `fork` and `exec`,
//! so that a lock that was let go by closing alone could still be held when it is asked for next.

use std::fs::File;
use std::ops::{Deref, DerefMut};

/// A file that this process has locked.
#[derive(Debug)]
pub struct Held(File);

impl Held {
    /// Takes over a file that has just been locked.
    pub fn locked(file: File) -> Held {
        Held(file)
    }
}

impl Deref for Held {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for Held {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // If it fails, closing the file does the same a moment later.
        let _ = self.0.unlock();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_dropped_one_is_free_while_a_copy_of_it_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let file = File::create(&path).unwrap();
        file.try_lock().unwrap();
        let held = Held::locked(file);
        // What a program that is being started has.
        let copy = held.try_clone().unwrap();
        assert!(File::open(&path).unwrap().try_lock().is_err());
        drop(held);
        File::open(&path).unwrap().try_lock().unwrap();
        drop(copy);
    }
}
