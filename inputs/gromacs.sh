# SPDX-License-Identifier: Apache-2.0
# For the scripts here that call GROMACS: `here` is the folder of the script that sources this, the working directory an
# empty one that goes away at the end.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export GMX_MAXBACKUP=-1
gmx() { command gmx -quiet "$@"; }
