#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh PROGRAM [FOLDER]: 1 ns of water.inp in FOLDER (continued where it was begun before), and what came of it.
set -eu
here=$(dirname "$(readlink -f "$0")")
program=$(readlink -f "$1")
folder=${2:-water-npt}
mkdir -p "$folder"
(cd "$folder" && "$program" -i "$here/water.inp")
exec python3 "$here/analyse.py" "$folder"
