//! The names that programs go by in PowerShell and cmd.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The cmdlets by their names in lower case.
static NAMES: LazyLock<BTreeMap<String, &str>> =
    LazyLock::new(|| CMDLETS.iter().rev().map(|it| (it.0.to_ascii_lowercase(), it.0)).collect());

/// The cmdlets by their aliases; of several the first.
static ALIASES: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
    let each = |it: &'static (&str, &[&str])| it.1.iter().map(|alias| (*alias, it.0));
    CMDLETS.iter().rev().flat_map(each).collect()
});

/// The programs that a word of a rule names, by their names or by an alias, in lower case: as
/// [`resolve`] gives them.
pub(crate) fn programs(rule: &str) -> Vec<String> {
    let all = [rule.to_owned(), base(rule).into_owned(), resolve(rule), resolve_cmd(rule)];
    let mut all = all.map(|it| it.to_ascii_lowercase()).to_vec();
    all.sort();
    all.dedup();
    all
}

/// The aliases of a cmdlet that is named in lower case.
pub(crate) fn aliases(cmdlet: &str) -> &'static [&'static str] {
    let found = CMDLETS.iter().find(|it| it.0.eq_ignore_ascii_case(cmdlet));
    found.map_or(&[], |it| it.1)
}

/// The command that a word of PowerShell names: aliases resolved, paths and the extensions of
/// programs gone. Programs are in lower case, cmdlets as their makers write them. With a path or
/// an extension it is no alias.
pub(crate) fn resolve(word: &str) -> String {
    let name = base(word);
    let lower = name.to_lowercase();
    let is_bare = name.len() == word.len();
    let alias = || is_bare.then(|| ALIASES.get(lower.as_str())).flatten();
    match NAMES.get(&lower).or_else(alias) {
        Some(it) => (*it).to_owned(),
        None if lower.contains('-') => name.into_owned(),
        None => lower,
    }
}

/// The command that a word of cmd names.
pub(super) fn resolve_cmd(word: &str) -> String {
    let word = word.trim_start_matches(['@', '\'', '`']);
    let name = base(word).to_lowercase();
    match name.as_str() {
        "erase" => "del".to_owned(),
        "rmdir" => "rd".to_owned(),
        "mkdir" => "md".to_owned(),
        "chdir" => "cd".to_owned(),
        "rename" => "ren".to_owned(),
        _ => name,
    }
}

/// The last part of a path, without the extension of a program. Windows does not see dots and
/// blanks at the end of a name.
pub(crate) fn base(word: &str) -> Cow<'_, str> {
    let name = word.rsplit(['\\', '/', ':']).next().unwrap_or(word);
    let name = name.trim_end_matches(['.', ' ']);
    let name = if name.is_empty() { word } else { name };
    let name = match name.rsplit_once('.') {
        Some((bare, extension)) if !bare.is_empty() && is_extension(extension) => bare,
        _ => name,
    };
    let dashes = ['\u{2013}', '\u{2014}', '\u{2015}'];
    if name.contains(dashes) { Cow::Owned(name.replace(dashes, "-")) } else { Cow::Borrowed(name) }
}

fn is_extension(it: &str) -> bool {
    EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(it))
}

const EXTENSIONS: [&str; 5] = ["exe", "cmd", "bat", "com", "ps1"];

/// Cmdlets and the aliases that Windows PowerShell or PowerShell 7 give them.
const CMDLETS: &[(&str, &[&str])] = &[
    ("Add-Content", &["ac"]),
    ("Clear-Content", &["clc"]),
    ("Clear-Host", &["clear", "cls"]),
    ("Clear-Item", &["cli"]),
    ("Clear-ItemProperty", &["clp"]),
    ("Compare-Object", &["compare", "diff"]),
    ("Copy-Item", &["copy", "cp", "cpi"]),
    ("Copy-ItemProperty", &["cpp"]),
    ("Enter-PSSession", &["etsn"]),
    ("Export-Csv", &["epcsv"]),
    ("Export-Alias", &["epal"]),
    ("ForEach-Object", &["%", "foreach"]),
    ("Format-List", &["fl"]),
    ("Format-Table", &["ft"]),
    ("Format-Wide", &["fw"]),
    ("Format-Volume", &[]),
    ("Get-Acl", &[]),
    ("Get-Alias", &["gal"]),
    ("Get-ChildItem", &["gci", "ls", "dir"]),
    ("Get-Clipboard", &["gcb"]),
    ("Get-Command", &["gcm"]),
    ("Get-Content", &["gc", "cat", "type"]),
    ("Get-Date", &["date"]),
    ("Get-Help", &["help", "man"]),
    ("Get-History", &["ghy", "h", "history"]),
    ("Get-Item", &["gi"]),
    ("Get-ItemProperty", &["gp"]),
    ("Get-Job", &["gjb"]),
    ("Get-Location", &["gl", "pwd"]),
    ("Get-Member", &["gm"]),
    ("Get-Module", &["gmo"]),
    ("Get-Process", &["gps", "ps"]),
    ("Get-PSDrive", &["gdr"]),
    ("Get-Service", &["gsv"]),
    ("Get-Unique", &["gu"]),
    ("Get-Variable", &["gv"]),
    ("Get-WmiObject", &["gwmi"]),
    ("Group-Object", &["group"]),
    ("Import-Csv", &["ipcsv"]),
    ("Import-Alias", &["ipal"]),
    ("Import-Module", &["ipmo"]),
    ("Invoke-Command", &["icm"]),
    ("Invoke-CimMethod", &["icim"]),
    ("Invoke-Expression", &["iex"]),
    ("Invoke-History", &["ihy", "r"]),
    ("Invoke-Item", &["ii"]),
    ("Invoke-RestMethod", &["irm"]),
    ("Invoke-WebRequest", &["iwr", "curl", "wget"]),
    ("Invoke-WmiMethod", &["iwmi"]),
    ("Measure-Object", &["measure"]),
    ("Move-Item", &["mi", "move", "mv"]),
    ("Move-ItemProperty", &["mp"]),
    ("New-Alias", &["nal"]),
    ("New-Item", &["ni", "mkdir", "md"]),
    ("New-Module", &["nmo"]),
    ("New-PSDrive", &["mount", "ndr"]),
    ("New-PSSession", &["nsn"]),
    ("New-Variable", &["nv"]),
    ("Out-Host", &["oh"]),
    ("Out-File", &[]),
    ("Out-Printer", &["lp"]),
    ("Pop-Location", &["popd"]),
    ("Push-Location", &["pushd"]),
    ("Receive-Job", &["rcjb"]),
    ("Remove-Item", &["ri", "rm", "del", "erase", "rd", "rmdir"]),
    ("Remove-ItemProperty", &["rp"]),
    ("Remove-Job", &["rjb"]),
    ("Remove-Module", &["rmo"]),
    ("Remove-PSDrive", &["rdr"]),
    ("Remove-Service", &[]),
    ("Remove-Variable", &["rv"]),
    ("Remove-WmiObject", &["rwmi"]),
    ("Rename-Item", &["rni", "ren"]),
    ("Rename-ItemProperty", &["rnp"]),
    ("Resolve-Path", &["rvpa"]),
    ("Restart-Computer", &[]),
    ("Select-Object", &["select"]),
    ("Select-String", &["sls"]),
    ("Set-Acl", &[]),
    ("Set-Alias", &["sal"]),
    ("Set-Clipboard", &["scb"]),
    ("Set-Content", &["sc"]),
    ("Set-ExecutionPolicy", &[]),
    ("Set-Item", &["si"]),
    ("Set-ItemProperty", &["sp"]),
    ("Set-Location", &["sl", "cd", "chdir"]),
    ("Set-Variable", &["sv", "set"]),
    ("Set-WmiInstance", &["swmi"]),
    ("Sort-Object", &["sort"]),
    ("Start-Job", &["sajb"]),
    ("Start-Process", &["saps", "start"]),
    ("Start-Service", &["sasv"]),
    ("Start-Sleep", &["sleep"]),
    ("Stop-Computer", &[]),
    ("Stop-Job", &["spjb"]),
    ("Stop-Process", &["spps", "kill"]),
    ("Stop-Service", &["spsv"]),
    ("Tee-Object", &["tee"]),
    ("Test-Path", &[]),
    ("Wait-Job", &["wjb"]),
    ("Where-Object", &["where", "?"]),
    ("Write-Error", &[]),
    ("Write-Host", &[]),
    ("Write-Output", &["echo", "write"]),
];
