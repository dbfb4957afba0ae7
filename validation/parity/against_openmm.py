#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Energies and forces of mdsim beside OpenMM's Reference platform, for AMBER systems of a folder of reference data.

    against_openmm.py PROGRAM FOLDER [SYSTEM...] [--python build/readers/bin/python]

FOLDER has a folder for each system, with topology (.prmtop, .parm7) and coordinates (.inpcrd, .rst7). Exit code 1 where
something differs or is refused, 77 without OpenMM (scripts/install-deps.sh --test gets it)."""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
SYSTEMS = ("amber_ala2_tip3p amber_ff14ipq_offdiag amber_mixed14_vacuum amber_trpzip2_truncoct amber_dna_dodecamer "
           "amber_jac_dhfr amber_tip4p_box charmm_ala3_solv").split()
VACUUM = ("amber_mixed14_vacuum",)


def first(folder, *patterns):
    return next((path for pattern in patterns for path in sorted(folder.glob(pattern))), None)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("folder", type=Path)
    parser.add_argument("systems", nargs="*", default=SYSTEMS)
    parser.add_argument("--python", type=Path, default=SOURCE / "build" / "readers" / "bin" / "python")
    options = parser.parse_args()
    if not options.python.exists() or subprocess.run([options.python, "-c", "import openmm"], capture_output=True).returncode:
        print("skipped: there is no OpenMM")
        sys.exit(77)
    bad = 0
    for system in options.systems:
        folder = (options.folder / system).resolve()
        topology = first(folder, "*.prmtop", "*.parm7")
        coordinates = first(folder, "*.ascii.rst7", "*.rst7", "*.inpcrd")
        forces = 'electrostatics = "none"\n' if system in VACUUM else 'cutoff = "0.9 nm"\nlennard_jones = "cut"\n'
        with tempfile.TemporaryDirectory(prefix="mdsim-parity-") as scratch:
            inp = Path(scratch) / "run.inp"
            inp.write_text(f'[system]\ntopology = "{topology}"\ncoordinates = "{coordinates}"\n[forces]\n{forces}'
                           '[[stage]]\nname = "none"\nkind = "minimise"\nmax_steps = 1\n')
            command = [options.program, "parity", "-i", inp, "--against", "openmm", "--engine", options.python, "--json"]
            done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        if done.returncode not in (0, 3):
            bad += 1
            print(f"{system:<24}{done.stderr.strip().splitlines()[0][:200]}", flush=True)
            continue
        against = json.loads(done.stdout)["against"]
        bad += not against["agree"]
        force = against["force"]
        print(f"{system:<24}{against['engine']}: forces {force['relative_rms_difference']:.1e}, largest difference "
              f"{force['largest_difference']:.1e} kJ/mol/nm on {force['name']}   {'' if against['agree'] else 'DIFFERS'}", flush=True)
        for e in against["energies"]:
            print(f"    {e['term']:<40}{e['mdsim']:>20.6f}{e['engine']:>20.6f}{'' if e['agree'] else '   differs'}", flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
