//! Arrays as NumPy `.npy` files, version 1.0, little-endian.

use crate::fourier::Complex64;

/// What a file of version 1.0 begins with.
const MAGIC: &[u8; 8] = b"\x93NUMPY\x01\x00";

/// Bytes of a complex number.
const COMPLEX_BYTES: usize = 16;

/// The bytes of a file with complex numbers (`<c16`).
pub fn complex(values: &[Complex64]) -> Vec<u8> {
    file("<c16", &format!("({},)", values.len()), parts(values))
}

/// The bytes of a file with real numbers (`<f8`).
pub fn real(values: &[f64]) -> Vec<u8> {
    let shape = format!("({},)", values.len());
    file("<f8", &shape, values.iter().copied())
}

/// The bytes of a file with rows of complex numbers (`<c16`), each of `columns` numbers.
pub fn complex_rows(rows: &[&[Complex64]], columns: usize) -> Vec<u8> {
    let shape = format!("({}, {columns})", rows.len());
    file("<c16", &shape, rows.iter().flat_map(|row| parts(row)))
}

/// The rows of a file that [`complex_rows`] wrote, one after the other, and how many numbers each
/// has; or why it is no such file.
pub fn read_complex_rows(bytes: &[u8]) -> Result<(Vec<Complex64>, usize), String> {
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or("it is no NumPy file of version 1.0")?;
    let (length, rest) = rest.split_first_chunk().ok_or("it ends in its header")?;
    let length = usize::from(u16::from_le_bytes(*length));
    let (header, data) = rest
        .split_at_checked(length)
        .ok_or("it ends in its header")?;
    let header = String::from_utf8_lossy(header);
    let (rows, columns) =
        shape(&header).ok_or_else(|| format!("it has no rows of complex128: {}", header.trim()))?;
    let due = rows
        .checked_mul(columns)
        .and_then(|numbers| numbers.checked_mul(COMPLEX_BYTES));
    if due != Some(data.len()) {
        return Err(format!(
            "{rows} rows of {columns} complex numbers do not take {} bytes",
            data.len()
        ));
    }
    let (numbers, _) = data.as_chunks::<8>();
    let (pairs, _) = numbers.as_chunks::<2>();
    let number =
        |[re, im]: &[[u8; 8]; 2]| Complex64::new(f64::from_le_bytes(*re), f64::from_le_bytes(*im));
    Ok((pairs.iter().map(number).collect(), columns))
}

/// Rows and columns of a header of complex numbers.
fn shape(header: &str) -> Option<(usize, usize)> {
    let (shape, _) = header
        .strip_prefix("{'descr': '<c16', 'fortran_order': False, 'shape': (")?
        .split_once("), }")?;
    let (rows, columns) = shape.split_once(", ")?;
    Some((rows.parse().ok()?, columns.parse().ok()?))
}

fn parts(values: &[Complex64]) -> impl Iterator<Item = f64> {
    values.iter().flat_map(|value| [value.re, value.im])
}

fn file(descr: &str, shape: &str, values: impl Iterator<Item = f64>) -> Vec<u8> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    // Magic, version and length are 10 bytes; the header ends with a line feed, and everything
    // before the data is a multiple of 64 bytes.
    let unpadded = 10 + header.len() + 1;
    let padding = unpadded.next_multiple_of(64) - unpadded;
    header.extend(std::iter::repeat_n(' ', padding));
    header.push('\n');
    let mut bytes = MAGIC.to_vec();
    // A header of two dimensions is always below 256 bytes.
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
    #![allow(clippy::unwrap_used)]
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

    #[test]
    fn rows_are_read_as_they_were_written() {
        let numbers: Vec<Complex64> = (0..6).map(|j| Complex64::new(f64::from(j), -0.0)).collect();
        let rows: Vec<&[Complex64]> = numbers.chunks(3).collect();
        let bytes = complex_rows(&rows, 3);
        let header = String::from_utf8_lossy(&bytes[10..128]);
        assert!(header.contains("'shape': (2, 3), }"), "{header}");
        let (read, columns) = read_complex_rows(&bytes).unwrap();
        assert_eq!(columns, 3);
        let bits = |values: &[Complex64]| -> Vec<u64> { parts(values).map(f64::to_bits).collect() };
        assert_eq!(bits(&read), bits(&numbers));
    }

    #[test]
    fn what_is_no_file_of_rows_is_refused_with_the_reason() {
        let numbers = [Complex64::default(); 4];
        let whole = complex_rows(&[&numbers[..2], &numbers[2..]], 2);
        for (bytes, named) in [
            (&b"PK"[..], "no NumPy file"),
            (&whole[..8], "in its header"),
            (&whole[..40], "in its header"),
            (&whole[..whole.len() - 1], "2 rows of 2 complex numbers"),
            (&complex(&numbers), "no rows of complex128"),
            (&real(&[0.0; 4]), "no rows of complex128"),
        ] {
            let reason = read_complex_rows(bytes).unwrap_err();
            assert!(reason.contains(named), "{reason}");
        }
    }
}
