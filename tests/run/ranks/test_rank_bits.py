# SPDX-License-Identifier: Apache-2.0
"""The same positions, velocities, energies and frames for any number of ranks and threads, any grid of regions, wherever
their faces are, with and without ranks for the mesh alone.

    test_rank_bits.py PROGRAM SOURCE_DIR [--all JOURNAL]

In CI a water box, a droplet in vacuum and a slab with few rank counts; with --all 200 steps of these and of ubiquitin in a
dodecahedron, on 1 to 16 ranks with 1 and 2 threads and every grid (validation/ranks), as many at once as there are
processors. What the file JOURNAL has is not run again.
"""

import itertools
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness  # noqa: E402
from harness import FINISHED, SKIPPED, Failure, Program, require  # noqa: E402

LAUNCH = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n"]
PRODUCE = """
[[stage]]
name = "produce"
kind = "dynamics"
duration = "{fs} fs"
timestep = "2 fs"
temperature = "300 K"
{pressure}
"""
OUTPUTS = """
[output]
trajectory = { every = "40 steps", format = ["h5md"], velocities = true, forces = true }
energies = { every = "20 steps" }
log = { every = "100 steps" }
"""


def water_box(source):
    """Lines of atoms and box edge [nm] of 900 waters."""
    lines = (source / "inputs" / "water" / "water.gro").read_text().splitlines()
    return lines[2:-1], [float(word) for word in lines[-1].split()]


def write_waters(folder, source, atoms, box):
    top = (source / "inputs" / "water" / "water.top").read_text().splitlines()
    last = max(n for n, line in enumerate(top) if line.split()[:1] == ["SOL"])
    top[last] = f"SOL {len(atoms) // 3}"
    (folder / "run.top").write_text("\n".join(top) + "\n")
    text = ["waters", f"{len(atoms):5d}", *atoms, " ".join(f"{edge:.5f}" for edge in box)]
    (folder / "run.gro").write_text("\n".join(text) + "\n")


def system_of(forces="", pressure="", velocities="file", minimise=""):
    head = f'[system]\ntopology = "run.top"\ncoordinates = "run.gro"\nvelocities = "{velocities}"\n'
    return lambda steps: head + forces + OUTPUTS + minimise + PRODUCE.format(fs=2 * steps, pressure=pressure)


def water(folder, source):
    write_waters(folder, source, *water_box(source))
    return system_of(pressure='pressure = "1 bar"')


def prolates(folder, source):
    """The water box with the mesh of Ewald summation with prolates."""
    write_waters(folder, source, *water_box(source))
    return system_of('[forces]\nelectrostatics = "esp"\n', 'pressure = "1 bar"')


def droplet(folder, source):
    """The waters within 1.1 nm of the middle, in vacuum: all pairs."""
    atoms, box = water_box(source)
    kept = []
    for n in range(0, len(atoms), 3):
        place = [float(word) for word in atoms[n][20:].split()[:3]]
        if sum((x - 0.5 * edge) ** 2 for x, edge in zip(place, box)) < 1.1**2:
            kept += atoms[n : n + 3]
    write_waters(folder, source, kept, [0.0, 0.0, 0.0])
    return system_of('[forces]\nelectrostatics = "none"\n')


def slab(folder, source):
    """A layer of water with as much emptiness above it, the barostat moving x and y together."""
    atoms, box = water_box(source)
    write_waters(folder, source, atoms, [box[0], box[1], 2.2 * box[2]])
    return system_of(pressure='pressure = "1 bar"\ncoupling = "semi-isotropic"')


def langevin(folder, source):
    """The water box with random forces and volume trials."""
    write_waters(folder, source, *water_box(source))
    return system_of(pressure='integrator = "langevin"\npressure = "1 bar"\nbarostat = "monte-carlo"', velocities="generate")


def ubiquitin(folder, source):
    """In a rhombic dodecahedron, minimised first, the backbone held."""
    for kind in ("top", "gro"):
        shutil.copy(source / "inputs" / "ubiquitin" / f"ubiquitin.{kind}", folder / f"run.{kind}")
    held = 'restrain = [{ select = "protein and backbone", force_constant = "200 kJ/mol/nm^2", scale_with_box = true }]'
    relax = '\n[[stage]]\nname = "relax"\nkind = "minimise"\nstop_below = "200 kJ/mol/nm"\nmax_steps = 20\n'
    return system_of(pressure=f'pressure = "1 bar"\n{held}', velocities="generate", minimise=relax)


def grids_of(ranks):
    """All grids of so many regions."""
    for x, y in itertools.product(range(1, ranks + 1), repeat=2):
        if ranks % (x * y) == 0:
            yield [x, y, ranks // (x * y)]


class Runs:
    """Runs of one system, compared with the first one, which one rank makes."""

    def __init__(self, program, parent, source, make, steps, keys=None):
        self.program, self.parent, self.keys = program, parent, keys or {}
        self.name = make.__name__
        self.template = parent / self.name
        self.template.mkdir()
        (self.template / "run.inp").write_text(make(self.template, source)(steps))
        self.reference = None
        self.run(1, 1, {})

    def run(self, ranks, threads, keys):
        folder = Path(tempfile.mkdtemp(dir=self.parent))
        shutil.copytree(self.template, folder, symlinks=True, dirs_exist_ok=True)
        command = [*LAUNCH, str(ranks)] if ranks > 1 else []
        command += [self.program.path, "-i", "run.inp", "--quiet", "--threads", str(threads)]
        for key, value in {"debug.list_every": 16, **self.keys, **keys}.items():
            command += ["--set", f"{key}={value}"]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=900,
                                  env={**os.environ, "OMP_WAIT_POLICY": "passive"})
            require(done.returncode == FINISHED, f"{' '.join(command)}\nexit {done.returncode}\n{done.stdout}{done.stderr}")
            found = harness.state_of(folder), (folder / "run.energies.csv").read_text(), frames_of(folder)
        finally:
            shutil.rmtree(folder)
        if self.reference is None:
            self.reference = found
        for what, mine, first in zip(("state", "energies", "frames"), found, self.reference):
            require(mine == first, f"{' '.join(command)}\n{what} differ: {str(mine)[-300:]}\n{str(first)[-300:]}")


def frames_of(folder):
    """Positions, velocities and forces of all frames, bit for bit."""
    contents = harness.h5_contents(folder / "run.h5")
    require(contents, "neither h5py nor h5dump is there to read frames with")
    return {name: value for name, value in contents.items() if name == "dump" or name.startswith("particles/all/")}


def some(program, folder, source):
    moved = {"debug.balance": '"forced"'}
    for make, ways in (
        (water, [(2, 1, {}), (4, 2, moved), (3, 1, {"hardware.mesh_ranks": 1}), (8, 1, {"debug.ranks_grid": "[2, 2, 2]"}),
                 (6, 1, {"debug.ranks_grid": "[6, 1, 1]", **moved})]),
        (langevin, [(4, 1, moved), (2, 1, {"hardware.mesh_ranks": 1})]),
        (prolates, [(2, 1, {}), (4, 2, moved), (3, 1, {"hardware.mesh_ranks": 1})]),
        (droplet, [(4, 1, {}), (6, 1, {})]),
        (slab, [(4, 1, {}), (4, 1, {"debug.ranks_grid": "[1, 1, 4]", **moved})]),
    ):
        runs = Runs(program, folder, source, make, 80)
        for ranks, threads, keys in ways:
            runs.run(ranks, threads, {"hardware.mesh_ranks": 0, **keys})
        print(f"{make.__name__}: the same on {len(ways)} other ways", flush=True)


def ways_of(make, turn):
    """Ranks, threads and keys. Each grid comes in two turns: one with faces where they are and one with faces that are
    moved, one with a thread and one with two."""
    count = itertools.count(turn)
    for ranks in (1, 2, 3, 4, 6, 8, 12, 16):
        for grid in grids_of(ranks):
            moved = {"debug.balance": '"forced"'} if next(count) % 2 else {}
            yield ranks, 1 + (len(moved) + turn) % 2, {"debug.ranks_grid": grid, "hardware.mesh_ranks": 0, **moved}
        if ranks > 1 and make is not droplet:
            yield ranks, 1 + turn, {"hardware.mesh_ranks": ranks // 2 if turn else max(1, ranks // 4)}


def every(program, folder, source, journal):
    """In an order without order, so that a part of it is a sample of all."""
    done = set(journal.read_text().splitlines()) if journal.exists() else set()
    ways = [(runs, way) for make in (water, langevin, prolates, droplet, slab, ubiquitin)
            for runs in [Runs(program, folder, source, make, 200)] for turn in (0, 1) for way in ways_of(make, turn)]
    random.Random(1).shuffle(ways)

    def failed(numbered):
        n, (runs, (ranks, threads, keys)) = numbered
        settings = " ".join(f"{key.split('.')[1]}={value}" for key, value in keys.items())
        line = f"{runs.name}: {ranks} ranks, {threads} threads, {settings}: state {runs.reference[0][2]}"
        if line in done:
            return False
        began = time.monotonic()
        try:
            runs.run(ranks, threads, keys)
        except (Failure, subprocess.TimeoutExpired) as failure:
            print(f"{n} of {len(ways)}: {line}: FAILED\n{failure}", flush=True)
            return True
        with journal.open("a") as file:
            file.write(line + "\n")
        print(f"{n} of {len(ways)}: {line} ({time.monotonic() - began:.1f} s)", flush=True)
        return False

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        count = sum(pool.map(failed, enumerate(ways, 1)))
    require(count == 0, f"{count} of {len(ways)} ways failed")


def main(arguments):
    program, source = Program(arguments[0]), Path(arguments[1]).resolve()
    if shutil.which("mpirun") is None:
        print("skipped: no mpirun")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        try:
            if "--all" in arguments:
                every(program, Path(folder), source, Path(arguments[arguments.index("--all") + 1]))
            else:
                some(program, Path(folder), source)
        except Failure as failure:
            print(failure)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
