//! Times as cases write them: after the start, or a moment.

use lawbook_event::Time;
use lawbook_trace::parse_time;

/// When every story starts: 2026-01-01T00:00:00Z.
pub const START: Time = Time { nanos: 1_767_225_600_000_000_000 };

const UNITS: &[(&str, i64)] = &[
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
    ("d", 86_400_000_000_000),
];

/// Reads `0ms`, `2s`, `5m`, `1h`, `3d` or RFC 3339.
pub fn read(text: &str) -> Result<Time, String> {
    let wrong = || format!("`{text}` is no time; write `2s` after the start, or RFC 3339");
    if text.contains('T') {
        return parse_time(text).ok_or_else(wrong);
    }
    let digits = text.trim_end_matches(|it: char| it.is_ascii_alphabetic());
    let unit = text.strip_prefix(digits).unwrap_or_default();
    let nanos = UNITS.iter().find(|(name, _)| *name == unit).map(|it| it.1).ok_or_else(wrong)?;
    let count: i64 = digits.parse().map_err(|_| wrong())?;
    let after = count.checked_mul(nanos).and_then(|it| START.nanos.checked_add(it));
    Ok(Time { nanos: after.ok_or_else(wrong)? })
}

#[cfg(test)]
mod tests {
    use super::{START, read};

    #[test]
    fn times_stand_after_the_start_or_are_moments() {
        let after = |text: &str| read(text).unwrap().nanos - START.nanos;
        assert_eq!(after("0ms"), 0);
        assert_eq!(after("250ms"), 250_000_000);
        assert_eq!(after("5m"), 300_000_000_000);
        assert_eq!(after("2026-01-01T00:00:01Z"), 1_000_000_000);
        for wrong in ["5", "m", "5 m", "5w", "", "yesterdayT"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
