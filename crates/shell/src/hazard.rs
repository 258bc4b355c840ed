//! Names of variables that change what programs do: R6 of the rules on commands.

/// Variables that choose programs, load code, or move where programs look.
const NAMES: &[&str] = &[
    "BASHOPTS",
    "BASH_ALIASES",
    "BASH_CMDS",
    "BUN_OPTIONS",
    "DOCKER_HOST",
    "DOTNET_STARTUP_HOOKS",
    "GNUMAKEFLAGS",
    "GOFLAGS",
    "GRADLE_OPTS",
    "JAVA_OPTS",
    "JDK_JAVA_OPTIONS",
    "KUBECONFIG",
    "LESS",
    "LESSKEY",
    "MAKEFILES",
    "MANOPT",
    "MAVEN_OPTS",
    "PYTEST_ADDOPTS",
    "PYTEST_PLUGINS",
    "RIPGREP_CONFIG_PATH",
    "RUSTDOCFLAGS",
    "TAR_OPTIONS",
    "XDG_CONFIG_HOME",
    "BASH_ENV",
    "BROWSER",
    "CDPATH",
    "CLASSPATH",
    "EDITOR",
    "ENV",
    "GCONV_PATH",
    "GLOBIGNORE",
    "HOME",
    "IFS",
    "JAVA_TOOL_OPTIONS",
    "LESSCLOSE",
    "LESSOPEN",
    "MAKEFLAGS",
    "MANPAGER",
    "NODE_OPTIONS",
    "NODE_PATH",
    "OPENSSL_CONF",
    "PAGER",
    "PATH",
    "PERL5LIB",
    "PERL5OPT",
    "PROMPT_COMMAND",
    "PS4",
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "RUBYLIB",
    "RUBYOPT",
    "RUSTC",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC_WRAPPER",
    "RUSTFLAGS",
    "SHELL",
    "SHELLOPTS",
    "SSL_CERT_FILE",
    "TERMINFO",
    "VISUAL",
    "ZDOTDIR",
    "_JAVA_OPTIONS",
    "all_proxy",
    "http_proxy",
    "https_proxy",
    "ALL_PROXY",
    "HTTP_PROXY",
    "HTTPS_PROXY",
];

/// The same, by how they begin.
const STARTS: &[&str] =
    &["BASH_FUNC_", "CARGO_", "DYLD_", "GIT_", "LD_", "NPM_CONFIG_", "npm_config_"];

/// Names that begin so and hold data alone.
const HARMLESS: &[&str] = &[
    "CARGO_BUILD_JOBS",
    "CARGO_INCREMENTAL",
    "CARGO_NET_OFFLINE",
    "CARGO_NET_RETRY",
    "GIT_AUTHOR_DATE",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_NAME",
    "GIT_COMMITTER_DATE",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_OPTIONAL_LOCKS",
    "GIT_TERMINAL_PROMPT",
];

/// Variables that name a program, for which `cat`, `true` or nothing is no program to fear.
const SHOWING: &[&str] =
    &["EDITOR", "GIT_EDITOR", "GIT_PAGER", "GIT_SEQUENCE_EDITOR", "MANPAGER", "PAGER", "VISUAL"];

/// Whether setting a variable changes what programs do.
pub(crate) fn is_hazard(name: &str, value: Option<&str>) -> bool {
    if SHOWING.contains(&name) && matches!(value, Some("" | "cat" | "true" | ":")) {
        return false;
    }
    let begins = STARTS.iter().any(|it| name.starts_with(it));
    let data = HARMLESS.contains(&name) || name.starts_with("CARGO_TERM_");
    NAMES.contains(&name) || begins && !data
}

#[cfg(test)]
mod tests {
    use super::is_hazard;

    #[test]
    fn a_variable_that_chooses_programs_is_told_from_one_that_holds_data() {
        for name in ["PATH", "GIT_SSH_COMMAND", "LD_PRELOAD", "CARGO_BUILD_RUSTC_WRAPPER", "IFS"] {
            assert!(is_hazard(name, Some("x")), "{name}");
        }
        for name in ["CI", "TZ", "CFLAGS", "GH_TOKEN", "CARGO_TERM_COLOR", "GIT_AUTHOR_NAME", "CC"]
        {
            assert!(!is_hazard(name, Some("x")), "{name}");
        }
        assert!(!is_hazard("GIT_PAGER", Some("cat")));
        assert!(is_hazard("GIT_PAGER", Some("sh -c id")));
        assert!(is_hazard("GIT_PAGER", None));
    }
}
