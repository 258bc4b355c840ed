#!/usr/bin/env bash
# Checks or gates the traces. It ends with 0 whatever was found, so that the steps after it run; the
# code stands in the step's outputs and the last step ends with it.
set -uo pipefail

: "${LAWBOOK:=lawbook}" "${REPORT:=lawbook-report.json}" "${AUDIT:=}" "${REDACT:=builtin}"
out=${GITHUB_OUTPUT:-/dev/stdout}
temporary=${RUNNER_TEMP:-${TMPDIR:-/tmp}}
summary="$temporary/lawbook-summary.md"
rm -f "$summary" "$REPORT"
# Without a key of its own the action leaves the job's in force.
if [ -n "${REDACT_KEY:-}" ]; then export LAWBOOK_REDACT_KEY="$REDACT_KEY"; fi

# Words of the input are files or globs for the program itself; the shell expands nothing in them.
read -r -d '' -a traces <<<"${TRACES//$'\n'/ }"
if [ "${#traces[@]}" -eq 0 ]; then
  echo "::error::no traces were named"
  printf 'code=2\nverdict=ERROR\n' >>"$out"
  exit 0
fi

# The folder of an audit must be new, and a workspace may be used twice.
if [ -z "$AUDIT" ]; then AUDIT=$(mktemp -d "$temporary/lawbook-audit.XXXXXX"); fi
if [ -z "$AUDIT" ] || [ "$AUDIT" != "${AUDIT//[[:cntrl:]]/}" ]; then
  echo "::error::there is no usable folder for the audit"
  printf 'code=2\nverdict=ERROR\n' >>"$out"
  exit 0
fi

flags=(--format github --also "json=$REPORT" --also "markdown=$summary" --audit "$AUDIT" --redact "$REDACT")
flag() { if [ -n "$2" ]; then flags+=("$1" "$2"); fi; }
flag --policy "${POLICY:-}"
flag --profile "${PROFILE:-}"
flag --trace-format "${TRACE_FORMAT:-}"
if [ -n "${BAND:-}" ]; then
  command=gate
  flag --band "$BAND"
  flag --checks "${CHECKS:-}"
  flag --golden "${GOLDEN:-}"
  flag --outcomes "${OUTCOMES:-}"
else
  command=check
  flag --known "${KNOWN:-}"
  flag --sample "${SAMPLE:-}"
fi

# `--` keeps a trace whose name begins with a dash from being read as a flag.
"$LAWBOOK" "$command" "${flags[@]}" -- "${traces[@]}"
code=$?

case "$code" in
  0) verdict=PASS ;;
  1) verdict=FAIL ;;
  3) verdict=INCONCLUSIVE ;;
  *) verdict=ERROR ;;
esac
printf 'code=%s\nverdict=%s\nsummary=%s\naudit=%s\n' "$code" "$verdict" "$summary" "$AUDIT" >>"$out"
if [ -s "$summary" ] && [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  cat "$summary" >>"$GITHUB_STEP_SUMMARY"
fi
exit 0
