//! CRC-32C (Castagnoli), the checksum of frames; RFC 3720 section 12.1 has its polynomial.

/// Tables for eight bytes at a time.
static TABLES: [[u32; 256]; 8] = tables();

/// The checksum of some bytes.
#[must_use]
pub fn crc32c(bytes: &[u8]) -> u32 {
    more(0, bytes)
}

/// The checksum of bytes that follow others, whose checksum is given.
#[must_use]
pub fn more(crc: u32, bytes: &[u8]) -> u32 {
    let mut crc = !crc;
    let (eights, rest) = bytes.as_chunks::<8>();
    for eight in eights {
        let [a, b, c, d, e, f, g, h] = *eight;
        let [p, q, r, s] = crc.to_le_bytes();
        crc = look(7, a ^ p) ^ look(6, b ^ q) ^ look(5, c ^ r) ^ look(4, d ^ s);
        crc ^= look(3, e) ^ look(2, f) ^ look(1, g) ^ look(0, h);
    }
    for byte in rest {
        let [low, ..] = crc.to_le_bytes();
        crc = look(0, byte ^ low) ^ (crc >> 8);
    }
    !crc
}

#[inline]
fn look(table: usize, byte: u8) -> u32 {
    TABLES.get(table).and_then(|it| it.get(usize::from(byte))).copied().unwrap_or(0)
}

#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "known when compiling")]
const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0u32; 256]; 8];
    let mut at = 0;
    while at < 256 {
        let mut crc = at as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0x82f6_3b78 } else { crc >> 1 };
            bit += 1;
        }
        tables[0][at] = crc;
        at += 1;
    }
    let mut table = 1;
    while table < 8 {
        let mut at = 0;
        while at < 256 {
            let before = tables[table - 1][at];
            tables[table][at] = (before >> 8) ^ tables[0][(before & 0xff) as usize];
            at += 1;
        }
        table += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::{crc32c, more};

    #[test]
    fn it_gives_the_published_values() {
        // RFC 3720, appendix B.4, and the check value of the catalogue of CRCs.
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(&[0xff; 32]), 0x62a8_ab43);
        assert_eq!(crc32c(&(0..32).collect::<Vec<u8>>()), 0x46dd_794e);
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
    }

    #[test]
    fn parts_come_to_the_whole() {
        let bytes: Vec<u8> = (0..=255).cycle().take(999).collect();
        for cut in 0..bytes.len() {
            let (a, b) = bytes.split_at(cut);
            assert_eq!(more(crc32c(a), b), crc32c(&bytes));
        }
    }
}
