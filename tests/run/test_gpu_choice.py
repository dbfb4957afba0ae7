# SPDX-License-Identifier: Apache-2.0
"""hardware.gpu: what is taken, and what is said where that cannot be. Runs with any build, on machines with GPUs and
without; what only one of them can show is skipped on the other, which a printed line says.

    test_gpu_choice.py PROGRAM SOURCE_DIR [TEST...]
"""

import os
import re
import shutil
import socket
import subprocess

import harness
from harness import FINISHED, HEAD, INPUT, OUTPUT, RELAX, dynamics, require

WAYS = ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL")


def prepare(folder, hardware=""):
    harness.solution(folder, edge=6)
    (folder / "run.inp").write_text(HEAD + f"[hardware]\n{hardware}\n" + OUTPUT + RELAX)


def check(program, folder, *settings, expect=FINISHED, variables=None):
    arguments = [word for setting in settings for word in ("--set", setting)]
    return program.run(folder, "-i", "run.inp", "--check", *arguments, expect=expect, variables=variables)


def placement(result):
    """Columns of the first row of the table, by name; columns are two spaces apart."""
    lines = result.out.splitlines()
    at = lines.index("placement:")
    names, cells = (re.split(r"  +", line.strip()) for line in lines[at + 1 : at + 3])
    require(len(names) == len(cells), f"the table of placements is not aligned\n{result}")
    return dict(zip(names, cells))


def device_of(program, folder):
    """What "auto" takes on this machine, or None."""
    name = placement(check(program, folder, 'hardware.gpu="auto"'))["device"]
    return None if name == "-" else name


def has_back_end(program, folder):
    return "built without" not in check(program, folder, 'hardware.gpu="auto"').out


def test_auto_says_in_one_line_why_there_is_none(program, folder, source):
    prepare(folder)
    if device_of(program, folder):
        print("not tested: there is a GPU")
        return
    for result in (check(program, folder), program.run(folder, "-i", "run.inp", expect=FINISHED)):
        lines = [line for line in result.out.splitlines() if "no GPU" in line]
        require(len(lines) == 1 and re.match(r"no GPU: .+", lines[0]), f"wanted one line\n{result}")
        require(result.err == "", str(result))
    require(lines[0] in (folder / "run.log").read_text().splitlines(), "the log does not say why there is no GPU")


def test_required(program, folder, source):
    prepare(folder, 'gpu = "required"')
    if device_of(program, folder):
        require(placement(check(program, folder))["device"] != "-", "no device was taken")
        return
    for command in ((), ("--check",), ("--restart",)):
        result = program.run(folder, "-i", "run.inp", *command, expect=INPUT)
        require(re.match(r"error: \[MD70[12]\] \S*run\.inp:8: ", result.err), str(result))
        require("try:" in result.err and 'gpu = "auto"' in result.err, str(result))
        require("preset" in result.err or "driver" in result.err or "device" in result.err, str(result))
    require(not (folder / "run.log").exists(), "there are outputs of a run that could not start")
    check(program, folder, "hardware.gpu=[0]", expect=INPUT)


def test_list_out_of_range(program, folder, source):
    prepare(folder, "gpu = [4000]")
    result = check(program, folder, expect=INPUT)
    require("[MD70" in result.err and "run.inp:8" in result.err and "try:" in result.err, str(result))
    if device_of(program, folder):
        require("no device 4000 among" in result.err, str(result))


def test_off_and_host(program, folder, source):
    prepare(folder)
    off = check(program, folder, 'hardware.gpu="off"')
    require("no GPU, as the input asks" in off.out.splitlines() and placement(off)["device"] == "-", str(off))
    host = check(program, folder, 'hardware.gpu="host"')
    require(placement(host)["device"] == "host" and "no GPU" not in host.out, str(host))
    require(host.err == "", str(host))


def test_wrong_values(program, folder, source):
    for value, code, words in (
        ('"requird"', "MD105", 'gpu = "required"'),
        ("true", "MD102", "list of device numbers"),
        ("1", "MD102", "gpu = [0]"),
        ("[]", "MD102", "gpu = [0]"),
        ('["0"]', "MD102", "gpu = [0]"),
        ("[-1]", "MD104", "at least 0"),
        ("[1, 1]", "MD105", "device 1 twice"),
    ):
        prepare(folder, f"gpu = {value}")
        result = check(program, folder, expect=INPUT)
        place = rf"error: \[{code}\] \S*run\.inp:8:\d+: "
        require(re.match(place, result.err) and words in result.err and "try:" in result.err, str(result))
    prepare(folder)
    result = check(program, folder, "debug.warp_width=16", expect=INPUT)
    require("[MD105]" in result.err and "32, 64" in result.err, str(result))


def test_double_precision(program, folder, source):
    prepare(folder, 'precision = "double"')
    result = check(program, folder)
    require(len(re.findall(r"^no GPU: .*double$", result.out, re.M)) == 1, str(result))
    for value in ('"required"', '"host"', "[0]"):
        result = check(program, folder, f"hardware.gpu={value}", expect=INPUT)
        require(re.match(r"error: \[MD706\] \S*run\.inp:8: ", result.err) and "try:" in result.err, str(result))
    result = program.run(folder, "energy", "-i", "run.inp", "--precision", "double", "--set", 'hardware.gpu="host"')
    require(result.code == INPUT and "[MD706] --precision:" in result.err, str(result))
    program.run(folder, "energy", "-i", "run.inp", "--precision", "double", expect=FINISHED)


def test_visible_devices(program, folder, source):
    prepare(folder, 'gpu = "required"')
    if not has_back_end(program, folder):
        print("not tested: this program has no back end for GPUs")
        return
    result = check(program, folder, expect=INPUT, variables={name: "-1" for name in WAYS})
    require(re.search(r'(CUDA|HIP)_VISIBLE_DEVICES = "-1"', result.err), str(result))
    result = check(program, folder, 'hardware.gpu="auto"', variables={name: "-1" for name in WAYS})
    require(len(re.findall(r"^no GPU: .*_VISIBLE_DEVICES = \"-1\"", result.out, re.M)) == 1, str(result))


def test_old_driver(program, folder, source):
    """A library in the driver's place that is for CUDA 12.2."""
    prepare(folder, 'gpu = "required"')
    compiler = shutil.which("g++") or shutil.which("clang++")
    if not has_back_end(program, folder) or device_of(program, folder) or not compiler:
        print("not tested: that takes a back end for GPUs, no driver, and a compiler")
        return
    (folder / "driver.cpp").write_text('extern "C" int cuDriverGetVersion(int* v) { *v = 12020; return 0; }\n')
    library = folder / "libcuda.so.1"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, folder / "driver.cpp"], check=True)
    result = check(program, folder, expect=INPUT, variables={"LD_LIBRARY_PATH": str(folder)})
    if "no NVIDIA" not in result.err and "CUDA" not in result.err:
        print("not tested: the back end is not CUDA's")
        return
    require("[MD702]" in result.err and "CUDA 12.2" in result.err, str(result))
    require(re.search(r"this program for CUDA 1[3-9]\.\d", result.err), str(result))
    result = check(program, folder, 'hardware.gpu="auto"', variables={"LD_LIBRARY_PATH": str(folder)})
    require(re.search(r"^no GPU: the driver is for CUDA 12\.2", result.out, re.M), str(result))


def test_placement(program, folder, source):
    prepare(folder)
    row = placement(check(program, folder))
    require(row["rank"] == "0" and row["host"] == socket.gethostname(), f"{row}")
    cores = set()
    for part in row["cores"].split(","):
        first, _, last = part.partition("-")
        cores |= set(range(int(first), int(last or first) + 1))
    require(cores == os.sched_getaffinity(0), f"{row}, but this test may use {sorted(os.sched_getaffinity(0))}")
    one = min(cores)
    bound = program.run(
        folder, "-i", "run.inp", "--check", expect=FINISHED, prepare=lambda: os.sched_setaffinity(0, {one})
    )
    require(placement(bound)["cores"] == str(one), str(bound))
    program.run(folder, "-i", "run.inp", expect=FINISHED)
    require("placement:" in (folder / "run.log").read_text(), "the log has no placement")


def test_local_rank(program, folder, source):
    prepare(folder)
    task = {"SLURM_PROCID": "0", "SLURM_LOCALID": "1", "SLURM_STEP_ID": "0", "SLURM_STEP_TASKS_PER_NODE": "4(x2)"}
    result = check(program, folder, variables=task)
    require("local rank 1 of 4 (SLURM_LOCALID)" in result.out, str(result))
    ranks = {"OMPI_COMM_WORLD_LOCAL_RANK": "4000", "OMPI_COMM_WORLD_LOCAL_SIZE": "4001"}
    result = check(program, folder, variables=ranks)
    require("local rank 4000 of 4001 (OMPI_COMM_WORLD_LOCAL_RANK)" in result.out, str(result))
    shared = re.findall(r"^warning: 4001 processes of this launch .* share \d+ GPUs? on host ", result.err, re.M)
    require(len(shared) == (1 if device_of(program, folder) else 0), str(result))


def test_another_process_on_the_device(program, folder, source):
    prepare(folder)
    if not device_of(program, folder):
        print("not tested: there is no GPU")
        return
    (folder / "run.inp").write_text(HEAD + OUTPUT + RELAX + dynamics("run", 10**7, 'temperature = "300 K"'))
    process = program.start(folder, "-i", "run.inp")
    harness.wait_for(lambda: (folder / "run.log").exists(), 60, "the other run")
    result = check(program, folder, "hardware.gpu=[0]")
    require("warning: GPU 0 " in result.err and f"process {process.pid} " in result.err, str(result))
    harness.end(process)
    require(check(program, folder, "hardware.gpu=[0]").err == "", "a killed process still holds the GPU")


if __name__ == "__main__":
    harness.main(
        [
            test_auto_says_in_one_line_why_there_is_none,
            test_required,
            test_list_out_of_range,
            test_off_and_host,
            test_wrong_values,
            test_double_precision,
            test_visible_devices,
            test_old_driver,
            test_placement,
            test_local_rank,
            test_another_process_on_the_device,
        ]
    )
