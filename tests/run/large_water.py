# SPDX-License-Identifier: Apache-2.0
"""Large boxes of water, tiled from inputs/water, and what a run of one costs: memory, and time until it steps."""

import os
import re
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

STEPS = 5

DECK = f"""\
[system]
topology = "water.top"
coordinates = "water.gro"
velocities = "file"
[output]
trajectory = []
log = {{ every = "1 steps" }}
[[stage]]
name = "produce"
kind = "dynamics"
duration = "{2 * STEPS} fs"
timestep = "2 fs"
temperature = "300 K"
"""


def tile(source, folder, tiles):
    """Writes water.gro, water.top and water.inp: inputs/water repeated tiles[k] times along each axis. Returns the
    number of atoms."""
    lines = (source / "inputs" / "water" / "water.gro").read_text().splitlines()
    count, box = int(lines[1]), [float(word) for word in lines[-1].split()]
    atoms, width = lines[2 : 2 + count], lines[2].index(".", lines[2].index(".") + 1) - lines[2].index(".")
    places = [tuple(float(a[20 + width * k : 20 + width * (k + 1)]) for k in range(3)) for a in atoms]
    names = [(int(a[:5]), a[5:15], a[20 + 3 * width :]) for a in atoms]
    molecules, number = count // 3, 0
    shifts = [(i, j, k) for i in range(tiles[0]) for j in range(tiles[1]) for k in range(tiles[2])]
    form = "%5d%s%5d" + 3 * f"%{width}.{width - 5}f" + "%s\n"
    with open(folder / "water.gro", "w") as file:
        file.write(f"tiled water\n{count * len(shifts)}\n")
        for n, shift in enumerate(shifts):
            x, y, z = (box[k] * shift[k] for k in range(3))
            for (residue, name, velocity), r in zip(names, places):
                number += 1
                head = ((residue + n * molecules) % 100000, name, number % 100000)
                file.write(form % (*head, r[0] + x, r[1] + y, r[2] + z, velocity))
        file.write(" ".join(f"{length * n:.8f}" for length, n in zip(box, tiles)) + "\n")
    topology = (source / "inputs" / "water" / "water.top").read_text()
    (folder / "water.top").write_text(topology.replace("SOL 900", f"SOL {molecules * len(shifts)}"))
    (folder / "water.inp").write_text(DECK)
    return count * len(shifts)


@dataclass
class Cost:
    first_step: float  # from the start until the energies of the first step were known [s]
    processor: float  # time of all threads until the end [s]
    bytes_an_atom: float  # largest resident memory


def measure(program, folder, atoms, threads):
    """Runs the tiled box for a few steps."""
    began = time.monotonic()
    with open(folder / "messages.txt", "wb") as messages:
        process = subprocess.Popen([program, "-i", "water.inp", "--threads", str(threads)],
                                   cwd=folder, stdout=messages, stderr=messages)
    log, first = folder / "water.log", None
    while True:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if first is None and log.exists() and re.search(r"^ +step +1 ", log.read_text(), re.MULTILINE):
            first = time.monotonic() - began
        if ended:
            break
        time.sleep(0.01)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0 or first is None:
        raise RuntimeError(f"exit {process.returncode}\n{(folder / 'messages.txt').read_text()[-3000:]}")
    return Cost(first, usage.ru_utime + usage.ru_stime, 1024.0 * usage.ru_maxrss / atoms)
