//! What fixed orders and poor coins would do: these tests show that the others can fail.

use longrun_measure::paired::{Orders, SplitMix64};
use longrun_protocol::duet::Side;

use crate::machine::{Design, Noise, Turns};
use crate::studies::{Study, Tally};

fn changed(design: Design, noise: Noise, turns: Turns) -> u32 {
    let study = Study {
        turns,
        ..Study::of(design, noise)
    };
    let rule = study.rule();
    let verdicts = study.comparisons(500, |comparison| {
        let judged = comparison.judged(&rule);
        (judged.verdict.unwrap(), judged.n)
    });
    Tally::of(verdicts).changed()
}

#[test]
fn a_fixed_order_calls_equal_programs_changed_where_coins_do_not() {
    let second = Noise {
        second: 0.012,
        ..Noise::default()
    };
    assert!(changed(Design::Pair, second, Turns::BaselineFirst) > 400);
    assert!(changed(Design::Pair, second, Turns::Coins) <= 10);
    let created = Noise {
        created: 0.006,
        ..Noise::default()
    };
    assert!(changed(Design::Duet, created, Turns::BaselineFirst) > 100);
    assert!(changed(Design::Duet, created, Turns::Coins) <= 10);
    // The order of segments cancels within a process, whoever begins.
    assert!(changed(Design::Duet, second, Turns::BaselineFirst) <= 10);
}

/// Seeds and rounds of each check.
const COUNT: u64 = 20_000;

/// The largest imbalance that fair coins may show, in standard deviations; of the dozen counts here
/// one is beyond by chance in ten thousand cases.
const IMBALANCE_MAX: f64 = 4.5;

/// In how many standard deviations a series is not that of a fair coin: heads, and pairs that are a
/// lag apart.
fn imbalance(series: &[bool]) -> f64 {
    let deviations = |heads: usize, of: usize| {
        (heads as f64 - 0.5 * of as f64).abs() / (0.25 * of as f64).sqrt()
    };
    let heads = series.iter().filter(|head| **head).count();
    (1..=4).fold(deviations(heads, series.len()), |worst, lag| {
        let equal = series
            .windows(lag + 1)
            .filter(|pair| pair[0] == pair[lag])
            .count();
        worst.max(deviations(equal, series.len() - lag))
    })
}

/// The worst of a generator's coins: within a small seed, and the first ones of successive seeds.
fn worst(coin: impl Fn(u64, u64) -> bool) -> f64 {
    let within = (1..=4).map(|seed| (0..COUNT).map(|round| coin(seed, round)).collect());
    let across = (0..4).map(|round| (1..=COUNT).map(|seed| coin(seed, round)).collect());
    within
        .chain(across)
        .map(|series: Vec<bool>| imbalance(&series))
        .fold(0.0, f64::max)
}

#[test]
fn the_coins_of_pairs_and_duets_are_fair_within_a_seed_and_across_seeds() {
    let pair = |seed, round| Orders::of(seed, 0, 0).pair(round as u32) == Side::Baseline;
    assert!(worst(pair) < IMBALANCE_MAX);
    let configurations =
        |seed: u64, round| Orders::of(7, seed as usize, 0).pair(round as u32) == Side::Baseline;
    assert!(worst(configurations) < IMBALANCE_MAX);
    // Blocks of four are balanced, so only the first of each is a coin.
    let duet = |seed, round| Orders::of(seed, 0, 0).duet(4 * round as u32).first == Side::Baseline;
    assert!(worst(duet) < IMBALANCE_MAX);
    let created =
        |seed, round| Orders::of(seed, 0, 0).duet(4 * round as u32).created_first == Side::Baseline;
    assert!(worst(created) < IMBALANCE_MAX);
    let raw = |seed, round| {
        let mut coin = SplitMix64::new(seed);
        (0..round % 64).for_each(|_| {
            coin.next_u64();
        });
        coin.side() == Side::Baseline
    };
    let across: Vec<bool> = (0..COUNT).map(|seed| raw(seed, 0)).collect();
    assert!(imbalance(&across) < IMBALANCE_MAX);
}

#[test]
fn coins_from_shifts_of_a_small_seed_are_caught() {
    // Xorshift is a good generator of long series and a poor one of the first few numbers.
    let shifted = |seed: u64, round: u64| {
        let mut state = seed;
        for _ in 0..=round % 64 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
        }
        state >> 63 == 1
    };
    assert!(worst(shifted) > 20.0);
    let alternating = |seed: u64, round: u64| (seed + round).is_multiple_of(2);
    assert!(worst(alternating) > 20.0);
}
