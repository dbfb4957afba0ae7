# SPDX-License-Identifier: Apache-2.0
"""Constant energy is constant: short versions of validation/nve_drift, with inputs/water.

    test_energy_conservation.py PROGRAM SOURCE_DIR [TEST...]
"""

import math

import energy_fit
import harness
from harness import FINISHED, require


def constant_energy(program, folder, source, name, settings, keys=()):
    """A run of inputs/water at constant energy; the outputs are called `name`."""
    (folder / "water.inp").write_text(
        f"""\
[system]
topology = "{source}/inputs/water/water.top"
coordinates = "{source}/inputs/water/water.gro"
velocities = "file"
{settings}
[output]
trajectory = []
energies = {{ every = "4 fs" }}
[[stage]]
name = "nve"
kind = "dynamics"
duration = "1 ps"
timestep = "2 fs"
thermostat = "none"
"""
    )
    words = [word for key in (f'output.name="{name}"', *keys) for word in ("--set", key)]
    program.run(folder, "-i", "water.inp", *words, expect=FINISHED, threads=1)


def test_drift(program, folder, source):
    """At the defaults: no drift beyond 0.02 kJ/mol/ns per atom that the error of so short a run would not explain."""
    constant_energy(program, folder, source, "drift", "", ('stage.nve.duration="8 ps"',))
    drift, error = energy_fit.drift(folder, "drift", begin=2.0)
    print(f"drift {drift:+.3f} +- {error:.3f} kJ/mol/ns per atom")
    require(error < 0.03, f"the error {error:.3f} of the drift is too large for a test")
    require(abs(drift) < 0.02 + 3.0 * error, f"drift {drift:.3f} +- {error:.3f} kJ/mol/ns per atom")


SMOOTH = """\
[forces]
cutoff = "0.9 nm"
lennard_jones = "force-switch"
switch_from = "0.7 nm"
force_error = 1e-6
[hardware]
precision = "double"
"""


def test_exponent(program, folder, source):
    """With smooth forces what is left of the fluctuation is the integrator's, which is of second order."""
    sizes = {}
    for dt in (2.0, 0.5):
        constant_energy(program, folder, source, f"smooth-{dt}", SMOOTH, (f'stage.nve.timestep="{dt} fs"',))
        sizes[dt] = energy_fit.fluctuation(folder, f"smooth-{dt}", begin=0.1)
    exponent = math.log(sizes[2.0] / sizes[0.5]) / math.log(2.0 / 0.5)
    print(f"fluctuations {sizes[2.0]:.4f} and {sizes[0.5]:.4f} kJ/mol, exponent {exponent:.3f}")
    require(abs(exponent - 2.0) <= 0.2, f"the fluctuation falls with the timestep to the power {exponent:.3f}")


if __name__ == "__main__":
    harness.main([test_drift, test_exponent])
