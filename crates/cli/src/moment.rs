//! Moments as text, in RFC 3339 and UTC.

use lawbook_event::Time;

/// A moment, to the millisecond.
#[must_use]
pub fn text(at: Time) -> String {
    let millis = at.nanos.div_euclid(1_000_000);
    let (secs, milli) = (millis.div_euclid(1_000), millis.rem_euclid(1_000));
    let (days, second) = (secs.div_euclid(86_400), secs.rem_euclid(86_400));
    let (year, month, day) = date(days);
    let (hour, minute) = (second.div_euclid(3_600), second.rem_euclid(3_600).div_euclid(60));
    let second = second.rem_euclid(60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

/// The date of a day counted from 1970-01-01, in the Gregorian calendar.
fn date(days: i64) -> (i64, i64, i64) {
    // Years that begin in March put the leap day last; 719,468 days lie between 0000-03-01 and 1970.
    let shifted = days.saturating_add(719_468);
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let leaps = day.div_euclid(1_460).saturating_sub(day.div_euclid(36_524));
    let leaps = leaps.saturating_add(day.div_euclid(146_096));
    let year = day.saturating_sub(leaps).div_euclid(365);
    let before = year.saturating_mul(365).saturating_add(year.div_euclid(4));
    let day = day.saturating_sub(before.saturating_sub(year.div_euclid(100)));
    let month = day.saturating_mul(5).saturating_add(2).div_euclid(153);
    let first = month.saturating_mul(153).saturating_add(2).div_euclid(5);
    let day = day.saturating_sub(first).saturating_add(1);
    let month = if month < 10 { month.saturating_add(3) } else { month.saturating_sub(9) };
    let year = year.saturating_add(era.saturating_mul(400));
    (year.saturating_add(i64::from(month <= 2)), month, day)
}

#[cfg(test)]
mod tests {
    use lawbook_trace::parse_time;

    use super::text;

    #[test]
    fn what_is_written_is_read_again() {
        for moment in [
            "1970-01-01T00:00:00.000Z",
            "2000-02-29T23:59:59.999Z",
            "2026-01-01T12:34:56.789Z",
            "2100-03-01T00:00:00.001Z",
            "1969-12-31T23:59:59.500Z",
        ] {
            assert_eq!(text(parse_time(moment).unwrap()), moment);
        }
    }
}
