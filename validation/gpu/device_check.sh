#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The check of the GPU path on a real device, in one call of at most eight minutes; see README.md beside this file.
#
#     device_check.sh [--program build/cuda/mdsim] [--dhfr FOLDER] [--output FOLDER] [--threads N] [--host]
#
# In a bundle (bundle.sh) nothing needs to be given. --host does everything in small on the host back end.
set -eu
exec python3 -B -u "$(dirname "$(readlink -f "$0")")/device_check.py" "$@"
