//! The functions phi_0 to phi_7 of exponential integrators.
//!
//! `phi_0(x) = e^x` and `phi_m(x) = (phi_{m-1}(x) - 1/(m-1)!) / x`; equivalently
//! `phi_m(x) = sum_j x^j / (j + m)!`, so `phi_m(0) = 1/m!`.
//! M. Hochbruck and A. Ostermann, Acta Numerica 19, 209 (2010), section 2.1.

use crate::fourier::Complex64;

/// Number of functions: the corrector that follows a predictor of order 6 uses phi_0 to phi_7.
pub const COUNT: usize = 8;

/// 0! to 7!.
pub const FACTORIALS: [f64; COUNT] = [1.0, 1.0, 2.0, 6.0, 24.0, 120.0, 720.0, 5040.0];

/// Below this modulus the recurrence would lose digits, and the series needs few terms.
const SERIES_BELOW: f64 = 2.0;

/// Terms of the series of phi_7: 2^24 / 31! is 2e-27, far below the rounding of 1/7!.
const SERIES_TERMS: usize = 24;

/// phi_0(x) to phi_7(x).
pub fn phi(x: Complex64) -> [Complex64; COUNT] {
    if x.norm() < SERIES_BELOW {
        from_the_last(x)
    } else {
        from_the_first(x)
    }
}

/// phi_7 from its series, the others from `phi_m = 1/m! + x phi_{m+1}`.
fn from_the_last(x: Complex64) -> [Complex64; COUNT] {
    let last = COUNT - 1;
    let mut sum = Complex64::default();
    // Horner's scheme: 1/7! (1 + x/8 (1 + x/9 (1 + ...))).
    for j in (1..SERIES_TERMS).rev() {
        sum = (1.0 + sum) * x / (j + last) as f64;
    }
    let mut phi = [Complex64::default(); COUNT];
    phi[last] = (1.0 + sum) / FACTORIALS[last];
    for m in (0..last).rev() {
        phi[m] = 1.0 / FACTORIALS[m] + x * phi[m + 1];
    }
    phi
}

/// phi_0 as an exponential, the others by the recurrence that defines them.
fn from_the_first(x: Complex64) -> [Complex64; COUNT] {
    let mut phi = [x.exp(); COUNT];
    for m in 1..COUNT {
        phi[m] = (phi[m - 1] - 1.0 / FACTORIALS[m - 1]) / x;
    }
    phi
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Re and Im of x, then of phi_0(x) to phi_7(x): series in 150 decimal digits.
    const KNOWN: [[[f64; 2]; COUNT + 1]; 6] = [
        [
            [0.0, 0.015625],
            [0.9998779321710066, 0.015624364224883372],
            [0.9999593103925358, 0.007812341055574097],
            [0.4999898275567422, 0.002604134877707572],
            [0.16666463217328462, 0.0006510363684991182],
            [0.04166632758394356, 0.0001302075764515217],
            [0.00833328489289739, 2.1701294278598273e-05],
            [0.0013888828338302895, 3.100187900438715e-06],
            [0.00019841202562807775, 3.87523750360943e-07],
        ],
        [
            [0.0, 1.9921875],
            [-0.4090303229353116, 0.9125207914998072],
            [0.4580496522038248, 0.7072779660224309],
            [0.35502580255243593, 0.2720378216388644],
            [0.13655231831284173, 0.07277136185603217],
            [0.03652836987283183, 0.015116221918782709],
            [0.007587750610212497, 0.002579223488670034],
            [0.0012946690452931935, 0.00037425328846849845],
            [0.00018786047421163844, 4.7294666589211826e-05],
        ],
        [
            [0.0, 2.0],
            [-0.4161468365471424, 0.9092974268256817],
            [0.45464871341284085, 0.7080734182735712],
            [0.3540367091367856, 0.2726756432935796],
            [0.1363378216467898, 0.0729816454316072],
            [0.0364908227158036, 0.015164422509938439],
            [0.0075822112549692195, 0.002587921975431533],
            [0.0012939609877157664, 0.00037556103918205685],
            [0.00018778051959102843, 4.746395058656121e-05],
        ],
        [
            [-0.5, 2.5],
            [-0.48591816566224605, 0.36299170438300693],
            [0.2539135913520985, 0.5435845479944788],
            [0.2664622422015612, 0.24514211501884836],
            [0.11224987176097544, 0.07096512876718045],
            [0.03148018759550719, 0.015470680443175054],
            [0.006733837022079596, 0.002727824224047871],
            [0.001172201340884084, 0.000405358256324678],
            [0.00017257529458678423, 5.2159960284565095e-05],
        ],
        [
            [0.0, -7.25],
            [0.5679241732886948, -0.8230808790115055],
            [0.11352839710503523, -0.05959666575328347],
            [0.00822022975907358, -0.12227194522689169],
            [0.016865095893364372, -0.06783169244702433],
            [0.009356095509934392, -0.020662285623903764],
            [0.002849970430883278, -0.004456630504376865],
            [0.0006147076557761194, -0.0007563259175793179],
            [0.00010432081621783696, -0.00010678361836038199],
        ],
        [
            [-1.5, 100.0],
            [0.19240934807256432, -0.11298544659448283],
            [-0.0010084889581401313, 0.008091033853646458],
            [0.00023100963471237533, 0.010006619745060716],
            [0.00017499217276652784, 0.004995065021061378],
            [7.490754718658182e-05, 0.0016637931317312028],
            [2.2871549086689533e-05, 0.0004155745179585005],
            [5.401099199902024e-06, 8.302360135446791e-05],
            [1.037525738706818e-06, 1.3819315010809266e-05],
        ],
    ];

    #[test]
    fn the_functions_have_their_known_values() {
        for [x, known @ ..] in KNOWN {
            let phi = phi(Complex64::new(x[0], x[1]));
            for (m, (phi, [re, im])) in phi.iter().zip(known).enumerate() {
                let error = (phi - Complex64::new(re, im)).norm() / re.hypot(im);
                assert!(error < 1e-13, "phi_{m} of {x:?}: {error:e}");
            }
        }
    }

    #[test]
    fn at_zero_they_are_the_reciprocals_of_the_factorials() {
        let phi = phi(Complex64::default());
        for (phi, factorial) in phi.iter().zip(FACTORIALS) {
            assert!(
                (phi * factorial - 1.0).norm() < 1e-15,
                "1/{factorial}: {phi}"
            );
        }
    }

    #[test]
    fn the_two_ways_meet_where_one_takes_over_from_the_other() {
        for angle in 0..16 {
            let x = Complex64::from_polar(SERIES_BELOW, f64::from(angle) * 0.4);
            for (a, b) in from_the_last(x).iter().zip(from_the_first(x)) {
                assert!((a - b).norm() < 1e-13 * a.norm(), "{x}: {a} and {b}");
            }
        }
    }
}
