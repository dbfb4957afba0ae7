# SPDX-License-Identifier: Apache-2.0
"""What a kernel takes of an sm_90 multiprocessor, by the compiler's report: no spills and no local memory, or the test
fails. Prints registers, shared memory and the occupancy that follows for blocks of 128 threads."""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# CUDA C++ Programming Guide, technical specifications of compute capability 9.0, for each multiprocessor.
REGISTERS, SHARED, WARPS, BLOCKS = 65536, 227 * 1024, 64, 32
WARPS_A_BLOCK = 4
ENTRY = re.compile(r"Compiling entry function '(\w+)'.*?(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads.*?"
                   r"Used (\d+) registers(.*?)(?:\n|$)", re.S)


def occupancy(registers, shared):
    """Warps on a multiprocessor of those that it could hold; registers are given out in 8s a thread."""
    blocks = min(BLOCKS, WARPS // WARPS_A_BLOCK, REGISTERS // (-(-registers // 8) * 8 * 32 * WARPS_A_BLOCK))
    if shared:
        blocks = min(blocks, SHARED // (shared + 1024))
    return blocks * WARPS_A_BLOCK / WARPS


def rows_of(report):
    for name, stack, stores, loads, registers, rest in ENTRY.findall(report):
        shared = re.search(r"(\d+) bytes smem", rest)
        yield name, int(stack), int(stores) + int(loads), int(registers), int(shared.group(1)) if shared else 0


def short_name(mangled):
    """The kernel and what it is made for: a number, or the forms of a pair kernel."""
    words = re.findall(r"\d+([a-z_]+_kernel)(?:ILi(\d+)E)?", mangled)
    if not words:
        return mangled
    kernel, number = words[-1]
    forms = re.findall(r"\d+((?:Lj|Coulomb)\w+?)(?=ENS|ELb)", mangled) + ["everything"] * ("ELb1E" in mangled)
    return f"{kernel}<{', '.join(forms) or number}>" if forms or number else kernel


def compile_kernel(kernel):
    nvcc, source, flags = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    with tempfile.TemporaryDirectory() as folder:
        command = [nvcc, "-std=c++20", "-O3", *flags, f"-I{source}", f"-I{source / 'src'}", "-gencode", "arch=compute_90,code=sm_90",
                   "-Xptxas", "-v", "-c", str(kernel), "-o", folder + "/kernel.o"]
        return subprocess.run(command, capture_output=True, text=True, check=False)


def main():
    problems, count = [], 0
    kernels = sorted((pathlib.Path(sys.argv[2]) / "gpu" / "kernels").rglob("*.cu"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        reports = list(pool.map(compile_kernel, kernels))
    for kernel, report in zip(kernels, reports):
        if report.returncode != 0:
            print(report.stderr)
            return 1
        found = list(rows_of(report.stderr))
        if not found:
            problems.append(f"{kernel.name}: the report names no kernel")
        for name, stack, spilled, registers, shared in found:
            short = short_name(name)
            print(f"{short:72} {registers:4} registers {shared:6} bytes shared  occupancy {100 * occupancy(registers, shared):3.0f} %")
            if stack or spilled:
                problems.append(f"{short}: {stack} bytes of local memory, {spilled} bytes spilled")
        count += len(found)
    print("\n".join(problems) or f"{count} kernels, none with local memory or spills")
    return 1 if problems else 0


sys.exit(main())
