//! curl: options that write files, read options from files, or send files.

use super::Table;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["curl"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-o --output").writes(), flag("-O --remote-name --remote-name-all").writes(),
    valued("-D --dump-header").writes(), valued("-c --cookie-jar").writes(),
    valued("-K --config").executes(), valued("-T --upload-file").network(),
    valued("--trace").writes(), valued("--trace-ascii").writes(), valued("--libcurl").writes(),
    valued("--stderr").writes(), valued("--etag-save").writes(), valued("--hsts").writes(),
    valued("--alt-svc").writes(), valued("--output-dir").writes(), flag("-J --remote-header-name"),
    valued("-F --form").network(), valued("-d --data --data-ascii"), valued("--data-binary"), valued("--data-raw"), valued("--data-urlencode"), valued("--json"),
    valued("-H --header"), valued("-X --request"), valued("-u --user"), valued("-A --user-agent"), valued("-e --referer"), valued("-b --cookie"), valued("-m --max-time"),
    valued("-w --write-out"), valued("-x --proxy").network(), valued("-r --range"), valued("-E --cert"), valued("-C --continue-at"), valued("-Y --speed-limit"), valued("-y --speed-time"), valued("-z --time-cond"), valued("-P --ftp-port"), valued("-Q --quote"), valued("-t --telnet-option"), valued("-U --proxy-user"),
    valued("--connect-timeout"), valued("--retry"), valued("--retry-delay"), valued("--retry-max-time"), valued("--url"), valued("--cacert"), valued("--resolve"), valued("--limit-rate"), flag("--compressed"), flag("-L --location"), flag("-s --silent"), flag("-S --show-error"), flag("-f --fail"), flag("-I --head"), flag("-G --get"), flag("-k --insecure"),
]);
