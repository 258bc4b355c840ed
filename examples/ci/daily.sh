#!/usr/bin/env bash
# Checks a sample of what the agent did in production, and stops only for findings that no earlier
# run has told. KNOWN is a folder with one report for each run: what it told is known from then on.
set -euo pipefail

: "${LAWBOOK:=lawbook}" "${TRACES:=production.jsonl}" "${POLICY:=lawbook.yaml}"
: "${SAMPLE:=2000}" "${KNOWN:=known}" "${REPORT:=report.html}" "${KEEP:=60}"
read -r -d '' -a traces <<<"${TRACES//$'\n'/ }" || true

mkdir -p "$KNOWN"
known=()
for file in "$KNOWN"/*.json; do
  if [ -s "$file" ]; then known+=(--known "$file"); fi
done

now="$KNOWN/$(date -u +%Y-%m-%dT%H%M%SZ)-$$.json"
code=0
"$LAWBOOK" check --policy "$POLICY" --sample "$SAMPLE" ${known[@]+"${known[@]}"} \
  --also "json=$now" --also "html=$REPORT" -- "${traces[@]}" || code=$?

# A report of traces that could not all be read is not kept: its findings are told again.
if [ "$code" -eq 2 ]; then rm -f "$now"; fi
reports=("$KNOWN"/*.json)
while [ "${#reports[@]}" -gt "$KEEP" ]; do
  rm -f "${reports[0]}"
  reports=("${reports[@]:1}")
done
exit "$code"
