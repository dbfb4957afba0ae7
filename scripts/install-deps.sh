#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs what mdsim is built with (Debian 12). --vtk adds VTK for files that ParaView opens (unpack_vtk.sh), --test that
# and what else the tests use, ParaView among it (400 MB to fetch, 2 GB on disk), --gpu what the preset hip uses (80 MB to
# fetch, 530 MB on disk). The preset cuda needs NVIDIA's toolkit 13, which is not in Debian. Run as root or with sudo.
set -euo pipefail
build="g++ cmake ninja-build pkg-config git libhwy-dev libhwloc-dev libtomlplusplus-dev libcli11-dev libfmt-dev libfftw3-dev libhdf5-dev libdeflate-dev nlohmann-json3-dev libopenmpi-dev openmpi-bin"
test="catch2 ccache clang-format python3 python3-venv hdf5-tools slurm-wlm munge iproute2 python3-mdanalysis python3-mdtraj chromium gromacs"
# What VTK's IOXML is built against, and the real ParaView with a display to draw on.
vtk="zlib1g-dev libexpat1-dev libdouble-conversion-dev liblz4-dev liblzma-dev libutfcpp-dev libtbb-dev"
paraview="python3-paraview xvfb libgl1-mesa-dri"
# From Python's package index, into a folder of their own: the current readers, beside Debian's, and OpenMM to compare with.
readers="vtk==9.7.2 MDAnalysis mdtraj h5py openmm"
gpu="hipcc libamdhip64-dev rocm-device-libs libvkfft-dev"
sudo=""
[ "$(id -u)" = 0 ] || sudo=sudo
here=$(dirname "$0")
packages=$build
with_vtk=no
with_readers=no
for option in "$@"; do
    case $option in
        --test) packages="$packages $test $vtk $paraview"; with_vtk=yes; with_readers=yes ;;
        --vtk) packages="$packages $vtk"; with_vtk=yes ;;
        --gpu) packages="$packages $gpu" ;;
        *) echo "install-deps.sh: unknown option $option" >&2; exit 2 ;;
    esac
done
installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'; }
# Nothing to do where all are there already (and no network then).
missing=$(for p in $packages; do installed "$p" || echo "$p"; done)
if [ -f "$here/../build/vtk/complete" ] || installed libvtk9-dev; then with_vtk=no; fi
if [ -n "$missing" ] || [ $with_vtk = yes ]; then $sudo apt-get -o DPkg::Lock::Timeout=600 update -qq; fi
if [ -n "$missing" ]; then
    DEBIAN_FRONTEND=noninteractive $sudo apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends $missing
fi
if [ $with_vtk = yes ]; then "$here/unpack_vtk.sh" "$here/../build/vtk"; fi
if [ $with_readers = yes ] && [ "$(cat "$here/../build/readers/complete" 2>/dev/null)" != "$readers" ]; then
    python3 -m venv "$here/../build/readers"
    "$here/../build/readers/bin/pip" install --quiet --disable-pip-version-check $readers
    echo "$readers" > "$here/../build/readers/complete"
fi
