//! curl: options that write files, read options from files, or send files.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};
use crate::segment::Named;
use crate::{Effect, EffectKind, Word};

/// The program.
pub(super) static PROGRAM: Curl = Curl;

/// A value that begins with `@` names a file that it sends.
pub(super) struct Curl;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-o --output").writes(),
    flag("-O --remote-name --remote-name-all").writes(),
    valued("-D --dump-header").writes(),
    valued("-c --cookie-jar").writes(),
    valued("-K --config").executes(),
    valued("-T --upload-file").network(),
    valued("--trace").writes(),
    valued("--trace-ascii").writes(),
    valued("--libcurl").writes(),
    valued("--stderr").writes(),
    valued("--etag-save").writes(),
    valued("--hsts").writes(),
    valued("--alt-svc").writes(),
    valued("--output-dir").writes(),
    flag("-J --remote-header-name"),
    valued("-F --form").network(),
    valued("-d --data --data-ascii"),
    valued("--data-binary"),
    valued("--data-raw"),
    valued("--data-urlencode"),
    valued("--json"),
    valued("-H --header"),
    valued("-X --request"),
    valued("-u --user"),
    valued("-A --user-agent"),
    valued("-e --referer"),
    valued("-b --cookie"),
    valued("-m --max-time"),
    valued("-w --write-out"),
    valued("-x --proxy").network(),
    valued("-r --range"),
    valued("-E --cert"),
    valued("-C --continue-at"),
    valued("-Y --speed-limit"),
    valued("-y --speed-time"),
    valued("-z --time-cond"),
    valued("-P --ftp-port"),
    valued("-Q --quote"),
    valued("-t --telnet-option"),
    valued("-U --proxy-user"),
    valued("--connect-timeout"),
    valued("--retry"),
    valued("--retry-delay"),
    valued("--retry-max-time"),
    valued("--url"),
    valued("--cacert"),
    valued("--resolve"),
    valued("--limit-rate"),
    flag("--compressed"),
    flag("-L --location"),
    flag("-s --silent"),
    flag("-S --show-error"),
    flag("-f --fail"),
    flag("-I --head"),
    flag("-G --get"),
    flag("-k --insecure"),
]);

impl Program for Curl {
    fn names(&self) -> &'static [&'static str] {
        &["curl"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        let names = ["-d", "--data-binary", "--data-urlencode", "--json"];
        for given in call.reading.options.iter().filter(|it| names.contains(&it.name.as_str())) {
            let value = given.value.as_ref().map(Word::shown).unwrap_or_default();
            if value.starts_with('@') {
                let message = format!("`curl` sends the file `{value}`");
                let effect = Effect::new(EffectKind::Network, value, message);
                let named = Named::Option(given.name.clone(), given.written.clone());
                found.effects.push(effect.named(named));
            }
        }
    }
}
