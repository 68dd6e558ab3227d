//! The coins that decide every order.
//!
//! If coins decide who goes first, the sign of every log-ratio of equal programs is as likely one
//! as the other, whatever the machine does meanwhile. This needs a generator whose seeds may be
//! close to each other: one that shifts small seeds was seen to make a difference of 0.9 % out of
//! nothing.

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

    /// The stretches that a duet process visits, of `count` in the order of the guide: one from
    /// each of `visited` groups of neighbours. The rounds of a block visit each stretch of a group
    /// once before any of them twice, in a random order.
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_generator_gives_the_published_numbers() {
        // The check of S. Vigna's reference implementation, seed 1234567.
        let mut coin = SplitMix64::new(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(expected.map(|_| coin.next_u64()), expected);
        assert_eq!(SplitMix64::new(0).next_u64(), 0xe220_a839_7b1d_cdaf);
    }

    const FIRSTS_OF_PAIRS: &str = "cccbbbcbbcbccbbc";
    const ORDERS_OF_DUETS: &str = "cb bc cc bb cc cb bc bb ";
    const SEED_OF_ROUND_FIVE: u64 = 8831483581171796498;

    #[test]
    fn the_orders_of_a_seed_never_change() {
        // Stored comparisons name their seed: another order for it would be another comparison.
        let orders = Orders::of(42, 3, 1);
        let firsts: String = (0..16)
            .map(|round| orders.pair(round).as_str()[..1].to_owned())
            .collect();
        assert_eq!(firsts, FIRSTS_OF_PAIRS);
        let duets: String = (0..8)
            .map(|round| {
                let order = orders.duet(round);
                format!(
                    "{}{} ",
                    &order.created_first.as_str()[..1],
                    &order.first.as_str()[..1]
                )
            })
            .collect();
        assert_eq!(duets, ORDERS_OF_DUETS);
        assert_eq!(orders.request_seed(5), SEED_OF_ROUND_FIVE);
    }

    #[test]
    fn every_block_of_four_has_every_combination_once() {
        for seed in 0..50 {
            let orders = Orders::of(seed, 0, 0);
            for block in 0..5 {
                let mut seen: Vec<_> = (4 * block..4 * block + 4)
                    .map(|round| orders.duet(round))
                    .map(|order| (order.created_first, order.first))
                    .collect();
                seen.sort_unstable();
                seen.dedup();
                assert_eq!(seen.len(), 4);
            }
        }
    }

    #[test]
    fn configurations_comparisons_phases_and_seeds_have_orders_of_their_own() {
        let firsts = |orders: Orders| (0..64).map(|round| orders.pair(round)).collect::<Vec<_>>();
        let all = [
            Orders::of(1, 0, 0),
            Orders::of(2, 0, 0),
            Orders::of(1, 1, 0),
            Orders::of(1, 0, 1),
            Orders::of(1, 0, 0).in_phase(1),
            Orders::of(1, 0, 0).in_phase(2),
        ]
        .map(firsts);
        for (index, one) in all.iter().enumerate() {
            for other in &all[index + 1..] {
                let equal = one
                    .iter()
                    .zip(other)
                    .filter(|(one, other)| one == other)
                    .count();
                // 32 of 64 by chance, with a standard deviation of 4.
                assert!((14..=50).contains(&equal), "{equal}");
            }
        }
    }

    #[test]
    fn a_process_visits_one_stretch_of_each_quarter_and_a_block_visits_all() {
        let orders = Orders::of(9, 0, 0);
        let mut seen = Vec::new();
        for round in 0..4 {
            let visits = orders.visits(round, 16, 4);
            assert!(
                visits
                    .iter()
                    .zip(0..)
                    .all(|(visit, quarter)| visit / 4 == quarter)
            );
            seen.extend(visits);
        }
        seen.sort_unstable();
        assert_eq!(seen, (0..16).collect::<Vec<_>>());
        let order = |seed| Orders::of(seed, 0, 0).visits(0, 16, 4);
        assert!((1..9).any(|seed| order(seed) != order(0)));
    }

    #[test]
    fn few_stretches_are_visited_as_far_as_there_are_any() {
        let orders = Orders::of(9, 0, 0);
        assert_eq!(orders.visits(5, 2, 4), [0, 1]);
        assert!(orders.visits(5, 0, 4).is_empty());
        let uneven = orders.visits(0, 7, 2);
        assert!(uneven[0] < 3 && (3..7).contains(&uneven[1]));
    }

    #[test]
    fn a_shuffle_is_as_likely_to_give_any_order() {
        let mut coin = SplitMix64::new(3);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6_000 {
            let mut values = [0, 1, 2];
            coin.shuffle(&mut values);
            *counts.entry(values).or_insert(0_u32) += 1;
        }
        assert_eq!(counts.len(), 6);
        // 1,000 each by chance, with a standard deviation of 29.
        assert!(
            counts.values().all(|count| (880..=1_120).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn a_bound_of_zero_is_taken_as_one() {
        assert_eq!(SplitMix64::new(3).below(0), 0);
    }
}
