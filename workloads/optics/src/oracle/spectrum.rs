//! Light over frequency: what all modes of a guide together hold.

use std::ops::Range;

use crate::constants::wavelength_m;

/// Energy at each frequency, ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum {
    /// Angular frequency in rad/s, which is positive, and energy in J.
    bins: Vec<(f64, f64)>,
}

impl Spectrum {
    /// The spectrum of energies in joules at angular frequencies in rad/s, in any order. Where the
    /// frequency is not positive there is no light.
    pub fn new(bins: impl Iterator<Item = (f64, f64)>) -> Self {
        let mut bins: Vec<(f64, f64)> = bins.filter(|(omega, _)| *omega > 0.0).collect();
        bins.sort_by(|a, b| a.0.total_cmp(&b.0));
        Spectrum { bins }
    }

    /// Energy, J.
    pub fn energy_j(&self) -> f64 {
        self.bins.iter().map(|(_, energy)| energy).sum()
    }

    /// Mean angular frequency weighted by energy, rad/s; none for an empty spectrum.
    pub fn centroid(&self) -> Option<f64> {
        let energy = self.energy_j();
        let weighted: f64 = self.bins.iter().map(|(omega, energy)| omega * energy).sum();
        (energy > 0.0).then(|| weighted / energy)
    }

    /// Part of the energy above an angular frequency in rad/s; none for an empty spectrum.
    pub fn share_above(&self, omega: f64) -> Option<f64> {
        let above = self.bins.iter().filter(|(bin, _)| *bin > omega);
        let sum: f64 = above.map(|(_, energy)| energy).sum();
        let energy = self.energy_j();
        (energy > 0.0).then(|| sum / energy)
    }

    /// The largest energy at one frequency, J.
    pub fn largest_j(&self) -> f64 {
        self.bins
            .iter()
            .map(|(_, energy)| *energy)
            .fold(0.0, f64::max)
    }

    /// Angular frequency in rad/s and energy in J of the largest energy in a range, if that is a
    /// maximum: at the edge of the range it is only the flank of what lies beyond.
    pub fn peak_within(&self, range: Range<f64>) -> Option<(f64, f64)> {
        let inside = self.bins.iter().enumerate();
        let inside = inside.filter(|(_, (omega, _))| range.contains(omega));
        let (index, (omega, energy)) = inside.max_by(|a, b| a.1.1.total_cmp(&b.1.1))?;
        let at = |index: usize| self.bins.get(index).map_or(0.0, |(_, energy)| *energy);
        let below = index.checked_sub(1).map_or(0.0, at);
        let is_peak = *energy > 0.0 && *energy >= below && *energy >= at(index + 1);
        is_peak.then_some((*omega, *energy))
    }

    /// Wavelengths in m, together, at which the energy per wavelength is within `below_peak_db` of
    /// its peak; gaps between them do not count. None for an empty spectrum.
    pub fn covered_m(&self, below_peak_db: f64) -> Option<f64> {
        let floor = self.floor(below_peak_db)?;
        let pairs = self.bins.windows(2);
        let lit = pairs.filter(|pair| pair.iter().all(|bin| density(bin) >= floor));
        Some(
            lit.map(|pair| wavelength_m(pair[0].0) - wavelength_m(pair[1].0))
                .sum(),
        )
    }

    /// Lowest and highest angular frequency in rad/s at which the energy per wavelength, as
    /// spectrometers show it, is within `below_peak_db` of its peak; none for an empty spectrum.
    pub fn span(&self, below_peak_db: f64) -> Option<[f64; 2]> {
        let floor = self.floor(below_peak_db)?;
        let mut within = self.bins.iter().filter(|bin| density(bin) >= floor);
        let (lowest, _) = within.next()?;
        let highest = within.next_back().map_or(*lowest, |(omega, _)| *omega);
        Some([*lowest, highest])
    }

    /// The energy per wavelength that is so far below its peak; none for an empty spectrum.
    fn floor(&self, below_peak_db: f64) -> Option<f64> {
        let peak = self.bins.iter().map(density).max_by(f64::total_cmp)?;
        let floor = peak * 10_f64.powf(-below_peak_db / 10.0);
        (floor > 0.0 && floor.is_finite()).then_some(floor)
    }
}

/// Energy per wavelength of a bin, but for a factor that all bins have.
fn density((omega, energy): &(f64, f64)) -> f64 {
    energy * omega * omega
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// 1 J at 1 and at 3 rad/s, 4 J at 2 rad/s and 0.1 J at 5 rad/s, given out of order.
    fn lines() -> Spectrum {
        let bins = [(3.0, 1.0), (2.0, 4.0), (5.0, 0.1), (1.0, 1.0), (4.0, 0.0)];
        let dark = [(0.0, 7.0), (-2.0, 7.0)];
        Spectrum::new(bins.into_iter().chain(dark))
    }

    #[test]
    fn energy_and_centroid_are_sums_over_light_alone() {
        let lines = lines();
        assert!((lines.energy_j() - 6.1).abs() < 1e-14);
        let centroid = lines.centroid().unwrap();
        assert!((centroid - 12.5 / 6.1).abs() < 1e-14, "{centroid}");
        let share = lines.share_above(2.0).unwrap();
        assert!((share - 1.1 / 6.1).abs() < 1e-14, "{share}");
    }

    #[test]
    fn a_peak_has_less_on_both_sides() {
        let lines = lines();
        assert_eq!(lines.peak_within(1.5..6.0), Some((2.0, 4.0)));
        assert_eq!(lines.peak_within(3.5..6.0), Some((5.0, 0.1)));
        assert!((lines.largest_j() - 4.0).abs() < 1e-14);
        assert_eq!(
            lines.peak_within(2.5..3.5),
            None,
            "a flank of the line at 2"
        );
        assert_eq!(lines.peak_within(3.9..4.1), None, "nothing is there");
        assert_eq!(lines.peak_within(7.0..9.0), None);
    }

    #[test]
    fn a_span_ends_at_the_outermost_bins_above_the_level() {
        // Per wavelength: 1, 16, 9, 0 and 2.5.
        let lines = lines();
        assert_eq!(lines.span(5.0), Some([2.0, 3.0]));
        assert_eq!(lines.span(10.0), Some([2.0, 5.0]));
        assert_eq!(lines.span(20.0), Some([1.0, 5.0]));
        assert_eq!(lines.span(1.0), Some([2.0, 2.0]));
    }

    #[test]
    fn gaps_are_not_covered() {
        // Per wavelength: 1, 16, 9, 0 and 2.5. Of 1/2 to 1/3 and of 1 to 1/2 both ends are lit.
        let lines = lines();
        let metres = wavelength_m(1.0);
        let covered = |db: f64| lines.covered_m(db).unwrap() / metres;
        assert!((covered(5.0) - 1.0 / 6.0).abs() < 1e-14);
        assert!(
            (covered(20.0) - 2.0 / 3.0).abs() < 1e-14,
            "4 is dark: 3 and 5 stand alone"
        );
        assert!(covered(1.0).abs() < 1e-14);
    }

    #[test]
    fn of_nothing_there_is_nothing_to_say() {
        let nothing = Spectrum::new([(1.0, 0.0), (2.0, 0.0)].into_iter());
        assert_eq!(nothing.centroid(), None);
        assert_eq!(nothing.share_above(1.0), None);
        assert_eq!(nothing.peak_within(0.0..9.0), None);
        assert_eq!(nothing.span(20.0), None);
        assert_eq!(nothing.covered_m(20.0), None);
    }
}
