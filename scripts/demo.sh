#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs, builds the program alone and runs the main job on ubiquitin in water.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-deps.sh --vtk
cmake --preset cpu -DMDSIM_TESTS=OFF -DMDSIM_VTK=ON
cmake --build --preset cpu --target mdsim
exec build/cpu/mdsim -i inputs/protein.inp
