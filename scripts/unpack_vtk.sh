#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# unpack_vtk.sh DIR: the headers, libraries and CMake files of Debian's VTK in DIR/usr (34 MB to fetch, 0.2 GB on disk), for
# -DCMAKE_PREFIX_PATH=DIR/usr. Installing libvtk9-dev is what to do elsewhere; here it would need 1.5 GB, and it conflicts with
# Debian's ParaView (by python3-vtk9), which the tests read its files with. Does nothing where DIR is complete.
set -euo pipefail
[ -f "$1/complete" ] && exit 0
rm -rf "$1"
mkdir -p "$1/debs"
directory=$(readlink -f "$1")
# All but the first two only because VTK's CMake files insist that everything that they list is there.
(cd "$directory/debs" && apt-get -qq -o APT::Sandbox::User=root download \
    libvtk9-dev libvtk9.1 libvtk9.1-qt vtk9 python3-vtk9 libvtk9-java)
for package in "$directory"/debs/*.deb; do dpkg -x "$package" "$directory"; done
rm -rf "$directory/debs"
touch "$directory/complete"
