#!/bin/sh
# Stops a build when the agent got worse than its baseline, or breaks its policy. For any CI system.
#
# TRACES is what this build has just recorded; BAND is what `lawbook baseline` measured on the main
# branch. Exit 0: pass. 1: fail. 2: something could not be read. 3: can't be told from noise.
set -eu

: "${LAWBOOK:=lawbook}" "${TRACES:=fresh.jsonl}" "${POLICY:=lawbook.yaml}" "${BAND:=band.json}"

"$LAWBOOK" gate "$TRACES" --policy "$POLICY" --band "$BAND" \
  --also "junit=${JUNIT:-lawbook.xml}" --also "html=${HTML:-lawbook.html}"
