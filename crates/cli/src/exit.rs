//! How a run ends, in the codes that all commands share.

use std::process::ExitCode;

/// How a run ended. The order is the order in which reasons win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// 0: all that was asked was done and nothing was found.
    Clean,
    /// 3: something could not be told, or there was nothing to judge.
    Unknown,
    /// 4: a person must say yes first. Only doors that are asked about a call end so.
    Ask,
    /// 1: something was found.
    Found,
    /// 2: something could not be read or used.
    Unusable,
}

impl Exit {
    /// The code that the process ends with.
    #[must_use]
    pub fn code(self) -> ExitCode {
        ExitCode::from(self.number())
    }

    /// The same as a number.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Exit::Clean => 0,
            Exit::Found => 1,
            Exit::Unusable => 2,
            Exit::Unknown => 3,
            Exit::Ask => 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn what_could_not_be_read_wins_then_findings_then_unknowns() {
        let all = [Exit::Clean, Exit::Found, Exit::Unusable, Exit::Unknown, Exit::Ask];
        assert_eq!(all.iter().max(), Some(&Exit::Unusable));
        assert_eq!(Exit::Found.max(Exit::Unknown), Exit::Found);
        assert_eq!(Exit::Found.max(Exit::Ask), Exit::Found);
        assert_eq!(Exit::Clean.max(Exit::Unknown), Exit::Unknown);
    }
}
