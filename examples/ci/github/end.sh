#!/usr/bin/env bash
# Ends the job with the code of the gate. Without a code the gate never ran, which is no pass.
set -euo pipefail

if [[ "${CODE:-}" =~ ^[0-9]+$ ]]; then
  exit "$CODE"
fi
echo "::error::the gate did not run"
exit 2
