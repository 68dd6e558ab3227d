//! Seeded draws, and work spread over threads without changing a draw.

use longrun_measure::paired::SplitMix64;

/// Seed of everything here; no other was tried.
pub const SEED: u64 = 1;

/// Numbers of several distributions.
pub struct Draws {
    coin: SplitMix64,
    spare: Option<f64>,
}

impl Draws {
    pub fn new(seed: u64) -> Self {
        Draws {
            coin: SplitMix64::new(seed),
            spare: None,
        }
    }

    /// Uniform in (0, 1).
    pub fn uniform(&mut self) -> f64 {
        ((self.coin.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// Standard normal (G. Marsaglia's polar method).
    pub fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let (u, v) = (2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            let square = u * u + v * v;
            if square < 1.0 && square > 0.0 {
                let scale = (-2.0 * libm::log(square) / square).sqrt();
                self.spare = Some(v * scale);
                return u * scale;
            }
        }
    }

    /// Exponential with mean 1.
    pub fn exponential(&mut self) -> f64 {
        -libm::log(self.uniform())
    }

    pub fn happens(&mut self, probability: f64) -> bool {
        self.uniform() < probability
    }
}

/// `work` of 0, 1, … `count - 1`, in that order, done by two threads.
pub fn each<T: Send>(count: u64, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let half = count / 2;
    std::thread::scope(|scope| {
        let second = scope.spawn(|| (half..count).map(&work).collect::<Vec<T>>());
        let mut all: Vec<T> = (0..half).map(&work).collect();
        all.extend(second.join().unwrap());
        all
    })
}
