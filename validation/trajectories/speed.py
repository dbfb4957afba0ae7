# SPDX-License-Identifier: Apache-2.0
"""How fast a trajectory of a million atoms and ten frames goes from each format to each, and in how much memory.

usage: speed.py MDSIM [--atoms N] [--frames N] [--pairs dcd:h5,h5:xtc] [--folder DIR] [--least MB/s] [--random]

Prints a table; exit code 1 where a pair is below --least (100) MB/s or takes 600 MB of memory or more. MB/s are of positions
in single precision, 12 bytes an atom and frame, over the whole time of the command, the best of --repeats."""

import argparse
import itertools
import os
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

MOST_MEMORY = 600  # MB
ENDINGS = ("h5", "xtc", "trr", "dcd", "nc", "gro", "pdb", "cif")
NAMED = ("gro", "pdb", "cif")  # formats that keep names


def waters(atoms, generator):
    """Positions [nm] of water molecules on a grid, turned at random, at the density of water; and the edge of the box."""
    molecules = (atoms + 2) // 3
    side = int(np.ceil(molecules ** (1 / 3)))
    oxygens = 0.3104 * np.stack(np.unravel_index(np.arange(molecules), (side,) * 3), axis=1)
    along = generator.normal(size=(molecules, 2, 3))
    along *= 0.09572 / np.linalg.norm(along, axis=2, keepdims=True)
    places = np.concatenate((oxygens[:, None], oxygens[:, None] + along), axis=1)
    return places.reshape(-1, 3)[:atoms].astype(np.float32), 0.3104 * side


def record(data):
    return struct.pack("<i", len(data)) + data + struct.pack("<i", len(data))


def write_dcd(path, frames, x, edge, generator):
    """CHARMM's format with a cell; every frame moves all atoms a little."""
    counts = struct.pack("<9if10i", frames, 0, 1, 0, 0, 0, 0, 0, 0, 0.0204548, 1, 0, 0, 0, 0, 0, 0, 0, 0, 24)
    with open(path, "wb") as file:
        file.write(record(b"CORD" + counts) + record(struct.pack("<i", 1) + b"of water".ljust(80)))
        file.write(record(struct.pack("<i", len(x))))
        for _ in range(frames):
            file.write(record(struct.pack("<6d", 10 * edge, 90, 10 * edge, 90, 90, 10 * edge)))
            for axis in range(3):
                file.write(record((10 * x[:, axis]).astype("<f4").tobytes()))
            x += generator.normal(scale=0.02, size=x.shape).astype(np.float32)


def write_names(path, x, edge):
    lines = [f"{n // 3 % 99999 + 1:5d}SOL  {('OW', 'HW1', 'HW2')[n % 3]:>5}{(n + 1) % 100000:5d}{a:8.3f}{b:8.3f}{c:8.3f}\n"
             for n, (a, b, c) in enumerate(x.tolist())]
    path.write_text(f"water\n{len(lines)}\n{''.join(lines)}{edge:10.5f}{edge:10.5f}{edge:10.5f}\n")


def convert(mdsim, folder, one, other, names):
    """Time [s], time of processors [s], memory [MB]."""
    words = [mdsim, "convert", one, other, "--quiet", *(["--topology", names] if names else [])]
    began = time.monotonic()
    process = subprocess.Popen(words, cwd=folder)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status != 0:
        sys.exit(f"{' '.join(words)}: status {status}")
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measure(mdsim, folder, one, other, repeats):
    names = "names.gro" if other in NAMED and one not in NAMED + ("h5",) else None
    tries = []
    for _ in range(repeats):
        (folder / f"out.{other}").unlink(missing_ok=True)
        tries.append(convert(mdsim, folder, f"in.{one}", f"out.{other}", names))
    size = (folder / f"out.{other}").stat().st_size
    for path in folder.glob("out.*"):
        path.unlink()
    return min(t[0] for t in tries), min(t[1] for t in tries), max(t[2] for t in tries), size


def prepare(mdsim, folder, arguments, formats):
    generator = np.random.default_rng(3)
    x, edge = waters(arguments.atoms, generator)
    if arguments.random:
        x = (edge * generator.random(x.shape)).astype(np.float32)
    write_names(folder / "names.gro", x, edge)
    write_dcd(folder / "in.dcd", arguments.frames, x, edge, generator)
    for one in formats:
        if one != "dcd":
            convert(mdsim, folder, "in.dcd", f"in.{one}", "names.gro" if one in NAMED + ("h5",) else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mdsim", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("--atoms", type=int, default=1_000_000)
    parser.add_argument("--frames", type=int, default=10)
    parser.add_argument("--pairs")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--least", type=float, default=100.0)
    parser.add_argument("--random", action="store_true", help="atoms anywhere, which packs worst")
    parser.add_argument("--folder", help="where there is room for some GB")
    arguments = parser.parse_args()
    pairs = [tuple(pair.split(":")) for pair in arguments.pairs.split(",")] if arguments.pairs else list(
        itertools.product(ENDINGS, repeat=2))
    megabytes = 12e-6 * arguments.atoms * arguments.frames
    missed = 0
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder = Path(name)
        prepare(arguments.mdsim, folder, arguments, sorted({one for one, _ in pairs}))
        print("from  to    MB/s  MB/processor s  MB of file/s  memory MB")
        for one, other in pairs:
            seconds, busy, memory, size = measure(arguments.mdsim, folder, one, other, arguments.repeats)
            low = megabytes / seconds < arguments.least or memory >= MOST_MEMORY
            missed += low
            print(f"{one:5} {other:5} {megabytes / seconds:5.0f} {megabytes / busy:15.0f} {1e-6 * size / seconds:13.0f} "
                  f"{memory:10.0f}{'   missed' if low else ''}", flush=True)
    print(f"{len(pairs)} pairs, {missed} missed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
