//! Times as traces write them: ISO 8601, or a number whose size tells its unit.

use lawbook_event::Time;

const NANOS: i128 = 1_000_000_000;

/// A time as text: RFC 3339, ISO 8601 without a zone (read as UTC), or a number of seconds,
/// milliseconds, microseconds or nanoseconds since 1970, told apart by size.
#[must_use]
pub fn parse_time(text: &str) -> Option<Time> {
    let text = text.trim();
    let nanos = number(text).or_else(|| iso(text))?;
    Some(Time { nanos: i64::try_from(nanos).ok()? })
}

/// Nanoseconds from a number of unknown unit.
pub fn number(text: &str) -> Option<i128> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 30 || !digits(whole) || !digits(fraction) {
        return None;
    }
    let value: i128 = whole.parse().ok()?;
    let scale = match value {
        100_000_000_000_000_001.. => 1,
        100_000_000_000_001.. => 1_000,
        100_000_000_001.. => 1_000_000,
        _ => NANOS,
    };
    value.checked_mul(scale)?.checked_add(part_of(fraction, scale))
}

/// The nanoseconds of a decimal fraction of a unit of `scale` nanoseconds.
fn part_of(fraction: &str, scale: i128) -> i128 {
    let mut unit = scale;
    let mut sum = 0_i128;
    for digit in fraction.bytes() {
        unit = unit.wrapping_div(10);
        sum = sum.saturating_add(unit.saturating_mul(i128::from(digit.wrapping_sub(b'0'))));
    }
    sum
}

/// Nanoseconds from an ISO 8601 date and time.
pub fn iso(text: &str) -> Option<i128> {
    let (date, clock) = match text.get(10..11) {
        None if text.len() == 10 => (text, ""),
        Some("T" | "t" | " ") => (text.get(..10)?, text.get(11..)?),
        _ => return None,
    };
    let mut fields = date.split('-');
    let year = field(fields.next()?, 4)?;
    let (month, day) = (field(fields.next()?, 2)?, field(fields.next()?, 2)?);
    if fields.next().is_some() || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let (clock, shift) = zone(clock)?;
    let seconds = days(year, month, day).checked_mul(86_400)?.checked_sub(shift)?;
    seconds.checked_mul(NANOS)?.checked_add(clock_nanos(clock)?)
}

/// Splits the zone off a time of day: the rest, and the zone in seconds east of UTC.
fn zone(clock: &str) -> Option<(&str, i128)> {
    if let Some(rest) = clock.strip_suffix(['Z', 'z']) {
        return Some((rest, 0));
    }
    let Some(at) = clock.rfind(['+', '-']) else { return Some((clock, 0)) };
    let (rest, offset) = clock.split_at_checked(at)?;
    let sign = if offset.starts_with('-') { -1 } else { 1 };
    let digits: String = offset.chars().skip(1).filter(|it| *it != ':').collect();
    let (hours, minutes) = match digits.len() {
        2 => (field(&digits, 2)?, 0),
        4 => (field(digits.get(..2)?, 2)?, field(digits.get(2..)?, 2)?),
        _ => return None,
    };
    Some((
        rest,
        hours.saturating_mul(3_600).saturating_add(minutes.saturating_mul(60)).saturating_mul(sign),
    ))
}

fn clock_nanos(clock: &str) -> Option<i128> {
    if clock.is_empty() {
        return Some(0);
    }
    let (whole, fraction) = clock.split_once(['.', ',']).unwrap_or((clock, ""));
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut fields = whole.split(':');
    let hours = field(fields.next()?, 2)?;
    let minutes = field(fields.next()?, 2)?;
    let seconds = fields.next().map_or(Some(0), |it| field(it, 2))?;
    if fields.next().is_some() || hours > 24 || minutes > 59 || seconds > 60 {
        return None;
    }
    let seconds = hours
        .saturating_mul(3_600)
        .saturating_add(minutes.saturating_mul(60))
        .saturating_add(seconds);
    Some(seconds.saturating_mul(NANOS).saturating_add(part_of(fraction, NANOS)))
}

fn field(text: &str, digits: usize) -> Option<i128> {
    (text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| text.parse().ok())?
}

/// Days since 1970-01-01 of a date of the Gregorian calendar.
fn days(year: i128, month: i128, day: i128) -> i128 {
    // Years that begin in March put the leap day last, so that months have fixed offsets.
    let shifted = if month <= 2 { year.saturating_sub(1) } else { year };
    let era = shifted.div_euclid(400);
    let year_of_era = shifted.rem_euclid(400);
    let month_of_year = month.saturating_add(9).rem_euclid(12);
    let day_of_year = month_of_year
        .saturating_mul(153)
        .saturating_add(2)
        .wrapping_div(5)
        .saturating_add(day)
        .saturating_sub(1);
    let day_of_era = year_of_era
        .saturating_mul(365)
        .saturating_add(year_of_era.wrapping_div(4))
        .saturating_sub(year_of_era.wrapping_div(100))
        .saturating_add(day_of_year);
    era.saturating_mul(146_097).saturating_add(day_of_era).saturating_sub(719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nanos(text: &str) -> Option<i64> {
        parse_time(text).map(|time| time.nanos)
    }

    #[test]
    fn iso_times() {
        assert_eq!(nanos("1970-01-01T00:00:01Z"), Some(1_000_000_000));
        assert_eq!(nanos("2026-05-02T08:00:00.5+02:00"), Some(1_777_701_600_500_000_000));
        assert_eq!(nanos("2024-02-29 12:00"), Some(1_709_208_000_000_000_000));
        assert_eq!(nanos("1969-12-31T23:59:59Z"), Some(-1_000_000_000));
        for wrong in [
            "",
            "yesterday",
            "2026-13-01",
            "2026-01-01T25:00Z",
            "2026-01-01T00:00:00+1",
            "é026-01-01",
        ] {
            assert_eq!(nanos(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn numbers_tell_their_unit_by_size() {
        for (text, expected) in [
            ("1770000000", 1_770_000_000_000_000_000),
            ("1770000000.25", 1_770_000_000_250_000_000),
            ("1770000000000", 1_770_000_000_000_000_000),
            ("1770000000000000", 1_770_000_000_000_000_000),
            ("1770000000000000000", 1_770_000_000_000_000_000),
        ] {
            assert_eq!(nanos(text), Some(expected), "{text}");
        }
        assert_eq!(nanos(&"9".repeat(40)), None);
    }
}
