//! The coins that decide every order.
//!
//! If coins decide who goes first, the sign of every log-ratio of equal programs is as likely one as
//! the other, whatever the machine does meanwhile. This needs a generator whose seeds may be close to
//! each other: one that shifts small seeds was seen to make a difference of 0.9 % out of nothing.

use longrun_protocol::duet::Side;

/// SplitMix64: G. L. Steele, D. Lea and C. H. Flood, OOPSLA 2014.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// A generator; every seed is good.
    pub fn new(seed: u64) -> Self {
        SplitMix64 { state: seed }
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is taken as 1 at least. It favours none by more than
    /// `bound` in 2^64.
    pub fn below(&mut self, bound: usize) -> usize {
        let product = u128::from(self.next_u64()) * bound.max(1) as u128;
        // The product is below `bound` × 2^64, so its upper half is below `bound`.
        (product >> 64) as usize
    }

    /// A side, by a fair coin.
    pub fn side(&mut self) -> Side {
        if self.next_u64() >> 63 == 0 {
            Side::Baseline
        } else {
            Side::Candidate
        }
    }

    /// Puts `values` into an order that is as likely as any other (R. A. Fisher and F. Yates).
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for last in (1..values.len()).rev() {
            values.swap(last, self.below(last + 1));
        }
    }
}

/// The orders of one duet process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DuetOrder {
    /// Side whose engine is created first.
    pub created_first: Side,
    /// Side that takes the first segment.
    pub first: Side,
}

impl DuetOrder {
    const fn new(created_first: Side, first: Side) -> Self {
        DuetOrder {
            created_first,
            first,
        }
    }
}

/// All orders of one configuration in one comparison; a function of its seed, so that they can be
/// checked against what was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orders {
    seed: u64,
}

/// What a number is drawn for, so that no two are drawn from the same state.
#[derive(Clone, Copy)]
enum Purpose {
    Duet = 1,
    Pair = 2,
    Request = 3,
    Visits = 4,
    Phase = 5,
}

/// Orders of created first and first segment: each once in every block of four rounds.
const COMBINATIONS: [DuetOrder; 4] = [
    DuetOrder::new(Side::Baseline, Side::Baseline),
    DuetOrder::new(Side::Baseline, Side::Candidate),
    DuetOrder::new(Side::Candidate, Side::Baseline),
    DuetOrder::new(Side::Candidate, Side::Candidate),
];

impl Orders {
    /// The orders of a configuration, by its index, in one of the comparisons made with a seed.
    pub fn of(seed: u64, configuration: usize, comparison: u32) -> Self {
        Orders {
            seed: mixed(&[seed, configuration as u64, u64::from(comparison)]),
        }
    }

    /// Orders of another phase of the same comparison, independent of these.
    pub fn in_phase(self, phase: u32) -> Self {
        Orders {
            seed: mixed(&[self.seed, Purpose::Phase as u64, u64::from(phase)]),
        }
    }

    /// The orders of a duet process. Each block of four rounds has each of the four combinations
    /// once, in a random order.
    pub fn duet(self, round: u32) -> DuetOrder {
        let mut order = COMBINATIONS;
        self.coin(Purpose::Duet, round / 4).shuffle(&mut order);
        order[(round % 4) as usize]
    }

    /// The side whose process runs first in a pair: an independent fair coin for each round.
    pub fn pair(self, round: u32) -> Side {
        self.coin(Purpose::Pair, round).side()
    }

    /// Seed of what a round draws besides its orders.
    pub fn request_seed(self, round: u32) -> u64 {
        self.coin(Purpose::Request, round).next_u64()
    }

    /// The stretches that a duet process visits, of `count` in the order of the guide: one from each
    /// of `visited` groups of neighbours. The rounds of a block visit each stretch of a group once
    /// before any of them twice, in a random order.
    pub fn visits(self, round: u32, count: usize, visited: usize) -> Vec<usize> {
        let visited = visited.min(count);
        (0..visited)
            .map(|group| {
                let (from, to) = (group * count / visited, (group + 1) * count / visited);
                let mut members: Vec<usize> = (from..to).collect();
                // A group has a member at least, since no more are visited than there are.
                let size = (to - from).max(1);
                let block = round as usize / size;
                let mut coin = SplitMix64::new(mixed(&[
                    self.seed,
                    Purpose::Visits as u64,
                    group as u64,
                    block as u64,
                ]));
                coin.shuffle(&mut members);
                members.get(round as usize % size).copied().unwrap_or(from)
            })
            .collect()
    }

    fn coin(self, purpose: Purpose, number: u32) -> SplitMix64 {
        SplitMix64::new(mixed(&[self.seed, purpose as u64, u64::from(number)]))
    }
}

/// One well-mixed number of several.
fn mixed(words: &[u64]) -> u64 {
    words
        .iter()
        .fold(0, |state, word| SplitMix64::new(state ^ word).next_u64())
}
