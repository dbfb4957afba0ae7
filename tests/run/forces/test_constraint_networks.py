# SPDX-License-Identifier: Apache-2.0
"""Networks of [ constraints ]: one step of coarse rings against GROMACS, and what a run keeps.

    test_constraint_networks.py PROGRAM SOURCE_DIR [TEST...]

The rings are a triangle and a strip of fused triangles with a tail, bent out of the plane, as Martini models of benzene and of sterols have them.
"""

import csv
import math
import os
import random
import shutil
import struct
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness  # noqa: E402
from harness import FINISHED, INPUT, require, require_same_run  # noqa: E402

os.environ["OMP_WAIT_POLICY"] = "passive"
os.environ["OMPI_MCA_mpi_yield_when_idle"] = "1"
LAUNCH = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n"]
OWN = ("debug.", "hardware.threads")

TRIANGLE = [(0, 0, 0), (0.27, 0, 0), (0.135, 0.234, 0)], [(0, 1), (1, 2), (0, 2)]
STEROL = (
    [(0, 0, 0), (0.25, 0.02, 0.03), (0.12, 0.22, 0.05), (0.38, 0.23, -0.02), (0.26, 0.45, 0.04), (0.51, 0.44, 0.06),
     (0.40, 0.66, -0.05), (0.44, 0.95, 0.02)],
    [(0, 1), (1, 2), (0, 2), (1, 3), (2, 3), (2, 4), (3, 4), (3, 5), (4, 5), (4, 6), (5, 6), (6, 7)],
)
EDGE, SIDE = 7.2, 4


def length(a, b):
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b)))


def between(a, b):
    """Distance of nearest images."""
    return length([c - EDGE * round((c - d) / EDGE) for c, d in zip(a, b)], b)


def molecule(name, ring, more=()):
    places, fixed = ring
    mass = [72.0 if n % 2 == 0 else 36.0 for n in range(len(places))]
    lines = [f"[ moleculetype ]\n{name} 1\n[ atoms ]"]
    lines += [f"{n + 1} P 1 {name} B{n + 1} {n + 1} 0.0 {m}" for n, m in enumerate(mass)]
    lines.append("[ constraints ]")
    lines += [f"{i + 1} {j + 1} 1 {length(places[i], places[j]):.9f}" for i, j in [*fixed, *more]]
    lines.append("[ exclusions ]")
    lines += [" ".join(str(n + 1) for n in range(first, len(places))) for first in range(len(places) - 1)]
    return "\n".join(lines) + "\n"


def system(folder, more=()):
    """Both kinds on a cubic grid, turned at random, with velocities."""
    numbers = random.Random(3)
    atoms = []
    count = SIDE**3
    for n in range(count):
        name, ring = ("TRI", TRIANGLE) if n < count // 2 else ("STE", STEROL)
        turn = harness.random_rotation(numbers)
        grid = (n % SIDE, n // SIDE % SIDE, n // SIDE**2)
        for k, place in enumerate(ring[0]):
            r = turn([c - m for c, m in zip(place, (0.25, 0.35, 0.0) if ring is STEROL else (0.13, 0.08, 0.0))])
            x = [c + EDGE / SIDE * (g + 0.5) for c, g in zip(r, grid)]
            atoms.append((n + 1, name, f"B{k + 1}", x, [numbers.gauss(0.0, 0.25) for _ in range(3)]))
    lines = [f"{r:5d}{name:<5}{bead:>5}{(n + 1) % 100000:5d}" + "".join(f"{c:15.10f}" for c in x)
             + "".join(f"{c:15.11f}" for c in v) for n, (r, name, bead, x, v) in enumerate(atoms)]
    (folder / "box.gro").write_text("rings\n" + f"{len(atoms)}\n" + "\n".join(lines) + f"\n{EDGE:12.6f}{EDGE:12.6f}{EDGE:12.6f}\n")
    # sigma and epsilon of a bead as of Martini 2
    (folder / "box.top").write_text(
        "[ defaults ]\n1 2 no 1.0 1.0\n[ atomtypes ]\nP 0 72.0 0.0 A 0.43 3.4\n"
        + molecule("TRI", TRIANGLE) + molecule("STE", STEROL, more)
        + f"[ system ]\nrings\n[ molecules ]\nTRI {count // 2}\nSTE {count - count // 2}\n")


def prepared(folder, name, steps, dt="0.01 ps", keys='thermostat = "none"\n', output="1 steps"):
    run = Path(folder) / name
    run.mkdir()
    system(run)
    duration = f"{steps * float(dt.split()[0])} ps"
    (run / "run.inp").write_text(
        f"""[system]
topology = "box.top"
coordinates = "box.gro"
velocities = "file"
[forces]
cutoff = "1.1 nm"
electrostatics = "cutoff"
lennard_jones = "cut"
dispersion_correction = false
[hardware]
gpu = "off"
precision = "double"
[output]
trajectory = {{ every = "{output}", format = ["trr"] }}
energies = {{ every = "{output}" }}
[[stage]]
name = "produce"
kind = "dynamics"
duration = "{duration}"
timestep = "{dt}"
remove_com = {{ every = "0 steps" }}
{keys}""")
    return run


def last_frame(path):
    """Positions of the last frame of a .trr: XDR, single or double precision."""
    data = path.read_bytes()
    at, frame = 0, None
    while at < len(data):
        words = struct.unpack_from(">13i", data, at + 24)
        box, x, v, f, atoms = words[2], words[7], words[8], words[9], words[10]
        real = box // 9
        at += 24 + 52 + 2 * real + box + words[3] + words[4]
        frame = struct.unpack_from(f">{3 * atoms}{'f' if real == 4 else 'd'}", data, at)
        at += x + v + f
    return [frame[3 * n : 3 * n + 3] for n in range(len(frame) // 3)]


def largest_deviation(frame):
    worst, first = 0.0, 0
    for n in range(SIDE**3):
        places, fixed = TRIANGLE if n < SIDE**3 // 2 else STEROL
        for i, j in fixed:
            d = length(places[i], places[j])
            worst = max(worst, abs(length(frame[first + i], frame[first + j]) / d - 1.0))
        first += len(places)
    return worst


MDP = """integrator = md
nsteps = 1
dt = 0.01
nstxout = 1
cutoff-scheme = Verlet
verlet-buffer-tolerance = -1
nstlist = 1
rlist = 1.2
coulombtype = Cut-off
rcoulomb = 1.1
rvdw = 1.1
vdwtype = Cut-off
vdw-modifier = None
coulomb-modifier = None
tcoupl = no
pcoupl = no
comm-mode = None
gen-vel = no
continuation = yes
constraint-algorithm = shake
shake-tol = 1e-7
"""


def test_step_against_gromacs(program, folder, source):
    gmx = shutil.which("gmx_d") or shutil.which("gmx")
    if gmx is None:
        print("skipped: no gmx")
        return
    run = prepared(folder, "run", 1)
    program.run(run, "-i", "run.inp", expect=FINISHED)
    (run / "gmx.mdp").write_text(MDP)
    for command in (["grompp", "-f", "gmx.mdp", "-c", "box.gro", "-p", "box.top", "-o", "gmx.tpr", "-maxwarn", "5"],
                    ["mdrun", "-s", "gmx.tpr", "-deffnm", "gmx", "-ntmpi", "1", "-ntomp", "1"]):
        done = subprocess.run([gmx, "-quiet", *command], cwd=run, capture_output=True, text=True, timeout=120)
        require(done.returncode == 0, f"{command[0]}: {done.stderr[-2000:]}")
    ours, theirs = last_frame(run / "run.trr"), last_frame(run / "gmx.trr")
    apart = max(between(a, b) for a, b in zip(ours, theirs))
    # Single precision of positions at 7.2 nm is 2.4e-7 nm, SHAKE's tolerance 1e-7 of a length.
    require(apart < 1.5e-6, f"{apart} nm apart after one step")
    moved = [between(a, [float(line[20 + 15 * k : 35 + 15 * k]) for k in range(3)])
             for a, line in zip(ours, (run / "box.gro").read_text().splitlines()[2:])]
    require(max(moved) > 1e-3, "nothing moves")


def test_lengths_and_energy(program, folder, source):
    """1,000 steps of 10 fs at constant energy."""
    run = prepared(folder, "run", 1000, output="100 steps")
    smooth = ("--set", 'forces.lennard_jones="force-switch"', "--set", 'forces.switch_from="0.9 nm"')
    program.run(run, "-i", "run.inp", *smooth, expect=FINISHED)
    worst = largest_deviation(last_frame(run / "run.trr"))
    require(worst < 4e-6, f"a length is off by {worst} (positions are in single precision)")
    rows = list(csv.DictReader(open(run / "run.energies.csv")))
    conserved = [float(row["conserved [kJ/mol]"]) for row in rows]
    kinetic = float(rows[0]["kinetic [kJ/mol]"])
    drift = max(conserved) - min(conserved)
    require(drift < 2e-3 * kinetic, f"conserved energy varies by {drift} of {kinetic} kJ/mol")


def test_bits(program, folder, source):
    keys = 'temperature = "300 K"\npressure = "1 bar"\n'
    reference = prepared(folder, "reference", 60, keys=keys, output="20 steps")
    program.run(reference, "-i", "run.inp", expect=FINISHED, threads=1)
    threads = prepared(folder, "threads", 60, keys=keys, output="20 steps")
    program.run(threads, "-i", "run.inp", expect=FINISHED, threads=3)
    require_same_run(reference, threads, drop=OWN)
    if shutil.which("mpirun") is None:
        print("skipped: no mpirun")
        return
    ranks = prepared(folder, "ranks", 60, keys=keys, output="20 steps")
    done = subprocess.run([*LAUNCH, "3", program.path, "-i", "run.inp", "--threads", "1"], cwd=ranks,
                          capture_output=True, text=True, timeout=300)
    require(done.returncode == FINISHED, f"exit {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    require(harness.state_of(ranks) == harness.state_of(reference), "3 ranks: another state")


def test_all_bonds(program, folder, source):
    """Methanol, whose six atoms are one group then, and water."""
    run = Path(folder) / "run"
    run.mkdir()
    harness.solution(run, edge=6)
    head = harness.HEAD.replace("[forces]", 'constraints = "all-bonds"\n[forces]')
    stage = harness.dynamics("produce", 20, 'temperature = "300 K"')
    (run / "run.inp").write_text(head + harness.OUTPUT + harness.RELAX + stage)
    out = program.run(run, "-i", "run.inp", "--check", expect=FINISHED).out
    require("MOH: 5 bonds fixed" in out, f"--check does not say what is fixed:\n{out[-2000:]}")
    program.run(run, "-i", "run.inp", expect=FINISHED)
    frame = last_frame(run / "run.trr")
    for first in range(0, 48, 6):
        for i, d in ((1, 0.109), (2, 0.109), (3, 0.109), (4, 0.141)):
            off = length(frame[first], frame[first + i]) - d
            require(abs(off) < 5e-7, f"molecule {first // 6 + 1}: a bond is off by {off} nm")


def test_dependent_distance(program, folder, source):
    """All ten distances of the first five beads, within a group whose count alone would pass."""
    run = prepared(folder, "run", 1)
    system(run, more=[(0, 3), (0, 4), (1, 4)])
    message = program.run(run, "-i", "run.inp", "--check", expect=INPUT).err
    for word in ("MD452", "STE", "atoms 2 (B2) and 5 (B5)", "follows from the other", "try:"):
        require(word in message, f"no {word!r} in\n{message}")


if __name__ == "__main__":
    harness.main([test_step_against_gromacs, test_lengths_and_energy, test_bits, test_all_bonds, test_dependent_distance])
