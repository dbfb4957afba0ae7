#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The forms of bonded terms that few force fields have, against GROMACS: each in a molecule of its own, and terms between
molecules; energies by kind and the force on every atom; and the same bits on three ranks.

    test_gromacs_forms.py PROGRAM SOURCE_DIR

Needs `gmx_d` or `gmx`; exit code 77 without them."""

import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = str(Path(sys.argv[1]).resolve())

# Of atoms 1 to 5, which are bent and twisted; bonds of 0.13 to 0.15 nm.
FORMS = (
    "[ bonds ]\n1 2 3 0.14 350 25\n2 3 3 0.16 300 20\n",
    "[ bonds ]\n1 2 4 0.13 20000 -15\n2 3 4 0.16 30000 12\n",
    "[ bonds ]\n1 2 7 0.30 4000\n3 4 7 0.16 900\n",
    "[ bonds ]\n1 2 10 0.2 0.3 0.4 700\n1 3 10 0.1 0.3 0.4 800\n1 4 10 0.05 0.1 0.12 900\n1 5 10 0.05 0.1 3.0 500\n",
    "[ angles ]\n1 2 3 3 0.13 0.14 9000\n2 3 4 3 0.16 0.12 -7000\n",
    "[ angles ]\n1 2 3 4 0.13 0.14 0.21 9000\n2 3 4 4 0.16 0.12 0.25 7000\n",
    "[ angles ]\n1 2 3 6 100 3 -20 400 -150 60\n2 3 4 6 80 1 2 300 40 50\n",
    "[ angles ]\n1 2 3 9 0.4 9000\n2 3 4 9 0.55 8000\n",
    "[ angles ]\n1 2 3 10 120 80\n2 3 4 10 90 60\n",
    "[ dihedrals ]\n1 2 3 4 10 75 8\n2 3 4 5 10 140 3\n",
    "[ dihedrals ]\n1 2 3 4 11 2 1.1 -1.2 1.3 1.4 0.5\n2 3 4 5 11 5 1.7 0.3 0.1 -1.4 1.5\n",
    "[ angle_restraints ]\n1 2 3 4 1 70 50 1\n1 2 1 4 1 30 40 3\n",
    "[ angle_restraints_z ]\n1 2 1 70 50 1\n3 4 1 30 40 2\n",
    "[ dihedral_restraints ]\n1 2 3 4 1 170 5 300\n2 3 4 5 1 -100 10 200\n3 1 2 5 1 0 180 50\n",
    "[ distance_restraints ]\n1 2 1 0 1 0.2 0.3 0.4 0.7\n1 4 1 1 1 0.1 0.2 0.3 1.5\n2 5 1 2 1 0.1 0.2 0.9 1.2\n",
    "[ pairs_nb ]\n1 4 1 0.5 -0.4 0.3 0.6\n2 5 1 0.1 0.8 0.25 0.9\n",
)
# Of the first molecule and the third one, whose nearest images are across a face of the box.
BETWEEN = """[ intermolecular_interactions ]
[ bonds ]
3 11 10 0.5 1.0 1.5 20
[ dihedral_restraints ]
1 2 11 12 1 60 10 30
"""
PLACES = ((0.0, 0.0, 0.0), (0.11, 0.09, -0.02), (0.24, 0.03, 0.03), (0.33, 0.11, 0.11), (0.47, 0.08, 0.05))
# Kinds of energies: those of GROMACS and of mdsim.
KINDS = (
    (("Morse", "Cubic Bonds", "FENE Bonds"), ("bond",)),
    (("Bond-Cross", "BA-Cross", "Quartic Angles", "Lin. Angle", "Restr. Angles"), ("angle",)),
    (("Restr. Dih.", "CBT Dih."), ("proper_dihedral",)),
    (("Restraint Pot.", "Angle Rest.", "Angle Rest. Z", "Dih. Rest.", "Dis. Rest."), ("restraint",)),
    (("LJ (SR)",), ("lj_sr",)),
    (("Coulomb (SR)",), ("coulomb_real",)),
)
MDP = """integrator = md
nsteps = 0
continuation = yes
verlet-buffer-tolerance = -1
rlist = 1.0
rcoulomb = 0.9
rvdw = 0.9
coulombtype = cut-off
coulomb-modifier = none
vdwtype = cut-off
vdw-modifier = none
disre = simple
nstfout = 1
nstenergy = 1
nstcalcenergy = 1
"""
INPUT = """[system]
topology = "topol.top"
coordinates = "conf.gro"
constraints = "none"
coulomb_constant = "gromacs"
[forces]
cutoff = "0.9 nm"
lennard_jones = "cut"
electrostatics = "cutoff"
dispersion_correction = false
"""


def write_files(folder):
    """Molecules stand 2 nm apart, turned differently by the order of their axes."""
    top = "[ defaults ]\n1 2 no 1 1\n[ atomtypes ]\nA 6 12.0 0.0 A 0.0 0.0\n"
    gro, count = [], 0
    for n, form in enumerate(FORMS):
        top += f"[ moleculetype ]\nM{n} 0\n[ atoms ]\n"
        for a, place in enumerate(PLACES):
            count += 1
            top += f"{a + 1} A 1 R A{a + 1} 1 0 12\n"
            x = [place[(axis + n) % 3] * (1 + 0.01 * n) for axis in range(3)]
            x = [v + o for v, o in zip(x, (1 + 2 * (n % 3), 1 + 2 * (n // 3 % 3), 1 + 2 * (n // 9)))]
            gro.append(f"{n + 1:5}R    {f'A{a + 1}':>5}{count:5}" + "".join(f"{v:15.10f}" for v in x))
        top += form
    top += "[ system ]\nforms\n[ molecules ]\n" + "".join(f"M{n} 1\n" for n in range(len(FORMS))) + BETWEEN
    (folder / "topol.top").write_text(top)
    (folder / "conf.gro").write_text("\n".join(["forms", str(count), *gro, "  6.4 6.3 6.2", ""]))
    (folder / "run.mdp").write_text(MDP)
    (folder / "m.inp").write_text(INPUT)


def gromacs(folder):
    """Energies by name and forces [kJ/mol/nm], and whether they are of double precision."""
    name = next((name for name in ("gmx_d", "gmx") if shutil.which(name)), None)
    if name is None:
        print("skipped: there is no gmx")
        sys.exit(77)

    def gmx(*arguments, text=None):
        done = subprocess.run([name, "-quiet", "-nobackup", *arguments], cwd=folder, capture_output=True, text=True, input=text)
        if done.returncode and arguments[0] == "mdrun" and "rdtscp" in done.stderr:
            print("skipped: this gmx does not run on this processor")
            sys.exit(77)
        assert done.returncode == 0, done.stderr[-2000:]

    gmx("grompp", "-f", "run.mdp", "-c", "conf.gro", "-p", "topol.top", "-o", "t.tpr", "-maxwarn", "5")
    gmx("mdrun", "-s", "t.tpr", "-deffnm", "t", "-nt", "1")
    gmx("energy", "-f", "t.edr", "-dp", "-o", "e.xvg", text="\n".join(map(str, range(1, 60))) + "\n\n")
    gmx("traj", "-s", "t.tpr", "-f", "t.trr", "-of", "f.xvg", "-fp", "-xvg", "none", text="0\n")
    lines = (folder / "e.xvg").read_text().splitlines()
    names = [line.split('"')[1] for line in lines if line.startswith("@ s") and "legend" in line]
    values = next(line for line in lines if line[0] not in "#@").split()[1:]
    forces = (folder / "f.xvg").read_text().split()[1:]
    return dict(zip(names, map(float, values))), list(map(float, forces)), name == "gmx_d"


def mdsim(folder, ranks=1):
    command = [PROGRAM, "energy", "-i", "m.inp", "--precision", "double", "--json", "--forces", "f.csv"]
    if ranks > 1:
        command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), *command]
    environment = dict(os.environ, OMP_NUM_THREADS="1", OMP_WAIT_POLICY="passive")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    rows = [row for row in csv.reader((folder / "f.csv").read_text().splitlines())]
    forces = [float(v) for row in rows if row[0][0] in "-0123456789" for v in row]
    return json.loads(done.stdout[done.stdout.index("{"):]), forces


def main():
    with tempfile.TemporaryDirectory(prefix="mdsim-forms-") as name:
        folder = Path(name)
        write_files(folder)
        theirs, their_forces, is_double = gromacs(folder)
        ours, our_forces = mdsim(folder)
        tolerance = 1e-9 if is_double else 1e-5
        for names, terms in KINDS:
            expected, got = sum(theirs.get(n, 0.0) for n in names), sum(ours["energies"].get(t, 0.0) for t in terms)
            print(f"{terms[0]:<18}{expected:>18.8f}{got:>18.8f}")
            assert expected != 0.0, f"{names} not computed by GROMACS: {sorted(theirs)}"
            assert abs(got - expected) <= tolerance * abs(expected) + 1e-7, terms
        # GROMACS' rows are those of positions, mdsim's those of forces.
        virial = [-2 * theirs[f"Vir-{b}{a}"] for a in "XYZ" for b in "XYZ"]
        largest = max(map(abs, virial))
        off = max(abs(a - b) for a, b in zip(virial, sum(ours["virial"], [])))
        print(f"virial: largest {largest:.6f}, off {off:.1e}")
        assert off <= 10 * tolerance * largest + 1e-6
        assert len(our_forces) == len(their_forces) == 15 * len(FORMS), (len(our_forces), len(their_forces))
        for n, form in enumerate(FORMS):
            part = slice(15 * n, 15 * (n + 1))
            size = max(map(abs, their_forces[part]))
            off = max(abs(a - b) for a, b in zip(our_forces[part], their_forces[part]))
            print(f"{form.splitlines()[0]} {form.splitlines()[1]:<40} largest force {size:12.4f}  off {off:.1e}")
            assert size > 1.0 and off <= 100 * tolerance * size + 1e-6, form
        if shutil.which("mpirun"):
            again, forces_again = mdsim(folder, ranks=3)
            assert again == ours and forces_again == our_forces, "other bits on three ranks"


if __name__ == "__main__":
    main()
