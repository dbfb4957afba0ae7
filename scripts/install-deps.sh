#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs what mdsim is built with (Debian 12). --test adds what its tests use, --gpu what the preset hip uses (80 MB to
# fetch, 530 MB on disk). The preset cuda needs NVIDIA's toolkit 13, which is not in Debian. Run as root or with sudo.
set -euo pipefail
build="g++ cmake ninja-build pkg-config git libhwy-dev libhwloc-dev libtomlplusplus-dev libcli11-dev libfmt-dev gemmi-dev tao-pegtl-dev libfftw3-dev libhdf5-dev nlohmann-json3-dev libopenmpi-dev openmpi-bin"
test="catch2 ccache clang-format python3 hdf5-tools slurm-wlm munge iproute2"
gpu="hipcc libamdhip64-dev rocm-device-libs libvkfft-dev"
sudo=""
[ "$(id -u)" = 0 ] || sudo=sudo
packages=$build
for option in "$@"; do
    case $option in
        --test) packages="$packages $test" ;;
        --gpu) packages="$packages $gpu" ;;
        *) echo "install-deps.sh: unknown option $option" >&2; exit 2 ;;
    esac
done
# Nothing to do where all are there already (and no network then).
missing=$(for p in $packages; do dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || echo "$p"; done)
[ -z "$missing" ] && exit 0
$sudo apt-get -o DPkg::Lock::Timeout=600 update -qq
DEBIAN_FRONTEND=noninteractive $sudo apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends $missing
