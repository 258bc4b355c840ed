//! Moments as pmstack writes them: `2026-09-23T15:45:00.250Z`.

/// The moment so many milliseconds after 1970-01-01T00:00:00Z.
pub fn written(millis: i64) -> String {
    let days = millis.div_euclid(86_400_000);
    let within = millis.rem_euclid(86_400_000);
    let (year, month, day) = date(days);
    let (hour, rest) = (within / 3_600_000, within % 3_600_000);
    let (minute, rest) = (rest / 60_000, rest % 60_000);
    let (second, milli) = (rest / 1_000, rest % 1_000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

/// The date so many days after 1970-01-01, counted in years that begin with March, so that the leap
/// day is the last of them.
#[allow(clippy::arithmetic_side_effects, reason = "a day of an era is below 146,097")]
fn date(days: i64) -> (i64, i64, i64) {
    let days = days.saturating_add(719_468);
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let leaps = of_era / 1_460 - of_era / 36_524 + of_era / 146_096;
    let year_of_era = (of_era - leaps) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era.saturating_mul(400).saturating_add(year_of_era);
    (year.saturating_add(i64::from(month <= 2)), month, day)
}

#[cfg(test)]
mod tests {
    use super::written;

    #[test]
    fn moments_are_those_of_the_calendar() {
        for (millis, wanted) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (1_790_178_300_250, "2026-09-23T15:45:00.250Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(written(millis), wanted);
        }
    }
}
