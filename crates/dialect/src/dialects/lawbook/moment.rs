//! Moments in a policy: a date or an RFC 3339 time.

use lawbook_event::Time;

/// The moment that a text names. A date is its first moment, UTC.
pub(super) fn parse(text: &str) -> Option<Time> {
    let text = text.trim();
    let (date, clock) = match text.split_once(['T', 't', ' ']) {
        Some((date, clock)) => (date, Some(clock)),
        None => (text, None),
    };
    let days = days(date)?;
    let secs = clock.map_or(Some((0, 0)), clock_secs)?;
    let whole = days.checked_mul(86_400)?.checked_add(secs.0)?;
    Some(Time { nanos: whole.checked_mul(1_000_000_000)?.checked_add(secs.1)? })
}

/// The days from 1970-01-01 to a date of the Gregorian calendar.
fn days(text: &str) -> Option<i64> {
    let mut parts = text.split('-');
    let (year, month, day) =
        (digits(parts.next()?, 4)?, digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    if parts.next().is_some() || !(1..=12).contains(&month) || day < 1 || day > length(year, month)
    {
        return None;
    }
    let before = (1..month).try_fold(0_i64, |sum, it| sum.checked_add(length(year, it)))?;
    let past = year.checked_sub(1)?;
    let leaps =
        past.div_euclid(4).checked_sub(past.div_euclid(100))?.checked_add(past.div_euclid(400))?;
    // 719,162 days lie between 0001-01-01 and 1970-01-01.
    past.checked_mul(365)?
        .checked_add(leaps)?
        .checked_add(before)?
        .checked_add(day)?
        .checked_sub(719_163)
}

fn length(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Seconds since midnight UTC, and nanoseconds, of `18:00:00.5Z` or `18:00:00+02:00`.
fn clock_secs(text: &str) -> Option<(i64, i64)> {
    let zone_at = text.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = text.split_at_checked(zone_at)?;
    let (clock, fraction) = match clock.split_once('.') {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (clock, None),
    };
    let mut parts = clock.split(':');
    let (hour, minute, second) =
        (digits(parts.next()?, 2)?, digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let secs = minutes(hour, minute)?.checked_mul(60)?.checked_add(second)?;
    Some((secs.checked_sub(offset_secs(zone)?)?, nanos(fraction)?))
}

fn nanos(fraction: Option<&str>) -> Option<i64> {
    let Some(fraction) = fraction else { return Some(0) };
    let fits = (1..=9).contains(&fraction.len()) && fraction.bytes().all(|it| it.is_ascii_digit());
    fits.then(|| format!("{fraction:0<9}").parse().ok()).flatten()
}

fn offset_secs(zone: &str) -> Option<i64> {
    if matches!(zone, "Z" | "z") {
        return Some(0);
    }
    let (hours, mins) = zone.get(1..)?.split_once(':')?;
    let (hours, mins) = (digits(hours, 2)?, digits(mins, 2)?);
    let secs = minutes(hours, mins)?.checked_mul(60).filter(|_| hours < 24 && mins < 60)?;
    if zone.starts_with('-') { secs.checked_neg() } else { Some(secs) }
}

fn minutes(hours: i64, minutes: i64) -> Option<i64> {
    hours.checked_mul(60)?.checked_add(minutes)
}

fn digits(text: &str, length: usize) -> Option<i64> {
    (text.len() == length && text.bytes().all(|it| it.is_ascii_digit()))
        .then(|| text.parse().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn dates_and_times_are_read() {
        for (text, secs) in [
            ("1970-01-01", Some(0)),
            ("1970-01-01T00:00:01Z", Some(1)),
            ("2000-03-01", Some(951_868_800)),
            ("2024-02-29", Some(1_709_164_800)),
            ("2027-01-31T18:00:00+02:00", Some(1_801_411_200)),
            ("2027-01-31t16:00:00z", Some(1_801_411_200)),
            ("1969-12-31", Some(-86_400)),
            ("2023-02-29", None),
            ("2027-13-01", None),
            ("2027-00-01", None),
            ("2027-1-1", None),
            ("2027-01-31T18:00", None),
            ("2027-01-31T18:00:00", None),
            ("2027-01-31T24:00:00Z", None),
            ("2027-01-31T18:00:00.Z", None),
            ("tomorrow", None),
            ("", None),
        ] {
            let found = parse(text).map(|it| it.nanos / 1_000_000_000);
            assert_eq!(found, secs, "{text}");
        }
        assert_eq!(parse("1970-01-01T00:00:00.5Z").unwrap().nanos, 500_000_000);
    }
}
