#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# In a bundle: starts the program of this script's name with the libraries beside it, and with cuFFT of the machine's toolkit, or
# of NVIDIA's package for Python.
root=$(cd "$(dirname "$0")" && while [ ! -d libexec ]; do cd ..; done && pwd)
library=libcufft.so.12
for found in "${CUDA_HOME:-/usr/local/cuda}"/{lib64,lib,targets/x86_64-linux/lib}; do
    [ -e "$found/$library" ] && break
    found=
done
[ -n "$found" ] || found=$(python3 -c "
import pathlib, sys
files = (f for p in sys.path for f in pathlib.Path(p).glob('nvidia/*/lib/$library'))
print(next((f.parent for f in files), ''))")
export LD_LIBRARY_PATH=$root/lib:$found${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export MDSIM_SOURCE_DIR=$root
exec "$root/libexec/${0##*/}" "$@"
