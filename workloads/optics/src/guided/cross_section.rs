//! The fields of the modes at the nodes of a transverse rule, and whether the rule is fine enough.

/// Synthesis and projection: what a field is at the nodes, and what modes get of it back.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossSection {
    /// Modes.
    pub modes: usize,
    /// Nodes.
    pub nodes: usize,
    /// `nodes` rows of `modes` values: the field of each mode at each node.
    pub synthesis: Vec<f64>,
    /// `modes` rows of `nodes` values: weight of the node times the field of the mode there.
    pub projection: Vec<f64>,
}

impl CrossSection {
    /// One mode that is the same everywhere, with this field for an amplitude of 1.
    pub fn averaged(field: f64) -> Self {
        CrossSection {
            modes: 1,
            nodes: 1,
            synthesis: vec![field],
            projection: vec![1.0],
        }
    }

    /// Modes whose fields are functions of the radius, on nodes with their weights, area included.
    pub fn resolved(modes: usize, nodes: &[(f64, f64)], field: impl Fn(usize, f64) -> f64) -> Self {
        let at_node = |(radius, _): &(f64, f64)| {
            let radius = *radius;
            (0..modes)
                .map(|mode| field(mode, radius))
                .collect::<Vec<_>>()
        };
        let of_mode = |mode: usize| {
            let weighted = |(radius, weight): &(f64, f64)| weight * field(mode, *radius);
            nodes.iter().map(weighted).collect::<Vec<_>>()
        };
        CrossSection {
            modes,
            nodes: nodes.len(),
            synthesis: nodes.iter().flat_map(at_node).collect(),
            projection: (0..modes).flat_map(of_mode).collect(),
        }
    }

    /// The field at each node.
    pub fn fields(&self, amplitudes: &[f64]) -> Vec<f64> {
        let row = |row: &[f64]| -> f64 { row.iter().zip(amplitudes).map(|(e, a)| e * a).sum() };
        self.synthesis.chunks_exact(self.modes).map(row).collect()
    }

    /// What each mode gets of values at the nodes.
    pub fn project(&self, values: &[f64]) -> Vec<f64> {
        let row = |row: &[f64]| -> f64 { row.iter().zip(values).map(|(w, p)| w * p).sum() };
        self.projection.chunks_exact(self.nodes).map(row).collect()
    }

    /// How far what modes get of `response` differs from what they get by a finer rule, relative to
    /// that; 0 where there is nothing to get.
    pub fn error_against<E>(
        &self,
        finer: &CrossSection,
        amplitudes: &[f64],
        response: impl Fn(f64) -> Result<f64, E>,
    ) -> Result<f64, E> {
        let of = |section: &CrossSection| -> Result<Vec<f64>, E> {
            let fields = section.fields(amplitudes);
            let values: Result<Vec<f64>, E> = fields.into_iter().map(&response).collect();
            Ok(section.project(&values?))
        };
        let (found, exact) = (of(self)?, of(finer)?);
        let square = |values: &mut dyn Iterator<Item = f64>| values.map(|x| x * x).sum::<f64>();
        let norm = square(&mut exact.iter().copied());
        let apart = square(&mut found.iter().zip(&exact).map(|(a, b)| a - b));
        Ok(if norm > 0.0 {
            (apart / norm).sqrt()
        } else {
            0.0
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::float_cmp)]
    use super::*;
    use std::convert::Infallible;

    /// Two modes, 1 and x, on a rule of two nodes that is exact up to cubes.
    fn section() -> CrossSection {
        let node = 1.0 / 3.0_f64.sqrt();
        CrossSection::resolved(2, &[(-node, 1.0), (node, 1.0)], |mode, x| match mode {
            0 => 1.0,
            _ => x,
        })
    }

    #[test]
    fn fields_are_sums_of_modes_and_come_back_as_overlaps() {
        let section = section();
        assert_eq!((section.synthesis.len(), section.projection.len()), (4, 4));
        let fields = section.fields(&[2.0, 3.0]);
        let node = 1.0 / 3.0_f64.sqrt();
        assert!((fields[0] - (2.0 - 3.0 * node)).abs() < 1e-15);
        let back = section.project(&fields);
        // The integral over [-1, 1] of (2 + 3 x) times 1, and times x.
        assert!((back[0] - 4.0).abs() < 1e-15 && (back[1] - 2.0).abs() < 1e-15);
    }

    #[test]
    fn an_average_returns_what_it_is_given() {
        let section = CrossSection::averaged(5.0);
        assert_eq!(section.fields(&[2.0]), [10.0]);
        assert_eq!(section.project(&[10.0]), [10.0]);
    }

    #[test]
    fn a_rule_differs_from_a_finer_one_where_it_is_too_coarse() {
        let section = section();
        let finer = crate::quadrature::legendre(8, -1.0, 1.0).unwrap();
        let nodes: Vec<(f64, f64)> = finer.nodes.into_iter().zip(finer.weights).collect();
        let finer = CrossSection::resolved(2, &nodes, |mode, x| x.powi(i32::from(mode != 0)));
        let error = |power: i32| {
            let response = |field: f64| Ok::<f64, Infallible>(field.powi(power));
            section
                .error_against(&finer, &[1.0, 1.0], response)
                .unwrap()
        };
        assert!(error(1) < 1e-14);
        assert!(error(4) > 1e-2);
        let nothing = |_: f64| Ok::<f64, Infallible>(0.0);
        assert_eq!(section.error_against(&finer, &[1.0, 1.0], nothing), Ok(0.0));
        let failing = |_: f64| Err::<f64, &str>("no");
        assert_eq!(
            section.error_against(&finer, &[1.0, 1.0], failing),
            Err("no")
        );
    }
}
