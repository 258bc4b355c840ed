#!/bin/sh
# Stops a build when the agent broke a rule, or when that can't be told.
#
# TRACES are the conversations that this build has just had with the agent.
set -eu

: "${LAWBOOK:=lawbook}" "${TRACES:=fresh.jsonl}" "${POLICY:=lawbook.yaml}"

# The policy itself is in order, and does what its tests say.
"$LAWBOOK" policy lint "$POLICY"
if [ -d "${TESTS:-tests}" ]; then
  "$LAWBOOK" policy test "${TESTS:-tests}"
fi

# Exit 1: a finding. 2: something could not be read. 3: something could not be told.
"$LAWBOOK" check "$TRACES" --policy "$POLICY"

# Only where the team keeps pmstack's checks beside the code.
if [ -n "${CHECKS:-}" ]; then
  "$LAWBOOK" project check "$CHECKS" --traces "$TRACES" --only-policies ${EXPECT:+--expect "$EXPECT"}
fi
