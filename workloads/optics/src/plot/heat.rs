//! Heat maps, as pictures of one byte a cell that an SVG can hold. Pure.
//!
//! A hundred planes of some hundred cells as rectangles would be megabytes of text, and browsers
//! draw seams between them. As a PNG with a palette they are some ten kilobytes.

/// Colours of the scale.
const LEVELS: u16 = 256;

/// Knots of viridis, at equal distances. It is perceptually uniform and readable by the colour
/// blind, and its lightness alone orders it where it is printed grey.
const VIRIDIS: [[u8; 3]; 10] = [
    [0x44, 0x01, 0x54],
    [0x48, 0x28, 0x78],
    [0x3e, 0x49, 0x89],
    [0x31, 0x68, 0x8e],
    [0x26, 0x82, 0x8e],
    [0x1f, 0x9e, 0x89],
    [0x35, 0xb7, 0x79],
    [0x6e, 0xce, 0x58],
    [0xb5, 0xde, 0x2b],
    [0xfd, 0xe7, 0x25],
];

/// A map of levels, row after row, the uppermost first.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    columns: usize,
    pub(super) levels: Vec<u8>,
}

impl HeatMap {
    /// The map of `rows` of decibels between `floor_db` and 0, the lowest row first. Rows are as
    /// long as the first.
    pub fn of_decibels(rows: &[Vec<f64>], floor_db: f64) -> Self {
        let columns = rows.first().map_or(0, Vec::len);
        let levels = rows.iter().rev().flatten();
        HeatMap {
            columns,
            levels: levels.map(|level_db| level(*level_db, floor_db)).collect(),
        }
    }

    /// The scale itself as a map of one column, the highest level at the top.
    pub fn scale() -> Self {
        HeatMap {
            columns: 1,
            levels: (0..=u8::MAX).rev().collect(),
        }
    }

    /// The map as the address of a picture.
    ///
    /// # Errors
    /// What the encoder says.
    pub fn to_data_uri(&self) -> Result<String, String> {
        let png = self
            .to_png()
            .map_err(|error| format!("failed to draw a map: {error}"))?;
        Ok(format!("data:image/png;base64,{}", base64(&png)))
    }

    fn to_png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let rows = self.levels.len().checked_div(self.columns).unwrap_or(0);
        // Maps are far smaller than that; a longer one is refused by the encoder.
        let size = |cells: usize| u32::try_from(cells).unwrap_or(0);
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, size(self.columns), size(rows));
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_palette(palette());
        encoder.set_compression(png::Compression::High);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.levels)?;
        writer.finish()?;
        Ok(bytes)
    }
}

fn level(level_db: f64, floor_db: f64) -> u8 {
    let part = ((level_db - floor_db) / -floor_db).clamp(0.0, 1.0);
    // From 0 to 255.
    (part * f64::from(LEVELS - 1)).round() as u8
}

/// Red, green and blue of every level, on straight lines between the knots of the scale.
fn palette() -> Vec<u8> {
    let colour = |level: u16| {
        let place = f64::from(level) / f64::from(LEVELS - 1) * (VIRIDIS.len() - 1) as f64;
        // From 0 to the last interval, which has both of its ends.
        let interval = (place as usize).min(VIRIDIS.len() - 2);
        let (from, to) = (VIRIDIS[interval], VIRIDIS[interval + 1]);
        let mixed = |channel: usize| {
            let [from, to] = [from, to].map(|colour| f64::from(colour[channel]));
            // Between two bytes.
            (from + (to - from) * (place - interval as f64)).round() as u8
        };
        [0, 1, 2].map(mixed)
    };
    (0..LEVELS).flat_map(colour).collect()
}

/// The digits of base 64 (RFC 4648).
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let at = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let word = at(0) << 16 | at(1) << 8 | at(2);
        for digit in 0..4_usize {
            // One byte makes two digits, two make three.
            let index = (word >> (18 - 6 * digit)) as usize & 63;
            text.push(match digit <= chunk.len() {
                true => char::from(DIGITS[index]),
                false => '=',
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        let table = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (bytes, text) in table {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn the_picture_decodes_to_the_levels_with_the_lowest_row_at_the_bottom() {
        let rows = [vec![-60.0, -30.0, 0.0], vec![-90.0, -60.0, 7.0]];
        let png = HeatMap::of_decibels(&rows, -60.0).to_png().unwrap();
        let mut decoder = png::Decoder::new(std::io::Cursor::new(&png));
        decoder.set_transformations(png::Transformations::IDENTITY);
        let mut reader = decoder.read_info().unwrap();
        let mut levels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut levels).unwrap();
        assert_eq!((info.width, info.height), (3, 2));
        assert_eq!(levels, [0, 0, 255, 0, 128, 255]);
    }

    #[test]
    fn the_palette_grows_lighter_from_end_to_end() {
        let palette = palette();
        let lightness = |colour: &[u8]| {
            let [red, green, blue] = [0, 1, 2].map(|part| f64::from(colour[part]));
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        let lightnesses: Vec<f64> = palette.chunks(3).map(lightness).collect();
        assert_eq!(lightnesses.len(), 256);
        // Rounding to bytes may darken one of two neighbours.
        let apart: Vec<f64> = lightnesses.iter().copied().step_by(5).collect();
        assert!(apart.is_sorted());
        assert!(lightnesses[255] - lightnesses[0] > 180.0);
    }

    #[test]
    fn an_empty_map_is_an_error_and_no_picture() {
        assert!(HeatMap::of_decibels(&[], -60.0).to_data_uri().is_err());
    }
}
