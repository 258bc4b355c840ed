//! The time that decides: read from a clock that nobody in the conversation can turn.

use std::time::Duration;

use lawbook_event::Time;

/// How far the clock on the wall may stand from where the running time says it should, in seconds.
pub const AHEAD_SECS_MAX: i64 = 5;

/// A clock, as a server has one.
pub trait Clock: Send + Sync {
    /// The time on the wall, which an operator or a time server can set.
    fn wall(&self) -> Time;

    /// How long the clock has run since some fixed moment. It can't be set and runs on while the
    /// machine sleeps.
    fn running(&self) -> Duration;
}

/// The clock of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn wall(&self) -> Time {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::Realtime);
        Time { nanos: now.tv_sec.saturating_mul(1_000_000_000).saturating_add(now.tv_nsec) }
    }

    fn running(&self) -> Duration {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        let id = rustix::time::ClockId::Boottime;
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        let id = rustix::time::ClockId::Monotonic;
        let now = rustix::time::clock_gettime(id);
        let (secs, nanos) = (u64::try_from(now.tv_sec), u32::try_from(now.tv_nsec));
        Duration::new(secs.unwrap_or_default(), nanos.unwrap_or_default())
    }
}

/// Time as entries carry it. It never runs back and follows no jump of the clock on the wall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Logical {
    latest: Time,
    began: (Time, Duration),
    /// The clock is taken at its word, also where it runs back.
    told: bool,
    /// The clock on the wall stands where it should not.
    strayed: bool,
    /// What it said when it left, until that is recorded: whoever looks at the time may have no
    /// record to write it into.
    refused: Option<Time>,
}

impl Logical {
    /// Begins at what the clock says now, and never before the newest entry of the record.
    pub fn begin(clock: &dyn Clock, newest: Option<Time>) -> Self {
        let wall = clock.wall();
        let latest = newest.map_or(wall, |it| it.max(wall));
        // Where the record is ahead of the clock, time goes on from the record.
        let began = (latest, clock.running());
        Logical { latest, began, told: false, strayed: false, refused: None }
    }

    /// The same, taking the clock at its word.
    pub fn told(self) -> Self {
        Logical { told: true, ..self }
    }

    /// The present moment.
    pub fn now(&mut self, clock: &dyn Clock) -> Time {
        let (wall, expected) = (clock.wall(), self.expected(clock.running()));
        if self.told {
            return wall;
        }
        let most = AHEAD_SECS_MAX.saturating_mul(1_000_000_000);
        let strays = wall.nanos.abs_diff(expected.nanos) > most.unsigned_abs();
        if strays && !self.strayed {
            self.refused = Some(wall);
        }
        self.strayed = strays;
        self.latest = self.latest.max(if strays { expected } else { wall });
        self.latest
    }

    /// What the clock on the wall said when it was refused, for whoever records it.
    pub fn take_refused(&mut self) -> Option<Time> {
        self.refused.take()
    }

    /// It could not be recorded, so it must be by another one.
    pub fn refuse(&mut self, wall: Time) {
        self.refused.get_or_insert(wall);
    }

    /// Where the clock on the wall should stand.
    fn expected(&self, running: Duration) -> Time {
        let (wall, then) = self.began;
        let ran = running.saturating_sub(then).as_nanos();
        let ran = i64::try_from(ran).unwrap_or(i64::MAX);
        Time { nanos: wall.nanos.saturating_add(ran) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use lawbook_event::Time;

    use super::{Clock, Logical, SystemClock};

    /// A clock whose two hands are moved apart.
    #[derive(Debug, Default)]
    struct Hands(Mutex<(i64, u64)>);

    impl Hands {
        fn set(&self, wall: i64, running: u64) {
            *self.0.lock().unwrap() = (wall, running);
        }
    }

    impl Clock for Hands {
        fn wall(&self) -> Time {
            secs(self.0.lock().unwrap().0)
        }

        fn running(&self) -> Duration {
            Duration::from_secs(self.0.lock().unwrap().1)
        }
    }

    fn secs(secs: i64) -> Time {
        Time { nanos: secs * 1_000_000_000 }
    }

    #[test]
    fn a_jump_ahead_is_refused_once_and_never_adopted() {
        let hands = Hands::default();
        hands.set(1_000, 50);
        let mut logical = Logical::begin(&hands, None);
        hands.set(1_002, 51);
        assert_eq!(logical.now(&hands), secs(1_002), "a small step is the time server's");
        hands.set(87_000, 60);
        assert_eq!(logical.now(&hands), secs(1_010));
        hands.set(87_001, 61);
        assert_eq!(logical.now(&hands), secs(1_011));
        assert_eq!(logical.take_refused(), Some(secs(87_000)), "it waits to be recorded");
        assert_eq!((logical.now(&hands), logical.take_refused()), (secs(1_011), None));
        hands.set(1_012, 62);
        assert_eq!(logical.now(&hands), secs(1_012));
    }

    #[test]
    fn small_steps_do_not_add_up_to_a_jump() {
        let hands = Hands::default();
        hands.set(0, 0);
        let mut logical = Logical::begin(&hands, None);
        for step in 1..100 {
            hands.set(step * 4, 0);
            assert!(logical.now(&hands) <= secs(5));
        }
    }

    #[test]
    fn time_never_runs_back_not_even_over_a_restart() {
        let hands = Hands::default();
        hands.set(1_000, 0);
        let mut logical = Logical::begin(&hands, Some(secs(5_000)));
        assert_eq!(logical.now(&hands), secs(5_000));
        assert_eq!(logical.take_refused(), Some(secs(1_000)));
        hands.set(200, 10);
        assert_eq!(logical.now(&hands), secs(5_010), "and it does not stand still");
    }

    #[test]
    fn the_clock_of_this_machine_runs() {
        let (wall, running) = (SystemClock.wall(), SystemClock.running());
        assert!(wall > secs(1_700_000_000));
        assert!(SystemClock.wall() >= wall && SystemClock.running() >= running);
    }
}
