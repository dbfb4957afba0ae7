# SPDX-License-Identifier: Apache-2.0
"""electrostatics = "esp": energies, pressure and forces are those of tight PME, and what it cannot do is refused.

    test_esp.py PROGRAM SOURCE_DIR [TEST...]
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness  # noqa: E402
from harness import FINISHED, INPUT, require  # noqa: E402

DECK = """\
[system]
topology = "{source}/inputs/{system}.top"
coordinates = "{source}/inputs/{system}.gro"
[hardware]
gpu = "off"
"""
SYSTEMS = ("water/water", "ubiquitin/ubiquitin")


def evaluated(program, folder, *keys):
    """The report of `mdsim energy`, and its forces."""
    sets = [word for key in keys for word in ("--set", key)]
    out = program.run(folder, "energy", "-i", "run.inp", "--json", "--forces", "f.csv", *sets, expect=FINISHED).out
    rows = (folder / "f.csv").read_text().splitlines()[1:]
    return json.loads(out), [float(x) for row in rows for x in row.split(",")]


def test_tight_pme(program, folder, source):
    for system in SYSTEMS:
        (folder / "run.inp").write_text(DECK.format(source=source, system=system))
        tight, exact = evaluated(program, folder, 'hardware.precision="double"', "forces.force_error=1e-6")
        rms = (sum(f * f for f in exact) / len(exact)) ** 0.5
        for precision in ("mixed", "double"):
            for error in (5e-4, 5e-5):
                report, forces = evaluated(program, folder, 'forces.electrostatics="esp"', f"forces.force_error={error}",
                                           f'hardware.precision="{precision}"')
                difference = (sum((a - b) ** 2 for a, b in zip(forces, exact)) / len(exact)) ** 0.5
                # Electrostatic forces are as large as all together.
                require(difference <= error * rms, f"{system}, {precision}: forces differ by {difference / rms:.2e}")
                energy = report["energies"]["potential"] - tight["energies"]["potential"]
                require(abs(energy) < 2 * error * report["atoms"], f"{system}, {precision}: energies differ by {energy}")
                pressure = report["pressure"] - tight["pressure"]
                require(abs(pressure) < 2e4 * error, f"{system}, {precision}: pressures differ by {pressure} bar")
                print(f"{system} {precision} {error}: forces {difference / rms:.2e}, energy {energy:.4f}, pressure {pressure:.3f}")


def test_check_names_it(program, folder, source):
    (folder / "run.inp").write_text(DECK.format(source=source, system="water/water"))
    out = program.run(folder, "-i", "run.inp", "--check", "--set", 'forces.electrostatics="esp"', expect=FINISHED).out
    require("prolates of bandwidth 11" in out and "order 6" in out, out)


def test_refusals(program, folder, source):
    (folder / "run.inp").write_text(DECK.format(source=source, system="water/water"))
    for key in ("forces.mesh_order=4", "forces.force_error=1e-9"):
        done = program.run(folder, "energy", "-i", "run.inp", "--set", 'forces.electrostatics="esp"', "--set", key, expect=INPUT)
        require("[MD454]" in done.err, f"{key}: {done.err}")


if __name__ == "__main__":
    harness.main([test_tight_pme, test_check_names_it, test_refusals])
