#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# inputs/protein.inp killed 20 times and continued each time, against an uninterrupted run.
set -eu
here=$(dirname "$(readlink -f "$0")")
source=$(dirname "$(dirname "$here")")
program=${1:-$source/build/cpu/mdsim}
exec python3 "$source/tests/run/test_kill.py" "$program" "$source" --input "$source/inputs/protein.inp" \
    --kills 20 --checkpoint "2 s" --seed "${SEED:-1}"
