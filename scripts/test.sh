#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs, builds and passes the tests; those of readers, pair lists and the GPU's host back end also with the address
# and undefined-behaviour sanitizers. Those of pair kernels and mesh need many minutes to compile with them: by hand,
# `cmake --build --preset sanitize --target unit_short_range unit_mesh` and run both.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-deps.sh --test
# The compiler's cache where there is one: a second build is a matter of seconds.
if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_C_COMPILER_LAUNCHER=ccache; fi
cmake --preset sanitize
cmake --build --preset sanitize-tests
cmake --build --preset sanitize-device
ctest --preset sanitize-tests
ctest --preset sanitize-device
cmake --preset cpu
cmake --build --preset cpu
ctest --preset cpu --parallel "$(nproc)"
