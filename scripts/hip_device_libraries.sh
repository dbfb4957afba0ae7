#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# hip_device_libraries.sh FOLDER: a copy of Debian's device libraries of ROCm 5.2 (install-deps.sh --gpu) with gfx942 and gfx1100
# added, for -DMDSIM_HIP_DEVICE_LIBRARIES=FOLDER. A target is a file with one constant, its number.
set -euo pipefail
folder=${1:?hip_device_libraries.sh FOLDER}
libraries=$(dirname "$(dpkg -L rocm-device-libs | grep '/ockl\.bc$')")
mkdir -p "$folder"
cp "$libraries"/*.bc "$folder"
for target in 942=9402 1100=11000; do
    echo "const __attribute__((visibility(\"hidden\"))) int __oclc_ISA_version = ${target#*=};" |
        clang++-15 -x c -target amdgcn-amd-amdhsa -nogpulib -c -emit-llvm -O2 - -o "$folder/oclc_isa_version_${target%=*}.bc"
done
