#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bundle.sh FILE.tar.gz [BUILD]: packs a build of the preset cuda (build/cuda) with its device tests, inputs and the device check,
# for an x86-64 machine that has a driver, CUDA's toolkit 13 and Python 3, and nothing else. There:
#
#     tar xzf FILE.tar.gz && bundle/validation/gpu/device_check.sh
#
# DHFR comes from dhfr/ in MDSIM_BENCH_DATA or in shared/bench beside the checkout, where that is.
set -euo pipefail
archive=${1:?bundle.sh FILE.tar.gz [BUILD]}
source=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
build=${2:-$source/build/cuda}
most=64 # MiB
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
folder=$place/bundle
mkdir -p "$folder"/{build/tests,libexec,lib,tests/run,validation/nve_drift}
cp -r "$source/inputs" "$folder/inputs"
cp -r "$source/validation/gpu" "$folder/validation/gpu"
cp "$source"/tests/run/{energy_fit,large_water}.py "$folder/tests/run"
cp "$source/validation/nve_drift/dhfr.py" "$folder/validation/nve_drift"

# Each program by a script of its name that finds the libraries: those of the bundle, and cuFFT where the toolkit has it.
for program in "$build/mdsim" "$build"/tests/device_*; do
    strip -o "$folder/libexec/${program##*/}" "$program"
    cp "$source/validation/gpu/with_libraries.sh" "$folder/${program/#$build/build}"
done
# All but those of the C library, which fit the machine's kernel and loader, and of the toolkit.
ldd "$folder"/libexec/* | awk '$2 == "=>" { print $1, $3 }' | sort -u | while read -r name path; do
    case $name in
        ld-linux*|libc.so*|libm.so*|libdl.so*|libpthread.so*|librt.so*|libresolv.so*|libcufft.so*) ;;
        libcuda.so*) echo "bundle.sh: linked to the driver's library" >&2; exit 1 ;;
        *) cp -L "$path" "$folder/lib/$name" ;;
    esac
done
dhfr=${MDSIM_BENCH_DATA:-$source/../shared/bench}/dhfr
if [ -d "$dhfr" ]; then
    mkdir "$folder/dhfr"
    cp "$dhfr"/{conf.gro,topol.top}* "$folder/dhfr"
else
    echo "bundle.sh: without DHFR, since $dhfr is not there"
fi
chmod -R u+w "$folder"
tar -czf "$archive" -C "$place" --exclude __pycache__ bundle
size=$(du -m "$archive" | cut -f1)
echo "bundle.sh: $archive, $size MiB"
[ "$size" -le $most ] || { echo "bundle.sh: more than $most MiB" >&2; exit 1; }
