//! How many bytes of an instruction follow its address (x86-64).
//!
//! An address is relative to the end of its instruction, and some instructions hold a number behind
//! it. Source: Intel SDM volume 2, section 2.1 and the opcode maps of appendix A.

/// Bytes of the immediate operand behind the displacement whose ModRM byte is the last of `code`.
pub(super) fn after_displacement(code: &[u8]) -> u64 {
    let back = |distance: usize| {
        let at = code.len().checked_sub(distance);
        at.and_then(|at| code.get(at)).copied()
    };
    let (Some(modrm), Some(opcode)) = (back(1), back(2)) else {
        return 0;
    };
    match map(back) {
        Map::One => {
            let operation = (modrm >> 3) & 7;
            let whole = match back(3) == Some(0x66) || back(4) == Some(0x66) {
                true => 2,
                false => 4,
            };
            match opcode {
                0x6b | 0x80 | 0x83 | 0xc0 | 0xc1 | 0xc6 => 1,
                0x69 | 0x81 | 0xc7 => whole,
                0xf6 if operation < 2 => 1,
                0xf7 if operation < 2 => whole,
                _ => 0,
            }
        }
        Map::Two => u64::from(matches!(
            opcode,
            0x70..=0x73 | 0xa4 | 0xac | 0xba | 0xc2 | 0xc4..=0xc6
        )),
        Map::Three38 => 0,
        Map::Three3a => 1,
    }
}

/// The table that an opcode is looked up in.
enum Map {
    /// One byte.
    One,
    /// After 0F.
    Two,
    /// After 0F 38.
    Three38,
    /// After 0F 3A.
    Three3a,
}

/// The table by what precedes the opcode: bytes of its own, or fields of a VEX or EVEX prefix.
fn map(back: impl Fn(usize) -> Option<u8>) -> Map {
    let fields = match (back(6), back(5), back(4)) {
        (Some(0x62), Some(fields), _) => Some(fields & 0x07),
        (_, Some(0xc4), Some(fields)) => Some(fields & 0x1f),
        (_, _, Some(0xc5)) => Some(1),
        _ => None,
    };
    match (fields, back(4), back(3)) {
        (Some(1), ..) => Map::Two,
        (Some(2), ..) | (_, Some(0x0f), Some(0x38)) => Map::Three38,
        (Some(3), ..) | (_, Some(0x0f), Some(0x3a)) => Map::Three3a,
        (_, _, Some(0x0f)) => Map::Two,
        _ => Map::One,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each as `as` of GNU binutils 2.40 writes it, without displacement and immediate operand.
    #[test]
    fn the_operand_behind_an_address_is_counted() {
        for (code, expected, instruction) in [
            (&[0x8b, 0x05][..], 0, "mov eax, [rip+x]"),
            (&[0x83, 0x05], 1, "add dword [rip+x], 1"),
            (&[0xc7, 0x05], 4, "mov dword [rip+x], 70000"),
            (&[0x66, 0xc7, 0x05], 2, "mov word [rip+x], 7000"),
            (&[0x48, 0x81, 0x3d], 4, "cmp qword [rip+x], 70000"),
            (&[0xf6, 0x05], 1, "test byte [rip+x], 1"),
            (&[0xf7, 0x1d], 0, "neg dword [rip+x]"),
            (&[0x66, 0x0f, 0x70, 0x05], 1, "pshufd xmm0, [rip+x], 1"),
            (&[0xf2, 0x0f, 0x59, 0x05], 0, "mulsd xmm0, [rip+x]"),
            (
                &[0x66, 0x0f, 0x3a, 0x0b, 0x05],
                1,
                "roundsd xmm0, [rip+x], 1",
            ),
            (&[0xc5, 0xfb, 0x59, 0x05], 0, "vmulsd xmm0, xmm0, [rip+x]"),
            (&[0xc5, 0xfb, 0xc2, 0x05], 1, "vcmpltsd xmm0, xmm0, [rip+x]"),
            (&[0xc4, 0xe2, 0xf1, 0xac, 0x05], 0, "vfnmadd213pd"),
            (&[0xc4, 0xe2, 0xf5, 0xba, 0x05], 0, "vfmsub231pd"),
            (
                &[0xc4, 0xe3, 0x79, 0x05, 0x05],
                1,
                "vpermilpd xmm0, [rip+x], 1",
            ),
            (&[0x62, 0xf2, 0xf5, 0x48, 0xba, 0x05], 0, "vfmsub231pd zmm"),
            (&[0x62, 0xf3, 0xfd, 0x48, 0x03, 0x05], 1, "valignq zmm"),
            (&[0x05], 0, "too short"),
            (&[], 0, "nothing"),
        ] {
            assert_eq!(after_displacement(code), expected, "{instruction}");
        }
    }
}
