// SPDX-License-Identifier: Apache-2.0
// The program in Python that has OpenMM's Reference platform compute one system: request.json in, answer.json out.
// OpenMM itself has no reader of topologies but in Python.
inline constexpr char openmm_script[] = R"PYTHON(
import json, math
import openmm
from openmm import app, unit

request = json.load(open("request.json"))
vectors = [openmm.Vec3(*row) for row in request["box"]] if request["box"] else None
topology = request["topology"]
kind = request["format"]
if kind == "amber":
    loaded = app.AmberPrmtopFile(topology)
elif kind == "gromacs":
    defines = dict((word.split("=", 1) + [""])[:2] for word in request["define"])
    keywords = {"defines": defines, "periodicBoxVectors": vectors}
    if request["include"]:
        keywords["includeDir"] = request["include"][0]
    loaded = app.GromacsTopFile(topology, **keywords)
else:
    loaded = app.CharmmPsfFile(topology)
    if vectors:
        lengths = [math.sqrt(sum(x * x for x in row)) for row in vectors]
        cosine = lambda a, b: sum(x * y for x, y in zip(vectors[a], vectors[b])) / (lengths[a] * lengths[b])
        angles = [math.acos(cosine(a, b)) for a, b in ((1, 2), (0, 2), (0, 1))]
        loaded.setBox(*(x * unit.nanometer for x in lengths), *(x * unit.radian for x in angles))
if vectors:
    loaded.topology.setPeriodicBoxVectors(vectors)
upright = vectors is not None and all(vectors[a][b] == 0.0 for a in range(3) for b in range(3) if a != b)
options = {"constraints": None, "rigidWater": False, "removeCMMotion": False}
if vectors is None:
    options["nonbondedMethod"] = app.NoCutoff
else:
    options["nonbondedMethod"] = app.Ewald if upright else app.PME
    options["nonbondedCutoff"] = request["cutoff"] * unit.nanometer
    options["ewaldErrorTolerance"] = 0.5 * math.exp(-(request["splitting"] * request["cutoff"]) ** 2)
if request["switch_from"] > 0.0 and kind != "gromacs":
    options["switchDistance"] = request["switch_from"] * unit.nanometer
arguments = [app.CharmmParameterSet(*request["parameters"])] if kind == "charmm" else []
system = loaded.createSystem(*arguments, **options)
if vectors:
    system.setDefaultPeriodicBoxVectors(*vectors)
for number, force in enumerate(system.getForces()):
    force.setForceGroup(number)
    if isinstance(force, openmm.NonbondedForce):
        force.setUseDispersionCorrection(False)
        if vectors and not upright:
            # The fifth order is all that there is: a fine mesh makes up for it.
            points = [max(8, math.ceil(vectors[a][a] / 0.03)) for a in range(3)]
            force.setPMEParameters(request["splitting"], *points)
    if isinstance(force, openmm.CustomNonbondedForce):
        force.setUseLongRangeCorrection(False)
    if isinstance(force, (openmm.NonbondedForce, openmm.CustomNonbondedForce)):
        force.setUseSwitchingFunction(request["switch_from"] > 0.0)
        if request["switch_from"] > 0.0:
            force.setSwitchingDistance(request["switch_from"])
platform = openmm.Platform.getPlatformByName("Reference")
context = openmm.Context(system, openmm.VerletIntegrator(0.001), platform)
context.setPositions([openmm.Vec3(*x) for x in request["positions"]])
energies = {}
for number, force in enumerate(system.getForces()):
    state = context.getState(getEnergy=True, groups={number})
    name = type(force).__name__
    energies[name] = energies.get(name, 0.0) + state.getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole)
forces = context.getState(getForces=True).getForces().value_in_unit(unit.kilojoule_per_mole / unit.nanometer)
answer = {"version": openmm.version.short_version, "energies": energies, "forces": [list(f) for f in forces]}
json.dump(answer, open("answer.json", "w"))
)PYTHON";
