//! docker and its kin: global options with values, and commands that run in containers.

use super::{Call, Found, Program};
use crate::reading::{Grammar, Opt, flag, valued};

/// The program.
pub(super) static PROGRAM: Docker = Docker;

/// It runs commands in containers.
pub(super) struct Docker;

static GLOBAL: &[Opt] = &[
    valued("-c --context"),
    valued("-H --host"),
    valued("--config"),
    valued("-l --log-level"),
    valued("--tlscacert"),
    valued("--tlscert"),
    valued("--tlskey"),
    flag("-D --debug"),
    flag("--tls"),
];

static COMPOSE: &[Opt] = &[
    valued("-f --file"),
    valued("-p --project-name"),
    valued("--profile"),
    valued("--env-file"),
    valued("--project-directory"),
    valued("--ansi"),
    valued("--progress"),
    valued("-e --env"),
    valued("-u --user"),
    valued("-w --workdir"),
    valued("--index"),
    flag("-d --detach"),
    flag("-T --no-TTY"),
    flag("--rm"),
    flag("--build"),
];

static RUN: &[Opt] = &[
    flag("-i --interactive"),
    flag("-t --tty"),
    flag("-d --detach"),
    flag("--rm"),
    flag("--privileged"),
    flag("--init"),
    flag("-P --publish-all"),
    valued("-e --env"),
    valued("--env-file"),
    valued("-u --user"),
    valued("-w --workdir"),
    valued("-v --volume"),
    valued("-p --publish"),
    valued("--name"),
    valued("--network --net"),
    valued("--entrypoint"),
    valued("--mount"),
    valued("--platform"),
    valued("--memory -m"),
    valued("--cpus"),
    valued("-h --hostname"),
    valued("-l --label"),
    valued("--gpus"),
    valued("--restart"),
    valued("--pull"),
    valued("--add-host"),
    valued("--cap-add"),
    valued("--security-opt"),
    valued("--shm-size"),
    valued("--ulimit"),
    valued("--detach-keys"),
];

static GRAMMAR: Grammar = Grammar {
    one_dash: false,
    leads: false,
    global: GLOBAL,
    assigns: false,
    goals: false,
    options: &[],
    commands: &[
        ("compose", COMPOSE),
        ("container", RUN),
        ("create", RUN),
        ("exec", RUN),
        ("logs", &[valued("-n --tail"), valued("--since"), valued("--until"), flag("-f --follow")]),
        ("ps", &[flag("-a --all"), valued("-f --filter"), valued("-n --last"), valued("--format")]),
        ("rm", &[flag("-f --force"), flag("-v --volumes")]),
        ("run", RUN),
    ],
};

impl Program for Docker {
    fn names(&self) -> &'static [&'static str] {
        &["docker", "docker-compose", "nerdctl", "podman"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.trusts_directory = call.operand(0) == Some("compose");
        let depth = match call.operand(0) {
            Some("compose" | "container") => 1,
            _ => usize::from(call.name == "docker-compose"),
        };
        let depth = if call.name == "docker-compose" { 0 } else { depth };
        if matches!(call.operand(depth), Some("create" | "exec" | "run")) {
            found.runs(call, depth.saturating_add(2));
        }
    }
}
