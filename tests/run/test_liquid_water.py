# SPDX-License-Identifier: Apache-2.0
"""The density of TIP3P water at 300 K and 1 bar: 20 ps of validation/water_npt.

    test_liquid_water.py PROGRAM SOURCE_DIR [TEST...]
"""

import csv
import statistics

import harness
from harness import FINISHED, require

DENSITY = 984.4  # validation/water_npt [kg/m^3]
SPREAD = 2.0  # standard deviation of what pieces of 20 ps of that run give [kg/m^3]
COMPRESSIBILITY = 5.8e-5  # of TIP3P [1/bar]
SETTLING = 2.0  # [ps]


def test_density(program, folder, source):
    """The volume relaxes over picoseconds, so that 20 ps say little of its mean; but the volume at which the pressure
    would have been 1 bar is known at every moment, through the compressibility, up to fast noise."""
    keys = ('stage.produce.duration="22 ps"', 'output.energies.every="10 steps"', "output.trajectory=[]")
    settings = [word for key in keys for word in ("--set", key)]
    deck = source / "validation" / "water_npt" / "water.inp"
    program.run(folder, "-i", deck, *settings, expect=FINISHED, threads=1)
    with open(folder / "water.energies.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if float(row["time [ps]"]) >= SETTLING]
    plain = statistics.fmean(float(row["density [kg/m^3]"]) for row in rows)
    pressure = statistics.fmean(float(row["pressure [bar]"]) for row in rows)
    density = plain * (1.0 - COMPRESSIBILITY * (pressure - 1.0))
    print(f"density {plain:.1f} kg/m^3 at {pressure:.0f} bar, so {density:.1f} at 1 bar")
    require(abs(density - DENSITY) < 4.0 * SPREAD, f"density {density:.1f} kg/m^3 at 1 bar, not {DENSITY}")


if __name__ == "__main__":
    harness.main([test_density])
