//! A random generator that is specified bit for bit.
//!
//! Noise and sketches must be the same on every machine and in every revision, so the generator
//! is our own: xoshiro256++ (D. Blackman and S. Vigna, ACM Trans. Math. Softw. 47, 36 (2021)),
//! its four words filled by SplitMix64 from one seed.

/// xoshiro256++.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator {
    state: [u64; 4],
}

impl Generator {
    /// The generator of a seed: its state is the first four outputs of SplitMix64.
    pub fn from_seed(seed: u64) -> Self {
        let mut mix = seed;
        Generator {
            state: std::array::from_fn(|_| split_mix(&mut mix)),
        }
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let [s0, s1, s2, s3] = self.state;
        let result = s0.wrapping_add(s3).rotate_left(23).wrapping_add(s0);
        let (s2, s3) = (s2 ^ s0, s3 ^ s1);
        self.state = [s0 ^ s3, s1 ^ s2, s2 ^ (s1 << 17), s3.rotate_left(45)];
        result
    }

    /// The next number in [0, 1): the top 53 bits, times 2^-53.
    pub fn next_unit(&mut self) -> f64 {
        // 53 bits are exact in a double.
        (self.next_u64() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }
}

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_mix_gives_its_published_sequence() {
        // The five outputs for the seed 1234567 that are published with the algorithm.
        let mut state = 1_234_567;
        let outputs: [u64; 5] = std::array::from_fn(|_| split_mix(&mut state));
        assert_eq!(
            outputs,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }

    #[test]
    fn the_generator_gives_its_published_sequence() {
        // The vector that independent implementations of xoshiro256++ test the state 1, 2, 3, 4 on.
        let mut generator = Generator {
            state: [1, 2, 3, 4],
        };
        let outputs: [u64; 10] = std::array::from_fn(|_| generator.next_u64());
        assert_eq!(
            outputs,
            [
                41_943_041,
                58_720_359,
                3_588_806_011_781_223,
                3_591_011_842_654_386,
                9_228_616_714_210_784_205,
                9_973_669_472_204_895_162,
                14_011_001_112_246_962_877,
                12_406_186_145_184_390_807,
                15_849_039_046_786_891_736,
                10_450_023_813_501_588_000,
            ]
        );
    }

    #[test]
    fn units_lie_in_the_half_open_interval_and_are_spread_over_it() {
        let mut generator = Generator::from_seed(20_061_004);
        let units: Vec<f64> = (0..10_000).map(|_| generator.next_unit()).collect();
        assert!(units.iter().all(|unit| (0.0..1.0).contains(unit)));
        let mean = units.iter().sum::<f64>() / 1e4;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
    }

    #[test]
    fn different_seeds_give_different_sequences() {
        let first = |seed| Generator::from_seed(seed).next_u64();
        assert_ne!(first(0), first(1));
        assert_eq!(first(7), first(7));
    }
}
