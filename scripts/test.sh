#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs, builds and passes the tests. Those of readers, pair lists and the kernels of GPUs run with the address and
# undefined-behaviour sanitizers too. Those of the CPU's pair kernels and mesh need many minutes to compile with them: by hand,
# `cmake --preset sanitize -DMDSIM_PLAIN_KERNELS=OFF && cmake --build --preset sanitize --target unit_short_range unit_mesh`
# and run both. Last come the back ends for GPUs (test_devices.sh), where nvcc is.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-deps.sh --test
# With the compiler's cache a second build is a matter of seconds, and so is most of the one for devices after the one without.
export CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_C_COMPILER_LAUNCHER=ccache
cmake --preset sanitize -DMDSIM_VTK=ON
cmake --build --preset sanitize-tests
ctest --preset sanitize-tests --parallel "$(nproc)"
cmake --preset cpu -DMDSIM_VTK=ON
cmake --build --preset cpu
ctest --preset cpu --parallel "$(nproc)"
scripts/test_devices.sh
