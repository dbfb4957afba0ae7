#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# clang-tidy (settings in .clang-tidy) over the sources that differ from a revision (default: the last commit but one), or
# over all of them with --all; the compile database of the preset cpu must be there.
set -euo pipefail
cd "$(dirname "$0")/.."
database=build/cpu
command -v clang-tidy >/dev/null || { echo "lint.sh: needs clang-tidy" >&2; exit 2; }
[ -f $database/compile_commands.json ] || { echo "lint.sh: first cmake --preset cpu" >&2; exit 2; }
if [ "${1:-}" = "--all" ]; then
    files=$(git ls-files 'src/*.cpp' 'io/*.cpp' 'gpu/*.cpp')
else
    files=$(git diff --name-only --diff-filter=d "${1:-HEAD~1}" -- 'src/*.cpp' 'io/*.cpp' 'gpu/*.cpp')
fi
[ -n "$files" ] || { echo "lint.sh: no source differs"; exit 0; }
# Left out: what this preset does not compile (back ends of GPUs); vector kernels, which are compiled once for each
# instruction set, so that the analyser would go through all of them.
compiled() { grep -q "/$1\"" $database/compile_commands.json; }
files=$(for file in $files; do
    if compiled "$file" && ! grep -q foreach_target "$file"; then echo "$file"; fi
done)
xargs -P "$(nproc)" -n 1 clang-tidy -p $database --quiet <<<"$files"
