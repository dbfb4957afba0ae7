# SPDX-License-Identifier: Apache-2.0
"""Virtual sites of all kinds: energies and forces of GROMACS, pressure by a change of volume, and steps of four- and
five-site water with the same bits for any number of ranks, threads, lists, devices and restarts.

    test_virtual_sites.py PROGRAM SOURCE_DIR [TEST...]
"""

import json
import math
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness  # noqa: E402
from harness import FINISHED, INPUT, STOPPED, require  # noqa: E402

ATOMS = 5
PARENT_OF_FIRST_KIND = 1
# Sites behind the five atoms of a molecule, charge by charge, and what they are made from.
SITES = """\
[ virtual_sites1 ]
6 1 1
[ virtual_sites2 ]
7 1 2 1 0.35
8 2 3 2 0.06
[ virtual_sites3 ]
9 1 2 3 1 0.2 0.3
10 3 1 4 2 0.6 -0.07
11 2 3 5 3 120 0.08
12 1 2 4 4 0.3 -0.2 2.5
[ dummies4 ]
13 1 2 3 4 2 0.9 0.4 0.06
[ virtual_sitesn ]
14 1 1 2 3 4 5
15 2 1 2 5
16 3 1 0.5 3 1.5 5 2
17 1 7 9
"""
CHARGES = [0.4, -0.3, 0.5, 0.2, -0.4, 0.1, -0.2, 0.3, -0.5, 0.2, 0.1, -0.3, 0.25, -0.15, 0.2, -0.3, -0.1]
LAUNCH = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n"]


def molecules_with_sites(folder, edge=4, spacing=0.65, seed=3):
    """edge^3 molecules of five bonded atoms and twelve sites, which begin at a wrong place."""
    numbers = random.Random(seed)
    top = ["[ defaults ]", "1 2 no 1 1", "[ atomtypes ]", "A 6 12.0 0 A 0.22 0.4", "B 7 14.0 0 A 0.2 0.3",
           "S 0 0.0 0 V 0.18 0.1", "[ moleculetype ]", "M 1", "[ atoms ]"]
    for n, charge in enumerate(CHARGES, 1):
        kind = "S" if n > ATOMS else "AB"[n % 2]
        top.append(f"{n} {kind} 1 MOL X{n} 1 {charge} {0 if n > ATOMS else 12 + 2 * (n % 2)}")
    top.append("[ bonds ]")
    top += [f"{i} {j} 1 0.15 20000" for i in range(1, ATOMS) for j in range(i + 1, ATOMS + 1)]
    top.append(SITES + "[ exclusions ]")
    top += [" ".join(str(j) for j in [i] + [k for k in range(1, len(CHARGES) + 1) if k != i])
            for i in range(1, len(CHARGES) + 1)]
    top += ["[ system ]", "sites", "[ molecules ]", f"M {edge ** 3}"]
    (folder / "box.top").write_text("\n".join(top) + "\n")
    corners = [(0, 0, 0), (0.15, 0, 0), (0.07, 0.13, 0), (0.07, 0.04, 0.12), (-0.05, 0.08, 0.1)]
    lines = []
    for n in range(edge ** 3):
        turn = harness.random_rotation(numbers)
        origin = [spacing * (0.5 + p) for p in (n // edge ** 2, n // edge % edge, n % edge)]
        for k in range(len(CHARGES)):
            r = turn([c + numbers.uniform(-0.01, 0.01) for c in corners[k if k < ATOMS else 0]])
            x = [o + c for o, c in zip(origin, r)]
            lines.append(f"{n + 1:5d}MOL  {'X%d' % (k + 1):>5}{(len(lines) + 1) % 100000:5d}" + "".join(f"{c:14.9f}" for c in x))
    write_gro(folder / "box.gro", lines, [edge * spacing] * 3)


def write_gro(path, lines, box):
    path.write_text("sites\n%d\n%s\n%s\n" % (len(lines), "\n".join(lines), " ".join(f"{b:.9f}" for b in box)))


REACTION_FIELD = """\
[system]
topology = "box.top"
coordinates = "box.gro"
coulomb_constant = "138.935457644 kJ nm/mol/e^2"
constraints = "none"
[forces]
cutoff = "0.9 nm"
electrostatics = "reaction-field"
reaction_field_permittivity = 78
lennard_jones = "cut"
dispersion_correction = false
[hardware]
precision = "double"
gpu = "off"
"""


def evaluate(program, folder, *keys, prefix=()):
    sets = [word for key in keys for word in ("--set", key)]
    command = [*prefix, program.path, "energy", "-i", "run.inp", "--json", "--forces", "f.csv", *sets]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    require(done.returncode == FINISHED, f"{command}\n{done.stdout}\n{done.stderr}")
    forces = [[float(x) for x in row.split(",")] for row in (folder / "f.csv").read_text().splitlines()[1:]]
    return json.loads(done.stdout[done.stdout.index("{"):]), forces


def gromacs(folder, *words, **options):
    done = subprocess.run(["gmx_d", *words], cwd=folder, capture_output=True, text=True, timeout=300, **options)
    require(done.returncode == 0, f"gmx_d {' '.join(words)}\n{done.stderr[-3000:]}")
    return done.stdout


def test_gromacs(program, folder, source):
    """Every kind against gmx in double precision, which builds the sites of the start anew."""
    if shutil.which("gmx_d") is None:
        print("skipped: there is no gmx_d to compare with")
        return
    molecules_with_sites(folder)
    (folder / "run.mdp").write_text(
        "integrator = md\nnsteps = 0\ncutoff-scheme = verlet\nrvdw = 0.9\nrcoulomb = 0.9\nrlist = 0.9\nverlet-buffer-tolerance = -1\n"
        "coulombtype = reaction-field\nepsilon-rf = 78\nvdw-modifier = none\ncoulomb-modifier = none\nDispCorr = no\n"
        "nstxout = 1\nnstfout = 1\nnstenergy = 1\ncontinuation = no\n")
    gromacs(folder, "grompp", "-f", "run.mdp", "-p", "box.top", "-c", "box.gro", "-o", "run.tpr", "-maxwarn", "2")
    gromacs(folder, "mdrun", "-deffnm", "run", "-nt", "1")
    gromacs(folder, "energy", "-f", "run.edr", "-o", "run.xvg", "-dp", input="Bond\nLJ-(SR)\nCoulomb-(SR)\nPotential\n\n")
    wanted = [float(x) for x in (folder / "run.xvg").read_text().splitlines()[-1].split()[1:]]
    gromacs(folder, "traj", "-f", "run.trr", "-s", "run.tpr", "-of", "f.xvg", "-fp", input="0\n")
    numbers = [float(x) for x in (folder / "f.xvg").read_text().splitlines()[-1].split()[1:]]
    rows = [numbers[k:k + 3] for k in range(0, len(numbers), 3)]
    (folder / "run.inp").write_text(REACTION_FIELD)
    report, forces = evaluate(program, folder)
    got = report["energies"]
    coulomb = sum(value for name, value in got.items() if name.startswith("coulomb") and "total" not in name)
    for name, mine, theirs in zip(("bond", "lj_sr", "coulomb", "potential"),
                                  (got["bond"], got["lj_sr"], coulomb, got["potential"]), wanted):
        require(abs(mine - theirs) <= 1e-6 * abs(theirs) + 1e-4, f"{name}: {mine} and {theirs} kJ/mol")
    require(len(rows) == len(forces) == report["atoms"], f"{len(rows)} and {len(forces)} rows of forces")
    # GROMACS 2022.5 loses what acts on sites of the first kind: its forces do not sum to zero. Here they do.
    kept = [n for n in range(len(rows)) if n % len(CHARGES) != PARENT_OF_FIRST_KIND - 1]
    off = sum((a - b) ** 2 for n in kept for a, b in zip(rows[n], forces[n]))
    size = sum(a * a for n in kept for a in rows[n])
    require(all(abs(sum(f[a] for f in forces)) < 1e-6 for a in range(3)), "the forces do not sum to zero")
    print(f"forces differ from those of GROMACS by {math.sqrt(off / size):.2e} of their size")
    require(off <= 1e-12 * size, f"forces differ by {math.sqrt(off / size):.2e}")
    on_sites = [f for n, f in enumerate(forces) if n % len(CHARGES) >= ATOMS]
    require(all(f == [0.0, 0.0, 0.0] for f in on_sites), "a site has a force left")


def test_pressure(program, folder, source):
    """The trace of the virial is minus the slope of the energy when atoms and box are scaled and sites placed again."""
    molecules_with_sites(folder)
    text = REACTION_FIELD.replace('"reaction-field"', '"pme"').replace('"cut"', '"shift"').replace(
        "reaction_field_permittivity = 78\n", "force_error = 1e-6\n")
    lines = (folder / "box.gro").read_text().splitlines()
    box = [float(x) for x in lines[-1].split()]
    (folder / "run.inp").write_text(text)
    virial = evaluate(program, folder)[0]["virial"]
    trace = sum(virial[a][a] for a in range(3))

    def energy(scale):
        scaled = [f"{line[:20]}" + "".join(f"{scale * float(line[20 + 14 * a:34 + 14 * a]):14.9f}" for a in range(3))
                  for line in lines[2:-1]]
        write_gro(folder / "box.gro", scaled, [scale * b for b in box])
        return evaluate(program, folder)[0]["energies"]["potential"]

    h = 1e-4
    slope = (8 * (energy(1 + h) - energy(1 - h)) - (energy(1 + 2 * h) - energy(1 - 2 * h))) / (12 * h)
    print(f"trace of the virial {trace:.3f} kJ/mol, by the change of volume {-slope:.3f}")
    require(abs(trace + slope) < 1e-4 * abs(slope) + 1.0, f"virial {trace}, slope {slope}")


# ---- water ----

MODELS = {
    # M site of TIP4P-Ew (Horn et al., J. Chem. Phys. 120 (2004) 9665) at 0.0125 nm.
    "four": ("0.0 0.52422 0.52422 -1.04844", "0.316435 0.680946", "[ virtual_sites3 ]\n4 1 2 3 1 0.106676721 0.106676721\n"),
    # Lone pairs of TIP5P (Mahoney & Jorgensen, J. Chem. Phys. 112 (2000) 8910) at 0.07 nm.
    "five": ("0.0 0.241 0.241 -0.241 -0.241", "0.312 0.66944",
             "[ virtual_sites3 ]\n4 1 2 3 4 -0.344908 -0.344908 -6.4437903493\n5 1 2 3 4 -0.344908 -0.344908 6.4437903493\n"),
}


def waters(folder, source, model, height=1.7):
    """Half of the waters of inputs/water, with sites that begin on their oxygen."""
    charges, lj, sites = MODELS[model]
    charges = charges.split()
    atoms = len(charges)
    top = ["[ defaults ]", "1 2 no 1 1", "[ atomtypes ]", f"OW 8 15.9994 0 A {lj}", "HW 1 1.008 0 A 0 0", "MW 0 0 0 V 0 0",
           "[ moleculetype ]", "SOL 2", "[ atoms ]"]
    for n, charge in enumerate(charges, 1):
        kind, mass = (("OW", 15.9994), ("HW", 1.008), ("HW", 1.008), ("MW", 0), ("MW", 0))[n - 1]
        top.append(f"{n} {kind} 1 SOL {kind}{n} 1 {charge} {mass}")
    top += ["[ settles ]", "1 1 0.09572 0.15139", sites + "[ exclusions ]"]
    top += [" ".join(map(str, [i] + [k for k in range(1, atoms + 1) if k != i])) for i in range(1, atoms + 1)]
    lines = (source / "inputs" / "water" / "water.gro").read_text().splitlines()
    box = [float(x) for x in lines[-1].split()]
    found = [water for water in (lines[2 + 3 * n:5 + 3 * n] for n in range(900)) if 0 < float(water[0].split()[5]) < height]
    top += ["[ system ]", model, "[ molecules ]", f"SOL {len(found)}"]
    (folder / "box.top").write_text("\n".join(top) + "\n")
    box[2] = height + 0.15
    out = []
    for n, water in enumerate(found):
        for k in range(atoms):
            x = [float(v) for v in water[k if k < 3 else 0][20:].split()[:3]]
            name = ("OW1", "HW2", "HW3", "MW4", "MW5")[k]
            out.append(f"{n + 1:5d}SOL  {name:>5}{(len(out) + 1) % 100000:5d}" + "".join(f"{c:14.9f}" for c in x))
    write_gro(folder / "box.gro", out, box)


STEPS = """\
[system]
topology = "box.top"
coordinates = "box.gro"
velocities = "generate"
[forces]
cutoff = "0.8 nm"
[hardware]
gpu = "off"
[output]
trajectory = {{ every = "10 steps", format = ["h5md"], velocities = true, forces = true }}
energies = {{ every = "10 steps" }}
[[stage]]
name = "relax"
kind = "minimise"
max_steps = 30
[[stage]]
name = "produce"
kind = "dynamics"
duration = "80 fs"
timestep = "2 fs"
temperature = "300 K"
{more}
"""


def state_of(folder):
    line = [line for line in (folder / "run.log").read_text().splitlines() if line.startswith("state ")][-1]
    return line.split("hash=")[1]


def steps(program, folder, name, arguments=(), prefix=(), threads=1, expect=FINISHED):
    target = folder / name
    if not target.exists():
        target.mkdir()
        for file in ("box.top", "box.gro", "run.inp"):
            shutil.copy(folder / file, target)
    done = subprocess.run([*prefix, program.path, "-i", "run.inp", "--threads", str(threads), *arguments], cwd=target,
                          capture_output=True, text=True, timeout=300,
                          env={**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive"})
    require(done.returncode == expect, f"{name}: exit {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return target


def outputs(target):
    """The final state and every number that was written about energies."""
    return state_of(target), (target / "run.energies.csv").read_text()


def check_bits(program, folder):
    one = outputs(steps(program, folder, "one"))
    ways = {"threads": {"threads": 2}, "lists": {"arguments": ["--set", "debug.list_every=7"]}}
    if shutil.which("mpirun"):
        moves = ["--set", 'debug.balance="forced"', "--set", "debug.list_every=10"]
        ways["ranks"] = {"prefix": [*LAUNCH, "3"], "arguments": moves}
    for name, way in ways.items():
        require(outputs(steps(program, folder, name, **way)) == one, f"{name}: other bits")
    steps(program, folder, "restarted", arguments=["--set", "debug.stop_at_step=23"], expect=STOPPED)
    require(outputs(steps(program, folder, "restarted")) == one, "a continuation has other bits")
    device = ["--set", 'hardware.gpu="host"']
    alone = outputs(steps(program, folder, "device", arguments=device))
    if shutil.which("mpirun"):
        require(outputs(steps(program, folder, "devices", prefix=[*LAUNCH, "2"], arguments=device)) == alone,
                "two ranks with devices have other bits than one")


def test_four_site_water(program, folder, source):
    waters(folder, source, "four")
    (folder / "run.inp").write_text(STEPS.format(more='pressure = "1 bar"\ncoupling_every = 5'))
    check_bits(program, folder)


def test_five_site_water(program, folder, source):
    waters(folder, source, "five")
    (folder / "run.inp").write_text(STEPS.format(
        more='thermostat = "langevin"\nfriction = "1 /ps"\npressure = "1 bar"\nbarostat = "monte-carlo"\ncoupling_every = 5'))
    check_bits(program, folder)


def test_all_kinds(program, folder, source):
    """Sites that tie a molecule together, without constraints."""
    molecules_with_sites(folder)
    text = STEPS.format(more="").replace("2 fs", "1 fs").replace("80 fs", "60 fs")
    (folder / "run.inp").write_text(text.replace('velocities = "generate"', 'velocities = "generate"\nconstraints = "none"'))
    check_bits(program, folder)


def test_refused(program, folder, source):
    """Sites for which the parents give no direction."""
    waters(folder, source, "four", height=0.2)
    top = (folder / "box.top").read_text().replace("4 1 2 3 1 0.106676721 0.106676721", "4 1 2 3 2 0.5 0.01")
    (folder / "box.top").write_text(top)
    lines = (folder / "box.gro").read_text().splitlines()
    lines[3] = lines[3][:20] + lines[2][20:]
    lines[4] = lines[4][:20] + lines[2][20:]
    (folder / "box.gro").write_text("\n".join(lines) + "\n")
    (folder / "run.inp").write_text(STEPS.format(more=""))
    result = program.run(folder, "-i", "run.inp", "--check", expect=INPUT)
    require("MD415" in result.err and "MW4" in result.err, result.err)


if __name__ == "__main__":
    harness.main([test_gromacs, test_pressure, test_four_site_water, test_five_site_water, test_all_kinds, test_refused])
