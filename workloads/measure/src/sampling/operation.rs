//! What is sampled.

use std::hint::black_box;

/// Something that can be done many times over, to the same effect each time.
///
/// Any closure `|ops: u64| -> Result<(), E>` is one. It is called once per block, so what it does
/// before its first operation and after its last is timed with them.
pub trait Operation {
    /// Why it failed.
    type Error;

    /// Does it `ops` times. All that is computed must be used, or the compiler may leave it out:
    /// [`repeat`] sees to that. An error ends the sampling.
    fn run(&mut self, ops: u64) -> Result<(), Self::Error>;

    /// Looks at what the first sample left behind; not timed. That of the last sample is still
    /// there when sampling has ended. An error ends the sampling.
    fn after_first_sample(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

impl<F, E> Operation for F
where
    F: FnMut(u64) -> Result<(), E>,
{
    type Error = E;

    fn run(&mut self, ops: u64) -> Result<(), E> {
        self(ops)
    }
}

/// Calls `body` with 0, 1, … `ops - 1`, lets the compiler believe that every value is used, and
/// hands back the last one; none of no operation. The first error of `body` ends it.
pub fn repeat<T, E>(ops: u64, mut body: impl FnMut(u64) -> Result<T, E>) -> Result<Option<T>, E> {
    let mut last = None;
    for index in 0..ops {
        last = Some(black_box(body(index)?));
    }
    Ok(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_does_its_operation_as_often_as_it_says_counting_from_zero() {
        let mut seen = Vec::new();
        let last = repeat(3, |index| {
            seen.push(index);
            Ok::<_, String>(index)
        });
        assert_eq!((seen, last), (vec![0, 1, 2], Ok(Some(2))));
    }

    #[test]
    fn a_block_of_none_does_nothing() {
        let nothing = repeat(0, |index| Err::<u64, _>(format!("{index} was called")));
        assert_eq!(nothing, Ok(None));
    }

    #[test]
    fn what_keeps_a_value_alive_does_not_change_it() {
        let last = repeat(2, |index| Ok::<_, String>(vec![0.1, index as f64]));
        assert_eq!(last, Ok(Some(vec![0.1, 1.0])));
    }

    #[test]
    fn the_first_error_ends_a_block() {
        let mut calls = 0;
        let ended = repeat(9, |index| {
            calls += 1;
            if index == 4 { Err("no") } else { Ok(()) }
        });
        assert_eq!((ended, calls), (Err("no"), 5));
    }
}
