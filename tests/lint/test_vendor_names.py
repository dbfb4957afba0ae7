# SPDX-License-Identifier: Apache-2.0
"""Words of CUDA and HIP stand in gpu/api only: kernels use those of gpu/api/kernel.h, everything else its classes."""
import pathlib
import re
import sys

import sources

WORD = re.compile(r"\b(?:cuda[A-Z]\w*|hip[A-Z]\w*|cufft\w+|VkFFT\w*|__(?:global|device|shared|host|constant)__|threadIdx|blockIdx|blockDim|"
                  r"gridDim|__syncthreads|__syncwarp|__(?:shfl|ballot|any|all)\w*|atomic(?:Add|Max|Min|Exch|CAS)|__launch_bounds__)\b|<<<")


def faults(file, text):
    code = sources.bare(text)
    return [f"{file}:{sources.line_of(code, m.start())}: {m.group(0)} belongs to gpu/api" for m in WORD.finditer(code)]


def main():
    planted = 'void f() { cudaMalloc(p, 8); g<<<1, 2>>>(); __syncthreads(); hipFree(p); }\n// cudaFree, and "hipFree"\n'
    if len(faults("planted", planted)) != 4:
        print("the check does not find the faults that were planted")
        return 1
    root, problems, count = pathlib.Path(sys.argv[2]), [], 0
    for path in sources.files(root):
        file = path.relative_to(root).as_posix()
        if not file.startswith("gpu/api/"):
            problems += faults(file, sources.read(path))
            count += 1
    print("\n".join(problems) or f"{count} sources without a vendor's word")
    return 1 if problems else 0


sys.exit(main())
