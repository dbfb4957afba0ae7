#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Energies and forces of mdsim beside GROMACS for every force field of Debian's gromacs-data: a peptide with all twenty
amino acids in water.

    against_gromacs.py PROGRAM [CASE...] [--gmx gmx_d]

A case is a force field, or one with a water model after a colon: oplsaa:tip4p. Needs gmx_d or gmx (GROMACS 2022). Exit
code 1 where something differs or is refused, 77 without GROMACS."""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from peptide import write_peptide  # noqa: E402

SOURCE = Path(__file__).resolve().parents[2]
CASES = (
    "amber03 amber94 amber96 amber99 amber99sb amber99sb-ildn amberGS charmm27 gromos43a1 gromos43a2 gromos45a3 "
    "gromos53a5 gromos53a6 gromos54a7 oplsaa amber99sb-ildn:tip4pew amber03:tip4p charmm27:tip5p oplsaa:tip4p "
    "oplsaa:tip5p"
).split()
# The form that each force field was made with.
FORMS = {
    "amber": 'lennard_jones = "shift"\nelectrostatics = "pme"\n',
    "charmm": 'lennard_jones = "force-switch"\nswitch_from = "0.8 nm"\nelectrostatics = "pme"\n',
    "gromos": 'lennard_jones = "cut"\nelectrostatics = "reaction-field"\nreaction_field_permittivity = 61\n',
    "oplsaa": 'lennard_jones = "cut"\nelectrostatics = "pme"\n',
}


class Failed(Exception):
    pass


def run(folder, *command, text=None):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, input=text)
    if done.returncode:
        raise Failed(f"{' '.join(map(str, command))}\n{done.stderr[-2000:]}")
    return done.stdout


def make_system(gmx, case, folder):
    """topol.top, conf.gro and run.inp of a force field."""
    force_field, _, water = case.partition(":")
    family = next(name for name in FORMS if force_field.startswith(name))
    water = water or ("spc" if family == "gromos" else "tip3p")
    sites = {"tip4p": "tip4p.gro", "tip4pew": "tip4p.gro", "tip5p": "tip5p.gro"}.get(water, "spc216.gro")
    gmx = [gmx, "-quiet", "-nobackup"]
    write_peptide(SOURCE / "inputs" / "ubiquitin" / "ubiquitin.pdb", folder / "peptide.pdb")
    run(folder, *gmx, "pdb2gmx", "-f", "peptide.pdb", "-o", "a.gro", "-ff", force_field, "-water", water, "-ignh")
    run(folder, *gmx, "editconf", "-f", "a.gro", "-o", "b.gro", "-princ", "-d", 0.6, "-c", text="System\n")
    run(folder, *gmx, "solvate", "-cp", "b.gro", "-cs", sites, "-p", "topol.top", "-o", "conf.gro")
    (folder / "run.inp").write_text(
        '[system]\ntopology = "topol.top"\ncoordinates = "conf.gro"\n[forces]\ncutoff = "1.0 nm"\n' + FORMS[family]
        + '[[stage]]\nname = "none"\nkind = "minimise"\nmax_steps = 1\n')


def compare(program, gmx, case, folder):
    """What `mdsim parity --against gromacs --json` says."""
    make_system(gmx, case, folder)
    command = [program, "parity", "-i", "run.inp", "--against", "gromacs", "--engine", gmx, "--json"]
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise Failed(done.stderr.strip())
    return json.loads(done.stdout)


def worst_energy(against):
    """Largest relative difference of a term, of its own size or of the largest where parts of Coulomb cancel."""
    largest = max(abs(e["engine"]) for e in against["energies"])
    sizes = [(e, largest if e["term"].startswith("Coul") else abs(e["engine"])) for e in against["energies"]]
    return max(abs(e["difference"]) / max(size, 1.0) for e, size in sizes)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("cases", nargs="*", default=CASES)
    parser.add_argument("--gmx", default=next(filter(shutil.which, ("gmx_d", "gmx")), None))
    options = parser.parse_args()
    if options.gmx is None:
        print("skipped: there is no gmx")
        sys.exit(77)
    bad = 0
    for case in options.cases:
        with tempfile.TemporaryDirectory(prefix="mdsim-parity-") as folder:
            try:
                out = compare(options.program, shutil.which(options.gmx), case, Path(folder))
            except Failed as failure:
                bad += 1
                print(f"{case:<24} {str(failure).splitlines()[0][:200]}", flush=True)
                continue
        against = out["against"]
        bad += not against["agree"]
        force = against["force"]
        print(f"{case:<24}{out['atoms']:>7} atoms   energies {worst_energy(against):.1e}   forces "
              f"{force['relative_rms_difference']:.1e}, largest difference {force['largest_difference']:.1e} kJ/mol/nm on "
              f"{force['name']}   {'' if against['agree'] else 'DIFFERS'}", flush=True)
        for e in against["energies"]:
            if not e["agree"]:
                print(f"    {e['term']}: {e['mdsim']:.6f} {e['engine']:.6f}", flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
