#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How the fluctuation of the total energy falls with the timestep.

    exponent.py PROGRAM [--threads 2] [--folder FOLDER]

Runs inputs/water at constant energy in double precision with force-switched Lennard-Jones and tight Ewald, 4 ps with
steps of 2, 1 and 0.5 fs. Exit code 1 where an exponent between two steps, or the fitted one, is not within 0.2 of 2."""

import argparse
import math
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests" / "run"))
import energy_fit  # noqa: E402

STEPS = (2.0, 1.0, 0.5)  # [fs]
SETTLING = 0.2  # [ps]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=lambda path: Path(path).resolve())
    parser.add_argument("--threads", default="2")
    parser.add_argument("--folder", type=Path, default=Path("nve-exponent"))
    options = parser.parse_args()
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    fluctuations = []
    for dt in STEPS:
        name = f"water-{dt:g}fs"
        keys = [f'stage.nve.timestep="{dt:g} fs"', f'output.name="{name}"']
        settings = [word for key in keys for word in ("--set", key)]
        subprocess.run([options.program, "-i", HERE / "water.inp", "--threads", options.threads, *settings],
                       cwd=folder, check=True)
        fluctuations.append(energy_fit.fluctuation(folder, name, SETTLING))
    for dt, size in zip(STEPS, fluctuations):
        print(f"{dt:g} fs: standard deviation of the total energy {size:.4f} kJ/mol")
    logs = [math.log(dt) for dt in STEPS], [math.log(size) for size in fluctuations]
    exponents = [energy_fit.slope(logs[0][i : i + 2], logs[1][i : i + 2]) for i in range(len(STEPS) - 1)]
    fitted = energy_fit.slope(*logs)
    print(f"exponents {', '.join(f'{e:.3f}' for e in exponents)}; fitted {fitted:.3f}")
    sys.exit(0 if all(abs(e - 2.0) <= 0.2 for e in exponents + [fitted]) else 1)


main()
