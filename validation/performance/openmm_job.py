# SPDX-License-Identifier: Apache-2.0
"""What engines.py asks of OpenMM, in an interpreter that has it: topol.top and conf.gro of the working directory.

    openmm_job.py time|forces|drift STEPS THREADS"""

import json
import sys
import time

import openmm
from openmm import app, unit

STEP = 0.002 * unit.picoseconds


def read_gro(path):
    """Positions [nm], velocities [nm/ps] and vectors of the box [nm]: of any number of digits, which OpenMM's reader does
    not take."""
    lines = open(path).read().splitlines()
    rows, box = lines[2 : 2 + int(lines[1])], [float(word) for word in lines[2 + int(lines[1])].split()]
    width = rows[0].index(".", rows[0].index(".") + 1) - rows[0].index(".")
    numbers = [[float(row[20 + width * k : 20 + width * (k + 1)]) for k in range(6)] for row in rows]
    box += [0.0] * (9 - len(box))
    vectors = [(box[0], box[3], box[4]), (box[5], box[1], box[6]), (box[7], box[8], box[2])]
    return [r[:3] for r in numbers], [r[3:] for r in numbers], vectors


def simulation(integrator, threads):
    positions, velocities, box = read_gro("conf.gro")
    vectors = [openmm.Vec3(*v) for v in box] * unit.nanometers
    top = app.GromacsTopFile("topol.top", periodicBoxVectors=vectors)
    system = top.createSystem(nonbondedMethod=app.PME, nonbondedCutoff=0.9 * unit.nanometers, constraints=app.HBonds,
                              removeCMMotion=True)
    platform = openmm.Platform.getPlatformByName("CPU")
    made = app.Simulation(top.topology, system, integrator, platform, {"Threads": str(threads)})
    made.context.setPositions(positions)
    made.context.setVelocities(velocities)
    return made


def main():
    what, steps, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    if what == "time":
        run = simulation(openmm.LangevinMiddleIntegrator(300 * unit.kelvin, 1 / unit.picoseconds, STEP), threads)
        run.step(max(steps // 3, 1))
        run.context.getState(getEnergy=True)
        began = time.monotonic()
        run.step(steps)
        run.context.getState(getEnergy=True)
        print(json.dumps({"ms_per_step": 1000.0 * (time.monotonic() - began) / steps}))
    elif what == "forces":
        run = simulation(openmm.VerletIntegrator(STEP), threads)
        forces = run.context.getState(getForces=True).getForces(asNumpy=False)
        print(json.dumps({"forces": [[f[k] for k in range(3)]
                                     for f in forces.value_in_unit(unit.kilojoules_per_mole / unit.nanometer)]}))
    else:
        run = simulation(openmm.VerletIntegrator(STEP), threads)
        energies = []
        for _ in range(steps // 50):
            run.step(50)
            state = run.context.getState(getEnergy=True)
            total = state.getKineticEnergy() + state.getPotentialEnergy()
            energies.append([state.getTime().value_in_unit(unit.picoseconds), total.value_in_unit(unit.kilojoules_per_mole)])
        print(json.dumps({"energies": energies}))


main()
