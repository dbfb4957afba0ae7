# SPDX-License-Identifier: Apache-2.0
"""Parts of the device check that measure: time of a step, and of each operation of the device."""

import math
import re

import floors
import systems
from program import Failed

MEASURED = 4.0  # seconds of steps that a result rests on
PROBE = 100  # steps, to learn how many those are
BOXES = (("water 24k", (3, 3, 1)), ("water 97k", (3, 3, 4)), ("water 389k", (4, 6, 6)), ("water 1.56M", (8, 8, 9)))

# OpenMM 8.4, CUDA, H200, everything on the GPU, 4 fs (openmm.org, data of its benchmark page): atoms and ns/day.
ANCHORS = {"DHFR": (23558, 1720.0), "ApoA1": (92224, 763.0), "STMV": (1067095, 78.6)}
GOAL = 0.7


def anchor_time(atoms):
    """(name, microseconds a step) of the anchor nearest in size, scaled to this number of atoms."""
    name = min(ANCHORS, key=lambda a: abs(math.log(ANCHORS[a][0] / atoms)))
    size, ns_per_day = ANCHORS[name]
    return name, 86400.0 * 4.0 / ns_per_day * atoms / size


def parts(check):
    """(name, seconds at most, function) of each part."""
    if check.host:
        yield "speed, water 3k", 60, lambda c: bench(c, systems.water(c.folder, (1, 1, 1)))
        yield "speed, ubiquitin", 120, lambda c: staged(c, systems.ubiquitin())
        return
    if check.dhfr_files:
        yield "speed, DHFR", 40, lambda c: bench(c, c.dhfr())
        yield "speed, DHFR 4 fs", 40, lambda c: bench(c, c.dhfr().at_4_fs())
    yield "speed, ubiquitin", 60, lambda c: staged(c, systems.ubiquitin())
    yield "speed, ubiquitin 4 fs", 60, lambda c: staged(c, systems.ubiquitin().at_4_fs())
    for name, tiles in BOXES:
        yield f"speed, {name}", 100, lambda c, tiles=tiles: bench(c, systems.water(c.folder, tiles))


def record(check, system, atoms, ms, ns_per_day):
    name, best = anchor_time(atoms)
    check.speeds.append({"system": system.name, "atoms": atoms, "us_per_step": 1e3 * ms, "ns_per_day": ns_per_day,
                         "anchor": name, "anchor_us_per_step": best, "of_anchor": best / (1e3 * ms)})
    check.say(f"speed, {system.name}", None, f"{atoms} atoms: {1e3 * ms:.1f} us/step, {ns_per_day:.1f} ns/day, "
              f"{100 * best / (1e3 * ms):.1f} % of OpenMM's step rate an atom ({name})")


def bench(check, system):
    steps = 3 if check.host else PROBE
    trace = check.output / f"{system.name.replace(', ', '_').replace(' ', '_')}.trace.json"
    report = check.program.bench(system, check.gpu, steps, trace)
    wanted = int(1e3 * MEASURED / report["ms_per_step"])
    if not check.host and wanted > 2 * steps:
        report = check.program.bench(system, check.gpu, wanted, trace)
    if not any(device["operations"] for device in report.get("devices", [])):
        raise Failed("no operation ran on a device")
    record(check, system, report["atoms"], report["ms_per_step"], report["ns_per_day"])
    operations(check, system, report)


def staged(check, system):
    """By stages that begin with a relaxation, since the file is a crystal structure; the speed of the last one."""
    keys = ('output.energies.every="1000 steps"', 'stage.produce.duration="20 ps"')
    if check.host:
        keys = ("stage.relax.max_steps=1", 'stage.heat.duration="2 fs"', 'stage.produce.duration="4 fs"')
    folder = check.folder / f"speed-{system.name}"
    log = (folder / f"{check.program.run(system, check.gpu, folder, *keys)}.log").read_text()
    atoms = int(re.search(r"^system: (\d+) atoms", log, re.MULTILINE).group(1))
    ns_per_day, ms = re.findall(r"([\d.]+) ns/day.*?([\d.]+) ms/step", log)[-1]
    record(check, system, atoms, float(ms), float(ns_per_day))
    if not check.host and "  device: " not in log:
        raise Failed("no operation ran on a device")


def operations(check, system, report):
    """Time of each operation in a step, beside the least that its bytes and its instructions can take."""
    facts = floors.facts_of(report["atoms"], check.program.plan(system, check.gpu))
    for device in report["devices"]:
        check.devices.append({"system": system.name, **{key: 1e3 * device[key] for key in ("busy", "waited", "hidden")}})
        for name, ms in device["operations"].items():
            check.kernels.append({"system": system.name, "operation": name, "us": 1e3 * ms, **floors.of(name, facts)})
