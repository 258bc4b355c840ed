//! Tools whose options with values stand before the subcommand, and need no other knowledge.

use super::Table;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Table = Table {
    names: &["aws", "az", "flyctl", "gcloud", "gh", "glab", "helm", "heroku", "pip", "pip3", "systemctl"],
    grammar: &GRAMMAR,
    trusts_directory: false,
};

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-R --repo"),
    valued("--hostname"),
    valued("--profile"),
    valued("--region"),
    valued("--output"),
    valued("--endpoint-url"),
    valued("--project"),
    valued("--account"),
    valued("-H --host"),
    valued("-M --machine"),
    valued("-n --namespace"),
    valued("--kube-context"),
    valued("--kubeconfig"),
    valued("-L --limit"),
    valued("--log-level"),
    valued("-b --body"),
    valued("-F --body-file"),
    valued("-t --title"),
    valued("-q --jq"),
    valued("--json"),
    flag("--user"),
    flag("--no-pager"),
]);
