#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# One program with the back ends for CUDA and HIP, for every architecture of the presets: builds and links it, looks at what its
# kernels take of a device, and starts it where no device is to be seen, which must change no number of the preset cpu.
# Ends well, with a line that says so, where there is no nvcc.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
command -v nvcc >/dev/null || { echo "test_devices.sh: no nvcc, so the back ends for CUDA and HIP are not built"; exit 0; }
scripts/install-deps.sh --test --gpu
cmake --preset devices
cmake --build --preset devices
ctest --preset devices

program=build/devices/mdsim
fail() { echo "test_devices.sh: $*" >&2; exit 1; }
# The driver's library would have to be there for the program to start at all.
if ldd $program | grep 'libcuda\.so'; then fail "$program is linked to the driver's library"; fi
export CUDA_VISIBLE_DEVICES= HIP_VISIBLE_DEVICES= ROCR_VISIBLE_DEVICES=
$program --version
for input in water argon; do
    expected=$(build/cpu/mdsim energy -i inputs/$input.inp --json)
    for gpu in auto off; do
        [ "$($program energy -i inputs/$input.inp --json --set "hardware.gpu=\"$gpu\"")" = "$expected" ] ||
            fail "inputs/$input.inp with gpu = \"$gpu\": other energies than those of the preset cpu"
    done
done
said=$($program energy -i inputs/argon.inp --set 'hardware.gpu="required"' 2>&1) && code=0 || code=$?
echo "$said"
if [ $code != 2 ] || ! grep -q 'CUDA.*HIP' <<<"$said"; then
    fail "gpu = \"required\" without a device: exit code $code, or it does not say what is missing"
fi
validation/gpu/device_check.sh --program $program --host --output build/devices/device_check
