#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mdsim parity: energies by the conventions of four engines, and beside GROMACS and OpenMM where these are installed."""

import json
import os
import random
import shutil
import stat
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "validation" / "parity"))
import against_gromacs as peptides  # noqa: E402
from harness import FINISHED, HEAD, INPUT, UNSTABLE, main, require, solution  # noqa: E402

GMX = next(filter(None, map(shutil.which, ("gmx_d", "gmx"))), None)
PYTHON = Path(__file__).resolve().parents[3] / "build" / "readers" / "bin" / "python"
STAGE = '[[stage]]\nname = "none"\nkind = "minimise"\nmax_steps = 1\n'
EMPTY = {"PATH": "/nowhere"}


def methanol(folder):
    solution(folder, edge=5, methanols=4)
    (folder / "run.inp").write_text(HEAD + STAGE)


def parity(program, folder, *arguments, expect=FINISHED):
    """What it prints as JSON, and nothing left in the folder of temporary files."""
    scratch = folder / "scratch"
    scratch.mkdir(exist_ok=True)
    result = program.run(folder, "parity", "-i", "run.inp", "--json", *arguments, expect=expect,
                         variables={"TMPDIR": str(scratch)})
    require(not list(scratch.iterdir()), f"left behind: {list(scratch.iterdir())}")
    return json.loads(result.out) if result.out else result


def test_conventions(program, folder, source):
    """Four lists of the same energies, with units and constants of their own."""
    methanol(folder)
    of = parity(program, folder)["conventions"]
    energy = json.loads(program.run(folder, "energy", "-i", "run.inp", "--precision", "double", "--json").out)["energies"]
    close = lambda a, b: require(abs(a - b) <= 1e-9 * max(1.0, abs(b)), f"{a} is not {b}")  # noqa: E731
    gromacs, amber, charmm, openmm = (of[key]["energies"] for key in ("gromacs", "amber", "charmm", "openmm"))
    close(gromacs["Angle"], energy["angle"])
    close(gromacs["Coulomb (SR)"], energy["coulomb_real"] + energy["coulomb_self"] + energy["coulomb_exclusion"])
    close(gromacs["Potential"], energy["potential"])
    close(amber["ANGLE"], energy["angle"] / 4.184)
    close(amber["VDWAALS"], (energy["lj_sr"] + energy["dispersion_correction"]) / 4.184)
    close(amber["1-4 EEL"], energy["coulomb_14"] * 18.2223**2 / 10.0 / 138.935457644)
    close(charmm["EWKSum"], energy["coulomb_recip"] * 332.0716 / 10.0 / 138.935457644)
    close(charmm["VDWaals"], amber["VDWAALS"] + amber["1-4 NB"])
    close(openmm["HarmonicAngleForce"], energy["angle"])
    for terms in (gromacs, amber, charmm, openmm):
        *parts, total = terms.values()
        close(sum(parts), total)


def test_no_engine(program, folder, source):
    """A message that says how to get it."""
    methanol(folder)
    for engine, remedy in (("gromacs", "apt-get install gromacs"), ("openmm", "pip install openmm")):
        arguments = ("parity", "-i", "run.inp", "--against", engine)
        result = program.run(folder, *arguments, expect=INPUT, variables=EMPTY)
        require("[MD121]" in result.err and remedy in result.err, str(result))
        result = program.run(folder, *arguments, "--engine", "/nowhere/gmx", expect=INPUT)
        require("[MD121]" in result.err and "/nowhere/gmx" in result.err, str(result))


def test_what_an_engine_does_not_have(program, folder, source):
    methanol(folder)
    field = ("--set", 'forces.electrostatics="reaction-field"')
    result = parity(program, folder, "--against", "openmm", *field, expect=INPUT)
    require("[MD122]" in result.err and "reaction field" in result.err, str(result))
    switch = ("--set", 'forces.lennard_jones="charmm-force-switch"', "--set", 'forces.switch_from="0.6 nm"')
    result = parity(program, folder, "--against", "gromacs", *switch, expect=INPUT)
    require("[MD122]" in result.err and "force-switch" in result.err, str(result))


def test_engine_that_fails(program, folder, source):
    """Its own message is shown."""
    methanol(folder)
    engine = folder / "gmx"
    engine.write_text("#!/bin/sh\necho Fatal error: the dog ate it >&2\nexit 9\n")
    engine.chmod(engine.stat().st_mode | stat.S_IXUSR)
    result = parity(program, folder, "--against", "gromacs", "--engine", engine, expect=INPUT)
    require("[MD123]" in result.err and "the dog ate it" in result.err and "code 9" in result.err, str(result))


def require_agreement(out):
    require(out["against"]["agree"], json.dumps(out["against"], indent=1))


def test_gromacs(program, folder, source):
    """All amino acids in a force field of AMBER and in one of GROMOS."""
    if GMX is None:
        print("not tested: there is no gmx")
        return
    for force_field in ("amber99sb-ildn", "gromos54a7"):
        case = folder / force_field
        case.mkdir()
        require_agreement(peptides.compare(program.path, GMX, force_field, case))


def test_difference(program, folder, source):
    """Another cutoff in GROMACS is found, with its atom."""
    if GMX is None:
        return
    methanol(folder)
    require_agreement(parity(program, folder, "--against", "gromacs"))
    engine = folder / "gmx"
    engine.write_text(f"#!/bin/sh\n[ ! -f run.mdp ] || sed -i 's/^rvdw = .*/rvdw = 0.5/' run.mdp\nexec {GMX} \"$@\"\n")
    engine.chmod(engine.stat().st_mode | stat.S_IXUSR)
    against = parity(program, folder, "--against", "gromacs", "--engine", engine, expect=UNSTABLE)["against"]
    differing = [pair["term"] for pair in against["energies"] if not pair["agree"]]
    require("LJ (SR)" in differing and "Bond" not in differing, str(differing))
    require(against["force"]["largest_difference"] > 1e-3 and against["force"]["name"], str(against["force"]))


MARTINI = """\
[ defaults ]
1 {rule} no 1.0 1.0
[ atomtypes ]
P 72.0 0.0 A {lj}
Q 72.0 0.0 A {lj}
[ moleculetype ]
BEADS 1
[ atoms ]
1 P 1 CHN B1 1  0.0
2 P 1 CHN B2 2  1.0
3 Q 1 CHN B3 3 -1.0
[ bonds ]
1 2 1 0.37 1250
2 3 1 0.37 1250
[ angles ]
1 2 3 2 120 45
[ moleculetype ]
ION 1
[ atoms ]
1 Q 1 ION NA 1 1.0
[ moleculetype ]
W 1
[ atoms ]
1 P 1 W W 1 0.0
[ system ]
beads
[ molecules ]
BEADS 40
ION 20
W 200
"""


def beads(folder, rule, lj):
    """Coarse beads in the manner of Martini on a grid, a little off their places."""
    (folder / "box.top").write_text(MARTINI.format(rule=rule, lj=lj))
    numbers, places = random.Random(3), iter([(i, j, k) for i in range(7) for j in range(7) for k in range(7)])
    lines = []
    for name, atoms, count in (("CHN", ("B1", "B2", "B3"), 40), ("ION", ("NA",), 20), ("W", ("W",), 200)):
        for _ in range(count):
            for atom in atoms:
                x = [0.47 * p + numbers.uniform(-0.05, 0.05) for p in next(places)]
                lines.append(f"{1:5d}{name:<5}{atom:>5}{len(lines) + 1:5d}{x[0]:8.3f}{x[1]:8.3f}{x[2]:8.3f}\n")
    (folder / "box.gro").write_text(f"beads\n{len(lines)}\n" + "".join(lines) + "3.29 3.29 3.29\n")


def test_coarse_beads(program, folder, source):
    """Shifted Lennard-Jones, reaction field in a medium of 15, a bare cutoff: parameters by c6 and c12 or sigma and epsilon."""
    if GMX is None:
        return
    medium = "relative_permittivity = 15\n"
    field = 'electrostatics = "reaction-field"\n'
    by_c6, by_sigma = (1, "0.0862 0.000930"), (2, "0.47 4.5")
    for parameters, forces in ((by_c6, field + "reaction_field_permittivity = 78\n"), (by_sigma, field),
                               (by_sigma, 'electrostatics = "cutoff"\n'), (by_sigma, 'electrostatics = "pme"\n')):
        beads(folder, *parameters)
        (folder / "run.inp").write_text(HEAD.replace("0.7 nm", "1.1 nm") + forces + medium + STAGE)
        require_agreement(parity(program, folder, "--against", "gromacs"))


def test_openmm(program, folder, source):
    """GROMACS files of methanol in water: plain and switched Lennard-Jones."""
    if not PYTHON.exists() or os.system(f"{PYTHON} -c 'import openmm' 2>/dev/null") != 0:
        print("not tested: there is no OpenMM (scripts/install-deps.sh --test)")
        return
    methanol(folder)
    require_agreement(parity(program, folder, "--against", "openmm", "--engine", PYTHON))
    switch = ("--set", 'forces.lennard_jones="potential-switch"', "--set", 'forces.switch_from="0.5 nm"')
    require_agreement(parity(program, folder, "--against", "openmm", "--engine", PYTHON, *switch))


if __name__ == "__main__":
    main([test_conventions, test_no_engine, test_what_an_engine_does_not_have, test_engine_that_fails, test_gromacs,
          test_difference, test_coarse_beads, test_openmm])
