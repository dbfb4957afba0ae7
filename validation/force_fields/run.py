#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every force field of GROMACS: energies of a protein by mdsim in double precision and by GROMACS, term by term.

    run.py PROGRAM [FORCE_FIELD...] [--pdb FILE] [--tolerance 1e-4]

Needs `gmx` (GROMACS 2022). Exit code 1 where a term differs by more than the tolerance, 77 without gmx."""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
FORCE_FIELDS = (
    "amber03 amber94 amber96 amber99 amber99sb amber99sb-ildn amberGS charmm27 gromos43a1 gromos43a2 gromos45a3 "
    "gromos53a5 gromos53a6 gromos54a7 oplsaa"
).split()
MDP = """integrator = md
nsteps = 0
continuation = yes
verlet-buffer-tolerance = -1
rlist = 1.15
rcoulomb = 1.0
rvdw = 1.0
coulombtype = PME
pme-order = 8
fourierspacing = 0.06
ewald-rtol = 1e-8
vdwtype = cut-off
vdw-modifier = none
DispCorr = EnerPres
nstenergy = 1
nstcalcenergy = 1
"""
INPUT = """[system]
topology = "topol.top"
coordinates = "conf.gro"
constraints = "none"
[forces]
cutoff = "1.0 nm"
lennard_jones = "cut"
electrostatics = "ewald"
ewald_splitting = "4.05 /nm"
"""
# Name, GROMACS' terms, mdsim's terms.
TERMS = (
    ("bonds", ("Bond", "G96Bond"), ("bond",)),
    ("angles, Urey-Bradley", ("Angle", "G96Angle", "U-B"), ("angle", "urey_bradley")),
    (
        "periodic dihedrals",
        ("Proper Dih.", "Ryckaert-Bell.", "Per. Imp. Dih."),
        ("proper_dihedral", "ryckaert_bellemans", "improper_periodic"),
    ),
    ("harmonic impropers", ("Improper Dih.",), ("improper_harmonic",)),
    ("correction maps", ("CMAP Dih.",), ("cmap",)),
    ("1-4 Lennard-Jones", ("LJ-14",), ("lj_14",)),
    ("1-4 Coulomb", ("Coulomb-14",), ("coulomb_14",)),
    ("Lennard-Jones", ("LJ (SR)",), ("lj_sr",)),
    ("dispersion correction", ("Disper. corr.",), ("dispersion_correction",)),
    ("Coulomb", ("Coulomb (SR)", "Coul. recip."), ("coulomb_total_without_14",)),
)


def gmx(folder, *arguments, text=None):
    command = ["gmx", "-quiet", "-nobackup", *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, input=text)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr[-2000:]}")


def gromacs_energies(folder):
    gmx(folder, "grompp", "-f", "run.mdp", "-c", "conf.gro", "-p", "topol.top", "-o", "run.tpr", "-maxwarn", 9)
    gmx(folder, "mdrun", "-s", "run.tpr", "-deffnm", "run", "-nt", 1, "-nb", "cpu")
    gmx(folder, "energy", "-f", "run.edr", "-o", "run.xvg", "-dp", text="\n".join(map(str, range(1, 40))) + "\n\n")
    lines = (folder / "run.xvg").read_text().splitlines()
    names = [re.search(r'"(.*)"', line).group(1) for line in lines if re.match(r"@ s\d+ legend", line)]
    values = next(line for line in lines if line[0] not in "#@").split()[1:]
    return dict(zip(names, map(float, values)))


def energies(program, force_field, pdb, folder):
    """(name, GROMACS, mdsim) of every term [kJ/mol]."""
    kept = [line for line in pdb.read_text().splitlines() if line.startswith("ATOM")]
    (folder / "in.pdb").write_text("\n".join(kept) + "\nEND\n")
    (folder / "run.mdp").write_text(MDP)
    (folder / "m.inp").write_text(INPUT)
    water = "spc" if force_field.startswith("gromos") else "tip3p"
    gmx(folder, "pdb2gmx", "-f", "in.pdb", "-o", "a.gro", "-ff", force_field, "-water", water, "-ignh")
    gmx(folder, "editconf", "-f", "a.gro", "-o", "conf.gro", "-box", 7.5, 7, 8, "-c")
    theirs = gromacs_energies(folder)
    command = [program, "energy", "-i", "m.inp", "--precision", "double", "--json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{force_field}: {done.stderr}")
    ours = json.loads(done.stdout)["energies"]
    total = lambda terms, names: sum(terms.get(name, 0.0) for name in names)  # noqa: E731
    return [(name, total(theirs, a), total(ours, b)) for name, a, b in TERMS]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("force_fields", nargs="*", default=FORCE_FIELDS)
    parser.add_argument("--pdb", type=Path, default=SOURCE / "inputs" / "ubiquitin" / "ubiquitin.pdb")
    parser.add_argument("--tolerance", type=float, default=1e-4)
    options = parser.parse_args()
    if shutil.which("gmx") is None:
        print("skipped: there is no gmx")
        sys.exit(77)
    worst = 0.0
    for force_field in options.force_fields:
        with tempfile.TemporaryDirectory(prefix="mdsim-force-field-") as folder:
            rows = energies(options.program, force_field, options.pdb, Path(folder))
        print(force_field)
        for name, theirs, ours in rows:
            if theirs == ours == 0.0:
                continue
            difference = abs(ours - theirs) / max(abs(theirs), 1e-3)
            worst = max(worst, difference)
            print(f"    {name:<22}{theirs:>16.4f}{ours:>16.4f}{difference:>10.1e}", flush=True)
    print(f"largest relative difference {worst:.1e}")
    sys.exit(1 if worst > options.tolerance else 0)


if __name__ == "__main__":
    main()
