//! Arrays as NumPy `.npy` files, version 1.0: one dimension, little-endian.

use crate::fourier::Complex64;

/// The bytes of a file with complex numbers (`<c16`).
pub fn complex(values: &[Complex64]) -> Vec<u8> {
    let parts = values.iter().flat_map(|value| [value.re, value.im]);
    file("<c16", values.len(), parts)
}

/// The bytes of a file with real numbers (`<f8`).
pub fn real(values: &[f64]) -> Vec<u8> {
    file("<f8", values.len(), values.iter().copied())
}

fn file(descr: &str, length: usize, values: impl Iterator<Item = f64>) -> Vec<u8> {
    let mut header =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({length},), }}");
    // Magic, version and length are 10 bytes; the header ends with a line feed, and everything
    // before the data is a multiple of 64 bytes.
    let unpadded = 10 + header.len() + 1;
    let padding = unpadded.next_multiple_of(64) - unpadded;
    header.extend(std::iter::repeat_n(' ', padding));
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    // A header of one dimension is always below 256 bytes.
    bytes.extend(
        u16::try_from(header.len())
            .unwrap_or(u16::MAX)
            .to_le_bytes(),
    );
    bytes.extend(header.into_bytes());
    bytes.extend(values.flat_map(f64::to_le_bytes));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_an_aligned_header_and_little_endian_pairs() {
        let bytes = complex(&[Complex64::new(1.0, -2.0), Complex64::new(0.0, 3.5)]);
        assert_eq!(&bytes[..10], b"\x93NUMPY\x01\x00\x76\x00");
        let header = String::from_utf8_lossy(&bytes[10..128]);
        let expected = "{'descr': '<c16', 'fortran_order': False, 'shape': (2,), }";
        assert_eq!(header.trim_end(), expected);
        assert!(header.ends_with('\n'));
        assert_eq!(bytes.len(), 128 + 32);
        assert_eq!(bytes[136..144], (-2.0_f64).to_le_bytes());
    }

    #[test]
    fn the_data_begin_at_a_multiple_of_64_for_every_length() {
        for length in [0, 1, 9, 10, 99_999, 1_000_000] {
            let bytes = real(&vec![0.0; length]);
            assert_eq!((bytes.len() - 8 * length) % 64, 0, "{length}");
        }
    }
}
