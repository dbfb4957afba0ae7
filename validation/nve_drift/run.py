#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drift of the total energy at constant energy, 2 fs, mixed precision, every other key at its default.

    run.py PROGRAM ubiquitin [--picoseconds 50] [--threads 2] [--folder FOLDER] [--set KEY=VALUE ...]
    run.py PROGRAM dhfr --system FOLDER ...

`ubiquitin` runs inputs/protein.inp with its last stage at constant energy and volume. `dhfr` takes topol.top and
conf.gro (plain or .gz) from the folder named by --system. The first 2 ps of constant energy are not counted.
Exit code 1 where the drift is above 0.02 kJ/mol/ns per atom or its error above 0.007."""

import argparse
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "run"))
import dhfr  # noqa: E402
import energy_fit  # noqa: E402

LARGEST_DRIFT, LARGEST_ERROR = 0.02, 0.007  # [kJ/mol/ns per atom]
SETTLING = 2.0  # [ps]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=lambda path: Path(path).resolve())
    parser.add_argument("name", choices=["ubiquitin", "dhfr"])
    parser.add_argument("--system", type=Path, help="folder of topol.top and conf.gro")
    parser.add_argument("--picoseconds", type=float, default=50.0)
    parser.add_argument("--threads", default="2")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--set", action="append", default=[])
    options = parser.parse_args()
    folder = (options.folder or Path(f"nve-{options.name}")).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if options.name == "dhfr" and not options.system:
        parser.error("dhfr needs --system FOLDER")
    deck = SOURCE / "inputs" / "protein.inp" if options.name == "ubiquitin" else dhfr.unpack(folder, options.system)
    keys = [
        'stage.produce.thermostat="none"',
        'stage.produce.barostat="none"',
        f'stage.produce.duration="{options.picoseconds + SETTLING} ps"',
        'stage.produce.output.energies.every="0.05 ps"',
        "output.trajectory=[]",
        *options.set,
    ]
    settings = [word for key in keys for word in ("--set", key)]
    subprocess.run([options.program, "-i", deck, "--threads", options.threads, *settings], cwd=folder, check=True)
    end = energy_fit.total_energies(folder, deck.stem)[0][-1]
    drift, error = energy_fit.drift(folder, deck.stem, end - options.picoseconds)
    print(f"{options.name}: {energy_fit.atoms_of(folder, deck.stem)} atoms, {options.picoseconds:g} ps: "
          f"drift {drift:+.4f} +- {error:.4f} kJ/mol/ns per atom")
    sys.exit(0 if abs(drift) <= LARGEST_DRIFT and error <= LARGEST_ERROR else 1)


main()
