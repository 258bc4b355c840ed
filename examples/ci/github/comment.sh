#!/usr/bin/env bash
# Keeps one comment on the pull request. The comment that is replaced must carry the mark in its
# first line and be written by whoever writes now: a mark in somebody else's comment is only text.
# What fails here warns and never changes how the job ends.
set -uo pipefail

warn() { echo "::warning::lawbook: $1"; exit 0; }

[ -s "${SUMMARY:-}" ] || warn "there is no summary to comment with"
[[ "${PR:-}" =~ ^[0-9]+$ ]] || warn "this is no pull request"
[[ "${REPO:-}" =~ ^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$ ]] || warn "the repository has no usable name"

# A token of an app answers no question about its own name; GitHub's own is the actions bot.
me=$(gh api user --jq .login 2>/dev/null) || me='github-actions[bot]'
mine='.[] | select(.user.login == env.ME) | select(.body | startswith("<!-- lawbook -->")) | .id'
ids=$(ME="$me" gh api --paginate "repos/$REPO/issues/$PR/comments?per_page=100" --jq "$mine" 2>/dev/null) \
  || warn "the comments could not be listed"
id=${ids%%$'\n'*}

if [[ "$id" =~ ^[0-9]+$ ]]; then
  gh api --method PATCH "repos/$REPO/issues/comments/$id" -F "body=@$SUMMARY" >/dev/null \
    || warn "the comment could not be changed"
else
  gh api --method POST "repos/$REPO/issues/$PR/comments" -F "body=@$SUMMARY" >/dev/null \
    || warn "the comment could not be written"
fi
