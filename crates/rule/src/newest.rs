//! The newest of a series of calls, and the newest that is not of the same message.

/// The newest call that counts, with the newest one of an earlier message kept beside it, so that
/// calls of one batch can be told not to help each other.
#[derive(Clone, Debug)]
pub struct Newest<T> {
    newest: Option<Stamp<T>>,
    apart: Option<Stamp<T>>,
}

/// A call that counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Stamp<T> {
    /// Its step.
    pub step: u32,
    /// The message that holds it.
    pub message: u64,
    /// What is remembered of it.
    pub what: T,
}

crate::coded!(Newest<T> { newest, apart });
crate::coded!(Stamp<T> { step, message, what });

impl<T> Default for Newest<T> {
    fn default() -> Self {
        Newest { newest: None, apart: None }
    }
}

impl<T> Newest<T> {
    /// Takes in a call; calls may be taken in out of order.
    pub fn push(&mut self, stamp: Stamp<T>) {
        match &self.newest {
            None => self.newest = Some(stamp),
            Some(newest) if stamp.step > newest.step => {
                let older = self.newest.replace(stamp);
                let same = |it: &Stamp<T>| {
                    self.newest.as_ref().is_some_and(|newest| newest.message == it.message)
                };
                if older.as_ref().is_some_and(|it| !same(it)) {
                    self.apart = older;
                }
            }
            Some(newest) => {
                let later = self.apart.as_ref().is_none_or(|it| stamp.step > it.step);
                if newest.message != stamp.message && later {
                    self.apart = Some(stamp);
                }
            }
        }
    }

    /// The newest of all.
    #[must_use]
    pub fn of_all(&self) -> Option<&Stamp<T>> {
        self.newest.as_ref()
    }

    /// The newest that stands in another message than this one.
    #[must_use]
    pub fn outside(&self, message: u64) -> Option<&Stamp<T>> {
        self.newest.as_ref().filter(|it| it.message != message).or(self.apart.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::{Newest, Stamp};

    #[test]
    fn a_batch_mate_is_looked_past() {
        let mut newest = Newest::default();
        for (step, message) in [(1, 1), (2, 2), (4, 2), (3, 2)] {
            newest.push(Stamp { step, message, what: () });
        }
        assert_eq!(newest.of_all().map(|it| it.step), Some(4));
        assert_eq!(newest.outside(2).map(|it| it.step), Some(1));
        assert_eq!(newest.outside(3).map(|it| it.step), Some(4));
    }
}
