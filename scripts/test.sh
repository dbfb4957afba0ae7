#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs, builds and passes the tests.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-deps.sh --test
cmake --preset cpu
cmake --build --preset cpu
ctest --preset cpu
