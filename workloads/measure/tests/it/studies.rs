//! One simulated comparison, observed as far as the rule asks for.

use longrun_measure::paired::{
    Decider, Guarded, Judged, Looks, Orders, Rule, Verdict, confirmed, guarded, judge,
};

use crate::draws::{Draws, SEED, each};
use crate::machine::{Design, Machine, Noise, Order, Turns};

/// A set of comparisons that differ in their draws only.
#[derive(Clone, Copy)]
pub struct Study {
    pub design: Design,
    pub noise: Noise,
    pub turns: Turns,
    /// True difference as a fraction: 0.01.
    pub effect: f64,
    /// By how much means of processes differ, from and to; drawn for each comparison.
    pub sd: (f64, f64),
    /// Observations of one comparison at most.
    pub observations: usize,
}

impl Study {
    pub fn of(design: Design, noise: Noise) -> Self {
        Study {
            design,
            noise,
            turns: Turns::Coins,
            effect: 0.0,
            sd: (0.005, 0.012),
            observations: 80,
        }
    }

    /// The rule with the default margin of the design.
    pub fn rule(&self) -> Rule {
        Rule {
            looks: Looks::sequential(self.observations, 0.01),
            margin: match self.design {
                Design::Duet => 0.01,
                Design::Pair => 0.02,
            },
        }
    }

    /// `work` on `count` comparisons.
    pub fn comparisons<T: Send>(
        &self,
        count: u64,
        work: impl Fn(&mut Comparison) -> T + Sync,
    ) -> Vec<T> {
        each(count, |number| work(&mut self.comparison(number)))
    }

    pub fn comparison(&self, number: u64) -> Comparison {
        let mut draws = Draws::new(SEED ^ (number << 20));
        let (low, high) = self.sd;
        let sd = low + (high - low) * draws.uniform();
        let seed = (draws.uniform() * 1e15) as u64;
        Comparison {
            study: *self,
            sd,
            machine: Machine::new(self.noise, self.design, seed),
            orders: Orders::of(SEED, 0, number as u32),
            cpu: Vec::new(),
            wall: Vec::new(),
        }
    }
}

/// One comparison and what was observed of it.
pub struct Comparison {
    study: Study,
    sd: f64,
    machine: Machine,
    orders: Orders,
    pub cpu: Vec<f64>,
    pub wall: Vec<f64>,
}

impl Comparison {
    /// Observes until there are `n` observations.
    pub fn observe(&mut self, n: usize) {
        let Study {
            design,
            turns,
            effect,
            ..
        } = self.study;
        while self.cpu.len() < n {
            let order = Order::of(design, turns, self.orders, self.cpu.len() as u32);
            let effect = libm::log1p(effect);
            let observed = self.machine.observe(effect, self.sd, &order);
            self.cpu.push(observed.cpu);
            self.wall.push(observed.wall);
        }
    }

    /// What the rule says of CPU time alone.
    pub fn judged(&mut self, rule: &Rule) -> Judged {
        for look in rule.looks.all() {
            self.observe(look.n);
            let judged = judge(rule, &self.cpu[..look.n]).unwrap();
            if judged.verdict.is_some() {
                return judged;
            }
        }
        unreachable!("the last look decides")
    }

    /// What the rule says with wall time as a guard.
    pub fn guarded(&mut self, rule: &Rule) -> Guarded {
        for look in rule.looks.all() {
            self.observe(look.n);
            let both = guarded(rule, &self.cpu[..look.n], &self.wall[..look.n]).unwrap();
            if both.verdict.is_some() {
                return both;
            }
        }
        unreachable!("the last look decides")
    }

    /// Whether fresh observations confirm what was called changed.
    pub fn confirmed(&mut self, rule: &Rule, screened: &Guarded) -> bool {
        let (cpu, wall) = (self.cpu.len(), self.wall.len());
        self.orders = self.orders.in_phase(1);
        let verdict = screened.verdict.unwrap();
        for look in rule.looks.all() {
            self.observe(cpu + look.n);
            let fresh = match screened.decider {
                Decider::Primary => &self.cpu[cpu..cpu + look.n],
                Decider::Guard => &self.wall[wall..wall + look.n],
            };
            if let Some(stands) = confirmed(rule, verdict, fresh) {
                return stands;
            }
        }
        unreachable!("the last look decides")
    }
}

/// How often each verdict was reached, and after how many observations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub regressed: u32,
    pub improved: u32,
    pub unchanged: u32,
    pub inconclusive: u32,
    pub observations: usize,
}

impl Tally {
    pub fn of(verdicts: impl IntoIterator<Item = (Verdict, usize)>) -> Self {
        let mut tally = Tally::default();
        for (verdict, n) in verdicts {
            tally.observations += n;
            match verdict {
                Verdict::Regressed => tally.regressed += 1,
                Verdict::Improved => tally.improved += 1,
                Verdict::Unchanged => tally.unchanged += 1,
                Verdict::Inconclusive => tally.inconclusive += 1,
            }
        }
        tally
    }

    pub fn count(&self) -> u32 {
        self.regressed + self.improved + self.unchanged + self.inconclusive
    }

    pub fn changed(&self) -> u32 {
        self.regressed + self.improved
    }

    /// Percent of all.
    pub fn percent(&self, part: u32) -> f64 {
        100.0 * f64::from(part) / f64::from(self.count())
    }

    pub fn mean_n(&self) -> f64 {
        self.observations as f64 / f64::from(self.count())
    }
}
